/**
 * The rules of payers' advices: what an advice says is checked against the locked accounts of its claims, and becomes postings and notifications.
 * Pure functions. Amounts in minor units.
 */
import {
  isAmount,
  type PaymentAdvice,
  type PaymentAdviceInput,
  parseInstant,
  type RemittanceInput,
} from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import type { Notification } from '@carecover/workflow-remittance';
import { evaluateAllocations, rejectLines, rejectRepeatedClaims } from './allocation';
import { type ClaimAccount, type PostingLine, remittedOf } from './chart-of-accounts';

/** What a payer's advice says. */
export type AdviceContent = Pick<
  PaymentAdvice,
  | 'payer_reference'
  | 'payer'
  | 'currency'
  | 'net'
  | 'allocations'
  | 'denials'
  | 'recoveries'
  | 'adjustments'
  | 'received_at'
>;

/** Returns the ID of the advice whose allocations are the remittance. */
export function adviceIdOf(remittanceId: string): string {
  return `adv_${remittanceId.slice('rem_'.length)}`;
}

/** Returns the ID of the remittance that the allocations of the advice are. */
export function remittanceIdOf(adviceId: string): string {
  return `rem_${adviceId.slice('adv_'.length)}`;
}

/** Returns the ID of the settlement of zero that settles an advice without a transfer. */
export function nettingIdOf(remittanceId: string): string {
  return `stl_${remittanceId.slice('rem_'.length)}`;
}

/** Returns what a remittance says: allocations, whose sum the payer transfers. */
export function contentOfRemittance({ allocations, ...input }: RemittanceInput): AdviceContent {
  return {
    ...input,
    payer: null,
    net: allocations.reduce((sum, { paid_amount }) => sum + paid_amount, 0),
    allocations: allocations.map(withReasons),
    denials: [],
    recoveries: [],
    adjustments: [],
  };
}

/** Returns what the request of a payment advice says. @param newRecoveryId makes the IDs of its recoveries */
export function contentOfAdvice(input: PaymentAdviceInput, newRecoveryId: () => string): AdviceContent {
  const { allocations = [], denials = [], recoveries = [], adjustments = [] } = input;
  return {
    ...input,
    payer: input.payer ?? null,
    allocations: allocations.map(withReasons),
    denials: denials.map(withReasons),
    recoveries: recoveries.map((recovery) => ({ id: newRecoveryId(), ...withReasons(recovery) })),
    adjustments: adjustments.map(withReasons),
  };
}

function withReasons<Line extends { readonly reason_codes?: string[] }>(line: Line) {
  return { ...line, reason_codes: line.reason_codes ?? [] };
}

/** Returns the IDs of all claims that an advice names, each once. */
export function claimsOf({ allocations, denials, recoveries }: AdviceContent): string[] {
  return [...new Set([...allocations, ...denials, ...recoveries].map(({ claim_id }) => claim_id))];
}

/** Returns the sum of the allocations, and what the recoveries and adjustments add to it. */
export function sumsOf({ allocations, recoveries, adjustments }: AdviceContent) {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const total = sum(allocations.map(({ paid_amount }) => paid_amount));
  const recovered = sum(recoveries.map(({ amount }) => amount));
  const adjusted = sum(adjustments.map(({ amount }) => amount));
  const forwarded = sum(
    adjustments.filter(({ kind }) => kind === 'forwarded_balance').map(({ amount }) => amount),
  );
  return { total, recovered, adjusted, rest: adjusted - recovered, forwarded };
}

/**
 * @throws ApiError validation_failed if the allocations, or the recoveries and adjustments together, sum to more than an amount can be
 */
export function rejectTooLarge(advice: AdviceContent): void {
  const { total, rest } = sumsOf(advice);
  if (!isAmount(total))
    throw new ApiError('validation_failed', '/allocations sum to more than an amount can be.');
  if (!Number.isSafeInteger(rest))
    throw new ApiError(
      'validation_failed',
      '/adjustments less the /recoveries sum to more than an amount can be.',
    );
}

/** @throws ApiError advice_unbalanced, with both numbers, if the net is not what the lines sum to */
export function rejectUnbalanced(advice: AdviceContent): void {
  const { total, recovered, adjusted } = sumsOf(advice);
  // Each sum is exact, because the API contract limits it to 2^53 - 1; their sum can be larger.
  const sum = BigInt(total) - BigInt(recovered) + BigInt(adjusted);
  if (BigInt(advice.net) === sum) return;
  throw new ApiError(
    'advice_unbalanced',
    `/net is ${advice.net}, but the allocations of ${total} less the recoveries of ${recovered} plus the adjustments of ${adjusted} are ${sum}.`,
  );
}

/**
 * Rejects an advice with a claim that does not exist. @throws ApiError resource_not_found, which names every line with such a claim of the first
 * list that has one
 */
export function rejectUnknownClaims(advice: AdviceContent, unknown: ReadonlySet<string>): void {
  for (const list of ['allocations', 'denials', 'recoveries'] as const)
    rejectLines<{ readonly claim_id: string }>(list, advice[list], ({ claim_id }) => unknown.has(claim_id), {
      code: 'resource_not_found',
      field: 'claim_id',
      message: 'names no claim',
    });
}

const linesOf = (lines: readonly { readonly claim_id: string; readonly amount: number }[]) =>
  lines.map(({ claim_id, amount }) => ({ claimId: claim_id, amount }));

/**
 * Checks a payer's advice. The recoveries are checked before the allocations: an advice can take back what was remitted for a claim, and pay
 * the claim again.
 *
 * @param accounts the accounts of the claims by claim ID; a claim without an account was never adjudicated
 * @param claimsAtLimit the IDs of the claims that have the maximum number of remittances and recoveries
 * @param now current time in epoch milliseconds
 * @throws ApiError allocation_duplicate, currency_mismatch, over_recovery, and those of {@link evaluateAllocations}
 */
export function evaluateAdvice(
  advice: AdviceContent,
  accounts: ReadonlyMap<string, ClaimAccount>,
  claimsAtLimit: readonly string[],
  now: number,
): void {
  const recoveries = linesOf(advice.recoveries);
  rejectRepeatedClaims('recoveries', recoveries);
  rejectRepeatedClaims(
    'denials',
    advice.denials.map(({ claim_id }) => ({ claimId: claim_id })),
  );
  const isForeign = ({ claimId }: { claimId: string }) =>
    (accounts.get(claimId)?.currency ?? advice.currency) !== advice.currency;
  if (recoveries.some(isForeign))
    throw new ApiError('currency_mismatch', '/currency is not the currency of every claim.');
  const remitted = (claimId: string) => {
    const account = accounts.get(claimId);
    return account === undefined ? 0 : remittedOf(account);
  };
  rejectLines('recoveries', recoveries, ({ claimId, amount }) => amount > remitted(claimId), {
    code: 'over_recovery',
    field: 'amount',
    message: ({ claimId, amount }) =>
      `is ${amount}, more than the ${remitted(claimId)} that is remitted for the claim and not taken back`,
  });
  rejectLines('recoveries', recoveries, ({ claimId }) => claimsAtLimit.includes(claimId), {
    code: 'invalid_state',
    field: 'claim_id',
    message: 'names a claim that has the maximum number of remittances and recoveries',
  });
  const allocations = advice.allocations.map(({ claim_id, paid_amount }) => ({
    claimId: claim_id,
    amount: paid_amount,
  }));
  const receivedAt = parseInstant(advice.received_at);
  evaluateAllocations(
    { currency: advice.currency, receivedAt, allocations },
    withRecoveries(accounts, recoveries),
    claimsAtLimit,
    now,
  );
}

/** Returns the accounts after the recoveries: what is taken back can be remitted again, unless the claim is reversed. */
function withRecoveries(
  accounts: ReadonlyMap<string, ClaimAccount>,
  recoveries: readonly { readonly claimId: string; readonly amount: number }[],
): ReadonlyMap<string, ClaimAccount> {
  const changed = new Map(accounts);
  for (const { claimId, amount } of recoveries) {
    const account = accounts.get(claimId);
    if (account === undefined || account.reversed) continue;
    const { payer_liability, remitted } = account.balances;
    const balances = {
      ...account.balances,
      payer_liability: payer_liability + amount,
      remitted: remitted - amount,
    };
    changed.set(claimId, { ...account, balances });
  }
  return changed;
}

/** Returns the line that posts a recovery: what is taken back is the payer's liability again; of a reversed claim there is no liability. */
export function recoveryMove(account: ClaimAccount): Pick<PostingLine, 'source' | 'destination'> {
  return { source: 'remitted', destination: account.reversed ? 'charges' : 'payer_liability' };
}

/**
 * Returns the notifications about an advice to the claims service: first its recoveries, so that a claim which is taken back and paid again never
 * has more remitted than is approved.
 */
export function notificationsOf(
  remittanceId: string,
  tenant: Tenant,
  { allocations, recoveries, currency, received_at }: AdviceContent,
  accounts: ReadonlyMap<string, ClaimAccount>,
): Notification[] {
  const receivedAt = new Date(parseInstant(received_at)).toISOString();
  const before = (claimId: string) => accounts.get(claimId)?.remittedCause ?? null;
  const recoveryOf = new Map(recoveries.map(({ claim_id, id }) => [claim_id, id]));
  const recovered = recoveries.map(
    ({ id, claim_id, amount, reason_codes }): Notification => ({
      kind: 'remittance_recovered',
      causeId: id,
      input: {
        tenant,
        claimId: claim_id,
        recoveryId: id,
        adviceId: adviceIdOf(remittanceId),
        amount,
        currency,
        effectiveAt: receivedAt,
        reasonCodes: reason_codes,
        after: before(claim_id),
      },
    }),
  );
  if (allocations.length === 0) return recovered;
  const remittance: Notification = {
    kind: 'remittance',
    causeId: remittanceId,
    input: {
      tenant,
      remittanceId,
      receivedAt,
      allocations: allocations.map(({ claim_id, paid_amount, reason_codes }) => ({
        claimId: claim_id,
        amount: paid_amount,
        reasonCode: reason_codes[0] ?? null,
        adjudicationVersion: accounts.get(claim_id)?.adjudicationVersion ?? 0,
        after: recoveryOf.get(claim_id) ?? before(claim_id),
      })),
    },
  };
  return [...recovered, remittance];
}
