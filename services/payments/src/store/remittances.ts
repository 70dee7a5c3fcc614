/** Reads and writes remittances with their allocations. */
import type {
  Environment,
  OperationId,
  Remittance,
  RemittanceInput,
  RemittanceStatus,
} from '@carecover/contract';
import { CommandGone, type Db, type Fragment, insertedRows, jsonb, type Tx } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';
import { ADVICE_MOVE } from '../ledger/allocation';
import { pendingRecords } from './claims-records';
import { fromJson, type SettlementJson, type SettlementRow } from './settlements';

export interface RemittanceRow {
  readonly id: string;
  readonly project_id: string;
  readonly environment: Environment;
  readonly payer_reference: string;
  readonly currency: string;
  readonly total: number;
  readonly received_at: Date;
  readonly deadline: Date;
  readonly status: RemittanceStatus;
  readonly reconciled_at: Date | null;
  readonly version: number;
}

export type RemittanceResourceRow = RemittanceRow & { readonly allocations: Remittance['allocations'] };

export interface AllocationRow {
  readonly claim_id: string;
  readonly paid_amount: number;
  readonly settled: number;
  /** The cause of the latest posting that settled an amount of the claim or reversed one; final while the account is locked. */
  readonly last_cause: string | null;
}

export type NewRemittance = Omit<RemittanceRow, 'status' | 'reconciled_at' | 'version'> & {
  readonly created_at: Date;
};

/** Converts a row to the API's remittance. */
export function remittanceResource(row: RemittanceResourceRow): Remittance {
  return {
    id: row.id,
    object: 'remittance',
    status: row.status,
    payer_reference: row.payer_reference,
    amount: { currency: row.currency, paid: row.total },
    allocations: row.allocations,
    received_at: row.received_at.toISOString(),
    reconciled_at: row.reconciled_at?.toISOString() ?? null,
  };
}

export async function findRemittance(
  db: Db,
  tenant: string,
  id: string,
): Promise<RemittanceResourceRow | undefined> {
  const [row] = await db<RemittanceResourceRow[]>`
    select * from remittance_resources where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** A command of a remittance that needs a response. */
export interface CommandToAnswer {
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly isAnswered: boolean;
  /** The remittance, if it is the command's resource. */
  readonly remittance: RemittanceResourceRow | null;
  /** The settlement, if it is the command's resource. */
  readonly settlement: SettlementRow | null;
}

/** Reads a command with its resource in one statement; null if the command was rejected. */
export async function findCommandToAnswer(db: Db, commandId: string): Promise<CommandToAnswer | null> {
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
      on remittance.id = command.resource_id and remittance.project_id = command.project_id
    left join settlements settlement
      on settlement.id = command.resource_id and settlement.project_id = command.project_id
    where command.id = ${commandId}`;
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

/**
 * Locks a remittance until the transaction ends. Call it before any claim's account is locked.
 *
 * @param id SQL, so that it can select from a command row in the same round trip
 */
export async function lockRemittance(tx: Tx, id: Fragment): Promise<RemittanceRow | undefined> {
  const [row] = await tx<RemittanceRow[]>`select * from remittances where id = ${id} for update`;
  return row;
}

/** The context in which an advice is evaluated. */
export interface AdviceContext {
  /** The transaction's time. */
  readonly now: Date;
  /** Whether the command's remittance exists; then the step is repeated. */
  readonly is_recorded: boolean;
  /** Whether the project has this payer reference already. */
  readonly is_reference_used: boolean;
}

/** Reads the context of a pending command's advice. Send it after the locks, so that it sees every commit for which they waited. */
export async function readAdviceContext(tx: Tx, commandId: string): Promise<AdviceContext> {
  const [row] = await tx<AdviceContext[]>`
    select platform.now() as now,
      exists (select from remittances where id = command.resource_id) as is_recorded,
      exists (select from remittances where project_id = command.project_id
        and payer_reference = command.body ->> 'payer_reference') as is_reference_used
    from commands command where command.id = ${commandId}`;
  if (row === undefined) throw new CommandGone(`command ${commandId} is gone`);
  return row;
}

/**
 * Records an advice in one statement: the remittance, its allocations, their postings, and the notification to claims.
 *
 * @param versions the version of each claim's current adjudication
 * @returns false if the project has another remittance with this payer reference; then nothing is written
 */
export async function insertAdvice(
  tx: Tx,
  row: NewRemittance,
  allocations: RemittanceInput['allocations'],
  versions: ReadonlyMap<string, number>,
  record: Notification,
): Promise<boolean> {
  const parts = allocations.map(({ claim_id, paid_amount, reason_codes = [] }, position) => ({
    claim_id,
    position,
    paid_amount,
    reason_codes,
    adjudication_version: versions.get(claim_id) ?? null,
  }));
  const inserted = await tx`
    with remittance as (
      insert into remittances ${insertedRows(row)} on conflict (project_id, payer_reference) do nothing returning *
    ), part as materialized (
      select * from jsonb_to_recordset(${jsonb(parts)}) as part
        (claim_id text, position smallint, paid_amount bigint, reason_codes jsonb, adjudication_version integer)
    ), allocation as (
      insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
      select remittance.id, part.* from remittance, part
    ), posting as (
      insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
      select project_id, claim_id, ${ADVICE_MOVE.source}::account, ${ADVICE_MOVE.destination}::account, paid_amount, currency,
             id, received_at, created_at
      from remittance, part order by position
    ), record as (
      insert into claims_records (cause_id, remittance_id, kind, input)
      select ${record.causeId}, id, ${record.kind}, ${jsonb(record.input)} from remittance
    )
    select id from remittance`;
  return inserted.length > 0;
}

/** The data from which a remittance's next state is derived, besides its row and its claims' accounts. */
export interface Reconciliation {
  /** In the order of the advice. */
  readonly allocations: readonly AllocationRow[];
  /** Unreversed settlements in the order in which they were recorded. */
  readonly unreversed: readonly SettlementRow[];
  /** Notifications that claims has not recorded, in order. */
  readonly pending: readonly Notification[];
  /** The transaction's time. */
  readonly now: Date;
}

/** Reads a remittance's reconciliation in one statement, after the locks. @param remittanceId SQL, as in {@link lockRemittance} */
export async function findReconciliation(
  tx: Tx,
  remittanceId: Fragment,
): Promise<Reconciliation | undefined> {
  const [row] = await tx<(Reconciliation & { unreversed: SettlementJson[] })[]>`
    select platform.now() as now,
      (select json_agg(json_build_object('claim_id', claim_id, 'paid_amount', paid_amount, 'settled', settled, 'last_cause', (
         select cause from postings
         where claim_id = allocation.claim_id
           and ((source = 'remitted' and destination = 'cash_observed')
                or (source = 'cash_observed' and destination = 'remitted'))
         order by id desc limit 1)) order by position)
       from remittance_allocations allocation where remittance_id = remittance.id) as allocations,
      (select coalesce(json_agg(settlement order by position), '[]')
       from settlements settlement where remittance_id = remittance.id and status <> 'reversed') as unreversed,
      ${pendingRecords(tx, tx`remittance.id`)} as pending
    from remittances remittance where id = ${remittanceId}`;
  return row && { ...row, unreversed: row.unreversed.map(fromJson) };
}

/** SQL that adds amounts to the settled amounts of allocations; the amounts of a reversed settlement are negative. */
export function addSettled(
  db: Db,
  remittanceId: string,
  amounts: readonly { readonly claimId: string; readonly amount: number }[],
): Fragment {
  const rows = amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  return db`
    update remittance_allocations allocation set settled = settled + added.amount
    from (
      select claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${jsonb(rows)}) as part (claim_id text, amount bigint) group by claim_id
    ) added
    where allocation.remittance_id = ${remittanceId} and allocation.claim_id = added.claim_id`;
}

/** SQL that sets a locked remittance's status, with the version of the event. */
export function setStatus(
  db: Db,
  id: string,
  status: RemittanceStatus,
  reconciledAt: Date | null,
  version: number,
): Fragment {
  return db`
    update remittances set status = ${status}, reconciled_at = ${reconciledAt}, version = ${version}
    where id = ${id}`;
}
