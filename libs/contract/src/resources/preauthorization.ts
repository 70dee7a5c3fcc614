// Pre-authorizations: requests to approve the payment of one session, with the payer's decision.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { DECISION_EVIDENCE_LIMIT } from '../limits';
import {
  boundedArray,
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  nullableObject,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';
import { PolicyReference } from './policy';

export const preauthorizationStatuses = ['pending', 'approved', 'denied', 'expired', 'cancelled'] as const;
export type PreauthorizationStatus = (typeof preauthorizationStatuses)[number];

export const preauthorizationOutcomes = ['approved', 'denied'] as const;

const exampleDecision = {
  id: exampleIdentifier('preauthorizationDecision'),
  object: 'preauthorization_decision',
  version: 1,
  outcome: 'approved',
  reason_codes: ['within_policy'],
  policy: { reference: 'policy:outpatient', version: '2025.1' },
  authority_reference: 'project:payer-east/key:3f9c',
  evidence_references: [
    'referral:8812',
    exampleIdentifier('eligibilityCheck'),
    exampleIdentifier('booking'),
    exampleIdentifier('coverageObservation'),
  ],
  decided_at: '2025-02-21T09:00:00.000Z',
};

export const PreauthorizationDecision = closedObject(
  'PreauthorizationDecision',
  "The payer's decision on a pre-authorization.",
  {
    id: identifier('preauthorizationDecision', "The decision's identifier."),
    object: objectName('preauthorization_decision'),
    version: safeInteger('The number of the decision, from 1.', 1),
    outcome: stringEnum('PreauthorizationOutcome', preauthorizationOutcomes, 'The outcome of the decision.'),
    reason_codes: outputArray(outputString('A reason code.'), 'The reasons of the decision.'),
    policy: PolicyReference,
    authority_reference: outputString('The project and the key that made the decision.'),
    evidence_references: boundedArray(
      outputString('A reference.'),
      0,
      DECISION_EVIDENCE_LIMIT.output,
      "The client's references, then the eligibility check, the booking and the coverage observation of the decision.",
    ),
    decided_at: outputInstant('When the decision was made.'),
  },
  exampleDecision,
);
export type PreauthorizationDecision = Static<typeof PreauthorizationDecision>;

export const Preauthorization = closedObject(
  'Preauthorization',
  'A request that the payer approve one covered session in advance. Only the approval reserves the benefit.',
  {
    id: identifier('preauthorization', "The pre-authorization's identifier."),
    object: objectName('preauthorization'),
    eligibility_check_id: identifier('eligibilityCheck', 'The eligibility check.'),
    booking_id: identifier('booking', 'The booking.'),
    status: stringEnum('PreauthorizationStatus', preauthorizationStatuses, 'The status.'),
    reason_codes: outputArray(
      outputString('A reason code.'),
      'The reasons of the decision; empty without a decision.',
    ),
    amount: inlineObject('Amounts, in one currency.', {
      requested: moneyAmount('The requested amount.', 1),
      approved: nullable(moneyAmount('The approved amount; null if not approved.', 1)),
      currency: outputCurrency(),
    }),
    valid_until: nullable(outputInstant('When the approval expires; null if not approved.')),
    created_at: outputInstant('When it was created.'),
    decision: nullableObject(PreauthorizationDecision, 'The decision; null without one.'),
  },
  {
    id: exampleIdentifier('preauthorization'),
    object: 'preauthorization',
    eligibility_check_id: exampleIdentifier('eligibilityCheck'),
    booking_id: exampleIdentifier('booking'),
    status: 'approved',
    reason_codes: ['within_policy'],
    amount: { requested: 350000, approved: 350000, currency: 'KES' },
    valid_until: '2099-04-01T00:00:00.000Z',
    created_at: '2025-02-20T10:20:00.000Z',
    decision: exampleDecision,
  },
);
export type Preauthorization = Static<typeof Preauthorization>;
