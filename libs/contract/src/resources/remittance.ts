// Remittances and settlements. A remittance is the payer's advice of payment; a settlement is independent evidence that funds
// moved. A remittance can exist without a settlement, and a settlement without a remittance.

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

export const remittanceStatuses = ['received', 'reconciled', 'exception'] as const;
export type RemittanceStatus = (typeof remittanceStatuses)[number];

export const settlementStatuses = ['matched', 'unmatched', 'reversed'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

export const Remittance = closedObject(
  'Remittance',
  "A payer's advice of payment, allocated to claims.",
  {
    id: identifier('remittance', "The remittance's identifier."),
    object: objectName('remittance'),
    status: stringEnum(
      'RemittanceStatus',
      remittanceStatuses,
      '`received` until the settlements equal the total (`reconciled`). `exception` if they exceed it, have another currency or are late, or if its payment advice was withdrawn.',
    ),
    payer_reference: outputString("The payer's reference, unique in the project."),
    amount: inlineObject('The total.', {
      currency: outputCurrency(),
      paid: moneyAmount('The sum of the allocations.'),
    }),
    allocations: outputArray(
      inlineObject('The part of the remittance for one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        paid_amount: moneyAmount('The amount paid for the claim.', 1),
        reason_codes: outputArray(outputString('A reason code.'), 'The reasons for the amount.'),
      }),
      'The allocations, in the order given.',
    ),
    received_at: outputInstant('When the advice was received from the payer.'),
    reconciled_at: nullable(outputInstant('When it was reconciled; null if it is not.')),
  },
  {
    id: exampleIdentifier('remittance'),
    object: 'remittance',
    status: 'reconciled',
    payer_reference: 'ERA-2025-118',
    amount: { currency: 'KES', paid: 300000 },
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
    received_at: '2025-03-15T00:00:00.000Z',
    reconciled_at: '2025-03-17T10:00:00.000Z',
  },
);
export type Remittance = Static<typeof Remittance>;

export const Settlement = closedObject(
  'Settlement',
  'Independent evidence that funds of a remittance moved.',
  {
    id: identifier('settlement', "The settlement's identifier."),
    object: objectName('settlement'),
    remittance_id: identifier('remittance', 'The remittance.'),
    source_reference: outputString(
      'The reference of the evidence, such as a bank statement entry; unique in the project.',
    ),
    amount: inlineObject('The observed amount.', {
      currency: outputCurrency(),
      observed: moneyAmount('The amount; 0 for the settlement of an advice whose net needs no transfer.'),
    }),
    allocations: outputArray(
      inlineObject('The part of the settlement for one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        amount: moneyAmount('The settled amount of the claim.', 1),
      }),
      'The allocations to claims; empty while the settlement is unmatched and its request had none.',
    ),
    status: stringEnum(
      'SettlementStatus',
      settlementStatuses,
      '`matched` to claims, `unmatched` until the remittance is reconciled, or `reversed`.',
    ),
    observed_at: outputInstant('When the funds moved.'),
    recorded_at: outputInstant(
      'When the service recorded the settlement. The fact of a claim is recorded afterwards: its `recorded_at` in the valuation is the first cutoff that includes it.',
    ),
  },
  {
    id: exampleIdentifier('settlement'),
    object: 'settlement',
    remittance_id: exampleIdentifier('remittance'),
    source_reference: 'bank:2025-03-16:77120',
    amount: { currency: 'KES', observed: 300000 },
    allocations: [{ claim_id: exampleIdentifier('claim'), amount: 300000 }],
    status: 'matched',
    observed_at: '2025-03-16T14:00:00.000Z',
    recorded_at: '2025-03-17T10:00:00.000Z',
  },
);
export type Settlement = Static<typeof Settlement>;

/** Why a remittance, or one of its settlements, is not reconciled. */
export const reconciliationReasons = [
  'awaiting_funds',
  'partial_funds',
  'allocation_unmatched',
  'amount_exceeds_advice',
  'currency_mismatch',
  'deadline_passed',
  'advice_withdrawn',
] as const;
export type ReconciliationReason = (typeof reconciliationReasons)[number];

const ReconciliationStep = inlineObject('An operation that leads to reconciliation.', {
  operation: stringEnum(
    'ReconciliationOperation',
    ['createSettlement', 'reverseSettlement'],
    'The ID of the operation.',
  ),
  settlement_id: nullable(identifier('settlement', 'The settlement to reverse; null for a creation.')),
  amount: nullable(moneyAmount("The amount to record in the remittance's currency; null for a reversal.", 1)),
  description: outputString('The step as a sentence.'),
});
export type ReconciliationStep = Static<typeof ReconciliationStep>;

export const RemittanceReconciliation = closedObject(
  'RemittanceReconciliation',
  'Why a remittance is reconciled or not, and which operations would reconcile it, evaluated at the time of the request.',
  {
    object: objectName('remittance_reconciliation'),
    remittance_id: identifier('remittance', 'The remittance.'),
    status: stringEnum(
      'RemittanceStatus',
      remittanceStatuses,
      'The status at the time of the request. From the deadline on it can be `exception` shortly before the remittance itself is.',
    ),
    currency: outputCurrency(),
    expected: amountDifference(
      'What the payer transfers: the total of the remittance, or the net of its payment advice, which is not above zero if nothing is transferred; 0 if the advice was withdrawn.',
    ),
    observed: nullable(
      moneyAmount(
        "The sum of the settlements in the remittance's currency that are not reversed; null if it exceeds every possible amount.",
      ),
    ),
    difference: nullable(amountDifference('observed minus expected; null if observed is null.')),
    deadline_at: outputInstant('From this instant on, a remittance below its total is in exception.'),
    reason: nullable(
      stringEnum(
        'ReconciliationReason',
        reconciliationReasons,
        'Null if reconciled, otherwise the first that applies: `amount_exceeds_advice` (the settlements exceed the total), `currency_mismatch` (one has another currency), `deadline_passed`, `allocation_unmatched` (one is below the total and names no allocations that fit, while the remittance has several), `partial_funds`, `awaiting_funds` (there is no settlement). `advice_withdrawn` if the payment advice was withdrawn: nothing is expected.',
      ),
    ),
    settlements: outputArray(
      inlineObject('A settlement of the remittance.', {
        id: identifier('settlement', "The settlement's identifier."),
        status: stringEnum('SettlementStatus', settlementStatuses, "The settlement's status."),
        amount: inlineObject('The observed amount.', {
          currency: outputCurrency(),
          observed: moneyAmount('The amount; 0 if the net needs no transfer.'),
        }),
        source_reference: outputString('The reference of the evidence.'),
        reason: nullable(
          stringEnum(
            'UnmatchedReason',
            ['allocation_unmatched', 'amount_exceeds_advice', 'currency_mismatch'],
            'Why it is unmatched; null otherwise.',
          ),
        ),
      }),
      'All settlements, in the order in which they were recorded.',
    ),
    next_steps: outputArray(
      ReconciliationStep,
      'Operations that lead to reconciliation; empty if reconciled or withdrawn. Execute the first, then read again.',
    ),
  },
  {
    object: 'remittance_reconciliation',
    remittance_id: exampleIdentifier('remittance'),
    status: 'exception',
    currency: 'KES',
    expected: 300000,
    observed: 300001,
    difference: 1,
    deadline_at: '2025-04-14T10:00:00.000Z',
    reason: 'amount_exceeds_advice',
    settlements: [
      {
        id: exampleIdentifier('settlement'),
        status: 'unmatched',
        amount: { currency: 'KES', observed: 300001 },
        source_reference: 'bank:2025-03-16:77120',
        reason: 'amount_exceeds_advice',
      },
    ],
    next_steps: [
      {
        operation: 'reverseSettlement',
        settlement_id: exampleIdentifier('settlement'),
        amount: null,
        description: `Reverse settlement ${exampleIdentifier('settlement')}.`,
      },
    ],
  },
);
export type RemittanceReconciliation = Static<typeof RemittanceReconciliation>;
