// What is sent to submit, question, support and judge a claim.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { amount, closedObject, count, inputInstant, items, nullable, part, text } from '../schema';
import { claimEvidence, eligibilityCheckId, paymentReasonCode, reasonCode } from './fields';

export const ClaimInput = closedObject(
  'ClaimInput',
  'A claim for a delivered session.',
  {
    eligibility_check_id: eligibilityCheckId(),
    session_id: identifier('session', 'The session.'),
    provider_claim_reference: text(3, 200, "The provider's own reference, unique in the project."),
    lines: items(
      part('One line.', {
        code_system: text(2, 100, 'The code system of service_code.'),
        code_system_version: Type.Optional(nullable(text(1, 100, "The code system's version."))),
        service_code: text(2, 100, 'The service.'),
        units: Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'How many of the service.' }),
        amount: amount("The line's total.", 1),
      }),
      1,
      100,
      'What was done. Lines are numbered from 1 in this order.',
    ),
    preauthorization_id: Type.Optional(
      nullable(identifier('preauthorization', 'The authorization, where there is one.')),
    ),
    evidence_refs: Type.Optional(claimEvidence(0)),
  },
  {
    eligibility_check_id: exampleIdentifier('eligibilityCheck'),
    session_id: exampleIdentifier('session'),
    provider_claim_reference: 'INV-2027-0042',
    lines: [
      {
        code_system: 'CPT',
        code_system_version: '2027',
        service_code: 'psy.individual.50',
        units: 1,
        amount: 350000,
      },
    ],
    preauthorization_id: exampleIdentifier('preauthorization'),
    evidence_refs: ['note:17'],
  },
);
export type ClaimInput = Static<typeof ClaimInput>;

export const InformationRequestInput = closedObject(
  'InformationRequestInput',
  'What the payer wants to know.',
  {
    reason_code: reasonCode('Why the payer asks.'),
    requested_evidence_types: items(
      Type.String({ pattern: '^[a-z0-9_]{1,200}$', description: 'A type of evidence.' }),
      1,
      16,
      'What the payer wants.',
    ),
    due_at: Type.Optional(
      nullable(inputInstant('When the request lapses unanswered; in the future. Absent or null: never.')),
    ),
  },
  {
    reason_code: 'referral_missing',
    requested_evidence_types: ['referral_letter'],
    due_at: '2027-03-20T00:00:00Z',
  },
);
export type InformationRequestInput = Static<typeof InformationRequestInput>;

export const EvidenceInput = closedObject(
  'EvidenceInput',
  'The answer to an open information request.',
  {
    information_request_id: identifier('claimInformationRequest', 'The open request.'),
    evidence_refs: claimEvidence(1),
  },
  { information_request_id: exampleIdentifier('claimInformationRequest'), evidence_refs: ['referral:8812'] },
);
export type EvidenceInput = Static<typeof EvidenceInput>;

export const AdjudicationInput = closedObject(
  'AdjudicationInput',
  "The payer's judgement of every line of a claim.",
  {
    policy_reference: text(3, 200, "The payer's reference of the rule applied."),
    policy_version: text(1, 100, "The rule's version."),
    reason_codes: items(paymentReasonCode(), 1, 32, 'Why.'),
    evidence_refs: Type.Optional(claimEvidence(0)),
    lines: items(
      part('The judgement of one line.', {
        line_number: count("The claim's line.", 1),
        amount: part('billed = allowed + adjustment, and allowed = payer + patient_responsibility.', {
          billed: amount('What was claimed.', 1),
          allowed: amount('What is payable by anyone.'),
          payer: amount('What the payer owes.'),
          patient_responsibility: amount('What the patient owes.'),
          adjustment: amount('What nobody owes.'),
        }),
        reason_codes: items(paymentReasonCode(), 1, 16, 'Why.'),
      }),
      1,
      100,
      'Every line of the claim exactly once.',
    ),
  },
  {
    policy_reference: 'policy:outpatient',
    policy_version: '2027.1',
    reason_codes: ['fee_schedule'],
    evidence_refs: ['schedule:2027'],
    lines: [
      {
        line_number: 1,
        amount: {
          billed: 350000,
          allowed: 320000,
          payer: 300000,
          patient_responsibility: 20000,
          adjustment: 30000,
        },
        reason_codes: ['fee_schedule'],
      },
    ],
  },
);
export type AdjudicationInput = Static<typeof AdjudicationInput>;
