// What payers advise and what is seen to move.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { amount, closedObject, inputCurrency, inputInstant, items, part, text } from '../schema';
import { claimId, paymentReasonCode } from './fields';

export const RemittanceInput = closedObject(
  'RemittanceInput',
  "A payer's advice of payment. All its allocations are recorded or none.",
  {
    payer_reference: text(3, 200, "The payer's reference, unique in the project."),
    currency: inputCurrency(),
    received_at: inputInstant('When the payer sent the advice; not in the future.'),
    allocations: items(
      part('What of it is for one claim.', {
        claim_id: claimId(),
        paid_amount: amount('What is paid for it.', 1),
        reason_codes: Type.Optional(items(paymentReasonCode(), 0, 16, 'Why. Absent: none.')),
      }),
      1,
      100,
      'The allocations, each of another claim.',
    ),
  },
  {
    payer_reference: 'ERA-2027-118',
    currency: 'KES',
    received_at: '2027-03-15T00:00:00Z',
    allocations: [
      { claim_id: exampleIdentifier('claim'), paid_amount: 300000, reason_codes: ['fee_schedule'] },
    ],
  },
);
export type RemittanceInput = Static<typeof RemittanceInput>;

export const SettlementInput = closedObject(
  'SettlementInput',
  'An independent observation that money of a remittance moved.',
  {
    remittance_id: identifier('remittance', 'The remittance.'),
    source_reference: text(3, 200, "The observer's reference, unique in the project."),
    currency: inputCurrency(),
    amount: amount('What was observed.', 1),
    observed_at: inputInstant('When the money was seen to move; not in the future.'),
    allocations: Type.Optional(
      items(
        part('What of it settles one claim.', { claim_id: claimId(), amount: amount('What it settles.', 1) }),
        1,
        100,
        'What settles which claim; sums to the amount.',
      ),
    ),
  },
  {
    remittance_id: exampleIdentifier('remittance'),
    source_reference: 'bank:2027-03-16:77120',
    currency: 'KES',
    amount: 300000,
    observed_at: '2027-03-16T14:00:00Z',
  },
);
export type SettlementInput = Static<typeof SettlementInput>;
