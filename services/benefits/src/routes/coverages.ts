/** POST /coverages, POST /coverage_batches and GET /coverages/{coverage_id}: payers' statements about coverages. */
import { subtle } from 'node:crypto';
import { type CoverageBatchInput, type CoverageBatchResult, parseInstant } from '@carecover/contract';
import {
  ApiError,
  type Handlers,
  newId,
  requireResource,
  runInTurns,
  type Sql,
  type Tx,
  writeOnce,
} from '@carecover/platform';
import { type CoverageStatement, contentHash, statementOf, statementOfRecord } from '../rules/statement';
import { lockMembers } from '../store/erasure';
import {
  type HashedStatement,
  latestObservation,
  observationResource,
  type RecordedStatement,
  recordStatements,
  SourceVersionConflict,
} from '../store/observations';

export interface CoverageDependencies {
  readonly sql: Sql;
  readonly hashSecret: string;
}

/** Number of a batch's records that are hashed per turn of the event loop, which takes about one millisecond. */
const RECORDS_PER_TURN = 25;

export function coverageHandlers({
  sql,
  hashSecret,
}: CoverageDependencies): Pick<Handlers, 'createCoverage' | 'createCoverageBatch' | 'getCoverage'> {
  const hashed = (statement: CoverageStatement) => ({
    ...statement,
    contentHash: contentHash(statement, hashSecret),
  });

  function* hashedRecords(batch: CoverageBatchInput, artifactReference: string) {
    const statements: HashedStatement[] = [];
    for (const [index, record] of batch.records.entries()) {
      if (index > 0 && index % RECORDS_PER_TURN === 0) yield;
      statements.push(hashed(statementOfRecord(batch, record, artifactReference)));
    }
    return statements;
  }

  return {
    async createCoverage(call) {
      const statement = statementOf(call.body);
      return writeOnce(sql, call, call.replayStatus, async (tx) => {
        rejectFuture(await lockMembers(tx, call.caller.tenant), statement.observedAtMs, '/observed_at');
        const [recorded] = await recordStatements(tx, call.caller.tenant, statement.contractReference, [
          hashed(statement),
        ]).catch(conflictAt(() => '/source_version'));
        if (recorded === undefined) throw new Error('a statement was not recorded');
        const { observation, isNew } = recorded;
        return {
          status: isNew ? 201 : 200,
          body: observationResource(observation),
          resourceId: observation.id,
        };
      });
    },

    async createCoverageBatch(call) {
      const artifactReference = call.headers['x-artifact-reference'];
      if (artifactReference === undefined) {
        throw new ApiError('validation_failed', '/headers/X-Artifact-Reference is required');
      }
      const statements = await runInTurns(hashedRecords(call.body, artifactReference));
      // Computed on another thread: the artifact can have 5 MiB.
      const digest = await subtle.digest('SHA-256', call.rawBody);
      const artifactSha256 = Buffer.from(digest).toString('hex');
      return writeOnce(sql, call, call.replayStatus, async (tx) => {
        const now = await lockMembers(tx, call.caller.tenant);
        rejectFuture(now, parseInstant(call.body.generated_at), '/generated_at');
        const recorded = await recordStatements(
          tx,
          call.caller.tenant,
          call.body.source_contract_reference,
          statements,
        ).catch(conflictAt((index) => `/records/${index}/record_version`));
        const id = newId('batch_');
        const count = recorded.filter(({ isNew }) => isNew).length;
        const artifact = { reference: artifactReference, sha256: artifactSha256 };
        await insertBatch(tx, {
          id,
          tenant: call.caller.tenant,
          batch: call.body,
          artifact,
          recorded: count,
        });
        const body = batchResult(call.body.batch_reference, artifactSha256, recorded);
        return { status: count > 0 ? 201 : 200, body, resourceId: id };
      });
    },

    async getCoverage(call) {
      const { coverage_id } = call.params;
      const latest = await latestObservation(sql, call.caller.tenant, coverage_id);
      return { status: 200, body: observationResource(requireResource(call.caller, coverage_id, latest)) };
    },
  };
}

/** Called only for a new command: a repetition has its stored response, even if the clock stepped back. */
function rejectFuture(now: Date, instantMs: number, pointer: string): void {
  if (instantMs > now.getTime()) {
    throw new ApiError(
      'validation_failed',
      `${pointer} must not be in the future: the current time is ${now.toISOString()}`,
    );
  }
}

function conflictAt(pointer: (index: number) => string) {
  return (error: unknown): never => {
    if (!(error instanceof SourceVersionConflict)) throw error;
    throw new ApiError(
      'source_version_conflict',
      `${pointer(error.index)} was already recorded with different content. Send a new version.`,
    );
  };
}

interface AcceptedBatch {
  readonly id: string;
  readonly tenant: string;
  readonly batch: {
    readonly source_contract_reference: string;
    readonly batch_reference: string;
    readonly batch_version: string;
    readonly generated_at: string;
    readonly records: readonly unknown[];
  };
  readonly artifact: { readonly reference: string; readonly sha256: string };
  readonly recorded: number;
}

async function insertBatch(tx: Tx, { id, tenant, batch, artifact, recorded }: AcceptedBatch): Promise<void> {
  await tx`
    insert into coverage_batches (id, project_id, source_contract_reference, batch_reference, batch_version, generated_at,
      artifact_reference, artifact_sha256, total, recorded, recorded_at)
    values (${id}, ${tenant}, ${batch.source_contract_reference}, ${batch.batch_reference}, ${batch.batch_version},
      ${new Date(parseInstant(batch.generated_at))}, ${artifact.reference}, ${artifact.sha256}, ${batch.records.length},
      ${recorded}, platform.now())`;
}

function batchResult(
  batchReference: string,
  artifactSha256: string,
  recorded: readonly RecordedStatement[],
): CoverageBatchResult {
  const isNew = recorded.filter((statement) => statement.isNew).length;
  return {
    object: 'coverage_batch_result',
    batch_reference: batchReference,
    artifact_sha256: artifactSha256,
    total: recorded.length,
    recorded: isNew,
    replayed: recorded.length - isNew,
    observations: recorded.map(({ observation }) => observationResource(observation)),
  };
}
