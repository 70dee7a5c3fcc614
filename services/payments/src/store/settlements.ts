/** Observations of money, called settlements by the API, as rows. */
import type { Settlement, SettlementStatus } from '@carecover/contract';
import type { Db, Fragment, Tx } from '@carecover/platform';
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

export interface NewSettlement {
  readonly id: string;
  readonly project_id: string;
  readonly remittance_id: string;
  readonly source_reference: string;
  readonly currency: string;
  readonly amount: number;
  readonly allocations: Settlement['allocations'];
  readonly observed_at: Date;
  readonly created_at: Date;
}

/** As the API shows it. */
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

/** As the rules of reconciliation see it. */
export function observationOf(row: SettlementRow): Observation {
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

/** Unreversed, in the order in which they were recorded. The remittance is locked. @param remittanceId SQL */
export async function activeSettlements(tx: Tx, remittanceId: Fragment): Promise<SettlementRow[]> {
  return [
    ...(await tx<SettlementRow[]>`
      select * from settlements where remittance_id = ${remittanceId} and status <> 'reversed' order by position`),
  ];
}

/** Records an observation as unmatched. False where the project has this source reference already. */
export async function insertSettlement(tx: Tx, row: NewSettlement): Promise<boolean> {
  const inserted = await tx`
    insert into settlements
      (id, project_id, remittance_id, position, source_reference, currency, amount, allocations, observed_at, created_at)
    select ${row.id}, ${row.project_id}, ${row.remittance_id},
      (select coalesce(max(position), 0) + 1 from settlements where remittance_id = ${row.remittance_id}),
      ${row.source_reference}, ${row.currency}, ${row.amount}, ${tx.json(row.allocations)}, ${row.observed_at}, ${row.created_at}
    on conflict (project_id, source_reference) do nothing returning id`;
  return inserted.length > 0;
}

export interface Matched {
  readonly id: string;
  readonly allocations: readonly { readonly claimId: string; readonly amount: number }[];
}

export async function setMatched(tx: Tx, matched: readonly Matched[]): Promise<void> {
  if (matched.length === 0) return;
  const rows = matched.map(({ id, allocations }) => ({
    id,
    allocations: allocations.map(({ claimId, amount }) => ({ claim_id: claimId, amount })),
  }));
  await tx`
    update settlements settlement set status = 'matched', allocations = matched.allocations
    from jsonb_to_recordset(${tx.json(rows)}) as matched (id text, allocations jsonb) where settlement.id = matched.id`;
}

export interface Reversal {
  readonly commandId: string;
  readonly reasonCode: string;
  readonly authority: string;
  readonly at: Date;
}

/** The observation that a command is about, with the command that reversed it, or null. */
export async function findCommandsSettlement(
  tx: Tx,
  commandId: string,
): Promise<(SettlementRow & { readonly reversed_by: string | null }) | undefined> {
  const [row] = await tx<(SettlementRow & { reversed_by: string | null })[]>`
    select settlements.*,
      (select command_id from settlement_reversals where settlement_id = settlements.id) as reversed_by
    from settlements
    where (id, project_id) = (select resource_id, project_id from commands where id = ${commandId})`;
  return row;
}

export async function insertReversal(tx: Tx, id: string, reversal: Reversal): Promise<void> {
  await tx`
    with reversed as (update settlements set status = 'reversed' where id = ${id})
    insert into settlement_reversals (settlement_id, command_id, reason_code, authority, reversed_at)
    values (${id}, ${reversal.commandId}, ${reversal.reasonCode}, ${reversal.authority}, ${reversal.at})`;
}
