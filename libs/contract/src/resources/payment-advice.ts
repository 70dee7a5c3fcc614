// A payment advice: all that a payer says with one payment. Its allocations are a remittance, which has the same opaque part in its identifier.

import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amountDifference,
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  stringEnum,
} from '../schema';

export const paymentAdjustmentKinds = ['fee', 'interest', 'forwarded_balance', 'other'] as const;
export type PaymentAdjustmentKind = (typeof paymentAdjustmentKinds)[number];

export const paymentAdviceStatuses = ['received', 'reconciled', 'exception', 'withdrawn'] as const;
export type PaymentAdviceStatus = (typeof paymentAdviceStatuses)[number];

const reasonCodes = () => outputArray(outputString('A reason code.'), "The payer's reasons.");

export const PaymentAdvice = closedObject(
  'PaymentAdvice',
  "A payer's advice: what it pays, denies, takes back and adjusts.",
  {
    id: identifier('paymentAdvice', "The advice's identifier."),
    object: objectName('payment_advice'),
    status: stringEnum(
      'PaymentAdviceStatus',
      paymentAdviceStatuses,
      '`received` until the settlements equal the net (`reconciled`). `exception` if they exceed it, have another currency or are late. `withdrawn` if it no longer counts; its remittance is then shown as `exception`.',
    ),
    remittance_id: identifier(
      'remittance',
      'The remittance that the allocations are. Settlements refer to it.',
    ),
    payer_reference: outputString("The payer's reference, unique in the project."),
    payer: nullable(outputString('The name of the payer, as it was given; null if none was.')),
    currency: outputCurrency(),
    net: amountDifference('What the payer transfers; below zero, what it deducts later.'),
    allocations: outputArray(
      inlineObject('The amount that the payer pays for one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        paid_amount: moneyAmount('The amount paid for the claim.', 1),
        reason_codes: reasonCodes(),
      }),
      'The allocations, in the order given.',
    ),
    denials: outputArray(
      inlineObject('A claim for which the payer pays nothing.', {
        claim_id: identifier('claim', 'The claim.'),
        reason_codes: reasonCodes(),
      }),
      'The denials, in the order given.',
    ),
    recoveries: outputArray(
      inlineObject('An amount that the payer takes back for one claim.', {
        id: identifier('recovery', "The recovery's identifier."),
        claim_id: identifier('claim', 'The claim.'),
        amount: moneyAmount('The amount taken back.', 1),
        reason_codes: reasonCodes(),
      }),
      'The takebacks, in the order given.',
    ),
    adjustments: outputArray(
      inlineObject('An amount that belongs to no claim.', {
        kind: stringEnum('PaymentAdjustmentKind', paymentAdjustmentKinds, 'What the amount is.'),
        amount: amountDifference(
          'The amount: above zero in favour of the provider, below zero of the payer.',
        ),
        reason_codes: reasonCodes(),
      }),
      'The amounts of no claim, in the order given.',
    ),
    received_at: outputInstant('When the advice was received from the payer.'),
    reconciled_at: nullable(outputInstant('When it was reconciled; null if it is not.')),
    withdrawn_at: nullable(outputInstant('When it was withdrawn; null if it is not.')),
    withdrawal_reason_code: nullable(
      outputString(
        'Why it was withdrawn: `replaced` if another one was recorded in its place; null if it is not.',
      ),
    ),
    replaces: nullable(
      identifier('paymentAdvice', 'The advice in whose place it was recorded; null without one.'),
    ),
    replaced_by: nullable(
      identifier('paymentAdvice', 'The advice that was recorded in its place; null without one.'),
    ),
  },
  {
    id: exampleIdentifier('paymentAdvice'),
    object: 'payment_advice',
    status: 'received',
    remittance_id: exampleIdentifier('remittance'),
    payer_reference: 'ERA-2025-131',
    payer: 'sha',
    currency: 'KES',
    net: 279000,
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
    denials: [{ claim_id: `${exampleIdentifier('claim')}2`, reason_codes: ['not_covered'] }],
    recoveries: [
      {
        id: exampleIdentifier('recovery'),
        claim_id: `${exampleIdentifier('claim')}3`,
        amount: 20000,
        reason_codes: ['overpaid'],
      },
    ],
    adjustments: [{ kind: 'fee', amount: -1000, reason_codes: [] }],
    received_at: '2025-04-15T00:00:00.000Z',
    reconciled_at: null,
    withdrawn_at: null,
    withdrawal_reason_code: null,
    replaces: null,
    replaced_by: null,
  },
);
export type PaymentAdvice = Static<typeof PaymentAdvice>;
