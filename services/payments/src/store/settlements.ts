/** SQL of settlements. In the rules, a settlement is an `Observation`: an observed movement of funds. */
import type { Settlement, SettlementStatus } from '@carecover/contract';
import {
  type Caller,
  type Db,
  type Fragment,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Tenant,
  violatedConstraint,
} from '@carecover/platform';
import type { Match, RecordedSettlement } from '../rules/matching';
import type { LockedRemittance, RecordedObservation } from '../rules/reconciliation';

export const SETTLEMENTS = { table: 'settlements', hasSmallRows: true } as const;

export interface SettlementRow {
  readonly id: string;
  readonly project_id: Tenant;
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

/** A settlement's row as PostgreSQL converts it to JSON. */
export type SettlementJson = Omit<SettlementRow, 'observed_at' | 'created_at'> & {
  readonly observed_at: string;
  readonly created_at: string;
};

export function fromJson(row: SettlementJson): SettlementRow {
  return { ...row, observed_at: new Date(row.observed_at), created_at: new Date(row.created_at) };
}

/** Converts a settlement's row to the type that the rules of reconciliation use. */
export function observationOf(row: SettlementRow): RecordedObservation {
  return {
    id: row.id,
    currency: row.currency,
    amount: row.amount,
    matched: row.status === 'matched',
    observedAt: row.observed_at,
    allocations: row.allocations.map(({ claim_id, amount }) => ({ claimId: claim_id, amount })),
  };
}

export async function findSettlement(db: Db, tenant: Tenant, id: string): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select * from settlements where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** The filters of the list of settlements. */
export interface SettlementFilters {
  readonly remittance_id?: string;
  readonly source_reference?: string;
  readonly status?: SettlementStatus;
}

/**
 * Reads one page of the project's settlements, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no settlement of this list
 */
export function listSettlements(
  db: Db,
  caller: Caller,
  query: ListQuery & SettlementFilters,
  toResource: (row: SettlementRow) => Settlement,
): Promise<ListResult<Settlement>> {
  const filters = [
    { column: 'source_reference', value: query.source_reference },
    { column: 'remittance_id', value: query.remittance_id },
    { column: 'status', value: query.status },
  ];
  return listPage(db, caller, SETTLEMENTS, query, filters, toResource);
}

/**
 * Finds the settlements of credits of a project by the credits' source references. An operator can have recorded a kept credit again under
 * another reference, after its first settlement was reversed: an unreversed settlement comes first, otherwise the last one.
 */
export async function findSettlementsByReference(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Promise<Map<string, RecordedSettlement>> {
  const rows = await db<
    (Pick<SettlementRow, 'id' | 'remittance_id' | 'amount' | 'currency' | 'status'> & {
      readonly credit_reference: string;
      readonly is_replacement: boolean;
    })[]
  >`
    select credit.reference as credit_reference, found.is_replacement, found.id, found.remittance_id, found.amount, found.currency, found.status
    from unnest(${[...new Set(references)]}::text[]) credit (reference)
    left join unmatched_rows kept on kept.project_id = ${tenant} and kept.source_reference = credit.reference
    cross join lateral (
      select id, remittance_id, amount, currency, status, source_reference <> credit.reference as is_replacement
      from settlements
      where project_id = ${tenant} and source_reference = any(array[credit.reference, kept.assigned_reference])
      order by status = 'reversed', is_replacement desc limit 1) found`;
  return new Map(
    rows.map((row) => [
      row.credit_reference,
      {
        id: row.id,
        remittanceId: row.remittance_id,
        amount: row.amount,
        currency: row.currency,
        isReversed: row.status === 'reversed',
        isReplacement: row.is_replacement,
      },
    ]),
  );
}

export type NewSettlement = Omit<SettlementRow, 'project_id' | 'remittance_id'>;

/**
 * Returns the SQL that inserts a settlement of a locked remittance. The SQL statement fails if the project has a settlement with this
 * source_reference.
 */
export function insertSettlement(
  db: Db,
  { id: remittanceId, tenant }: LockedRemittance,
  row: NewSettlement,
): Fragment {
  return db`
    insert into settlements
      (id, project_id, remittance_id, position, source_reference, currency, amount, allocations, status, observed_at, created_at)
    values (${row.id}, ${tenant}, ${remittanceId}, ${row.position}, ${row.source_reference}, ${row.currency}, ${row.amount},
      ${jsonb(row.allocations)}, ${row.status}, ${row.observed_at}, ${row.created_at})`;
}

/** Returns whether a settlement of the project has the given source_reference. */
export async function isReferenceInUse(db: Db, tenant: Tenant, sourceReference: string): Promise<boolean> {
  const rows = await db`
    select 1 from settlements where project_id = ${tenant} and source_reference = ${sourceReference}`;
  return rows.length > 0;
}

/** Returns whether the statement of {@link insertSettlement} failed because the project has a settlement with this source_reference. */
export function isReferenceUsed(error: unknown): boolean {
  return violatedConstraint(error) === 'settlements_project_id_source_reference_key';
}

/** Returns the SQL that marks settlements of a locked remittance as matched and sets their allocations. */
export function setMatched(db: Db, { id }: LockedRemittance, matched: readonly Match[]): Fragment {
  const rows = matched.map(({ id, allocations }) => ({
    id,
    allocations: allocations.map(({ claimId, amount }) => ({ claim_id: claimId, amount })),
  }));
  return db`
    update settlements settlement set status = 'matched', allocations = matched.allocations
    from jsonb_to_recordset(${jsonb(rows)}) as matched (id text, allocations jsonb)
    where settlement.id = matched.id and settlement.remittance_id = ${id}`;
}

export interface Reversal {
  readonly settlementId: string;
  readonly commandId: string;
  readonly reasonCode: string;
  readonly authority: string;
  readonly at: Date;
}

/** Returns the SQL that reverses a settlement of a locked remittance: two statements for the WITH clause of another statement. */
export function insertReversal(
  db: Db,
  { id: remittanceId }: LockedRemittance,
  { settlementId: id, ...reversal }: Reversal,
): Fragment[] {
  return [
    db`update settlements set status = 'reversed' where id = ${id} and remittance_id = ${remittanceId}`,
    db`
      insert into settlement_reversals (settlement_id, command_id, reason_code, authority, reversed_at)
      values (${id}, ${reversal.commandId}, ${reversal.reasonCode}, ${reversal.authority}, ${reversal.at})`,
  ];
}
