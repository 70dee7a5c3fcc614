/** SQL of settlements. In the rules, a settlement is an `ObservedSettlement`: an observed movement of funds. */
import {
  referenceKey,
  referenceSearchKey,
  type Settlement,
  type SettlementStatus,
} from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tx,
  violatedConstraint,
} from '@carecover/postgres';
import type { Match } from '../rules/matching';
import type { DatedSettlement, LockedRemittance } from '../rules/reconciliation';
import type { ClaimAmount } from '../rules/remittance-status';

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
  /** The amounts of the advice's recoveries that a matched settlement proves. */
  readonly recoveries: Settlement['allocations'];
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
export function observationOf(row: SettlementRow): DatedSettlement {
  return {
    id: row.id,
    currency: row.currency,
    amount: row.amount,
    matched: row.status === 'matched',
    observedAt: row.observed_at,
    allocations: row.allocations.map(({ claim_id, amount }) => ({ claimId: claim_id, amount })),
    recoveries: row.recoveries.map(({ claim_id, amount }) => ({ claimId: claim_id, amount })),
  };
}

export function findSettlement(db: Db, tenant: Tenant, id: string): Query<SettlementRow | undefined> {
  const found = db<SettlementRow[]>`
    select * from settlements where id = ${id} and project_id = ${tenant}`;
  return found.withResult(([row]) => row);
}

/** Returns the form in which a reference is searched; undefined if there is none. */
export function searched(reference: string | undefined): string | undefined {
  return reference === undefined ? undefined : referenceSearchKey(reference);
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
export function listSettlements<T>(
  db: Db,
  caller: Caller,
  query: ListQuery & SettlementFilters,
  toResource: (row: SettlementRow) => T,
): Promise<ListResult<T>> {
  const filters = [
    { column: 'source_reference_search', value: searched(query.source_reference) },
    { column: 'remittance_id', value: query.remittance_id },
    { column: 'status', value: query.status },
  ];
  return listPage(db, caller, SETTLEMENTS, query, filters, toResource);
}

/** A settlement without a bank entry, as {@link findUnlinkedSettlements} finds it. */
export type UnlinkedSettlement = Pick<
  SettlementRow,
  'id' | 'remittance_id' | 'amount' | 'currency' | 'status' | 'observed_at'
>;

/** Finds the settlements of a project that record no bank entry, by the keys of their source references. */
export async function findUnlinkedSettlements(
  db: Db,
  tenant: Tenant,
  keys: readonly string[],
): Promise<Map<string, UnlinkedSettlement>> {
  if (keys.length === 0) return new Map();
  const rows = await db<(UnlinkedSettlement & { readonly key: string })[]>`
    select source_reference_key as key, id, remittance_id, amount, currency, status, observed_at from settlements
    where project_id = ${tenant} and bank_entry_id is null and source_reference_key = any(${[...new Set(keys)]})`;
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/**
 * Links settlements to the bank entries that they record, and adds the amounts of the unreversed ones to what is recorded of the entries. A
 * settlement that has an entry already is not linked again.
 */
export async function linkToEntries(
  tx: Tx,
  tenant: Tenant,
  links: readonly { readonly settlementId: string; readonly row: number }[],
): Promise<void> {
  if (links.length === 0) return;
  // A reversal holds the lock of the remittance, so that it sees the link, or the link sees it.
  await tx`
    select from remittances
    where project_id = ${tenant} and id in (
      select remittance_id from settlements where project_id = ${tenant} and id = any(${links.map(({ settlementId }) => settlementId)}))
    order by id for update`;
  await tx`
    with linked as (
      update settlements settlement set bank_entry_id = link."row"
      from jsonb_to_recordset(${jsonb(links)}) as link ("settlementId" text, "row" bigint)
      where settlement.id = link."settlementId" and settlement.project_id = ${tenant} and settlement.bank_entry_id is null
      returning settlement.bank_entry_id, settlement.amount, settlement.status
    ), part as (
      select bank_entry_id, sum(amount)::bigint as amount from linked where status <> 'reversed' group by bank_entry_id
    )
    update bank_entries entry set recorded = recorded + part.amount from part where entry.id = part.bank_entry_id`;
}

/** A settlement that is recorded for a locked remittance. */
export interface NewSettlement extends Omit<SettlementRow, 'project_id'> {
  /** The number of the bank entry that the settlement records; null without one. */
  readonly bank_entry_id: number | null;
}

/**
 * Returns the SQL that inserts settlements of locked remittances. The SQL statement fails if the project has a settlement with one of their
 * source_references.
 */
export function insertSettlements(db: Db, tenant: Tenant, settlements: readonly NewSettlement[]): Fragment {
  const rows = settlements.map((row) => ({
    ...row,
    project_id: tenant,
    source_reference_key: referenceKey(row.source_reference),
    source_reference_search: referenceSearchKey(row.source_reference),
  }));
  return db`
    insert into settlements
      (id, project_id, remittance_id, position, source_reference, source_reference_key, source_reference_search, bank_entry_id,
       currency, amount, allocations, recoveries, status, observed_at, created_at)
    select * from jsonb_to_recordset(${jsonb(rows)}) as added
      (id text, project_id text, remittance_id text, "position" integer, source_reference text, source_reference_key text,
       source_reference_search text, bank_entry_id bigint, currency text, amount bigint, allocations jsonb, recoveries jsonb,
       status text, observed_at timestamptz, created_at timestamptz)`;
}

/** Returns the keys of those source_references that a settlement of the project has. */
export function findUsedReferences(
  db: Db,
  tenant: Tenant,
  sourceReferences: readonly string[],
): Query<ReadonlySet<string>> {
  const found = db<{ key: string }[]>`
    select source_reference_key as key from settlements
    where project_id = ${tenant} and source_reference_key = any(${sourceReferences.map(referenceKey)})`;
  return found.withResult((rows) => new Set(rows.map(({ key }) => key)));
}

/** Returns whether the statement of {@link insertSettlements} failed because the project has a settlement with this source_reference. */
export function isReferenceUsed(error: unknown): boolean {
  return violatedConstraint(error) === 'settlements_reference_once';
}

/** Returns the parts of a settlement as they are stored. */
export function partsOf(amounts: readonly ClaimAmount[]): Settlement['allocations'] {
  return amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
}

/** A match of a settlement of a locked remittance. */
export interface RemittanceMatch {
  readonly remittanceId: string;
  readonly match: Match;
}

/** Returns the SQL that marks settlements of locked remittances as matched and sets their parts. */
export function setMatched(db: Db, tenant: Tenant, matched: readonly RemittanceMatch[]): Fragment {
  const rows = matched.map(({ remittanceId, match: { id, allocations, recoveries } }) => ({
    remittance_id: remittanceId,
    id,
    allocations: partsOf(allocations),
    recoveries: partsOf(recoveries),
  }));
  return db`
    update settlements settlement set status = 'matched', allocations = matched.allocations, recoveries = matched.recoveries
    from jsonb_to_recordset(${jsonb(rows)}) as matched (remittance_id text, id text, allocations jsonb, recoveries jsonb)
    where settlement.id = matched.id and settlement.remittance_id = matched.remittance_id and settlement.project_id = ${tenant}`;
}

export interface Reversal {
  readonly settlementId: string;
  readonly commandId: string;
  readonly reasonCode: string;
  readonly authority: string;
  readonly at: Date;
}

/** Returns the SQL that reverses a settlement of a locked remittance: statements for the WITH clause of another statement. */
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
    db`
      update bank_entries entry set recorded = recorded - settlement.amount
      from settlements settlement where settlement.id = ${id} and entry.id = settlement.bank_entry_id`,
  ];
}
