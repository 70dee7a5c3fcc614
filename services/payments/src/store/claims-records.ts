/**
 * What the claims service must record of what payments committed: rows of the committing transaction, told in their order by
 * the remittance's workflow, and kept so that they can be told again.
 */
import { type Db, jsonb, type Tx } from '@carecover/platform';
import type { Telling } from '@carecover/workflow-remittance';

/** Adds to what is to be told about a remittance; a cause is told once. */
export async function owe(tx: Tx, remittanceId: string, tellings: readonly Telling[]): Promise<void> {
  for (const { causeId, kind, input } of tellings) {
    await tx`
      insert into claims_records (cause_id, remittance_id, kind, input)
      values (${causeId}, ${remittanceId}, ${kind}, ${jsonb(tx, input)})`;
  }
}

export async function untold(db: Db, remittanceId: string): Promise<Telling[]> {
  const rows = await db<{ kind: 'remittance' | 'settlement'; cause_id: string; input: unknown }[]>`
    select kind, cause_id, input from claims_records
    where remittance_id = ${remittanceId} and told_at is null order by sequence`;
  return rows.map(({ kind, cause_id, input }) => ({ kind, causeId: cause_id, input }) as Telling);
}

export async function setTold(tx: Tx, causeIds: readonly string[]): Promise<void> {
  if (causeIds.length === 0) return;
  await tx`
    update claims_records set told_at = platform.now()
    where cause_id = any(${[...causeIds]}) and told_at is null`;
}
