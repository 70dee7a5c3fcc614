/** The moves between a claim's accounts for an adjudication, for its replacement, and for the claim's reversal. Pure functions. */
import { ApiError } from '@carecover/platform';
import { type ClaimAccount, type Move, nonZero, remittedOf } from './chart-of-accounts';

/** The amounts of an adjudication in minor units; they sum to the billed amount. */
export interface AdjudicatedAmounts {
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
}

/**
 * Returns the moves that post a new adjudication: `withdrawn` undoes the current adjudication, if there is one, and `opened` posts the new
 * one.
 */
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

/** Returns the moves that set a claim's liability accounts to zero. Remitted and settled amounts are not moved. */
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
 * Checks that an adjudication can replace the claim's current adjudication.
 *
 * @throws ApiError invalid_state if an amount of the claim is remitted, the claim is reversed, or the current adjudication has a higher
 *   version or another currency
 */
export function rejectReplacement(account: ClaimAccount, next: { version: number; currency: string }): void {
  if (account.reversed) throw new ApiError('invalid_state', 'The claim is reversed.');
  if (remittedOf(account) > 0) throw new ApiError('invalid_state', 'Something is remitted on the claim.');
  if (next.version < account.adjudicationVersion)
    throw new ApiError('invalid_state', 'A later adjudication of the claim stands.');
  if (next.currency !== account.currency)
    throw new ApiError('invalid_state', 'The claim was adjudicated in another currency.');
}

/**
 * Returns the moves of a claim's reversal, which withdraws the amounts that no remittance has advised. Remitted and settled amounts stay
 * recorded.
 */
export function reversalMoves(account: ClaimAccount): Move[] {
  return withdrawalMoves(account.claimId, account.balances);
}

/** Returns the move that records a settled amount of a reversed claim, which the provider must repay. */
export function recoveryMove(claimId: string, amount: number): Move {
  return { claimId, source: 'provider', destination: 'recoverable', amount };
}
