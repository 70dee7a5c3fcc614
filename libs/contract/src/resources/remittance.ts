// Remittances and settlements. A remittance is the payer's advice of payment; a settlement is independent evidence that funds
// moved. Neither implies the other.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
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
      remittanceStatuses,
      '`received` until the settlements equal the total (`reconciled`). `exception` if they exceed it, have another currency or are late.',
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
    received_at: outputInstant('When the payer sent the advice.'),
    reconciled_at: nullable(outputInstant('When it was reconciled; null if it is not.')),
  },
  {
    id: exampleIdentifier('remittance'),
    object: 'remittance',
    status: 'reconciled',
    payer_reference: 'ERA-2027-118',
    amount: { currency: 'KES', paid: 300000 },
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
    received_at: '2027-03-15T00:00:00.000Z',
    reconciled_at: '2027-03-17T10:00:00.000Z',
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
      observed: moneyAmount('The amount.', 1),
    }),
    allocations: outputArray(
      inlineObject('The part of the settlement for one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        amount: moneyAmount('The settled amount of the claim.', 1),
      }),
      'The allocations to claims; empty while the settlement is unmatched and its request had none.',
    ),
    status: stringEnum(
      settlementStatuses,
      '`matched` to claims, `unmatched` until the remittance is reconciled, or `reversed`.',
    ),
    observed_at: outputInstant('When the funds moved.'),
    recorded_at: outputInstant('When the service recorded the settlement.'),
  },
  {
    id: exampleIdentifier('settlement'),
    object: 'settlement',
    remittance_id: exampleIdentifier('remittance'),
    source_reference: 'bank:2027-03-16:77120',
    amount: { currency: 'KES', observed: 300000 },
    allocations: [{ claim_id: exampleIdentifier('claim'), amount: 300000 }],
    status: 'matched',
    observed_at: '2027-03-16T14:00:00.000Z',
    recorded_at: '2027-03-17T10:00:00.000Z',
  },
);
export type Settlement = Static<typeof Settlement>;
