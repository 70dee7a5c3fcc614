// What was known of a claim at a moment: its history and amounts at a cutoff, the same for ever.
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
import { claimStatuses } from './claim';
import { PolicyReference } from './policy';

/** The kinds of facts in a claim's history. */
export const claimValuationEventTypes = [
  'created',
  'validated',
  'submitted',
  'queried',
  'evidence_added',
  'resubmitted',
  'approved',
  'partially_approved',
  'denied',
  'remittance_recorded',
  'settled',
  'reconciled',
  'reversed',
  'cancelled',
] as const;
export type ClaimValuationEventType = (typeof claimValuationEventTypes)[number];

export const ClaimValuationEvent = part("One fact of a claim's history.", {
  sequence: count("The fact's place in the claim's history, from 1.", 1),
  type: oneOf(claimValuationEventTypes, 'What happened.'),
  effective_at: outputInstant('Business time: when the underlying fact took effect.'),
  recorded_at: outputInstant('Knowledge time: when the service recorded the fact.'),
  previous_status: nullable(oneOf(claimStatuses, 'The status before; null for the first fact.')),
  next_status: nullable(oneOf(claimStatuses, 'The status after.')),
  reason_code: nullable(outputText('Why, where the fact has a reason.')),
  evidence_references: outputItems(outputText('A reference.'), 'What the fact rests on.'),
});
export type ClaimValuationEvent = Static<typeof ClaimValuationEvent>;

export const ClaimValuation = closedObject(
  'ClaimValuation',
  "A claim's state and amounts as they were known at a cutoff. The same cutoff gives the same bytes, for ever.",
  {
    id: Type.String({
      pattern: '^clm_[A-Za-z0-9_-]+:.+$',
      description: "The claim's identifier, a colon and the cutoff.",
    }),
    object: objectName('claim_valuation'),
    claim_id: identifier('claim', 'The claim.'),
    valuation_at: outputInstant('The cutoff, inclusive.'),
    currency: outputCurrency(),
    status: oneOf(claimStatuses, "The claim's status at the cutoff."),
    amount: part('Amounts known at the cutoff.', {
      billed: amount('What was claimed.'),
      payer_liability: nullable(amount('What the payer owes; null while no adjudication stands.')),
      patient_responsibility: nullable(amount('What the patient owes; null while no adjudication stands.')),
      adjustment: nullable(amount('What nobody owes; null while no adjudication stands.')),
      remitted: amount('What payer advice said is paid.'),
      settled: amount('What was independently seen to move.'),
      outstanding: nullable(amount('Payer liability less what settled; null while no adjudication stands.')),
    }),
    policy: nullableObject(PolicyReference, 'The rule of the adjudication that stood; null if none did.'),
    events: outputItems(
      ClaimValuationEvent,
      'The facts whose effective_at and recorded_at are both on or before the cutoff, in sequence.',
    ),
  },
  {
    id: `${exampleIdentifier('claim')}:2027-03-11T00:00:00.000Z`,
    object: 'claim_valuation',
    claim_id: exampleIdentifier('claim'),
    valuation_at: '2027-03-11T00:00:00.000Z',
    currency: 'KES',
    status: 'submitted',
    amount: {
      billed: 350000,
      payer_liability: null,
      patient_responsibility: null,
      adjustment: null,
      remitted: 0,
      settled: 0,
      outstanding: null,
    },
    policy: null,
    events: [
      {
        sequence: 1,
        type: 'created',
        effective_at: '2027-03-02T08:00:00.000Z',
        recorded_at: '2027-03-02T08:00:00.000Z',
        previous_status: null,
        next_status: 'draft',
        reason_code: null,
        evidence_references: [],
      },
      {
        sequence: 2,
        type: 'validated',
        effective_at: '2027-03-02T08:00:00.000Z',
        recorded_at: '2027-03-02T08:00:00.000Z',
        previous_status: 'draft',
        next_status: 'draft',
        reason_code: null,
        evidence_references: [],
      },
      {
        sequence: 3,
        type: 'submitted',
        effective_at: '2027-03-02T08:00:00.000Z',
        recorded_at: '2027-03-02T08:00:00.000Z',
        previous_status: 'draft',
        next_status: 'submitted',
        reason_code: null,
        evidence_references: ['note:17'],
      },
    ],
  },
);
export type ClaimValuation = Static<typeof ClaimValuation>;
