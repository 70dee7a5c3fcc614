/** The lines between a claim's accounts for an adjudication, for its replacement, and for the claim's reversal. Pure functions. */
import { ApiError } from '@carecover/domain';
import { type ClaimAccount, nonZero, type PostingLine } from './chart-of-accounts';

/** The amounts of an adjudication in minor units; they sum to the billed amount. */
export interface AdjudicatedAmounts {
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
}

/**
 * Returns the lines that post a new adjudication: `withdrawn` undoes the current adjudication, if there is one, and `opened` posts the new
 * one.
 */
export function liabilityLines(
  claimId: string,
  current: ClaimAccount['balances'] | null,
  amount: AdjudicatedAmounts,
): { readonly withdrawn: PostingLine[]; readonly opened: PostingLine[] } {
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
  return { withdrawn: current === null ? [] : withdrawalLines(claimId, current), opened };
}

/** Returns the lines that set a claim's liability accounts to zero. Remitted and settled amounts are not moved. */
function withdrawalLines(claimId: string, balances: ClaimAccount['balances']): PostingLine[] {
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
 * @throws ApiError invalid_state if an amount of the claim is remitted, or taken back and not settled, the claim is reversed, or the current adjudication has a higher
 *   version or another currency
 */
export function rejectReplacement(account: ClaimAccount, next: { version: number; currency: string }): void {
  if (account.reversed) throw new ApiError('invalid_state', 'The claim is reversed.');
  const { remitted, cash_observed } = account.balances;
  if (remitted !== 0 || cash_observed !== 0)
    throw new ApiError('invalid_state', 'Something is remitted on the claim, or a takeback is not settled.');
  if (next.version < account.adjudicationVersion)
    throw new ApiError('invalid_state', 'A later adjudication of the claim stands.');
  if (next.currency !== account.currency)
    throw new ApiError('invalid_state', 'The claim was adjudicated in another currency.');
}

/**
 * Returns the lines of a claim's reversal, which withdraws the amounts that no remittance has advised. Remitted and settled amounts stay
 * recorded.
 */
export function reversalLines(account: ClaimAccount): PostingLine[] {
  return withdrawalLines(account.claimId, account.balances);
}

/** Returns the line that records a settled amount of a reversed claim, which the provider must repay. */
export function recoveryLine(claimId: string, amount: number): PostingLine {
  return { claimId, source: 'provider', destination: 'recoverable', amount };
}
