/** Reads and writes settlements. The rules of reconciliation call a settlement an observation. */
import type { Settlement, SettlementStatus } from '@carecover/contract';
import { type Db, type Fragment, jsonb, type Tx, violatedConstraint } from '@carecover/platform';
import type { Observation } from '../reconciliation/observation';

export interface SettlementRow {
  readonly id: string;
  readonly project_id: string;
  readonly remittance_id: string;
  readonly position: number;
  readonly source_reference: string;
  readonly currency: string;
  readonly amount: number;
  readonly allocations: Settlement['allocations'];
  readonly status: SettlementStatus;
  readonly observed_at: Date;
  readonly created_at: Date;
}

/** A row as PostgreSQL converts it to JSON. */
export type SettlementJson = Omit<SettlementRow, 'observed_at' | 'created_at'> & {
  readonly observed_at: string;
  readonly created_at: string;
};

export function fromJson(row: SettlementJson): SettlementRow {
  return { ...row, observed_at: new Date(row.observed_at), created_at: new Date(row.created_at) };
}

/** Converts a row to the API's settlement. */
export function settlementResource(row: SettlementRow): Settlement {
  return {
    id: row.id,
    object: 'settlement',
    remittance_id: row.remittance_id,
    source_reference: row.source_reference,
    amount: { currency: row.currency, observed: row.amount },
    allocations: row.allocations,
    status: row.status,
    observed_at: row.observed_at.toISOString(),
    recorded_at: row.created_at.toISOString(),
  };
}

/** Converts a row for the rules of reconciliation. */
export function observationOf(row: Omit<SettlementRow, 'position'>): Observation {
  return {
    id: row.id,
    currency: row.currency,
    amount: row.amount,
    matched: row.status === 'matched',
    allocations: row.allocations.map(({ claim_id, amount }) => ({ claimId: claim_id, amount })),
  };
}

export async function findSettlement(db: Db, tenant: string, id: string): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select * from settlements where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** SQL that inserts a settlement. It fails if the project has another settlement with this source reference. */
export function insertSettlement(db: Db, row: Omit<SettlementRow, 'position'>): Fragment {
  return db`
    insert into settlements
      (id, project_id, remittance_id, position, source_reference, currency, amount, allocations, status, observed_at, created_at)
    select ${row.id}, ${row.project_id}, ${row.remittance_id},
      (select coalesce(max(position), 0) + 1 from settlements where remittance_id = ${row.remittance_id}),
      ${row.source_reference}, ${row.currency}, ${row.amount}, ${jsonb(row.allocations)}, ${row.status},
      ${row.observed_at}, ${row.created_at}`;
}

/** Whether {@link insertSettlement} failed because the source reference is used. */
export function isReferenceUsed(error: unknown): boolean {
  return violatedConstraint(error) === 'settlements_project_id_source_reference_key';
}

export interface Matched {
  readonly id: string;
  readonly allocations: readonly { readonly claimId: string; readonly amount: number }[];
}

/** SQL that marks settlements as matched and sets their allocations. */
export function setMatched(db: Db, matched: readonly Matched[]): Fragment {
  const rows = matched.map(({ id, allocations }) => ({
    id,
    allocations: allocations.map(({ claimId, amount }) => ({ claim_id: claimId, amount })),
  }));
  return db`
    update settlements settlement set status = 'matched', allocations = matched.allocations
    from jsonb_to_recordset(${jsonb(rows)}) as matched (id text, allocations jsonb) where settlement.id = matched.id`;
}

export interface Reversal {
  readonly commandId: string;
  readonly reasonCode: string;
  readonly authority: string;
  readonly at: Date;
}

/** The settlements that a command's decision needs. */
export interface CommandsSettlement {
  /** The command's settlement with the ID of the command that reversed it; undefined if it is not recorded. */
  readonly settlement: (SettlementRow & { readonly reversed_by: string | null }) | undefined;
  /** Whether another settlement of the project has the source reference of the command's body. */
  readonly isReferenceUsed: boolean;
}

export async function findCommandsSettlement(tx: Tx, commandId: string): Promise<CommandsSettlement> {
  const rows = await tx<(SettlementRow & { reversed_by: string | null; is_commands: boolean })[]>`
    select settlement.*, settlement.id = command.resource_id as is_commands,
      (select command_id from settlement_reversals where settlement_id = settlement.id) as reversed_by
    from commands command join settlements settlement
      on settlement.project_id = command.project_id
      and (settlement.id = command.resource_id or settlement.source_reference = command.body ->> 'source_reference')
    where command.id = ${commandId}`;
  return {
    settlement: rows.find((row) => row.is_commands),
    isReferenceUsed: rows.some((row) => !row.is_commands),
  };
}

/** SQL that reverses a settlement: two statements that become parts of another statement. */
export function insertReversal(db: Db, id: string, reversal: Reversal): Fragment[] {
  return [
    db`update settlements set status = 'reversed' where id = ${id}`,
    db`
      insert into settlement_reversals (settlement_id, command_id, reason_code, authority, reversed_at)
      values (${id}, ${reversal.commandId}, ${reversal.reasonCode}, ${reversal.authority}, ${reversal.at})`,
  ];
}
