/** Records a coverage batch: either all of its statements or none. */
import { subtle } from 'node:crypto';
import { type JsonResponse, writeOnce } from '@carecover/commands';
import { type CoverageBatchInput, type CoverageBatchResult, parseInstant } from '@carecover/contract';
import { ApiError, newId } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Tx } from '@carecover/postgres';
import { runInTurns } from '@carecover/process';
import { observationResource } from '../resources';
import {
  checkNotInFuture,
  type HashedStatement,
  statementOfRecord,
  withContentHash,
} from '../rules/coverage-statement';
import { type AcceptedBatch, coverageBatchInsert } from '../store/coverage-batches';
import { lockMembers } from '../store/members';
import type { CoverageDependencies } from './create-coverage';
import { type RecordedStatement, recordStatements } from './record-statements';

/** Number of records that are hashed in one turn of the event loop: enough for about one millisecond. */
const RECORDS_PER_TURN = 25;

/**
 * Records a coverage batch. Responds 201 if one of its statements is new, 200 if all were recorded before.
 *
 * @throws ApiError validation_failed, source_version_conflict, idempotency_conflict
 */
export async function createCoverageBatch(
  { sql, hashSecret }: CoverageDependencies,
  call: Call<'createCoverageBatch'>,
): Promise<JsonResponse> {
  const { tenant } = call.caller;
  const batch = call.body;
  const artifactReference = call.headers['x-artifact-reference'];
  if (artifactReference === undefined) {
    throw new ApiError('validation_failed', '/headers/X-Artifact-Reference is required');
  }
  const statements = await runInTurns(hashedRecords(batch, artifactReference, hashSecret));
  // The digest is computed on another thread, because the request body can have 5 MiB.
  const digest = await subtle.digest('SHA-256', call.rawBody);
  const artifactSha256 = Buffer.from(digest).toString('hex');
  const generatedAt = new Date(parseInstant(batch.generated_at));
  const effect = async (tx: Tx, now: Date) => {
    checkNotInFuture(generatedAt.getTime(), now, '/generated_at');
    const contractReference = batch.source_contract_reference;
    const pointer = (index: number) => `/records/${index}/record_version`;
    const recorded = await recordStatements(tx, tenant, contractReference, statements, pointer);
    const accepted = {
      id: newId('batch_'),
      contractReference,
      reference: batch.batch_reference,
      version: batch.batch_version,
      generatedAt,
      artifactReference,
      artifactSha256,
      total: recorded.length,
      recorded: recorded.filter(({ isNew }) => isNew).length,
    };
    return {
      status: accepted.recorded > 0 ? 201 : 200,
      body: batchResult(accepted, recorded),
      resourceId: accepted.id,
      writes: [coverageBatchInsert(tx, tenant, accepted)],
    };
  };
  return writeOnce(sql, call, call.replayStatus, effect, (tx) => lockMembers(tx, tenant));
}

function* hashedRecords(batch: CoverageBatchInput, artifactReference: string, hashSecret: string) {
  const statements: HashedStatement[] = [];
  for (const [index, record] of batch.records.entries()) {
    if (index > 0 && index % RECORDS_PER_TURN === 0) yield;
    statements.push(withContentHash(statementOfRecord(batch, record, artifactReference), hashSecret));
  }
  return statements;
}

function batchResult(batch: AcceptedBatch, statements: readonly RecordedStatement[]): CoverageBatchResult {
  return {
    object: 'coverage_batch_result',
    batch_reference: batch.reference,
    artifact_sha256: batch.artifactSha256,
    total: batch.total,
    recorded: batch.recorded,
    replayed: batch.total - batch.recorded,
    observations: statements.map(({ observation }) => observationResource(observation)),
  };
}
