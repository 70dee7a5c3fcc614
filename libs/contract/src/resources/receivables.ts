// The outstanding amounts of a project's claims at an instant.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { RECEIVABLES_GROUP_LIMIT } from '../limits';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
} from '../schema';

const claim_count = safeInteger('The number of claims with an outstanding amount.');
const outstanding = inlineObject(
  "Outstanding amounts by age: the number of whole days from the claim's submitted_at to the instant.",
  {
    total: moneyAmount('The sum of the four amounts.'),
    days_0_30: moneyAmount('Of claims submitted less than 31 days before.'),
    days_31_60: moneyAmount('Of claims submitted at least 31 and less than 61 days before.'),
    days_61_90: moneyAmount('Of claims submitted at least 61 and less than 91 days before.'),
    days_over_90: moneyAmount('Of claims submitted at least 91 days before.'),
  },
);
const limited = `Largest total first; at most ${RECEIVABLES_GROUP_LIMIT}. If there are more, a last item contains the sum of the others.`;

export const Receivables = closedObject(
  'Receivables',
  "The outstanding amounts of the project's claims as they were known at an instant: the sums of the claims' valuations.",
  {
    object: objectName('receivables'),
    at: outputInstant('The instant, inclusive.'),
    currencies: outputArray(
      inlineObject('The outstanding amounts in one currency.', {
        currency: outputCurrency(),
        claim_count,
        outstanding,
        practitioners: outputArray(
          inlineObject('The outstanding amounts of one practitioner.', {
            practitioner_id: nullable(identifier('practitioner', 'The practitioner; null for the others.')),
            claim_count,
            outstanding,
          }),
          `The same amounts by practitioner. ${limited}`,
        ),
        payers: outputArray(
          inlineObject('The outstanding amounts of one payer.', {
            payer_reference: nullable(
              outputString(
                'The source_contract_reference that the coverage had when the claim was submitted; null for the others.',
              ),
            ),
            claim_count,
            outstanding,
          }),
          `The same amounts by payer. ${limited}`,
        ),
      }),
      'One item per currency with an outstanding amount, in alphabetical order.',
    ),
  },
  {
    object: 'receivables',
    at: '2025-03-11T00:00:00.000Z',
    currencies: [
      {
        currency: 'KES',
        claim_count: 2,
        outstanding: {
          total: 450000,
          days_0_30: 300000,
          days_31_60: 150000,
          days_61_90: 0,
          days_over_90: 0,
        },
        practitioners: [
          {
            practitioner_id: exampleIdentifier('practitioner'),
            claim_count: 2,
            outstanding: {
              total: 450000,
              days_0_30: 300000,
              days_31_60: 150000,
              days_61_90: 0,
              days_over_90: 0,
            },
          },
        ],
        payers: [
          {
            payer_reference: 'contract/2025',
            claim_count: 2,
            outstanding: {
              total: 450000,
              days_0_30: 300000,
              days_31_60: 150000,
              days_61_90: 0,
              days_over_90: 0,
            },
          },
        ],
      },
    ],
  },
);
export type Receivables = Static<typeof Receivables>;
