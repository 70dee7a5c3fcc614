// The valuation of a claim: its state, amounts and history as they were known at a cutoff.

import { type Static, Type } from 'typebox';
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
  safeInteger,
  stringEnum,
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

export const ClaimValuationEvent = inlineObject("One fact of a claim's history.", {
  sequence: safeInteger("The fact's position in the claim's history, from 1.", 1),
  type: stringEnum(
    'ClaimFactType',
    claimValuationEventTypes,
    'The type of the fact. `settled` records one settlement, which can be a part of the amount: `next_status` says whether the claim is settled. A recovery, which lowers what is remitted, is also `remittance_recorded`; the first of its `evidence_references` begins with `rcv_`. So is each line of an advice that was withdrawn: an undone allocation has the IDs of the remittance and of the advice, an undone recovery those of the recovery again.',
  ),
  effective_at: outputInstant('When the fact took effect (business time).'),
  recorded_at: outputInstant('When the service recorded the fact (knowledge time).'),
  previous_status: nullable(
    stringEnum('ClaimStatus', claimStatuses, 'The status before; null for the first fact.'),
  ),
  next_status: nullable(stringEnum('ClaimStatus', claimStatuses, 'The status after.')),
  reason_code: nullable(outputString('The reason of the fact; null if it has none.')),
  evidence_references: outputArray(outputString('A reference.'), 'The evidence for the fact.'),
});
export type ClaimValuationEvent = Static<typeof ClaimValuationEvent>;

export const ClaimValuation = closedObject(
  'ClaimValuation',
  "A claim's state and amounts as they were known at a cutoff. The valuation for a cutoff never changes.",
  {
    id: Type.String({
      pattern: '^clm_[A-Za-z0-9_-]+:.+$',
      description:
        "The claim's identifier, a colon and the cutoff; if effective_through is another instant, also a colon and effective_through.",
    }),
    object: objectName('claim_valuation'),
    claim_id: identifier('claim', 'The claim.'),
    valuation_at: outputInstant('The cutoff, inclusive.'),
    currency: outputCurrency(),
    status: stringEnum('ClaimStatus', claimStatuses, "The claim's status at the cutoff."),
    amount: inlineObject('Amounts known at the cutoff.', {
      billed: moneyAmount('The claimed amount.'),
      payer_liability: nullable(
        moneyAmount('The amount that the payer pays; null while there is no adjudication.'),
      ),
      patient_responsibility: nullable(
        moneyAmount('The amount that the patient pays; null while there is no adjudication.'),
      ),
      adjustment: nullable(moneyAmount('The amount that neither pays; null while there is no adjudication.')),
      remitted: moneyAmount('The total of remittances less recoveries; 0 before the first.'),
      settled: moneyAmount('The total of observed settlements; 0 before the first.'),
      outstanding: nullable(
        moneyAmount(
          'payer_liability minus settled; null while there is no adjudication. 0 if, by effective_through, more was settled than the adjudication in effect grants.',
        ),
      ),
    }),
    policy: nullableObject(
      PolicyReference,
      'The applied rule of the adjudication at the cutoff; null if there was none.',
    ),
    events: outputArray(
      ClaimValuationEvent,
      'The facts whose recorded_at is at or before the cutoff and whose effective_at is at or before effective_through, in sequence. They are not the events of webhooks.',
    ),
  },
  {
    id: `${exampleIdentifier('claim')}:2025-03-11T00:00:00.000Z`,
    object: 'claim_valuation',
    claim_id: exampleIdentifier('claim'),
    valuation_at: '2025-03-11T00:00:00.000Z',
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
        effective_at: '2025-03-02T08:00:00.000Z',
        recorded_at: '2025-03-02T08:00:00.000Z',
        previous_status: null,
        next_status: 'draft',
        reason_code: null,
        evidence_references: [],
      },
      {
        sequence: 2,
        type: 'validated',
        effective_at: '2025-03-02T08:00:00.000Z',
        recorded_at: '2025-03-02T08:00:00.000Z',
        previous_status: 'draft',
        next_status: 'draft',
        reason_code: null,
        evidence_references: [],
      },
      {
        sequence: 3,
        type: 'submitted',
        effective_at: '2025-03-02T08:00:00.000Z',
        recorded_at: '2025-03-02T08:00:00.000Z',
        previous_status: 'draft',
        next_status: 'submitted',
        reason_code: null,
        evidence_references: ['note:17'],
      },
    ],
  },
);
export type ClaimValuation = Static<typeof ClaimValuation>;
