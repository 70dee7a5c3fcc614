/**
 * The rules of allocations: a remittance's allocations are checked against the locked accounts of their claims, and a settlement's
 * allocations against the outstanding amounts of the remittance's allocations. Pure functions.
 */
import { CLAIM_REMITTANCE_LIMIT, type ErrorCode, problemMessage } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { approvedOf, type ClaimAccount, type PostingLine } from './chart-of-accounts';
import { fits } from './matching';
import type { Advised, ClaimAmount } from './remittance-status';

/** What a payer's advice allocates; `receivedAt` in epoch milliseconds. */
export interface AdvisedAllocations {
  readonly currency: string;
  readonly receivedAt: number;
  readonly allocations: readonly ClaimAmount[];
}

/** What an error says about a wrong line: its code, the field, and the message, which can depend on the line. */
interface LineError<Line> {
  readonly code: ErrorCode;
  readonly field: string;
  readonly message: string | ((line: Line) => string);
}

/**
 * Rejects a request if one of its lines is wrong. @param list the field of the lines @throws ApiError with the code, which names the field of
 * every such line
 */
export function rejectLines<Line>(
  list: string,
  lines: readonly Line[],
  isWrong: (line: Line, index: number) => boolean,
  { code, field, message }: LineError<Line>,
): void {
  const problems = lines.flatMap((line, index) =>
    isWrong(line, index)
      ? [
          {
            pointer: `/${list}/${index}/${field}`,
            message: typeof message === 'string' ? message : message(line),
          },
        ]
      : [],
  );
  if (problems.length > 0) throw new ApiError(code, `${problemMessage(problems)}.`);
}

/** @throws ApiError allocation_duplicate, which names every line whose claim has an earlier line of the list */
export function rejectRepeatedClaims(list: string, lines: readonly { readonly claimId: string }[]): void {
  const first = new Map(lines.map(({ claimId }, index) => [claimId, index] as const).reverse());
  rejectLines(list, lines, ({ claimId }, index) => first.get(claimId) !== index, {
    code: 'allocation_duplicate',
    field: 'claim_id',
    message: 'names a claim again',
  });
}

function rejectAllocations(
  allocations: readonly ClaimAmount[],
  isWrong: (allocation: ClaimAmount) => boolean,
  error: LineError<ClaimAmount>,
): void {
  rejectLines('allocations', allocations, isWrong, error);
}

/**
 * Returns whether a remittance can pay a claim: the claim is approved or partially approved, and neither reversed nor completely settled. A settled
 * claim of which an amount was taken back can be paid again.
 */
function isPayable(account: ClaimAccount | undefined): account is ClaimAccount {
  if (account === undefined) return false;
  const approved = approvedOf(account);
  return (
    approved !== null &&
    approved > 0 &&
    (account.balances.cash_observed < approved || account.balances.payer_liability > 0)
  );
}

/**
 * Checks the allocations of a payer's advice. Each rule is checked on all allocations before the next rule, in the order of the API contract.
 *
 * @param accounts the accounts of the claims by claim ID; a claim without an account was never adjudicated
 * @param claimsAtLimit the IDs of the claims that have the maximum number of remittances
 * @param now current time in epoch milliseconds
 * @throws ApiError allocation_duplicate, future_timestamp, claim_not_adjudicated, currency_mismatch, over_allocation; invalid_state if a
 *   claim has the maximum number of remittances, because each of them lengthens the claim's history
 */
export function evaluateAllocations(
  advice: AdvisedAllocations,
  accounts: ReadonlyMap<string, ClaimAccount>,
  claimsAtLimit: readonly string[],
  now: number,
): void {
  const { allocations } = advice;
  rejectRepeatedClaims('allocations', allocations);
  if (advice.receivedAt > now) throw new ApiError('future_timestamp', '/received_at is in the future.');
  rejectAllocations(allocations, ({ claimId }) => !isPayable(accounts.get(claimId)), {
    code: 'claim_not_adjudicated',
    field: 'claim_id',
    message: 'names a claim that is not approved or partially approved',
  });
  if (allocations.some(({ claimId }) => accounts.get(claimId)?.currency !== advice.currency))
    throw new ApiError('currency_mismatch', '/currency is not the currency of every claim.');
  const liabilityOf = (claimId: string) => accounts.get(claimId)?.balances.payer_liability ?? 0;
  rejectAllocations(allocations, ({ claimId, amount }) => amount > liabilityOf(claimId), {
    code: 'over_allocation',
    field: 'paid_amount',
    message: "is more than the claim's approved amount less what is remitted",
  });
  const limit = CLAIM_REMITTANCE_LIMIT.toLocaleString('en');
  rejectAllocations(allocations, ({ claimId }) => claimsAtLimit.includes(claimId), {
    code: 'invalid_state',
    field: 'claim_id',
    message: `names a claim that has ${limit} remittances, the maximum`,
  });
}

/** The accounts of a claim between which the amount of an accepted allocation moves. */
export const ADVICE_MOVE = { source: 'payer_liability', destination: 'remitted' } as const satisfies Pick<
  PostingLine,
  'source' | 'destination'
>;

/**
 * Checks the allocations that the request of a settlement names.
 *
 * @param outstanding the outstanding amount of each allocation of the remittance
 * @throws ApiError allocation_duplicate; over_allocation if the allocations do not sum to the settlement's amount, name a claim that the
 *   remittance does not pay, or exceed a claim's outstanding amount (compared only in the remittance's currency)
 */
export function checkSettlementAllocations(
  advised: Advised,
  outstanding: readonly ClaimAmount[],
  observed: {
    readonly currency: string;
    readonly amount: number;
    readonly allocations: readonly ClaimAmount[];
  },
): void {
  const { allocations, amount } = observed;
  if (allocations.length === 0) return;
  rejectRepeatedClaims('allocations', allocations);
  const outstandingByClaim = new Map(outstanding.map(({ claimId, amount: open }) => [claimId, open]));
  rejectAllocations(allocations, ({ claimId }) => !outstandingByClaim.has(claimId), {
    code: 'over_allocation',
    field: 'claim_id',
    message: 'names no claim of the remittance',
  });
  // The sum is exact, because the API contract limits it to 2^53 - 1.
  if (allocations.reduce((sum, part) => sum + part.amount, 0) !== amount)
    throw new ApiError('over_allocation', '/allocations do not sum to /amount.');
  if (observed.currency !== advised.currency) return;
  rejectAllocations(allocations, (part) => !fits(outstandingByClaim, [part]), {
    code: 'over_allocation',
    field: 'amount',
    message: 'is more than the claim still lacks',
  });
}
