// What payers will deduct from later payments: the balances of advices whose net is below zero.

import { type Static, Type } from 'typebox';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputArray,
  outputCurrency,
  outputString,
} from '../schema';

export const PayerBalances = closedObject(
  'PayerBalances',
  'What payers will deduct from later payments, by payer and currency, at the time of the request.',
  {
    object: objectName('payer_balances'),
    data: outputArray(
      inlineObject('What one payer will deduct in one currency.', {
        payer: nullable(
          outputString(
            'The name of the payer, as its latest such advice has it; null for the advices without one.',
          ),
        ),
        currency: outputCurrency(),
        to_deduct: moneyAmount('The sum of the balances that later advices have not deducted.', 1),
        advices: Type.Integer({
          minimum: 1,
          description: 'The number of payment advices whose balance is not deducted, or a part of it.',
        }),
      }),
      'The balances above zero, by payer and currency.',
    ),
  },
  {
    object: 'payer_balances',
    data: [{ payer: 'sha', currency: 'KES', to_deduct: 20000, advices: 1 }],
  },
);
export type PayerBalances = Static<typeof PayerBalances>;
