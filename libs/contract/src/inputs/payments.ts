// Request bodies for remittances and settlements.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  boundedArray,
  boundedString,
  closedObject,
  inlineObject,
  inputCurrency,
  inputInstant,
  moneyAmount,
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

export const SettlementInput = closedObject(
  'SettlementInput',
  'Independent evidence that funds of a remittance moved.',
  {
    remittance_id: identifier('remittance', 'The remittance.'),
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
        'The allocations to claims. Their sum is the amount.',
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
