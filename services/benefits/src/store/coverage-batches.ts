/** Rows of accepted coverage batches, each with the digest of the request body. */

import type { Tenant } from '@carecover/domain';
import type { Fragment, Tx } from '@carecover/postgres';

export interface AcceptedBatch {
  readonly id: string;
  readonly contractReference: string;
  readonly reference: string;
  readonly version: string;
  readonly generatedAt: Date;
  /** The reference under which the payer keeps the batch's bytes. */
  readonly artifactReference: string;
  /** SHA-256 digest of the batch's bytes, in hexadecimal. */
  readonly artifactSha256: string;
  readonly total: number;
  /** Number of the batch's records that were new. */
  readonly recorded: number;
}

/** Returns SQL that inserts an accepted coverage batch. */
export function coverageBatchInsert(tx: Tx, tenant: Tenant, batch: AcceptedBatch): Fragment {
  return tx`
    insert into coverage_batches (id, project_id, source_contract_reference, batch_reference, batch_version, generated_at,
      artifact_reference, artifact_sha256, total, recorded, recorded_at)
    values (${batch.id}, ${tenant}, ${batch.contractReference}, ${batch.reference}, ${batch.version},
      ${batch.generatedAt}, ${batch.artifactReference}, ${batch.artifactSha256}, ${batch.total},
      ${batch.recorded}, platform.now())`;
}
