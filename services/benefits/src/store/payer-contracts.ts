/**
 * Rows of payers: one surrogate per payer's contract reference (`source_contract_reference`). Claims keep the surrogate, because the
 * reference can name a person and is erased with the member.
 */

import { newId, type Tenant } from '@carecover/domain';
import type { Db, Tx } from '@carecover/postgres';
import { lockMembers } from './members';

/** The payer and the plan of a coverage, which a claim keeps. */
export interface ClaimedCoverage {
  readonly payerId: string;
  readonly plan: string;
}

async function findPayer(tx: Tx, tenant: Tenant, observationId: string) {
  const [row] = await tx<{ payer_id: string | null; plan: string }[]>`
    select p.id as payer_id, o.plan_name as plan
    from coverage_observations o
    join coverages c on c.id = o.coverage_id
    left join payer_contracts p on p.project_id = c.project_id and p.reference = c.source_contract_reference
    where o.id = ${observationId} and o.project_id = ${tenant}`;
  if (row === undefined) throw new Error('an eligibility check has no observation');
  return row;
}

/**
 * Reads the payer and the plan of a coverage observation. Creates the payer's surrogate if the payer has none, which is so until its first
 * claim. Call this before the transaction locks a row that an erasure locks; otherwise this transaction and the erasure can deadlock.
 */
export async function findOrCreatePayer(
  tx: Tx,
  tenant: Tenant,
  observationId: string,
): Promise<ClaimedCoverage> {
  const found = await findPayer(tx, tenant, observationId);
  if (found.payer_id !== null) return { payerId: found.payer_id, plan: found.plan };
  // Waits for a concurrent erasure, so that the reference is read only after it.
  await lockMembers(tx, tenant);
  await tx`
    insert into payer_contracts (id, project_id, reference)
    select ${newId('payer_')}, c.project_id, c.source_contract_reference
    from coverage_observations o join coverages c on c.id = o.coverage_id
    where o.id = ${observationId} and o.project_id = ${tenant}
    on conflict (project_id, reference) do nothing`;
  const { payer_id, plan } = await findPayer(tx, tenant, observationId);
  if (payer_id === null) throw new Error('the payer was not created');
  return { payerId: payer_id, plan };
}

/** Reads the contract references of the given payers of the tenant, by payer ID. Unknown IDs are left out. */
export async function findPayerReferences(
  db: Db,
  tenant: Tenant,
  payerIds: readonly string[],
): Promise<Record<string, string>> {
  const rows = await db<{ id: string; reference: string }[]>`
    select id, reference from payer_contracts where project_id = ${tenant} and id = any(${[...payerIds]})`;
  return Object.fromEntries(rows.map(({ id, reference }) => [id, reference]));
}

/** Finds payers of the tenant by the beginning of the contract reference or of a part of it. A project has few payers: all are read. */
export async function searchPayers(
  db: Db,
  tenant: Tenant,
  typed: string,
  limit: number,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const text = typed.trim().toLowerCase();
  if ([...text].length < 2) return [];
  return [
    ...(await db<{ id: string; name: string }[]>`
      select id, reference as name from payer_contracts
      where project_id = ${tenant} and strpos(' ' || translate(lower(reference), ':_/-', '    '), ${` ${text.replace(/[:_/-]/g, ' ')}`}) > 0
      order by reference limit ${limit}`),
  ];
}
