/**
 * Decides what a database transaction changes in a locked remittance: the settlements that become matched, their postings, the remittance's
 * status and event, and the notifications to the claims service. Pure functions.
 */
import {
  type Environment,
  REMITTANCE_SETTLEMENT_LIMIT,
  type RemittanceStatus,
  remittanceEventData,
} from '@carecover/contract';
import { ApiError, type NewEvent, type Tenant } from '@carecover/domain';
import type { Notification, SettledAmount } from '@carecover/workflow-remittance';
import { type ClaimAccount, type PostingGroup, type PostingLine, reversalOf } from './chart-of-accounts';
import { recoveryLine } from './liability';
import { type Match, matchUnmatched } from './matching';
import { type ClaimAmount, evaluate, type ObservedSettlement } from './remittance-status';

type SettlementNotification = Extract<Notification, { kind: 'settlement' }>;

/** The allocation of a remittance to one claim. Amounts in minor units. */
export interface AllocationState {
  readonly claimId: string;
  readonly paidAmount: number;
  readonly settled: number;
  /**
   * The cause of the claim's latest posting of a settlement, or of a settlement's reversal. It can't change while the claim's account is
   * locked.
   */
  readonly lastCause: string | null;
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
  readonly total: number;
  readonly deadline: Date;
  readonly status: RemittanceStatus;
  readonly version: number;
  /** The remittance's allocations, in the order of the payer's advice. */
  readonly allocations: readonly AllocationState[];
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
  readonly status: RemittanceStatus;
  readonly reconciledAt: Date | null;
  readonly version: number;
  /** The event about the new status; null if the status becomes `received`. */
  readonly event: NewEvent | null;
}

export interface Reconciliation {
  readonly postings: readonly PostingGroup[];
  readonly matched: readonly Match[];
  /** The amounts to add to the settled amounts of allocations; negative for the reversal of a settlement. */
  readonly amounts: readonly SettledAmount[];
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

/** Returns the outstanding amount of each allocation, in the order of the allocations. */
export function outstandingOf(allocations: readonly AllocationState[]): ClaimAmount[] {
  return allocations.map(({ claimId, paidAmount, settled }) => ({ claimId, amount: paidAmount - settled }));
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
  const advised = { ...locked, deadline: locked.deadline.getTime() };
  const status = evaluate(advised, unreversed, locked.now.getTime());
  const becomesReconciled = status === 'reconciled' && locked.status !== 'reconciled';
  const notifications = withEffectOnClaims(
    becomesReconciled ? withReconciled(changes.notifications, locked) : changes.notifications,
  );
  return {
    postings: changes.postings,
    matched,
    amounts: changes.amounts,
    statusChange: status === locked.status ? null : statusChangeOf(locked, status),
    notifications,
  };
}

/** Collects the postings of a database transaction, with the amounts that they settle and the notifications about them. */
class Changes {
  readonly postings: PostingGroup[] = [];
  readonly amounts: SettledAmount[] = [];
  readonly notifications: SettlementNotification[] = [];
  private readonly lastCauses: Map<string, string | null>;

  constructor(private readonly locked: LockedRemittance) {
    this.lastCauses = new Map(locked.allocations.map(({ claimId, lastCause }) => [claimId, lastCause]));
  }

  /** The outstanding amount of each allocation after the collected changes. */
  get outstanding(): ClaimAmount[] {
    const added = new Map<string, number>();
    for (const { claimId, amount } of this.amounts) added.set(claimId, (added.get(claimId) ?? 0) + amount);
    return outstandingOf(this.locked.allocations).map(({ claimId, amount }) => ({
      claimId,
      amount: amount - (added.get(claimId) ?? 0),
    }));
  }

  addMatch({ id, allocations }: Match, observedAt: Date): void {
    const lines = allocations.flatMap((part) => this.settlingLines(part));
    this.add({ cause: id, settlementId: id, observedAt }, lines, allocations);
  }

  /** Adds the reversal of a settlement. If the settlement was matched, its amounts are posted back. */
  addReversal({ id, matched, allocations }: DatedSettlement): void {
    const parts = matched ? allocations : [];
    this.add(
      { cause: reversalOf(id), settlementId: id, observedAt: this.locked.now },
      parts.flatMap((part) => this.settlingLines(part).map(inverse)),
      parts.map(({ claimId, amount }) => ({ claimId, amount: -amount })),
    );
  }

  /** Adds the postings of one cause, the amounts that they settle, and the notification to the claims service. */
  private add(
    fact: { readonly cause: string; readonly settlementId: string; readonly observedAt: Date },
    lines: readonly PostingLine[],
    parts: readonly ClaimAmount[],
  ): void {
    const { id: remittanceId, tenant, currency, now } = this.locked;
    const { cause, settlementId, observedAt } = fact;
    const amounts = this.withPreviousCause(parts, cause);
    this.postings.push({
      entry: { tenant, currency, cause, effectiveAt: observedAt, recordedAt: now },
      lines,
    });
    this.amounts.push(...amounts);
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
   * Returns the lines that settle an amount of a claim. If the claim is reversed, they also record that the provider must repay the amount.
   */
  private settlingLines({ claimId, amount }: ClaimAmount): PostingLine[] {
    const line: PostingLine = { claimId, source: 'remitted', destination: 'cash_observed', amount };
    return this.locked.accounts.get(claimId)?.reversed ? [line, recoveryLine(claimId, amount)] : [line];
  }

  /**
   * Returns each amount with the previous cause (settlement or reversal) of its claim. The claims service must record the previous cause
   * first, because notifications of different remittances are sent independently. Two transactions have the same order on every
   * claim that they share, because each locks all of its accounts before it posts.
   */
  private withPreviousCause(parts: readonly ClaimAmount[], cause: string): SettledAmount[] {
    return parts.map(({ claimId, amount }) => {
      const after = this.lastCauses.get(claimId) ?? null;
      this.lastCauses.set(claimId, cause);
      return { claimId, amount, after };
    });
  }
}

function inverse({ claimId, source, destination, amount }: PostingLine): PostingLine {
  return { claimId, source: destination, destination: source, amount };
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
