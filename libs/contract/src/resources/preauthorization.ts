// A payer's promise to pay for one session: the request and its decision.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { DECISION_EVIDENCE_LIMIT } from '../limits';
import {
  amount,
  closedObject,
  count,
  items,
  nullable,
  nullableObject,
  objectName,
  oneOf,
  outputCurrency,
  outputInstant,
  outputItems,
  outputText,
  part,
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
  policy: { reference: 'policy:outpatient', version: '2027.1' },
  authority_reference: 'project:payer-east/key:3f9c',
  evidence_references: [
    'referral:8812',
    exampleIdentifier('eligibilityCheck'),
    exampleIdentifier('booking'),
    exampleIdentifier('coverageObservation'),
  ],
  decided_at: '2027-02-21T09:00:00.000Z',
};

export const PreauthorizationDecision = closedObject(
  'PreauthorizationDecision',
  "The payer's decision on a pre-authorization.",
  {
    id: identifier('preauthorizationDecision', "The decision's identifier."),
    object: objectName('preauthorization_decision'),
    version: count('Counts the decisions, from 1.', 1),
    outcome: oneOf(preauthorizationOutcomes, 'What was decided.'),
    reason_codes: outputItems(outputText('A reason code.'), 'Why.'),
    policy: PolicyReference,
    authority_reference: outputText('Which key of which project decided.'),
    evidence_references: items(
      outputText('A reference.'),
      0,
      DECISION_EVIDENCE_LIMIT.output,
      "The caller's references, then the eligibility check, the booking and the coverage observation relied on.",
    ),
    decided_at: outputInstant('When it was decided.'),
  },
  exampleDecision,
);
export type PreauthorizationDecision = Static<typeof PreauthorizationDecision>;

export const Preauthorization = closedObject(
  'Preauthorization',
  'A request that the payer authorize one covered session. The benefit is reserved by its approval, not before.',
  {
    id: identifier('preauthorization', "The pre-authorization's identifier."),
    object: objectName('preauthorization'),
    eligibility_check_id: identifier('eligibilityCheck', 'The check relied on.'),
    booking_id: identifier('booking', 'The booking that it is for.'),
    status: oneOf(preauthorizationStatuses, 'Where it stands.'),
    reason_codes: outputItems(outputText('A reason code.'), "The decision's reasons; empty until decided."),
    amount: part('Amounts, in one currency.', {
      requested: amount('What was asked for.', 1),
      approved: nullable(amount('What was approved; null unless it was.', 1)),
      currency: outputCurrency(),
    }),
    valid_until: nullable(outputInstant('Until when the approval can be used; null unless it was approved.')),
    created_at: outputInstant('When it was opened.'),
    decision: nullableObject(PreauthorizationDecision, 'The decision; null until there is one.'),
  },
  {
    id: exampleIdentifier('preauthorization'),
    object: 'preauthorization',
    eligibility_check_id: exampleIdentifier('eligibilityCheck'),
    booking_id: exampleIdentifier('booking'),
    status: 'approved',
    reason_codes: ['within_policy'],
    amount: { requested: 350000, approved: 350000, currency: 'KES' },
    valid_until: '2027-04-01T00:00:00.000Z',
    created_at: '2027-02-20T10:20:00.000Z',
    decision: exampleDecision,
  },
);
export type Preauthorization = Static<typeof Preauthorization>;
