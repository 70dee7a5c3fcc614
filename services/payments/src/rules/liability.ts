/** The moves of an adjudication, of its replacement and of a claim's reversal. Pure. */
import { ApiError } from '@carecover/platform';
import { type ClaimAccount, type Move, nonZero, remittedOf } from './chart-of-accounts';

/** An adjudication's amounts; they sum to the billed amount. Minor units. */
export interface AdjudicatedAmounts {
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
}

/** Returns the moves of a new adjudication: the inverse of the current adjudication, if there is one, then its own. */
export function liabilityMoves(
  claimId: string,
  current: ClaimAccount['balances'] | null,
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
  return { withdrawn: current === null ? [] : withdrawalMoves(claimId, current), opened };
}

/** Returns the moves that withdraw the amounts that no remittance advised. */
function withdrawalMoves(claimId: string, balances: ClaimAccount['balances']): Move[] {
  return nonZero(
    (['payer_liability', 'patient_responsibility', 'adjustment'] as const).map((source) => ({
      claimId,
      source,
      destination: 'charges',
      amount: balances[source],
    })),
  );
}

/**
 * Rejects an adjudication that can't replace the current one.
 *
 * @throws ApiError invalid_state if an amount is remitted, the claim is reversed, or the current adjudication is
 *   later or in another currency
 */
export function rejectReplacement(account: ClaimAccount, next: { version: number; currency: string }): void {
  if (account.reversed) throw new ApiError('invalid_state', 'The claim is reversed.');
  if (remittedOf(account) > 0) throw new ApiError('invalid_state', 'Something is remitted on the claim.');
  if (next.version < account.adjudicationVersion)
    throw new ApiError('invalid_state', 'A later adjudication of the claim stands.');
  if (next.currency !== account.currency)
    throw new ApiError('invalid_state', 'The claim was adjudicated in another currency.');
}

/** Returns the moves of a claim's reversal: it withdraws what no remittance advised. Remitted and settled amounts stay recorded. */
export function reversalMoves(account: ClaimAccount): Move[] {
  return withdrawalMoves(account.claimId, account.balances);
}

/** Returns the move that records what the provider must repay of a reversed claim. */
export function recoveryMove(claimId: string, amount: number): Move {
  return { claimId, source: 'provider', destination: 'recoverable', amount };
}
