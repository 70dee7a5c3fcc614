// Claims: requests for payment of a delivered session, with information requests and the adjudication.

import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
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
  positiveNumber,
  safeInteger,
  stringEnum,
} from '../schema';
import { Adjudication, exampleAdjudication } from './adjudication';

export const claimStatuses = [
  'draft',
  'submitted',
  'queried',
  'approved',
  'partially_approved',
  'denied',
  'settled',
  'reversed',
  'cancelled',
] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

export const informationRequestStatuses = ['open', 'fulfilled', 'cancelled'] as const;

export const ClaimLine = inlineObject('One line of a claim.', {
  line_number: safeInteger('The number of the line, from 1 in the order of submission.', 1),
  code_system: outputString('The list of codes to which service_code belongs.'),
  code_system_version: nullable(outputString("The code system's version.")),
  service_code: outputString('The service.'),
  units: positiveNumber(100, 'The number of units of the service, with all digits of the submission.'),
  amount: moneyAmount('The total of the line.', 1),
});
export type ClaimLine = Static<typeof ClaimLine>;

const exampleInformationRequest = {
  id: exampleIdentifier('claimInformationRequest'),
  object: 'claim_information_request',
  reason_code: 'referral_missing',
  requested_evidence_types: ['referral_letter'],
  status: 'fulfilled',
  due_at: '2025-03-20T00:00:00.000Z',
  created_at: '2025-03-05T11:00:00.000Z',
  resolved_at: '2025-03-06T08:30:00.000Z',
};

export const ClaimInformationRequest = closedObject(
  'ClaimInformationRequest',
  "The payer's question about a claim.",
  {
    id: identifier('claimInformationRequest', "The request's identifier."),
    object: objectName('claim_information_request'),
    reason_code: outputString('The reason of the question.'),
    requested_evidence_types: outputArray(
      outputString('A type of evidence.'),
      'The types of evidence that the payer requires.',
    ),
    status: stringEnum(
      'InformationRequestStatus',
      informationRequestStatuses,
      '`open` until a response (`fulfilled`), a lapse or a cancellation (`cancelled`).',
    ),
    due_at: nullable(outputInstant('The deadline. Without a response, the request lapses then. Null: none.')),
    created_at: outputInstant('When the payer sent the request.'),
    resolved_at: nullable(outputInstant('When it was fulfilled or cancelled; null while open.')),
  },
  exampleInformationRequest,
);
export type ClaimInformationRequest = Static<typeof ClaimInformationRequest>;

export const Claim = closedObject(
  'Claim',
  'A claim for payment for a delivered session.',
  {
    id: identifier('claim', "The claim's identifier."),
    object: objectName('claim'),
    status: stringEnum('ClaimStatus', claimStatuses, "The claim's status."),
    provider_claim_reference: nullable(outputString("The provider's own reference.")),
    submission_version: safeInteger('The number of submissions. Each evidence is a new submission.', 1),
    amount: inlineObject('Amounts, in one currency.', {
      currency: outputCurrency(),
      billed: moneyAmount('The sum of the lines.'),
      approved: nullable(moneyAmount("The payer's total, 0 if denied; null while there is no adjudication.")),
      remitted: nullable(
        moneyAmount(
          'The total of remittances less recoveries; null until the first. A valuation has 0 until then.',
        ),
      ),
      settled: nullable(
        moneyAmount('The total of observed settlements; null until the first. A valuation has 0 until then.'),
      ),
    }),
    service_period: inlineObject('The time of the session.', {
      starts_at: outputInstant('Start of the session.'),
      ends_at: outputInstant('End of the session.'),
    }),
    lines: outputArray(ClaimLine, 'The lines, in order.'),
    information_requests: outputArray(ClaimInformationRequest, "The payer's questions, oldest first."),
    adjudication: nullableObject(Adjudication, 'The current adjudication; null without one.'),
    submitted_at: nullable(outputInstant('When it was first submitted.')),
    updated_at: outputInstant('When it last changed.'),
  },
  {
    id: exampleIdentifier('claim'),
    object: 'claim',
    status: 'partially_approved',
    provider_claim_reference: 'INV-2025-0042',
    submission_version: 2,
    amount: { currency: 'KES', billed: 350000, approved: 300000, remitted: null, settled: null },
    service_period: { starts_at: '2025-03-01T07:00:00.000Z', ends_at: '2025-03-01T07:50:00.000Z' },
    lines: [
      {
        line_number: 1,
        code_system: 'CPT',
        code_system_version: '2025',
        service_code: 'psy.individual.50',
        units: 1,
        amount: 350000,
      },
    ],
    information_requests: [exampleInformationRequest],
    adjudication: exampleAdjudication,
    submitted_at: '2025-03-02T08:00:00.000Z',
    updated_at: '2025-03-10T12:00:00.000Z',
  },
);
export type Claim = Static<typeof Claim>;
