/** What the remittance's workflow receives after each transaction. */
import { type Answer, answerCommand, type Db, type Sql } from '@carecover/platform';
import type { Notification, RemittanceState } from '@carecover/workflow-remittance';
import { pendingRecords, setTold } from '../store/claims-records';
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

/** Null where there is no such remittance. */
export async function findState(db: Db, remittanceId: string): Promise<RemittanceState | null> {
  const [row] = await db<StateRow[]>`
    select ${stateColumns(db, remittanceId)} from remittances where id = ${remittanceId}`;
  return row === undefined ? null : toState(row);
}

function required<T>(found: T | null, remittanceId: string): T {
  if (found === null) throw new Error(`remittance ${remittanceId} is not there`);
  return found;
}

/** @throws where there is no such remittance */
export async function stateOf(db: Db, remittanceId: string): Promise<RemittanceState> {
  return required(await findState(db, remittanceId), remittanceId);
}

/**
 * Notes that claims has the records of these causes, answers the command if there is one, and gives the state after that: in one
 * statement, and so in one commit.
 *
 * @throws where there is no such remittance
 */
export async function concludeAndRead(
  sql: Sql,
  remittanceId: string,
  causeIds: readonly string[],
  command: { readonly id: string; readonly answer: Answer } | null,
): Promise<RemittanceState> {
  const answered =
    command === null ? sql`` : sql`, answered as (${answerCommand(sql, command.id, command.answer)})`;
  // A statement reads what was there before its own changes, so what it notes is left out by name.
  const [row] = await sql<StateRow[]>`
    with told as (${setTold(sql, causeIds)}) ${answered}
    select ${stateColumns(sql, remittanceId, causeIds)} from remittances where id = ${remittanceId}`;
  return required(row === undefined ? null : toState(row), remittanceId);
}
