// The payer's advice that it pays, and independent evidence that money moved. Neither stands for the other.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amount,
  closedObject,
  nullable,
  objectName,
  oneOf,
  outputCurrency,
  outputInstant,
  outputItems,
  outputText,
  part,
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
    status: oneOf(
      remittanceStatuses,
      'Received until observed settlements sum to the total (reconciled); an exception when they go beyond it, come in another currency or not in time.',
    ),
    payer_reference: outputText("The payer's reference, unique in the project."),
    amount: part('The total.', { currency: outputCurrency(), paid: amount('The sum of the allocations.') }),
    allocations: outputItems(
      part('What of it is for one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        paid_amount: amount('What is paid for it.', 1),
        reason_codes: outputItems(outputText('A reason code.'), 'Why.'),
      }),
      'The allocations, in the order given.',
    ),
    received_at: outputInstant('When the payer sent the advice.'),
    reconciled_at: nullable(outputInstant('When it was reconciled; null while it is not.')),
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
  'An independent observation that money of a remittance moved.',
  {
    id: identifier('settlement', "The settlement's identifier."),
    object: objectName('settlement'),
    remittance_id: identifier('remittance', 'The remittance.'),
    source_reference: outputText("The observer's reference, unique in the project."),
    amount: part('What was observed.', { currency: outputCurrency(), observed: amount('The amount.', 1) }),
    allocations: outputItems(
      part('What of it settles one claim.', {
        claim_id: identifier('claim', 'The claim.'),
        amount: amount('What it settles of the claim.', 1),
      }),
      'What of it settles which claim; empty while unmatched without allocations of its own.',
    ),
    status: oneOf(settlementStatuses, 'Matched to claims, waiting, or reversed.'),
    observed_at: outputInstant('When the money was seen to move.'),
    recorded_at: outputInstant('When the service recorded the observation.'),
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
