/**
 * Matches unmatched settlements, posts the matched ones, evaluates the remittance and enqueues the notifications to claims. Every
 * transaction of a remittance ends with it. The remittance and then its claims' accounts are locked.
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
import { recoveryMove } from '../ledger/liability';
import { matchUnmatched } from '../reconciliation/matching';
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

/** A remittance and its claims' accounts, locked by this transaction, with everything from which its next state is derived. */
export interface LockedRemittance extends Reconciliation {
  readonly remittance: RemittanceRow;
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
}

/** A settlement that this transaction records. */
type NewObservation = Omit<SettlementRow, 'position'>;

/**
 * Locks a remittance and its claims' accounts, and reads its reconciliation after the locks, in one round trip.
 *
 * @param remittanceId SQL, so that it can select from a command row in the same round trip
 * @returns undefined if the remittance does not exist
 */
export async function lockWithAccounts(
  tx: Tx,
  remittanceId: Fragment,
): Promise<LockedRemittance | undefined> {
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

/** The amount of each allocation that is not settled, in the order of the advice. */
export function outstandingOf(allocations: readonly AllocationRow[]): ClaimAmount[] {
  return allocations.map(({ claim_id, paid_amount, settled }) => ({
    claimId: claim_id,
    amount: paid_amount - settled,
  }));
}

/** The changes of a transaction to a remittance. They are collected, then written in one statement. */
class Changes {
  readonly groups: Group[] = [];
  readonly matched: Matched[] = [];
  readonly amounts: SettledAmount[] = [];
  readonly notifications: SettlementNotification[] = [];
  private readonly lastCauses: Map<string, string | null>;

  constructor(private readonly locked: LockedRemittance) {
    this.lastCauses = new Map(locked.allocations.map(({ claim_id, last_cause }) => [claim_id, last_cause]));
  }

  /** The amount of each allocation that is not settled after these changes. */
  get outstanding(): ClaimAmount[] {
    const added = new Map<string, number>();
    for (const { claimId, amount } of this.amounts) added.set(claimId, (added.get(claimId) ?? 0) + amount);
    return outstandingOf(this.locked.allocations).map(({ claimId, amount }) => ({
      claimId,
      amount: amount - (added.get(claimId) ?? 0),
    }));
  }

  /** Adds the postings of one cause, the amounts that they settle, and the notification to claims. */
  add(
    fact: { readonly cause: string; readonly settlementId: string; readonly observedAt: Date },
    moves: readonly Move[],
    parts: readonly ClaimAmount[],
  ): void {
    const { remittance, now } = this.locked;
    const { cause, settlementId, observedAt } = fact;
    const amounts = this.withPreviousCause(parts, cause);
    const { project_id: tenant, currency } = remittance;
    const entry = { tenant, currency, cause, effectiveAt: observedAt, recordedAt: now };
    this.groups.push({ entry, moves });
    this.amounts.push(...amounts);
    this.notifications.push(
      notificationOf(this.locked, { causeId: cause, settlementId, observedAt, amounts }),
    );
  }

  /**
   * Adds to each amount the cause that claims must record before it, because remittances' workflows send independently. Transactions
   * lock all accounts before they post, so two of them have the same order on all shared claims, and no cycle is possible.
   */
  private withPreviousCause(parts: readonly ClaimAmount[], cause: string): SettledAmount[] {
    return parts.map(({ claimId, amount }) => {
      const after = this.lastCauses.get(claimId) ?? null;
      this.lastCauses.set(claimId, cause);
      return { claimId, amount, after };
    });
  }
}

/**
 * Matches, posts and evaluates a remittance's settlements in one statement.
 *
 * @param observed a settlement that this transaction records; it is the latest
 * @param reversed a settlement that this transaction reverses
 * @returns the remittance's state after the statement
 */
export async function reconcile(
  tx: Tx,
  locked: LockedRemittance,
  {
    observed,
    reversed,
  }: {
    readonly observed?: NewObservation;
    readonly reversed?: { readonly settlement: SettlementRow; readonly reversal: Reversal };
  } = {},
): Promise<RemittanceState> {
  const { remittance, now } = locked;
  const changes = new Changes(locked);
  if (reversed !== undefined) addReversal(changes, locked, reversed.settlement);
  const rows = [
    ...locked.unreversed.filter(({ id }) => id !== reversed?.settlement.id),
    ...(observed ? [observed] : []),
  ];
  const unreversed = rows.map(observationOf);
  for (const { id, allocations } of matchUnmatched(advisedOf(remittance), changes.outstanding, unreversed)) {
    const row = rows.find((candidate) => candidate.id === id);
    if (row === undefined) continue;
    const moves = allocations.flatMap((part) => settlingMoves(part, locked.accounts));
    changes.add({ cause: id, settlementId: id, observedAt: row.observed_at }, moves, allocations);
    changes.matched.push({ id, allocations });
  }
  const status = evaluate(advisedOf(remittance), unreversed, now.getTime());
  const becomesReconciled = status === 'reconciled' && remittance.status !== 'reconciled';
  const notifications = withEffectOnClaims(
    becomesReconciled ? withReconciled(changes.notifications, locked) : changes.notifications,
  );
  const matchedBefore = changes.matched.filter(({ id }) => id !== observed?.id);
  const postings = insertPostings(tx, changes.groups);
  await writeTogether(tx, [
    ...(observed ? [insertSettlement(tx, afterMatching(observed, changes.matched))] : []),
    ...(reversed ? insertReversal(tx, reversed.settlement.id, reversed.reversal) : []),
    ...(postings ? [postings] : []),
    ...(matchedBefore.length > 0 ? [setMatched(tx, matchedBefore)] : []),
    ...(changes.amounts.length > 0 ? [addSettled(tx, remittance.id, changes.amounts)] : []),
    ...(status === remittance.status ? [] : changeStatus(tx, locked, status)),
    ...(notifications.length > 0 ? [insertRecords(tx, remittance.id, notifications)] : []),
  ]);
  return stateAfter(locked, status, changes.amounts, notifications);
}

/** Returns the settlement's row with its allocations, if it was matched. */
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

/** Adds the inverse of the amounts that a settlement settled, if it was matched. */
function addReversal(changes: Changes, { accounts, now }: LockedRemittance, settlement: SettlementRow): void {
  const { matched, allocations: parts } = observationOf(settlement);
  const allocations = matched ? parts : [];
  changes.add(
    { cause: reversalOf(settlement.id), settlementId: settlement.id, observedAt: now },
    allocations.flatMap((part) => settlingMoves(part, accounts).map(inverse)),
    allocations.map(({ claimId, amount }) => ({ claimId, amount: -amount })),
  );
}

/** Returns the moves that settle an amount. On a reversed claim, the provider must repay the amount. */
function settlingMoves(
  { claimId, amount }: ClaimAmount,
  accounts: ReadonlyMap<string, ClaimAccount>,
): Move[] {
  const move: Move = { claimId, source: 'remitted', destination: 'cash_observed', amount };
  return accounts.get(claimId)?.reversed ? [move, recoveryMove(claimId, amount)] : [move];
}

function inverse({ claimId, source, destination, amount }: Move): Move {
  return { claimId, source: destination, destination: source, amount };
}

/** SQL that changes the remittance's status; a change to reconciled or exception appends an event. */
function changeStatus(
  tx: Tx,
  { remittance, now }: LockedRemittance,
  status: RemittanceRow['status'],
): Fragment[] {
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

/** Adds to the last notification when the remittance was reconciled. */
function withReconciled(
  notifications: readonly SettlementNotification[],
  locked: LockedRemittance,
): SettlementNotification[] {
  const reconciled = { at: locked.now.toISOString(), claimIds: [...locked.accounts.keys()] };
  return notifications.map((notification, index) =>
    index < notifications.length - 1
      ? notification
      : { ...notification, input: { ...notification.input, reconciled } },
  );
}

/** Leaves out the reversal of a settlement that settled no claim, unless it reconciles the remittance. */
function withEffectOnClaims(notifications: readonly SettlementNotification[]): SettlementNotification[] {
  return notifications.filter(({ input }) => input.amounts.length > 0 || input.reconciled !== null);
}

function notificationOf(
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
