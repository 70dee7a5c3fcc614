// A request for payment for a delivered session, with the payer's questions and judgement.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amount,
  closedObject,
  count,
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

export const ClaimLine = part('One line of a claim.', {
  line_number: count('Counts from 1 in the order of submission.', 1),
  code_system: outputText('The code system of service_code.'),
  code_system_version: nullable(outputText("The code system's version.")),
  service_code: outputText('The service.'),
  units: Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'How many of the service.' }),
  amount: amount("The line's total.", 1),
});
export type ClaimLine = Static<typeof ClaimLine>;

const exampleInformationRequest = {
  id: exampleIdentifier('claimInformationRequest'),
  object: 'claim_information_request',
  reason_code: 'referral_missing',
  requested_evidence_types: ['referral_letter'],
  status: 'fulfilled',
  due_at: '2027-03-20T00:00:00.000Z',
  created_at: '2027-03-05T11:00:00.000Z',
  resolved_at: '2027-03-06T08:30:00.000Z',
};

export const ClaimInformationRequest = closedObject(
  'ClaimInformationRequest',
  "A payer's question about a claim.",
  {
    id: identifier('claimInformationRequest', "The request's identifier."),
    object: objectName('claim_information_request'),
    reason_code: outputText('Why the payer asks.'),
    requested_evidence_types: outputItems(outputText('A type of evidence.'), 'What the payer wants.'),
    status: oneOf(informationRequestStatuses, 'Open until it is answered or lapses.'),
    due_at: nullable(outputInstant('When it lapses unanswered; null if never.')),
    created_at: outputInstant('When it was asked.'),
    resolved_at: nullable(outputInstant('When it was answered or cancelled; null while open.')),
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
    status: oneOf(claimStatuses, 'Where the claim stands.'),
    provider_claim_reference: nullable(outputText("The provider's own reference.")),
    submission_version: count('Counts submissions: 1 at first, and one more with each evidence.', 1),
    amount: part('Amounts, in one currency.', {
      currency: outputCurrency(),
      billed: amount('The sum of the lines.'),
      approved: nullable(
        amount("The payer's current total, 0 when denied; null while no adjudication stands."),
      ),
      remitted: nullable(amount('What remittances advised; null until the first.')),
      settled: nullable(amount('What was seen to move; null until the first.')),
    }),
    service_period: part('When the service was given.', {
      starts_at: outputInstant('Start of the session.'),
      ends_at: outputInstant('End of the session.'),
    }),
    lines: outputItems(ClaimLine, 'The lines, in order.'),
    information_requests: outputItems(ClaimInformationRequest, "The payer's questions, oldest first."),
    adjudication: nullableObject(Adjudication, 'The adjudication that stands; null while none does.'),
    submitted_at: nullable(outputInstant('When it was first submitted.')),
    updated_at: outputInstant('When it last changed.'),
  },
  {
    id: exampleIdentifier('claim'),
    object: 'claim',
    status: 'partially_approved',
    provider_claim_reference: 'INV-2027-0042',
    submission_version: 2,
    amount: { currency: 'KES', billed: 350000, approved: 300000, remitted: null, settled: null },
    service_period: { starts_at: '2027-03-01T07:00:00.000Z', ends_at: '2027-03-01T07:50:00.000Z' },
    lines: [
      {
        line_number: 1,
        code_system: 'CPT',
        code_system_version: '2027',
        service_code: 'psy.individual.50',
        units: 1,
        amount: 350000,
      },
    ],
    information_requests: [exampleInformationRequest],
    adjudication: exampleAdjudication,
    submitted_at: '2027-03-02T08:00:00.000Z',
    updated_at: '2027-03-10T12:00:00.000Z',
  },
);
export type Claim = Static<typeof Claim>;
