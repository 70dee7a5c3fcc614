/** The state of a remittance that its workflow receives after each transaction. */
import { type Answer, answerCommand, type Db, type Sql } from '@carecover/platform';
import type { Notification, RemittanceState } from '@carecover/workflow-remittance';
import { markRecorded, pendingRecords } from '../store/claims-records';
import type { RemittanceRow } from '../store/remittances';

type StateRow = Pick<RemittanceRow, 'status' | 'deadline' | 'currency' | 'total'> & {
  readonly settled: number;
  readonly now: Date;
  readonly pending: Notification[];
};

function stateColumns(db: Db, remittanceId: string, except: readonly string[] = []) {
  return db`
    status, deadline, currency, total, platform.now() as now,
    (select sum(settled)::bigint from remittance_allocations where remittance_id = ${remittanceId}) as settled,
    ${pendingRecords(db, db`${remittanceId}`, except)} as pending`;
}

function toState(row: StateRow): RemittanceState {
  return {
    status: row.status,
    deadline: row.deadline.toISOString(),
    remainingMs: row.deadline.getTime() - row.now.getTime(),
    currency: row.currency,
    total: row.total,
    settled: row.settled,
    pending: row.pending,
  };
}

/** Reads a remittance's state; null if the remittance does not exist. */
export async function findState(db: Db, remittanceId: string): Promise<RemittanceState | null> {
  const [row] = await db<StateRow[]>`
    select ${stateColumns(db, remittanceId)} from remittances where id = ${remittanceId}`;
  return row === undefined ? null : toState(row);
}

function requireFound<T>(found: T | null, remittanceId: string): T {
  if (found === null) throw new Error(`remittance ${remittanceId} is not there`);
  return found;
}

/** Reads a remittance's state. @throws Error if the remittance does not exist */
export async function requireState(db: Db, remittanceId: string): Promise<RemittanceState> {
  return requireFound(await findState(db, remittanceId), remittanceId);
}

/**
 * Marks notifications as recorded by claims, stores the command's response if there is a command, and reads the state, in one statement.
 *
 * @throws Error if the remittance does not exist
 */
export async function concludeAndRead(
  sql: Sql,
  remittanceId: string,
  causeIds: readonly string[],
  command: { readonly id: string; readonly answer: Answer } | null,
): Promise<RemittanceState> {
  const answered =
    command === null ? sql`` : sql`, answered as (${answerCommand(sql, command.id, command.answer)})`;
  // A statement does not see its own changes, so the causes that it marks are excluded.
  const [row] = await sql<StateRow[]>`
    with confirmed as (${markRecorded(sql, causeIds)}) ${answered}
    select ${stateColumns(sql, remittanceId, causeIds)} from remittances where id = ${remittanceId}`;
  return requireFound(row === undefined ? null : toState(row), remittanceId);
}
