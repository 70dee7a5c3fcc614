/**
 * What every transaction over a remittance does last: match what waits, post what is matched, evaluate the remittance again, and
 * note what claims must record. The remittance and its claims' accounts are locked, in that order.
 */
import { remittanceEventData } from '@carecover/contract';
import {
  allInOrder,
  appendEvents,
  type Fragment,
  storedTenant,
  type Tx,
  writeTogether,
} from '@carecover/platform';
import type { Notification, RemittanceState, SettledAmount } from '@carecover/workflow-remittance';
import type { ClaimAccount, Move } from '../ledger/chart';
import { recovery } from '../ledger/liability';
import { matchWaiting } from '../reconciliation/matching';
import type { ClaimAmount } from '../reconciliation/observation';
import { evaluate } from '../reconciliation/outcome';
import { lockRemittedAccounts } from '../store/accounts';
import { insertRecords } from '../store/claims-records';
import { type Group, insertPostings, reversalOf } from '../store/postings';
import {
  type AllocationRow,
  addSettled,
  findReconciliation,
  lockRemittance,
  type Reconciliation,
  type RemittanceRow,
  setStatus,
} from '../store/remittances';
import {
  insertReversal,
  insertSettlement,
  type Matched,
  observationOf,
  type Reversal,
  type SettlementRow,
  setMatched,
} from '../store/settlements';

type SettlementNotification = Extract<Notification, { kind: 'settlement' }>;

/** A remittance with all that its next state follows from, its claims' accounts among it, locked by this transaction. */
export interface LockedRemittance extends Reconciliation {
  readonly remittance: RemittanceRow;
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
}

/** An observation that is being recorded. */
type NewObservation = Omit<SettlementRow, 'position'>;

/**
 * Locks a remittance and its claims' accounts, and reads the rest behind the locks: one round trip. Undefined where there is none.
 *
 * @param remittanceId SQL, so that it can be a part of a command that was not read yet
 */
export async function hold(tx: Tx, remittanceId: Fragment): Promise<LockedRemittance | undefined> {
  const [remittance, accounts, reconciliation] = await allInOrder([
    lockRemittance(tx, remittanceId),
    lockRemittedAccounts(tx, remittanceId),
    findReconciliation(tx, remittanceId),
  ]);
  return remittance && reconciliation && { remittance, accounts, ...reconciliation };
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

/** What a transaction does to a remittance, collected and then written together. */
class Changes {
  readonly groups: Group[] = [];
  readonly matched: Matched[] = [];
  readonly amounts: SettledAmount[] = [];
  readonly notifications: SettlementNotification[] = [];
  private readonly lastCauses: Map<string, string | null>;

  constructor(private readonly held: LockedRemittance) {
    this.lastCauses = new Map(held.allocations.map(({ claim_id, last_cause }) => [claim_id, last_cause]));
  }

  /** What each allocation lacks after these changes. */
  get lacking(): ClaimAmount[] {
    const added = new Map<string, number>();
    for (const { claimId, amount } of this.amounts) added.set(claimId, (added.get(claimId) ?? 0) + amount);
    return lackingOf(this.held.allocations).map(({ claimId, amount }) => ({
      claimId,
      amount: amount - (added.get(claimId) ?? 0),
    }));
  }

  /** Adds postings of one cause, what they settle, and what claims must record of it. */
  add(
    fact: { readonly cause: string; readonly settlementId: string; readonly observedAt: Date },
    moves: readonly Move[],
    parts: readonly ClaimAmount[],
  ): void {
    const { remittance, now } = this.held;
    const { cause, settlementId, observedAt } = fact;
    const amounts = this.inOrder(parts, cause);
    const { project_id: tenant, currency } = remittance;
    const entry = { tenant, currency, cause, effectiveAt: observedAt, recordedAt: now };
    this.groups.push({ entry, moves });
    this.amounts.push(...amounts);
    this.notifications.push(
      recordForClaims(this.held, { causeId: cause, settlementId, observedAt, amounts }),
    );
  }

  /**
   * Amounts about to be posted, each with what claims must have recorded before it: whether a claim is settled follows from the
   * order, and each remittance's workflow sends on its own. A commit locks all its accounts before it posts, so the order is the
   * same on all claims that two commits share: the commits' own. No two records can wait for each other, and the earliest waits for none.
   */
  private inOrder(parts: readonly ClaimAmount[], cause: string): SettledAmount[] {
    return parts.map(({ claimId, amount }) => {
      const after = this.lastCauses.get(claimId) ?? null;
      this.lastCauses.set(claimId, cause);
      return { claimId, amount, after };
    });
  }
}

/**
 * Matches, posts and evaluates in one statement, and gives the state after that.
 *
 * @param observed an observation that is being recorded: the last of those that stand
 * @param reversed one that is being reversed
 */
export async function reconcile(
  tx: Tx,
  held: LockedRemittance,
  {
    observed,
    reversed,
  }: {
    readonly observed?: NewObservation;
    readonly reversed?: { readonly settlement: SettlementRow; readonly reversal: Reversal };
  } = {},
): Promise<RemittanceState> {
  const { remittance, now } = held;
  const changes = new Changes(held);
  if (reversed !== undefined) unsettle(changes, held, reversed.settlement);
  const rows = [
    ...held.standing.filter(({ id }) => id !== reversed?.settlement.id),
    ...(observed ? [observed] : []),
  ];
  const standing = rows.map(observationOf);
  for (const { id, allocations } of matchWaiting(advisedOf(remittance), changes.lacking, standing)) {
    const row = rows.find((candidate) => candidate.id === id);
    if (row === undefined) continue;
    const moves = allocations.flatMap((part) => settlingMoves(part, held.accounts));
    changes.add({ cause: id, settlementId: id, observedAt: row.observed_at }, moves, allocations);
    changes.matched.push({ id, allocations });
  }
  const status = evaluate(advisedOf(remittance), standing, now.getTime());
  const becomesReconciled = status === 'reconciled' && remittance.status !== 'reconciled';
  const notifications = shouldNotify(
    becomesReconciled ? withReconciled(changes.notifications, held) : changes.notifications,
  );
  const matchedBefore = changes.matched.filter(({ id }) => id !== observed?.id);
  const postings = insertPostings(tx, changes.groups);
  await writeTogether(tx, [
    ...(observed ? [insertSettlement(tx, afterMatching(observed, changes.matched))] : []),
    ...(reversed ? insertReversal(tx, reversed.settlement.id, reversed.reversal) : []),
    ...(postings ? [postings] : []),
    ...(matchedBefore.length > 0 ? [setMatched(tx, matchedBefore)] : []),
    ...(changes.amounts.length > 0 ? [addSettled(tx, remittance.id, changes.amounts)] : []),
    ...(status === remittance.status ? [] : enter(tx, held, status)),
    ...(notifications.length > 0 ? [insertRecords(tx, remittance.id, notifications)] : []),
  ]);
  return stateAfter(held, status, changes.amounts, notifications);
}

/** The observation's row as it is recorded, with what it settles where it was matched. */
function afterMatching(observed: NewObservation, matched: readonly Matched[]): NewObservation {
  const match = matched.find(({ id }) => id === observed.id);
  if (match === undefined) return observed;
  const allocations = match.allocations.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  return { ...observed, status: 'matched', allocations };
}

function stateAfter(
  { remittance, allocations, pending, now }: LockedRemittance,
  status: RemittanceRow['status'],
  added: readonly SettledAmount[],
  notifications: readonly SettlementNotification[],
): RemittanceState {
  const { deadline, currency, total } = remittance;
  const amounts = [...allocations.map(({ settled }) => settled), ...added.map(({ amount }) => amount)];
  return {
    status,
    deadline: deadline.toISOString(),
    remainingMs: deadline.getTime() - now.getTime(),
    currency,
    total,
    settled: amounts.reduce((sum, amount) => sum + amount, 0),
    pending: [...pending, ...notifications],
  };
}

/** The inverse of what an observation settled, if it settled something. */
function unsettle(changes: Changes, { accounts, now }: LockedRemittance, settlement: SettlementRow): void {
  const { matched, allocations: parts } = observationOf(settlement);
  const allocations = matched ? parts : [];
  changes.add(
    { cause: reversalOf(settlement.id), settlementId: settlement.id, observedAt: now },
    allocations.flatMap((part) => settlingMoves(part, accounts).map(inverse)),
    allocations.map(({ claimId, amount }) => ({ claimId, amount: -amount })),
  );
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

/** SQL that puts the remittance into another state; entering reconciled or exception is an event. */
function enter(tx: Tx, { remittance, now }: LockedRemittance, status: RemittanceRow['status']): Fragment[] {
  const reconciledAt = status === 'reconciled' ? now : null;
  if (status === 'received') return [setStatus(tx, remittance.id, status, reconciledAt, remittance.version)];
  const version = remittance.version + 1;
  const event = {
    tenant: storedTenant(remittance.project_id),
    environment: remittance.environment,
    type: `remittance.${status}` as const,
    resourceId: remittance.id,
    resourceVersion: version,
    createdAt: now,
    data: remittanceEventData({
      id: remittance.id,
      status,
      amount: { currency: remittance.currency, paid: remittance.total },
    }),
  };
  return [setStatus(tx, remittance.id, status, reconciledAt, version), appendEvents(tx, [event])];
}

/** The last record also says that the remittance is reconciled, and when. */
function withReconciled(
  notifications: readonly SettlementNotification[],
  held: LockedRemittance,
): SettlementNotification[] {
  const reconciled = { at: held.now.toISOString(), claimIds: [...held.accounts.keys()] };
  return notifications.map((telling, index) =>
    index < notifications.length - 1 ? telling : { ...telling, input: { ...telling.input, reconciled } },
  );
}

/** The reversal of an observation that settled nothing is no fact of any claim, unless it reconciles. */
function shouldNotify(notifications: readonly SettlementNotification[]): SettlementNotification[] {
  return notifications.filter(({ input }) => input.amounts.length > 0 || input.reconciled !== null);
}

function recordForClaims(
  { remittance }: LockedRemittance,
  fact: { causeId: string; settlementId: string; observedAt: Date; amounts: readonly SettledAmount[] },
): SettlementNotification {
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
