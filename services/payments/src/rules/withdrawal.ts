/**
 * The rules of the withdrawal of a payment advice: when it is permitted, and the postings and the notification that undo the advice. Pure
 * functions. Amounts in minor units.
 */
import { remittanceEventData } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Notification } from '@carecover/workflow-remittance';
import { adviceIdOf, recoveryMove } from './advice';
import {
  type ClaimAccount,
  type PostingGroup,
  type PostingLine,
  remittedOf,
  withdrawalOf,
} from './chart-of-accounts';
import { type ForwardingAdvice, isPartlyDeducted } from './forwarded-balance';
import { type LockedRemittance, type Reconciliation, reconcile, type StatusChange } from './reconciliation';

/** What the withdrawal of an advice changes. */
export interface Withdrawal {
  /** The reversal of the settlement of zero, written before the withdrawal; null if the advice has none. */
  readonly netting: { readonly settlementId: string; readonly changes: Reconciliation } | null;
  readonly postings: readonly PostingGroup[];
  readonly statusChange: StatusChange;
  /** The notification to the claims service; none if the advice changed no claim. */
  readonly notifications: readonly Notification[];
}

/** How many settlements or claims an error names. */
const NAMED = 20;

const namesOf = (ids: readonly string[]) =>
  ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '');

/**
 * Decides the withdrawal of a locked advice: what it allocated is the payer's liability again, and what it took back is remitted again. If its
 * net is settled without a transfer, that settlement is reversed first: there are no funds to which it stands.
 *
 * @param forwarding the advices of its payer and currency that forward or deduct a balance, in the order in which they were recorded
 * @throws ApiError invalid_state if it is withdrawn, if other advices deduct its balance, take back what it allocated, or allocate what it
 *   took back; advice_settled if a settlement of funds is not reversed
 */
export function withdraw(
  locked: LockedRemittance,
  reasonCode: string,
  forwarding: readonly ForwardingAdvice[],
): Withdrawal {
  rejectSettled(locked);
  if (isPartlyDeducted(forwarding, locked.id))
    throw new ApiError(
      'invalid_state',
      'Other advices deduct the balance of the advice as forwarded_balance. Withdraw those first.',
    );
  rejectUsed(locked);
  const { id, tenant, allocations, recoveries, accounts } = locked;
  const after = (claimId: string) => accountOf(accounts, claimId).remittedCause;
  const netting = locked.unreversed.find(isNetting);
  return {
    netting:
      netting === undefined
        ? null
        : { settlementId: netting.id, changes: reconcile(locked, { reversed: netting }) },
    postings: postingsOf(locked),
    statusChange: statusChangeOf(locked),
    notifications:
      allocations.length + recoveries.length === 0
        ? []
        : [
            {
              kind: 'withdrawal',
              causeId: withdrawalOf(id),
              input: {
                ...{
                  tenant,
                  causeId: withdrawalOf(id),
                  remittanceId: id,
                  adviceId: adviceIdOf(id),
                  reasonCode,
                },
                allocations: allocations.map(({ claimId, paidAmount }) => ({
                  claimId,
                  amount: paidAmount,
                  after: after(claimId),
                })),
                recoveries: recoveries.map(({ id, claimId, amount }) => ({
                  claimId,
                  recoveryId: id,
                  amount,
                  after: after(claimId),
                })),
              },
            },
          ],
  };
}

/** Returns whether a settlement settles an advice without a transfer. */
function isNetting({ amount }: { readonly amount: number }): boolean {
  return amount === 0;
}

function rejectSettled({ status, unreversed }: LockedRemittance): void {
  if (status === 'withdrawn') throw new ApiError('invalid_state', 'The advice is withdrawn already.');
  const funds = unreversed.filter((settlement) => !isNetting(settlement));
  if (funds.length > 0)
    throw new ApiError(
      'advice_settled',
      `Settlements of the advice are not reversed: ${namesOf(funds.map(({ id }) => id))}.`,
    );
}

/** @throws ApiError invalid_state if what is remitted for a claim would be below zero, or above what is approved */
function rejectUsed({ allocations, recoveries, accounts }: LockedRemittance): void {
  const change = new Map<string, number>();
  for (const { claimId, paidAmount } of allocations) change.set(claimId, -paidAmount);
  for (const { claimId, amount } of recoveries) change.set(claimId, (change.get(claimId) ?? 0) + amount);
  const changed = [...change].map(([claimId, amount]) => ({ account: accountOf(accounts, claimId), amount }));
  const takenBack = changed.filter(({ account, amount }) => remittedOf(account) + amount < 0);
  if (takenBack.length > 0) throw usedBy('take back what it allocated to', takenBack);
  const paidAgain = changed.filter(
    ({ account, amount }) => !account.reversed && account.balances.payer_liability - amount < 0,
  );
  if (paidAgain.length > 0) throw usedBy('pay again what it took back of', paidAgain);
}

function usedBy(what: string, claims: readonly { readonly account: ClaimAccount }[]): ApiError {
  const names = namesOf(claims.map(({ account }) => account.claimId));
  return new ApiError('invalid_state', `Other advices ${what} ${names}. Withdraw those first.`);
}

/** Returns the postings that undo the advice. Of a reversed claim there is no liability, so its amounts move from and to its charges. */
function postingsOf({
  id,
  tenant,
  currency,
  now,
  allocations,
  recoveries,
  accounts,
}: LockedRemittance): PostingGroup[] {
  const undone = (claimId: string) => recoveryMove(accountOf(accounts, claimId));
  const lines: PostingLine[] = [
    ...allocations.map(({ claimId, paidAmount }) => ({ claimId, amount: paidAmount, ...undone(claimId) })),
    ...recoveries.map(({ claimId, amount }) => {
      const { source, destination } = undone(claimId);
      return { claimId, amount, source: destination, destination: source };
    }),
  ];
  return [{ entry: { tenant, currency, cause: withdrawalOf(id), effectiveAt: now, recordedAt: now }, lines }];
}

function accountOf(accounts: ReadonlyMap<string, ClaimAccount>, claimId: string): ClaimAccount {
  const account = accounts.get(claimId);
  if (account === undefined) throw new Error(`the account of ${claimId} is not locked`);
  return account;
}

/** Returns the change to `withdrawn`, which a released client sees as `exception`, with the event of that status if it is new. */
function statusChangeOf(locked: LockedRemittance): StatusChange {
  const { id, tenant, environment, currency, total, version, status, now } = locked;
  if (status === 'exception') return { status: 'withdrawn', reconciledAt: null, version, event: null };
  return {
    status: 'withdrawn',
    reconciledAt: null,
    version: version + 1,
    event: {
      ...{ tenant, environment, type: 'remittance.exception', resourceId: id },
      ...{ resourceVersion: version + 1, createdAt: now },
      data: remittanceEventData({ id, status: 'exception', amount: { currency, paid: total } }),
    },
  };
}
