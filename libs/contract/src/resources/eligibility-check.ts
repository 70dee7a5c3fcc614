// Whether a member's cover would pay for a session: a decision with its reasons, never an error.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amount,
  closedObject,
  count,
  nullable,
  objectName,
  oneOf,
  outputCurrency,
  outputInstant,
  outputItems,
  outputText,
  part,
} from '../schema';

export const eligibilityStatuses = ['eligible', 'ineligible'] as const;
export type EligibilityStatus = (typeof eligibilityStatuses)[number];

/** Why a check came out as it did, in the order in which a check lists them. */
export const eligibilityReasonCodes = [
  'eligible',
  'coverage_not_found',
  'coverage_inactive',
  'coordination_required',
  'outside_coverage_period',
  'benefit_exhausted',
  'amount_exceeds_benefit',
] as const;
export type EligibilityReasonCode = (typeof eligibilityReasonCodes)[number];

export const EligibilityCheck = closedObject(
  'EligibilityCheck',
  "A judgement of a member's cover for one session at its time.",
  {
    id: identifier('eligibilityCheck', "The check's identifier."),
    object: objectName('eligibility_check'),
    status: oneOf(eligibilityStatuses, 'The judgement.'),
    reason_codes: outputItems(
      oneOf(eligibilityReasonCodes, 'A reason.'),
      'Why. An eligible check has exactly `eligible`.',
    ),
    service: part('What was asked about.', {
      code: outputText('The service.'),
      scheduled_at: outputInstant('When the session is to start.'),
    }),
    amount: part('Amounts, in one currency.', {
      requested: amount('What the session costs.', 1),
      currency: outputCurrency(),
      maximum_per_session: nullable(amount('Most that the coverage pays of one session.')),
    }),
    authorization_required: Type.Boolean({
      description: 'Whether the coverage asks for authorization; false where no coverage was judged.',
    }),
    remaining_sessions: nullable(count('Sessions left when checked, reservations taken off.')),
    coverage_valid_until: nullable(outputInstant('End of the cover, exclusive.')),
    checked_at: outputInstant('When the check was made.'),
  },
  {
    id: exampleIdentifier('eligibilityCheck'),
    object: 'eligibility_check',
    status: 'eligible',
    reason_codes: ['eligible'],
    service: { code: 'psy.individual.50', scheduled_at: '2027-03-01T07:00:00.000Z' },
    amount: { requested: 350000, currency: 'KES', maximum_per_session: 400000 },
    authorization_required: true,
    remaining_sessions: 12,
    coverage_valid_until: '2028-01-01T00:00:00.000Z',
    checked_at: '2027-02-20T10:15:30.123Z',
  },
);
export type EligibilityCheck = Static<typeof EligibilityCheck>;
