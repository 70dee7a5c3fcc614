/**
 * Decides what a database transaction changes in a locked remittance: the settlements that become matched, their postings, the remittance's
 * status and event, and the notifications to the claims service. Pure functions.
 */
import {
  type Environment,
  type PaymentAdviceStatus,
  REMITTANCE_SETTLEMENT_LIMIT,
  type RemittanceStatus,
  remittanceEventData,
} from '@carecover/contract';
import { ApiError, type NewEvent, type Tenant } from '@carecover/domain';
import type { Notification, SettledAmount } from '@carecover/workflow-remittance';
import { nettingIdOf } from './advice';
import {
  type Account,
  type ClaimAccount,
  type PostingGroup,
  type PostingLine,
  recoverableOf,
  reversalOf,
  shownSettled,
} from './chart-of-accounts';
import { type Match, matchUnmatched, type Outstanding } from './matching';
import { type ClaimAmount, evaluate, type ObservedSettlement } from './remittance-status';

type SettlementNotification = Extract<Notification, { kind: 'settlement' }>;

/** The allocation of a remittance to one claim. Amounts in minor units. */
interface AllocationState {
  readonly claimId: string;
  readonly paidAmount: number;
  readonly settled: number;
}

/** The recovery of an advice for one claim. Amounts in minor units. */
interface RecoveryState {
  readonly id: string;
  readonly claimId: string;
  readonly amount: number;
  readonly settled: number;
}

export interface DatedSettlement extends ObservedSettlement {
  readonly observedAt: Date;
}

/**
 * A remittance that this transaction has locked, with all values from which its next state is computed; its claims' accounts are locked
 * too.
 */
export interface LockedRemittance {
  readonly id: string;
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly currency: string;
  /** The sum of the allocations. */
  readonly total: number;
  /** The sum of the settlements that reconcile the remittance: the net of its advice, or 0 once the net is settled without a transfer. */
  readonly expected: number;
  /** The sum of the advice's adjustments of the kind `forwarded_balance`. */
  readonly forwarded: number;
  readonly receivedAt: Date;
  /** Whether this transaction settles the net without a transfer: it is zero, or below zero and deducted by later advices. */
  readonly becomesNetted: boolean;
  readonly deadline: Date;
  readonly status: PaymentAdviceStatus;
  readonly version: number;
  /** The remittance's allocations, in the order of the payer's advice. */
  readonly allocations: readonly AllocationState[];
  readonly recoveries: readonly RecoveryState[];
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
  /** Unreversed settlements in the order in which they were recorded. */
  readonly unreversed: readonly DatedSettlement[];
  /** The number of the remittance's settlements, reversed ones included. */
  readonly settlementCount: number;
  /**
   * Notifications about the remittance that the claims service has not recorded, in the order in which they were enqueued: one more than a
   * page if there are more.
   */
  readonly pending: readonly Notification[];
  /** The time of the database transaction. */
  readonly now: Date;
}

/**
 * The settlement that a database transaction records or reverses; both are undefined if the transaction only evaluates a passed deadline.
 */
export interface SettlementChange {
  /** The settlement that is recorded; it becomes the remittance's latest settlement. */
  readonly observed?: DatedSettlement;
  readonly reversed?: DatedSettlement;
}

export interface StatusChange {
  readonly status: PaymentAdviceStatus;
  readonly reconciledAt: Date | null;
  readonly version: number;
  /** The event about the new status; null if the status becomes `received`. */
  readonly event: NewEvent | null;
}

export interface Reconciliation {
  readonly postings: readonly PostingGroup[];
  readonly matched: readonly Match[];
  /** The settlement of zero that settles the advice without a transfer; null if it does not become settled so. */
  readonly netting: Match | null;
  /** The amounts to add to the settled amounts of allocations and of recoveries; negative for the reversal of a settlement. */
  readonly settled: Outstanding;
  /** The claims whose settled amount in the claims service changes. */
  readonly accounts: readonly ClaimAccount[];
  /** The change of the remittance's status; null if the status does not change. */
  readonly statusChange: StatusChange | null;
  readonly notifications: readonly SettlementNotification[];
}

/**
 * Returns the position of a remittance's next settlement. The number of settlements is limited, because each decision reads all of them.
 *
 * @throws ApiError invalid_state if the remittance has the maximum number of settlements
 */
export function nextPosition({ settlementCount }: LockedRemittance): number {
  if (settlementCount < REMITTANCE_SETTLEMENT_LIMIT) return settlementCount + 1;
  const limit = REMITTANCE_SETTLEMENT_LIMIT.toLocaleString('en');
  throw new ApiError('invalid_state', `The remittance has ${limit} settlements, the maximum.`);
}

/** Returns the outstanding amounts of a remittance's allocations and of its advice's recoveries, in the order of the advice. */
export function outstandingOf({
  allocations,
  recoveries,
}: Pick<LockedRemittance, 'allocations' | 'recoveries'>): Outstanding {
  return {
    allocations: allocations.map(({ claimId, paidAmount, settled }) => ({
      claimId,
      amount: paidAmount - settled,
    })),
    recoveries: recoveries.map(({ claimId, amount, settled }) => ({ claimId, amount: amount - settled })),
  };
}

/** Decides which settlements of a remittance become matched, their postings, and the remittance's new status. */
export function reconcile(
  locked: LockedRemittance,
  { observed, reversed }: SettlementChange = {},
): Reconciliation {
  const changes = new Changes(locked);
  if (reversed !== undefined) changes.addReversal(reversed);
  const unreversed = [
    ...locked.unreversed.filter(({ id }) => id !== reversed?.id),
    ...(observed ? [observed] : []),
  ];
  const matched = matchUnmatched(locked, changes.outstanding, unreversed);
  for (const match of matched) {
    const observed = unreversed.find(({ id }) => id === match.id);
    if (observed !== undefined) changes.addMatch(match, observed.observedAt);
  }
  const netting = locked.becomesNetted ? changes.addNetting() : null;
  const advised = { ...locked, deadline: locked.deadline.getTime() };
  const status = evaluate(advised, unreversed, locked.now.getTime());
  const becomesReconciled = status === 'reconciled' && locked.status !== 'reconciled';
  const notifications = withEffectOnClaims(
    becomesReconciled ? withReconciled(changes.notifications, locked) : changes.notifications,
  );
  return {
    postings: changes.postings,
    matched,
    netting,
    settled: changes.settled,
    accounts: changes.changedAccounts,
    statusChange: status === locked.status ? null : statusChangeOf(locked, status),
    notifications,
  };
}

/** Collects the postings of a database transaction, with the amounts that they settle and the notifications about them. */
class Changes {
  readonly postings: PostingGroup[] = [];
  readonly notifications: SettlementNotification[] = [];
  private readonly allocations: ClaimAmount[] = [];
  private readonly recoveries: ClaimAmount[] = [];
  private readonly accounts: Map<string, ClaimAccount>;

  constructor(private readonly locked: LockedRemittance) {
    this.accounts = new Map(locked.accounts);
  }

  /** What the collected changes add to the settled amounts of allocations and recoveries. */
  get settled(): Outstanding {
    return { allocations: this.allocations, recoveries: this.recoveries };
  }

  /** The accounts of the claims whose settled amount in the claims service changes, after the collected changes. */
  get changedAccounts(): ClaimAccount[] {
    return [...this.accounts.values()].filter(
      ({ claimId, settledCause }) => settledCause !== this.locked.accounts.get(claimId)?.settledCause,
    );
  }

  /** The outstanding amounts after the collected changes. */
  get outstanding(): Outstanding {
    const before = outstandingOf(this.locked);
    return {
      allocations: less(before.allocations, this.allocations),
      recoveries: less(before.recoveries, this.recoveries),
    };
  }

  addMatch({ id, allocations, recoveries }: Match, observedAt: Date): void {
    this.add({ cause: id, settlementId: id, observedAt }, { allocations, recoveries });
  }

  /** Settles all lines of the advice without a transfer, by a settlement of zero. */
  addNetting(): Match {
    const id = nettingIdOf(this.locked.id);
    const netting = { id, ...this.outstanding };
    this.add({ cause: id, settlementId: id, observedAt: this.locked.receivedAt }, netting);
    return netting;
  }

  /** Adds the reversal of a settlement. If the settlement was matched, its amounts are posted back. */
  addReversal({ id, matched, allocations, recoveries }: DatedSettlement): void {
    const parts = { allocations: allocations.map(negated), recoveries: recoveries.map(negated) };
    this.add(
      { cause: reversalOf(id), settlementId: id, observedAt: this.locked.now },
      matched ? parts : { allocations: [], recoveries: [] },
    );
  }

  /** Adds the postings of one cause, the amounts that they settle, and the notification to the claims service. */
  private add(
    fact: { readonly cause: string; readonly settlementId: string; readonly observedAt: Date },
    parts: Outstanding,
  ): void {
    const { id: remittanceId, tenant, currency, now } = this.locked;
    const { cause, settlementId, observedAt } = fact;
    const allocations = parts.allocations.filter(({ amount }) => amount !== 0);
    const recoveries = parts.recoveries.filter(({ amount }) => amount !== 0);
    const lines = [
      ...allocations.map(({ claimId, amount }) => moveOf(claimId, 'remitted', 'cash_observed', amount)),
      ...recoveries.map(({ claimId, amount }) => moveOf(claimId, 'cash_observed', 'remitted', amount)),
    ];
    const { lines: recoverableLines, amounts } = this.changeAccounts(
      [...allocations, ...recoveries.map(negated)],
      cause,
    );
    this.postings.push({
      entry: { tenant, currency, cause, effectiveAt: observedAt, recordedAt: now },
      lines: [...lines, ...recoverableLines],
    });
    this.allocations.push(...allocations);
    this.recoveries.push(...recoveries);
    this.notifications.push({
      kind: 'settlement',
      causeId: cause,
      input: {
        tenant,
        remittanceId,
        causeId: cause,
        settlementId,
        observedAt: observedAt.toISOString(),
        amounts,
        reconciled: null,
      },
    });
  }

  /**
   * Changes the settled amounts of claims. Returns the lines that record what the provider must repay for those of them that are reversed, and by
   * how much the claims service changes each settled amount, with the previous cause of such a change. The claims service must record the
   * previous cause first, because notifications of different remittances are sent independently. Two transactions have the same order on every
   * claim that they share, because each locks all of its accounts before it posts.
   */
  private changeAccounts(
    parts: readonly ClaimAmount[],
    cause: string,
  ): { readonly lines: PostingLine[]; readonly amounts: SettledAmount[] } {
    const lines: PostingLine[] = [];
    const amounts: SettledAmount[] = [];
    for (const [claimId, added] of sumByClaim(parts)) {
      if (added === 0) continue;
      const before = this.accounts.get(claimId);
      if (before === undefined) throw new Error(`the account of ${claimId} is not locked`);
      const { remitted, cash_observed } = before.balances;
      const balances = {
        ...before.balances,
        remitted: remitted - added,
        cash_observed: cash_observed + added,
      };
      const after = { ...before, balances };
      const repaid = recoverableOf(after) - before.balances.recoverable;
      if (repaid !== 0) lines.push(moveOf(claimId, 'provider', 'recoverable', repaid));
      const settled = shownSettled(after);
      if (settled !== before.settled)
        amounts.push({ claimId, amount: settled - before.settled, after: before.settledCause });
      this.accounts.set(claimId, {
        ...after,
        balances: { ...balances, recoverable: balances.recoverable + repaid },
        settled,
        settledCause: settled === before.settled ? before.settledCause : cause,
      });
    }
    return { lines, amounts };
  }
}

/** Returns the line that moves an amount; a negative amount moves the other way. */
function moveOf(claimId: string, source: Account, destination: Account, amount: number): PostingLine {
  return amount > 0
    ? { claimId, source, destination, amount }
    : { claimId, source: destination, destination: source, amount: -amount };
}

function negated({ claimId, amount }: ClaimAmount): ClaimAmount {
  return { claimId, amount: -amount };
}

function sumByClaim(parts: readonly ClaimAmount[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { claimId, amount } of parts) sums.set(claimId, (sums.get(claimId) ?? 0) + amount);
  return sums;
}

/** Returns the amounts less those of the same claims in `settled`. */
function less(amounts: readonly ClaimAmount[], settled: readonly ClaimAmount[]): ClaimAmount[] {
  const sums = sumByClaim(settled);
  return amounts.map(({ claimId, amount }) => ({ claimId, amount: amount - (sums.get(claimId) ?? 0) }));
}

/** Returns the change to a new status, with an event if the new status is reconciled or exception. */
function statusChangeOf(
  { id, tenant, environment, currency, total, version, now }: LockedRemittance,
  status: RemittanceStatus,
): StatusChange {
  if (status === 'received') return { status, reconciledAt: null, version, event: null };
  const event: NewEvent = {
    tenant,
    environment,
    type: `remittance.${status}`,
    resourceId: id,
    resourceVersion: version + 1,
    createdAt: now,
    data: remittanceEventData({ id, status, amount: { currency, paid: total } }),
  };
  return { status, reconciledAt: status === 'reconciled' ? now : null, version: version + 1, event };
}

/** Adds the time of the reconciliation to the last notification. */
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

/** Leaves out notifications that change no claim: those without settled amounts and without a reconciliation. */
function withEffectOnClaims(notifications: readonly SettlementNotification[]): SettlementNotification[] {
  return notifications.filter(({ input }) => input.amounts.length > 0 || input.reconciled !== null);
}
