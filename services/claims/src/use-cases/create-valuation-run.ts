/** Creates a valuation run in one database transaction, and then starts its workflow. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { PENDING_RUN_LIMIT, parseInstant, type ValuationRunInput } from '@carecover/contract';
import { ApiError, type Caller, isSimulated, newId, type OwnedResource } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { type Db, type Sql, writeTogether } from '@carecover/postgres';
import { runResource } from '../resources';
import { millisecondsAhead } from '../rules/valuation';
import { portfolioHorizonOf } from '../store/closed-through';
import { hasPendingRuns, type RunRow, runInsert } from '../store/valuation-runs';

/**
 * Creates a pending run.
 *
 * @param startWorkflow starts the run's workflow without waiting for Temporal
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds in the future and sums were never returned for this or a later
 *   cutoff; invalid_state if the project has the maximum number of pending runs; idempotency_conflict
 */
export async function createValuationRun(
  sql: Sql,
  startWorkflow: (run: OwnedResource) => void,
  call: Call<'createValuationRun'>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const { tenant, environment } = caller;
  let created: OwnedResource | null = null;
  const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
    const row = await newRun(tx, { tenant, environment }, body);
    if (await hasPendingRuns(tx, tenant, PENDING_RUN_LIMIT))
      throw new ApiError(
        'invalid_state',
        `The project has ${PENDING_RUN_LIMIT} pending valuation runs, the maximum. Wait until one has ended.`,
      );
    created = { id: row.id, tenant, environment };
    return { status: 201, body: runResource(row, {}), resourceId: row.id, writes: [runInsert(tx, row)] };
  });
  if (created !== null) startWorkflow(created);
  return reply;
}

/**
 * Creates a pending run for an operator, like {@link createValuationRun} but without an idempotency key and whatever the number of pending
 * runs. A sweep starts its workflow. Returns the run's ID. @throws ApiError validation_failed
 */
export async function createPendingRun(
  sql: Sql,
  owner: Pick<Caller, 'tenant' | 'environment'>,
  body: ValuationRunInput,
): Promise<string> {
  return sql.begin(async (tx) => {
    const row = await newRun(tx, owner, body);
    await writeTogether(tx, [runInsert(tx, row)]);
    return row.id;
  });
}

async function newRun(
  db: Db,
  { tenant, environment }: Pick<Caller, 'tenant' | 'environment'>,
  body: ValuationRunInput,
): Promise<RunRow> {
  const { through, now } = await portfolioHorizonOf(db, tenant);
  const valuationAt = parseInstant(body.valuation_at);
  if (through === null || valuationAt > through) {
    millisecondsAhead(valuationAt, now, '/valuation_at', isSimulated(tenant));
  }
  return {
    id: newId('vrun_'),
    project_id: tenant,
    environment,
    valuation_at: new Date(valuationAt),
    effective_through: new Date(parseInstant(body.effective_through ?? body.valuation_at)),
    kind: body.kind,
    group_by: body.group_by ?? [],
    development: body.development ?? null,
    status: 'pending',
    progress: 0,
    failure: null,
    claims_counted: null,
    totals: null,
    groups: null,
    triangle: null,
    result_sha256: null,
    created_at: new Date(now),
    completed_at: null,
  };
}
