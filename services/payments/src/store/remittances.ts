/** Remittances with their allocations, as rows. */
import type { Environment, Remittance, RemittanceInput, RemittanceStatus } from '@carecover/contract';
import type { Db, Tx } from '@carecover/platform';

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

/** Locks a remittance until the transaction ends; taken before any claim's account is. */
export async function lockRemittance(tx: Tx, id: string): Promise<RemittanceRow | undefined> {
  const [row] = await tx<RemittanceRow[]>`select * from remittances where id = ${id} for update`;
  return row;
}

/** False where the project has this payer reference already, committed or about to be. */
export async function insertRemittance(tx: Tx, row: NewRemittance): Promise<boolean> {
  const inserted = await tx`
    insert into remittances ${tx(row)} on conflict (project_id, payer_reference) do nothing returning id`;
  return inserted.length > 0;
}

/** @param versions the standing adjudication's version of each claim */
export async function insertAllocations(
  tx: Tx,
  remittanceId: string,
  allocations: RemittanceInput['allocations'],
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = allocations.map(({ claim_id, paid_amount, reason_codes = [] }, position) => ({
    claim_id,
    position,
    paid_amount,
    reason_codes,
    adjudication_version: versions.get(claim_id) ?? null,
  }));
  await tx`
    insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
    select ${remittanceId}, claim_id, position, paid_amount, reason_codes, adjudication_version
    from jsonb_to_recordset(${tx.json(rows)}) as allocation
      (claim_id text, position smallint, paid_amount bigint, reason_codes jsonb, adjudication_version integer)`;
}

/** In the order of the advice. */
export async function allocationsOf(db: Db, remittanceId: string): Promise<AllocationRow[]> {
  return [
    ...(await db<AllocationRow[]>`
      select claim_id, paid_amount, settled from remittance_allocations
      where remittance_id = ${remittanceId} order by position`),
  ];
}

/** Adds to what is settled of allocations; negative amounts where an observation is reversed. */
export async function addSettled(
  tx: Tx,
  remittanceId: string,
  amounts: readonly { readonly claimId: string; readonly amount: number }[],
): Promise<void> {
  const rows = amounts.map(({ claimId, amount }) => ({ claim_id: claimId, amount }));
  await tx`
    update remittance_allocations allocation set settled = settled + added.amount
    from (
      select claim_id, sum(amount)::bigint as amount
      from jsonb_to_recordset(${tx.json(rows)}) as part (claim_id text, amount bigint) group by claim_id
    ) added
    where allocation.remittance_id = ${remittanceId} and allocation.claim_id = added.claim_id`;
}

/** Moves a locked remittance into another state; gives the version of the event that tells it, if one does. */
export async function setStatus(
  tx: Tx,
  id: string,
  status: RemittanceStatus,
  reconciledAt: Date | null,
): Promise<number> {
  const [row] = await tx<{ version: number }[]>`
    update remittances set status = ${status}, reconciled_at = ${reconciledAt},
      version = version + ${status === 'received' ? 0 : 1}
    where id = ${id} returning version`;
  if (row === undefined) throw new Error(`remittance ${id} is not there`);
  return row.version;
}
