// Request bodies for claims, information requests, evidence and adjudications.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  boundedArray,
  boundedString,
  closedObject,
  inlineObject,
  inputInstant,
  moneyAmount,
  nullable,
  positiveNumber,
  safeInteger,
} from '../schema';
import { claimEvidence, eligibilityCheckId, paymentReasonCode, reasonCode } from './fields';

export const ClaimInput = closedObject(
  'ClaimInput',
  'A claim for a delivered session.',
  {
    eligibility_check_id: eligibilityCheckId(),
    session_id: identifier('session', 'The session.'),
    provider_claim_reference: boundedString(3, 200, "The provider's own reference, unique in the project."),
    lines: boundedArray(
      inlineObject('One line of a claim.', {
        code_system: boundedString(
          2,
          100,
          'The list of codes to which service_code belongs, such as CPT. The payer and the provider agree on codes.',
        ),
        code_system_version: Type.Optional(nullable(boundedString(1, 100, "The code system's version."))),
        service_code: boundedString(2, 100, 'The service.'),
        units: positiveNumber(
          100,
          'The number of units of the service, greater than 0. All digits are kept: of a decimal of at most 15 digits, and of the shortest decimal of a double (at most 17 digits), as JSON.stringify writes it. A decimal that a double changes is rejected.',
        ),
        amount: moneyAmount('The total of the line.', 1),
      }),
      1,
      100,
      'The provided services. Lines are numbered from 1 in this order.',
    ),
    preauthorization_id: Type.Optional(
      nullable(identifier('preauthorization', 'The pre-authorization, if the claim uses one.')),
    ),
    evidence_refs: Type.Optional(claimEvidence(0)),
  },
  {
    eligibility_check_id: exampleIdentifier('eligibilityCheck'),
    session_id: exampleIdentifier('session'),
    provider_claim_reference: 'INV-2025-0042',
    lines: [
      {
        code_system: 'CPT',
        code_system_version: '2025',
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
  "A payer's question about a claim.",
  {
    reason_code: reasonCode('The reason of the question.'),
    requested_evidence_types: boundedArray(
      Type.String({ pattern: '^[a-z0-9_]{1,200}$', description: 'A type of evidence.' }),
      1,
      16,
      'The types of evidence that the payer requires.',
    ),
    due_at: Type.Optional(
      nullable(
        inputInstant(
          'The deadline, in the future. Without a response, the request lapses then. Absent or null: none.',
        ),
      ),
    ),
  },
  {
    reason_code: 'referral_missing',
    requested_evidence_types: ['referral_letter'],
    due_at: '2099-03-20T00:00:00Z',
  },
);
export type InformationRequestInput = Static<typeof InformationRequestInput>;

export const EvidenceInput = closedObject(
  'EvidenceInput',
  'The response to an open information request.',
  {
    information_request_id: identifier('claimInformationRequest', 'The open request.'),
    evidence_refs: claimEvidence(1),
  },
  { information_request_id: exampleIdentifier('claimInformationRequest'), evidence_refs: ['referral:8812'] },
);
export type EvidenceInput = Static<typeof EvidenceInput>;

export const AdjudicationInput = closedObject(
  'AdjudicationInput',
  "The payer's adjudication of every line of a claim.",
  {
    policy_reference: boundedString(3, 200, "The payer's reference of the applied rule."),
    policy_version: boundedString(1, 100, 'The version of the applied rule.'),
    reason_codes: boundedArray(paymentReasonCode(), 1, 32, 'The reasons of the adjudication.'),
    evidence_refs: Type.Optional(claimEvidence(0)),
    lines: boundedArray(
      inlineObject('The adjudication of one line.', {
        line_number: safeInteger('The number of the line in the claim.', 1),
        amount: inlineObject('billed = allowed + adjustment, and allowed = payer + patient_responsibility.', {
          billed: moneyAmount('The claimed amount.', 1),
          allowed: moneyAmount('The part of the billed amount that the payer accepts.'),
          payer: moneyAmount('The part of the allowed amount that the payer pays.'),
          patient_responsibility: moneyAmount('The part of the allowed amount that the patient pays.'),
          adjustment: moneyAmount(
            'The part of the billed amount that neither the payer nor the patient pays.',
          ),
        }),
        reason_codes: boundedArray(paymentReasonCode(), 1, 16, 'The reasons for this line.'),
      }),
      1,
      100,
      'Every line of the claim exactly once.',
    ),
    expected_submission_version: Type.Optional(
      safeInteger(
        'The submission_version of the claim as it was read for the decision. If it has grown, the adjudication is rejected with invalid_state.',
        1,
      ),
    ),
    expected_adjudication_version: Type.Optional(
      safeInteger(
        'The version of the adjudication that this one replaces, 0 if there is none. If the claim has another one, the adjudication is rejected with invalid_state.',
      ),
    ),
  },
  {
    policy_reference: 'policy:outpatient',
    policy_version: '2025.1',
    reason_codes: ['fee_schedule'],
    evidence_refs: ['schedule:2025'],
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
