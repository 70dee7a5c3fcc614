// The adjudication of a claim: the payer's decision with the amounts of every line.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';
import { PolicyReference } from './policy';

export const adjudicationDecisions = ['approved', 'partially_approved', 'denied'] as const;
export type AdjudicationDecision = (typeof adjudicationDecisions)[number];

export const exampleAdjudication = {
  id: exampleIdentifier('adjudication'),
  object: 'claim_adjudication',
  version: 1,
  decision: 'partially_approved',
  amount: {
    currency: 'KES',
    billed: 350000,
    payer: 300000,
    patient_responsibility: 20000,
    adjustment: 30000,
  },
  reason_codes: ['fee_schedule'],
  policy: { reference: 'policy:outpatient', version: '2025.1' },
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
  decided_at: '2025-03-10T12:00:00.000Z',
};

export const Adjudication = closedObject(
  'Adjudication',
  "The payer's decision on a claim. On every line, billed = allowed + adjustment and allowed = payer + patient_responsibility.",
  {
    id: identifier('adjudication', "The adjudication's identifier."),
    object: objectName('claim_adjudication'),
    version: safeInteger("The number of the claim's adjudication, from 1.", 1),
    decision: stringEnum(
      'AdjudicationDecision',
      adjudicationDecisions,
      'Derived from the totals: the payer pays all, a part or none of the billed amount.',
    ),
    amount: inlineObject('Exact sums over the lines, in one currency.', {
      currency: outputCurrency(),
      billed: moneyAmount('The claimed amount.'),
      payer: moneyAmount('The amount that the payer pays.'),
      patient_responsibility: moneyAmount('The amount that the patient pays.'),
      adjustment: moneyAmount('The amount that neither the payer nor the patient pays.'),
    }),
    reason_codes: outputArray(outputString('A reason code.'), 'The reasons of the adjudication.'),
    policy: PolicyReference,
    lines: outputArray(
      inlineObject('The adjudication of one line.', {
        line_number: safeInteger('The number of the line in the claim.', 1),
        amount: inlineObject("The line's amounts.", {
          billed: moneyAmount('The claimed amount.'),
          allowed: moneyAmount('The part of the billed amount that the payer accepts.'),
          payer: moneyAmount('The part of the allowed amount that the payer pays.'),
          patient_responsibility: moneyAmount('The part of the allowed amount that the patient pays.'),
          adjustment: moneyAmount(
            'The part of the billed amount that neither the payer nor the patient pays.',
          ),
        }),
        reason_codes: outputArray(outputString('A reason code.'), 'The reasons for this line.'),
      }),
      'Every line of the claim.',
    ),
    decided_at: outputInstant('When the payer decided.'),
  },
  exampleAdjudication,
);
export type Adjudication = Static<typeof Adjudication>;
