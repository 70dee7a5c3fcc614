/** Rows of adjudications as they were made, append-only. */
import type { Adjudication } from '@carecover/contract';
import { jsonb, type Tx } from '@carecover/platform';

export async function insertAdjudication(tx: Tx, claimId: string, adjudication: Adjudication): Promise<void> {
  await tx`
    insert into adjudications (claim_id, version, id, document)
    values (${claimId}, ${adjudication.version}, ${adjudication.id}, ${jsonb({ ...adjudication })})`;
}
