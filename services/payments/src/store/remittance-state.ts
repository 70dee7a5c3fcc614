/** SQL that reads the state of a remittance for its workflow, and that stores the response of a command on a remittance. */
import type { OperationId } from '@carecover/contract';
import { type Answer, answerParts, type Db, type Sql, type Tenant } from '@carecover/platform';
import type { Notification, RemittanceState } from '@carecover/workflow-remittance';
import { pendingPage } from '../rules/pending-notifications';
import { markRecorded, pendingRecords } from './claims-records';
import type { RemittanceResourceRow, RemittanceRow } from './remittances';
import { fromJson, type SettlementJson, type SettlementRow } from './settlements';

type StateRow = Pick<RemittanceRow, 'status' | 'deadline' | 'currency' | 'total'> & {
  readonly settled: number;
  readonly now: Date;
  readonly pending: Notification[];
};

function selectState(db: Db, tenant: Tenant, remittanceId: string, except: readonly string[] = []) {
  return db<StateRow[]>`
    select status, deadline, currency, total, platform.now() as now,
      (select sum(settled)::bigint from remittance_allocations where remittance_id = remittance.id) as settled,
      ${pendingRecords(db, except)} as pending
    from remittances remittance where id = ${remittanceId} and project_id = ${tenant}`;
}

function toState(row: StateRow): RemittanceState {
  return {
    status: row.status,
    deadline: row.deadline.toISOString(),
    remainingMs: row.deadline.getTime() - row.now.getTime(),
    currency: row.currency,
    total: row.total,
    settled: row.settled,
    ...pendingPage(row.pending),
  };
}

/** Reads the state of a remittance for its workflow; null if the tenant has no such remittance. */
export async function findState(
  db: Db,
  tenant: Tenant,
  remittanceId: string,
): Promise<RemittanceState | null> {
  const [row] = await selectState(db, tenant, remittanceId);
  return row === undefined ? null : toState(row);
}

/** Does the same as {@link findState}. @throws Error if the tenant has no such remittance */
export async function requireState(db: Db, tenant: Tenant, remittanceId: string): Promise<RemittanceState> {
  const state = await findState(db, tenant, remittanceId);
  if (state === null) throw new Error(`remittance ${remittanceId} does not exist`);
  return state;
}

/**
 * Marks notifications about a remittance as recorded by the claims service, stores the response of the command, if any, and reads the
 * remittance's state, in one SQL statement.
 *
 * @throws Error if the tenant has no such remittance
 */
export async function concludeAndRead(
  sql: Sql,
  tenant: Tenant,
  remittanceId: string,
  causeIds: readonly string[],
  command: { readonly id: string; readonly answer: Answer } | null,
): Promise<RemittanceState> {
  const answered = command === null ? sql`` : sql`, ${answerParts(sql, tenant, command.id, command.answer)}`;
  // The SQL statement does not see its own changes, so the notifications that it marks are excluded from the pending ones.
  const [row] = await sql<StateRow[]>`
    with confirmed as (${markRecorded(sql, tenant, remittanceId, causeIds)}) ${answered}
    ${selectState(sql, tenant, remittanceId, causeIds)}`;
  if (row === undefined) throw new Error(`remittance ${remittanceId} does not exist`);
  return toState(row);
}

/** A command on a remittance or settlement, with the resource that its response contains. */
export interface CommandToAnswer {
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly isAnswered: boolean;
  /** The remittance that the command created; null if its resource is a settlement. */
  readonly remittance: RemittanceResourceRow | null;
  /** The settlement that the command created or reversed; null if its resource is a remittance. */
  readonly settlement: SettlementRow | null;
}

/** Reads a command and its resource in one SQL statement; null if the command was rejected and deleted. */
export async function findCommandToAnswer(
  db: Db,
  tenant: Tenant,
  commandId: string,
): Promise<CommandToAnswer | null> {
  const [row] = await db<
    (RemittanceResourceRow & {
      readonly command_operation: OperationId;
      readonly command_resource: string;
      readonly is_answered: boolean;
      readonly settlement: SettlementJson | null;
    })[]
  >`
    select remittance.*, command.operation as command_operation, command.resource_id as command_resource,
      command.answer_status is not null as is_answered,
      to_json(settlement) as settlement
    from commands command
    left join remittance_resources remittance
      on remittance.id = command.resource_id and remittance.project_id = ${tenant}
    left join settlements settlement
      on settlement.id = command.resource_id and settlement.project_id = ${tenant}
    where command.id = ${commandId} and command.project_id = ${tenant}`;
  if (row === undefined) return null;
  const { command_operation, command_resource, is_answered, settlement, ...remittance } = row;
  return {
    operation: command_operation,
    resourceId: command_resource,
    isAnswered: is_answered,
    remittance: remittance.id === null ? null : remittance,
    settlement: settlement && fromJson(settlement),
  };
}
