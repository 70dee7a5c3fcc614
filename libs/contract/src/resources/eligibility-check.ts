// Eligibility checks: whether a member's coverage covers a session at a time, with the reasons.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';

export const eligibilityStatuses = ['eligible', 'ineligible'] as const;
export type EligibilityStatus = (typeof eligibilityStatuses)[number];

/** The reasons for the result of an eligibility check, in the order in which a check lists them. */
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
  "A decision whether a member's coverage covers one session at its time.",
  {
    id: identifier('eligibilityCheck', "The check's identifier."),
    object: objectName('eligibility_check'),
    status: stringEnum('EligibilityStatus', eligibilityStatuses, 'The result.'),
    reason_codes: outputArray(
      stringEnum('EligibilityReasonCode', eligibilityReasonCodes, 'A reason.'),
      'The reasons of the result. An eligible check has exactly `eligible`.',
    ),
    service: inlineObject('The checked service.', {
      code: outputString('The service.'),
      scheduled_at: outputInstant('Start of the session.'),
    }),
    amount: inlineObject('Amounts, in one currency.', {
      requested: moneyAmount('The price of the session.', 1),
      currency: outputCurrency(),
      maximum_per_session: nullable(
        moneyAmount('The maximum amount that the coverage pays per session; null without a coverage.'),
      ),
    }),
    authorization_required: Type.Boolean({
      description: 'Whether the coverage requires a pre-authorization; false without a coverage.',
    }),
    remaining_sessions: nullable(
      safeInteger('The remaining sessions minus reservations, when checked; null without a coverage.'),
    ),
    coverage_valid_until: nullable(outputInstant('End of the cover, exclusive; null without a coverage.')),
    checked_at: outputInstant('When the check was made.'),
  },
  {
    id: exampleIdentifier('eligibilityCheck'),
    object: 'eligibility_check',
    status: 'eligible',
    reason_codes: ['eligible'],
    service: { code: 'psy.individual.50', scheduled_at: '2099-03-02T07:00:00.000Z' },
    amount: { requested: 350000, currency: 'KES', maximum_per_session: 400000 },
    authorization_required: true,
    remaining_sessions: 12,
    coverage_valid_until: '2100-01-01T00:00:00.000Z',
    checked_at: '2025-02-20T10:15:30.123Z',
  },
);
export type EligibilityCheck = Static<typeof EligibilityCheck>;
