// Request bodies for remittances and settlements.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { ADVICE_LINE_LIMIT, DEPOSIT_SHARES } from '../limits';
import { paymentAdjustmentKinds } from '../resources/payment-advice';
import {
  amountDifference,
  boundedArray,
  boundedString,
  closedObject,
  inlineObject,
  inputCurrency,
  inputInstant,
  moneyAmount,
  stringEnum,
} from '../schema';
import { claimId, paymentReasonCode } from './fields';

export const RemittanceInput = closedObject(
  'RemittanceInput',
  "A payer's advice of payment. Either all allocations are recorded or none.",
  {
    payer_reference: boundedString(3, 200, "The payer's reference, unique in the project."),
    currency: inputCurrency(),
    received_at: inputInstant('When the advice was received from the payer; not in the future.'),
    allocations: boundedArray(
      inlineObject('The part of the remittance for one claim.', {
        claim_id: claimId(),
        paid_amount: moneyAmount('The amount paid for the claim.', 1),
        reason_codes: Type.Optional(
          boundedArray(paymentReasonCode(), 0, 16, 'The reasons for the amount. Absent: none.'),
        ),
      }),
      1,
      100,
      'The allocations, at most one per claim.',
    ),
  },
  {
    payer_reference: 'ERA-2025-118',
    currency: 'KES',
    received_at: '2025-03-15T00:00:00Z',
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
  },
);
export type RemittanceInput = Static<typeof RemittanceInput>;

const adviceReasonCodes = () =>
  Type.Optional(boundedArray(paymentReasonCode(), 0, 16, "The payer's reasons. Absent: none."));

export const PaymentAdviceInput = closedObject(
  'PaymentAdviceInput',
  `A payer's advice with all that it says: what it pays, denies, takes back and adjusts. Either all lines are recorded or none. It has 1 to ${ADVICE_LINE_LIMIT} lines.`,
  {
    payer_reference: boundedString(
      3,
      200,
      "The payer's reference, unique among the advices and remittances of the project.",
    ),
    payer: Type.Optional(
      boundedString(
        1,
        100,
        'Your name of the payer, always the same one, without data of persons. What payers will deduct is summed by it. Absent: the advice names no payer.',
      ),
    ),
    currency: inputCurrency(),
    received_at: inputInstant('When the advice was received from the payer; not in the future.'),
    allocations: Type.Optional(
      boundedArray(
        inlineObject('The amount that the payer pays for one claim.', {
          claim_id: claimId(),
          paid_amount: moneyAmount('The amount paid for the claim.', 1),
          reason_codes: adviceReasonCodes(),
        }),
        0,
        ADVICE_LINE_LIMIT,
        'The allocations, at most one per claim. They are the remittance of the advice. Absent: none.',
      ),
    ),
    denials: Type.Optional(
      boundedArray(
        inlineObject('A claim for which the payer pays nothing: a line of zero.', {
          claim_id: claimId(),
          reason_codes: adviceReasonCodes(),
        }),
        0,
        ADVICE_LINE_LIMIT,
        'The claims that the payer denies, at most once per claim. They change no amount. Absent: none.',
      ),
    ),
    recoveries: Type.Optional(
      boundedArray(
        inlineObject('An amount that the payer takes back for one claim.', {
          claim_id: claimId(),
          amount: moneyAmount(
            'The amount, at most what earlier advices remitted for the claim and none took back.',
            1,
          ),
          reason_codes: adviceReasonCodes(),
        }),
        0,
        ADVICE_LINE_LIMIT,
        'The takebacks, at most one per claim. A claim can be taken back and paid again in one advice. Absent: none.',
      ),
    ),
    adjustments: Type.Optional(
      boundedArray(
        inlineObject('An amount that belongs to no claim.', {
          kind: stringEnum(
            'PaymentAdjustmentKind',
            paymentAdjustmentKinds,
            '`forwarded_balance`: below zero, the payer deducts the balance of earlier advices; above zero, it forwards a balance to later ones.',
          ),
          amount: amountDifference(
            'The amount: above zero in favour of the provider, below zero of the payer.',
          ),
          reason_codes: adviceReasonCodes(),
        }),
        0,
        ADVICE_LINE_LIMIT,
        'The amounts of no claim. Absent: none.',
      ),
    ),
    net: amountDifference(
      'The sum of the allocations, less that of the recoveries, plus that of the adjustments: what the payer transfers. Below zero, the payer transfers nothing and deducts the balance later.',
    ),
  },
  {
    payer_reference: 'ERA-2025-131',
    payer: 'sha',
    currency: 'KES',
    received_at: '2025-04-15T00:00:00Z',
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
    denials: [{ claim_id: `${exampleIdentifier('claim')}2`, reason_codes: ['not_covered'] }],
    recoveries: [{ claim_id: `${exampleIdentifier('claim')}3`, amount: 20000, reason_codes: ['overpaid'] }],
    adjustments: [{ kind: 'fee', amount: -1000, reason_codes: [] }],
    net: 279000,
  },
);
export type PaymentAdviceInput = Static<typeof PaymentAdviceInput>;

export const SettlementInput = closedObject(
  'SettlementInput',
  'Independent evidence that funds of a remittance moved.',
  {
    remittance_id: Type.Optional(
      identifier('remittance', 'The remittance. Absent if the deposit has shares of several advices.'),
    ),
    source_reference: boundedString(
      3,
      200,
      'The reference of the evidence, such as a bank statement entry; unique in the project.',
    ),
    currency: inputCurrency(),
    amount: moneyAmount('The observed amount.', 1),
    observed_at: inputInstant('When the funds moved; not in the future.'),
    allocations: Type.Optional(
      boundedArray(
        inlineObject('The part of the settlement for one claim.', {
          claim_id: claimId(),
          amount: moneyAmount('The settled amount of the claim.', 1),
        }),
        1,
        100,
        'The allocations to claims. Their sum is the amount. Only with remittance_id.',
      ),
    ),
    shares: Type.Optional(
      boundedArray(
        inlineObject('The part of the deposit for one advice.', {
          payment_advice_id: identifier('paymentAdvice', 'The advice.'),
          amount: moneyAmount('The part.', 1),
        }),
        DEPOSIT_SHARES.min,
        DEPOSIT_SHARES.max,
        'The parts of one deposit for several advices, at most one per advice. Their sum is the amount. Each part becomes a settlement: the first has the source_reference, the others have it with the suffix `#2`, `#3` and so on. The response is the first; `GET /settlements` with the `remittance_id` of an advice lists its own. Only without remittance_id.',
      ),
    ),
  },
  {
    remittance_id: exampleIdentifier('remittance'),
    source_reference: 'bank:2025-03-16:77120',
    currency: 'KES',
    amount: 300000,
    observed_at: '2025-03-16T14:00:00Z',
  },
);
export type SettlementInput = Static<typeof SettlementInput>;
