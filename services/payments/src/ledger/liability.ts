/** What an adjudication opens in the ledger, what a later one replaces, and what a reversal closes. Pure. */
import { ApiError } from '@carecover/platform';
import { type ClaimAccount, type Move, nonZero, remittedOf } from './chart';

/** An adjudication's amounts; billed is the sum of the other three. Minor units. */
export interface AdjudicatedAmounts {
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
}

/** What a new adjudication posts: the standing one's inverse, if one stands, then its own. */
export function liabilityMoves(
  claimId: string,
  standing: ClaimAccount['balances'] | null,
  amount: AdjudicatedAmounts,
): { readonly withdrawn: Move[]; readonly opened: Move[] } {
  const opened = nonZero([
    { claimId, source: 'charges', destination: 'payer_liability', amount: amount.payer },
    {
      claimId,
      source: 'charges',
      destination: 'patient_responsibility',
      amount: amount.patient_responsibility,
    },
    { claimId, source: 'charges', destination: 'adjustment', amount: amount.adjustment },
  ]);
  return { withdrawn: standing === null ? [] : withdrawal(claimId, standing), opened };
}

/** Gives back to the charges what the adjudication allotted and nobody advised. */
function withdrawal(claimId: string, balances: ClaimAccount['balances']): Move[] {
  return nonZero(
    (['payer_liability', 'patient_responsibility', 'adjustment'] as const).map((source) => ({
      claimId,
      source,
      destination: 'charges',
      amount: balances[source],
    })),
  );
}

/** @throws ApiError invalid_state where something is remitted, the claim is reversed or a later adjudication stands */
export function rejectReplacement(account: ClaimAccount, next: { version: number; currency: string }): void {
  if (account.reversed) throw new ApiError('invalid_state', 'The claim is reversed.');
  if (remittedOf(account) > 0) throw new ApiError('invalid_state', 'Something is remitted on the claim.');
  if (next.version < account.adjudicationVersion)
    throw new ApiError('invalid_state', 'A later adjudication of the claim stands.');
  if (next.currency !== account.currency)
    throw new ApiError('invalid_state', 'The claim was adjudicated in another currency.');
}

/** What a reversal takes back: all that nobody advised. What was advised or moved stays recorded. */
export function reversalMoves(account: ClaimAccount): Move[] {
  return withdrawal(account.claimId, account.balances);
}

/** What the provider is to give back of a settled amount, once the claim is reversed. */
export function recovery(claimId: string, amount: number): Move {
  return { claimId, source: 'provider', destination: 'recoverable', amount };
}
