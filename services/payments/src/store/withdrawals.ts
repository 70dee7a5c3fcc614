/** SQL of the withdrawals of payment advices. */
import type { ResourceChange } from '@carecover/domain';
import { appendEvents } from '@carecover/events';
import { type Db, type Fragment, type Tx, writeTogether } from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import type { LockedRemittance } from '../rules/reconciliation';
import type { Withdrawal } from '../rules/withdrawal';
import { insertNotifications } from './claims-notifications';
import { insertPostings } from './postings';
import { signalDeducted } from './reconciliation';

/** Who withdraws an advice, by which command, and why. */
export interface Withdrawn {
  readonly commandId: string;
  readonly reasonCode: string;
  readonly authority: string;
  /** The remittance of the advice that the same transaction records in its place; null without one. */
  readonly replacedBy: string | null;
}

/**
 * Writes the withdrawal of a locked remittance's advice, and enqueues the signals to its workflow and to those of the balances that can be
 * deducted otherwise now.
 *
 * @param change what the workflows receive
 */
export async function writeWithdrawal(
  tx: Tx,
  locked: LockedRemittance,
  { postings, statusChange, notifications }: Withdrawal,
  by: Withdrawn,
  change: ResourceChange,
): Promise<void> {
  const { id, tenant, environment, now } = locked;
  const posted = insertPostings(tx, postings);
  const { event } = statusChange;
  const notified = insertNotifications(tx, [{ locked, notifications }]);
  await writeTogether(tx, [
    setWithdrawn(tx, locked, statusChange.version),
    tx`insert into remittance_withdrawals (remittance_id, command_id, reason_code, authority, withdrawn_at, replaced_by)
       values (${id}, ${by.commandId}, ${by.reasonCode}, ${by.authority}, ${now}, ${by.replacedBy})`,
    ...(posted ? [posted] : []),
    ...(event ? [appendEvents(tx, [event])] : []),
    ...(notified ? [notified] : []),
    signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }]),
  ]);
  await signalDeducted(tx, locked, change);
}

/** Returns the SQL that marks a locked remittance as withdrawn and frees its payer_reference: no reference has a space in its normal form. */
function setWithdrawn(db: Db, { id, tenant }: LockedRemittance, version: number): Fragment {
  return db`
    update remittances set status = 'withdrawn', reconciled_at = null, version = ${version}, payer_reference_key = ${`withdrawn ${id}`}
    where id = ${id} and project_id = ${tenant}`;
}
