// The payer's judgement of a claim, line by line.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amount,
  closedObject,
  count,
  objectName,
  oneOf,
  outputCurrency,
  outputInstant,
  outputItems,
  outputText,
  part,
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
  policy: { reference: 'policy:outpatient', version: '2027.1' },
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
  decided_at: '2027-03-10T12:00:00.000Z',
};

export const Adjudication = closedObject(
  'Adjudication',
  "The payer's judgement of a claim. On every line, billed = allowed + adjustment and allowed = payer + patient_responsibility.",
  {
    id: identifier('adjudication', "The adjudication's identifier."),
    object: objectName('claim_adjudication'),
    version: count("Counts the claim's adjudications, from 1.", 1),
    decision: oneOf(
      adjudicationDecisions,
      "Derived from the totals: the payer's is all, some or none of the billed.",
    ),
    amount: part('Exact sums over the lines, in one currency.', {
      currency: outputCurrency(),
      billed: amount('What was claimed.'),
      payer: amount('What the payer owes.'),
      patient_responsibility: amount('What the patient owes.'),
      adjustment: amount('What nobody owes.'),
    }),
    reason_codes: outputItems(outputText('A reason code.'), 'Why.'),
    policy: PolicyReference,
    lines: outputItems(
      part('The judgement of one line.', {
        line_number: count("The claim's line.", 1),
        amount: part("The line's amounts.", {
          billed: amount('What was claimed.'),
          allowed: amount('What is payable by anyone.'),
          payer: amount('What the payer owes.'),
          patient_responsibility: amount('What the patient owes.'),
          adjustment: amount('What nobody owes.'),
        }),
        reason_codes: outputItems(outputText('A reason code.'), 'Why.'),
      }),
      'Every line of the claim.',
    ),
    decided_at: outputInstant('When it was decided.'),
  },
  exampleAdjudication,
);
export type Adjudication = Static<typeof Adjudication>;
