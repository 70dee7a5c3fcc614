/** Remittances with their allocations, as rows. */
import type {
  Environment,
  OperationId,
  Remittance,
  RemittanceInput,
  RemittanceStatus,
} from '@carecover/contract';
import { CommandGone, type Db, type Fragment, jsonb, type Tx } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';
import { ADVICE_MOVE } from '../ledger/allocation';

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
  /** Of the posting that last moved money into, or out of, what is settled of the claim; final while its account is locked. */
  readonly last_cause: string | null;
}

export type NewRemittance = Omit<RemittanceRow, 'status' | 'reconciled_at' | 'version'> & {
  readonly created_at: Date;
};

/** As the API shows it. */
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

/** A command about a remittance that is to be answered. */
export interface CommandToAnswer {
  readonly operation: OperationId;
  readonly tenant: string;
  readonly resourceId: string;
  readonly isAnswered: boolean;
  /** The remittance, where that is the command's resource. */
  readonly remittance: RemittanceResourceRow | null;
}

/** The command with its remittance, in one statement; null where it was rejected. */
export async function findCommandToAnswer(db: Db, commandId: string): Promise<CommandToAnswer | null> {
  const [row] = await db<
    (RemittanceResourceRow & {
      readonly command_operation: OperationId;
      readonly command_project: string;
      readonly command_resource: string;
      readonly is_answered: boolean;
    })[]
  >`
    select remittance.*, command.operation as command_operation, command.project_id as command_project,
      command.resource_id as command_resource, command.answer_status is not null as is_answered
    from commands command
    left join remittance_resources remittance
      on remittance.id = command.resource_id and remittance.project_id = command.project_id
    where command.id = ${commandId}`;
  if (row === undefined) return null;
  const { command_operation, command_project, command_resource, is_answered, ...remittance } = row;
  return {
    operation: command_operation,
    tenant: command_project,
    resourceId: command_resource,
    isAnswered: is_answered,
    remittance: remittance.id === null ? null : remittance,
  };
}

/**
 * Locks a remittance until the transaction ends; taken before any claim's account is.
 * @param id SQL, so that it can be a part of something that was not read yet
 */
export async function lockRemittance(tx: Tx, id: Fragment): Promise<RemittanceRow | undefined> {
  const [row] = await tx<RemittanceRow[]>`select * from remittances where id = ${id} for update`;
  return row;
}

/** What is known of an advice before it is recorded. */
export interface AdviceContext {
  /** The transaction's time. */
  readonly now: Date;
  /** Whether the command's remittance is recorded: then this is a repetition. */
  readonly is_recorded: boolean;
  /** Whether the project has this payer reference already. */
  readonly is_reference_used: boolean;
}

/** Reads it of a pending command's advice; sent behind the locks, so that it sees all that they waited for. */
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
 * Records an advice in one statement: the remittance, its allocations, their postings, and what claims must record of it.
 *
 * @param versions the standing adjudication's version of each claim
 * @returns false where the project has this payer reference already, committed or about to be; then nothing is written
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
      insert into remittances ${tx(row)} on conflict (project_id, payer_reference) do nothing returning *
    ), part as materialized (
      select * from jsonb_to_recordset(${jsonb(tx, parts)}) as part
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
      select ${record.causeId}, id, ${record.kind}, ${jsonb(tx, record.input)} from remittance
    )
    select id from remittance`;
  return inserted.length > 0;
}

/** In the order of the advice. @param remittanceId SQL, as of {@link lockRemittance} */
export async function allocationsOf(db: Db, remittanceId: Fragment): Promise<AllocationRow[]> {
  return [
    ...(await db<AllocationRow[]>`
      select claim_id, paid_amount, settled,
        (select cause from postings
         where claim_id = allocation.claim_id
           and ((source = 'remitted' and destination = 'cash_observed')
                or (source = 'cash_observed' and destination = 'remitted'))
         order by id desc limit 1) as last_cause
      from remittance_allocations allocation where remittance_id = ${remittanceId} order by position`),
  ];
}

/** Adds to what is settled of allocations; negative amounts where an observation is reversed. */
export async function addSettled(
  tx: Tx,
  remittanceId: string,
  amounts: readonly { readonly claimId: string; readonly amount: number }[],
): Promise<void> {
  if (amounts.length === 0) return;
  const rows = amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  await tx`
    update remittance_allocations allocation set settled = settled + added.amount
    from (
      select claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${tx.json(rows)}) as part (claim_id text, amount bigint) group by claim_id
    ) added
    where allocation.remittance_id = ${remittanceId} and allocation.claim_id = added.claim_id`;
}

/** Moves a locked remittance into another state, with the version of the event about it. */
export async function setStatus(
  tx: Tx,
  id: string,
  status: RemittanceStatus,
  reconciledAt: Date | null,
  version: number,
): Promise<void> {
  await tx`
    update remittances set status = ${status}, reconciled_at = ${reconciledAt}, version = ${version}
    where id = ${id}`;
}
