/**
 * What every transaction over a remittance does last: match what waits, post what is matched, judge the remittance anew, and
 * note what claims must be told. The remittance and its claims' accounts are locked, in that order.
 */
import { remittanceEventData } from '@carecover/contract';
import { appendEvent, databaseNow, storedTenant, type Tx } from '@carecover/platform';
import type { SettledAmount, Telling } from '@carecover/workflow-remittance';
import type { ClaimAccount, Move } from '../ledger/chart';
import { recovery } from '../ledger/liability';
import { judge } from '../reconciliation/judgement';
import { matchWaiting } from '../reconciliation/matching';
import type { ClaimAmount } from '../reconciliation/observation';
import { lockAccounts } from '../store/accounts';
import { owe } from '../store/claims-records';
import { lastSettlingCauses, post, reversalOf } from '../store/postings';
import {
  type AllocationRow,
  addSettled,
  allocationsOf,
  lockRemittance,
  type RemittanceRow,
  setStatus,
} from '../store/remittances';
import { observationOf, type SettlementRow, setMatched, standingSettlements } from '../store/settlements';

type SettlementTelling = Extract<Telling, { kind: 'settlement' }>;

/** A remittance with its claims' accounts, locked by this transaction. */
export interface HeldRemittance {
  readonly remittance: RemittanceRow;
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
  /** The transaction's time, read under the locks. */
  readonly now: Date;
}

/** Locks a remittance and its claims' accounts. Undefined where there is none. */
export async function hold(tx: Tx, remittanceId: string): Promise<HeldRemittance | undefined> {
  const remittance = await lockRemittance(tx, remittanceId);
  if (remittance === undefined) return undefined;
  const allocations = await allocationsOf(tx, remittanceId);
  const accounts = await lockAccounts(
    tx,
    remittance.project_id,
    allocations.map(({ claim_id }) => claim_id),
  );
  return { remittance, accounts, now: await databaseNow(tx) };
}

export function advisedOf({ currency, total, deadline }: RemittanceRow) {
  return { currency, total, deadline: deadline.getTime() };
}

/** What each allocation still lacks, in the advice's order. */
export function lackingOf(allocations: readonly AllocationRow[]): ClaimAmount[] {
  return allocations.map(({ claim_id, paid_amount, settled }) => ({
    claimId: claim_id,
    amount: paid_amount - settled,
  }));
}

/** Posts the inverse of an observation that settled something. Gives what claims must be told of the reversal. */
export async function unsettle(
  tx: Tx,
  held: HeldRemittance,
  settlement: SettlementRow,
): Promise<SettlementTelling> {
  const { remittance, accounts, now } = held;
  const cause = reversalOf(settlement.id);
  const { matched, allocations: parts } = observationOf(settlement);
  const allocations = matched ? parts : [];
  const { currency } = remittance;
  const amounts = await inOrder(
    tx,
    allocations.map(({ claimId, amount }) => ({ claimId, amount: -amount })),
  );
  await post(
    tx,
    { tenant: remittance.project_id, currency, cause, effectiveAt: now, recordedAt: now },
    allocations.flatMap((part) => settlingMoves(part, accounts).map(inverse)),
  );
  await addSettled(tx, remittance.id, amounts);
  return recordForClaims(held, { causeId: cause, settlementId: settlement.id, observedAt: now, amounts });
}

/** Matches, posts and judges; `reversal` is what claims must be told first, if anything. */
export async function reconcile(
  tx: Tx,
  held: HeldRemittance,
  reversal: SettlementTelling | null,
): Promise<void> {
  const { remittance, now } = held;
  const rows = await standingSettlements(tx, remittance.id);
  const lacking = lackingOf(await allocationsOf(tx, remittance.id));
  const standing = rows.map(observationOf);
  const tellings = reversal === null ? [] : [reversal];
  for (const { id, allocations } of matchWaiting(advisedOf(remittance), lacking, standing)) {
    const row = rows.find((candidate) => candidate.id === id);
    if (row !== undefined) tellings.push(await settle(tx, held, row, allocations));
  }
  const status = judge(advisedOf(remittance), standing, now.getTime());
  await enter(tx, held, status);
  const becomesReconciled = status === 'reconciled' && remittance.status !== 'reconciled';
  await owe(tx, remittance.id, worthTelling(becomesReconciled ? withReconciled(tellings, held) : tellings));
}

async function settle(
  tx: Tx,
  held: HeldRemittance,
  row: SettlementRow,
  parts: readonly ClaimAmount[],
): Promise<SettlementTelling> {
  const { remittance, accounts, now } = held;
  const { project_id: tenant, currency } = remittance;
  const amounts = await inOrder(tx, parts);
  await post(
    tx,
    { tenant, currency, cause: row.id, effectiveAt: row.observed_at, recordedAt: now },
    parts.flatMap((part) => settlingMoves(part, accounts)),
  );
  await setMatched(tx, row.id, parts);
  await addSettled(tx, remittance.id, amounts);
  return recordForClaims(held, {
    causeId: row.id,
    settlementId: row.id,
    observedAt: row.observed_at,
    amounts,
  });
}

/**
 * Amounts about to be posted, each with what claims must have recorded before it: whether a claim is settled follows from the order,
 * and each remittance's workflow tells on its own. A commit locks all its accounts before it posts, so the order is the same on
 * all claims that two commits share: the commits' own. No two records can wait for each other, and the earliest waits for none.
 */
async function inOrder(tx: Tx, amounts: readonly ClaimAmount[]): Promise<SettledAmount[]> {
  const last = await lastSettlingCauses(
    tx,
    amounts.map(({ claimId }) => claimId),
  );
  return amounts.map(({ claimId, amount }) => ({ claimId, amount, after: last.get(claimId) ?? null }));
}

/** What is seen to move of a reversed claim is the provider's to give back. */
function settlingMoves(
  { claimId, amount }: ClaimAmount,
  accounts: ReadonlyMap<string, ClaimAccount>,
): Move[] {
  const move: Move = { claimId, source: 'remitted', destination: 'cash_observed', amount };
  return accounts.get(claimId)?.reversed ? [move, recovery(claimId, amount)] : [move];
}

function inverse({ claimId, source, destination, amount }: Move): Move {
  return { claimId, source: destination, destination: source, amount };
}

/** Puts the remittance into a state; entering reconciled or exception is an event. */
async function enter(
  tx: Tx,
  { remittance, now }: HeldRemittance,
  status: RemittanceRow['status'],
): Promise<void> {
  if (status === remittance.status) return;
  const version = await setStatus(tx, remittance.id, status, status === 'reconciled' ? now : null);
  if (status === 'received') return;
  await appendEvent(tx, {
    tenant: storedTenant(remittance.project_id),
    environment: remittance.environment,
    type: `remittance.${status}`,
    resourceId: remittance.id,
    resourceVersion: version,
    createdAt: now,
    data: remittanceEventData({
      id: remittance.id,
      status,
      amount: { currency: remittance.currency, paid: remittance.total },
    }),
  });
}

/** The last record also says that the remittance is reconciled, and when. */
function withReconciled(tellings: readonly SettlementTelling[], held: HeldRemittance): SettlementTelling[] {
  const reconciled = { at: held.now.toISOString(), claimIds: [...held.accounts.keys()] };
  return tellings.map((telling, index) =>
    index < tellings.length - 1 ? telling : { ...telling, input: { ...telling.input, reconciled } },
  );
}

/** The reversal of an observation that settled nothing is no fact of any claim, unless it reconciles. */
function worthTelling(tellings: readonly SettlementTelling[]): SettlementTelling[] {
  return tellings.filter(({ input }) => input.amounts.length > 0 || input.reconciled !== null);
}

function recordForClaims(
  { remittance }: HeldRemittance,
  fact: { causeId: string; settlementId: string; observedAt: Date; amounts: readonly SettledAmount[] },
): SettlementTelling {
  const { causeId, settlementId, observedAt, amounts } = fact;
  return {
    kind: 'settlement',
    causeId,
    input: {
      tenant: remittance.project_id,
      remittanceId: remittance.id,
      causeId,
      settlementId,
      observedAt: observedAt.toISOString(),
      amounts,
      reconciled: null,
    },
  };
}
