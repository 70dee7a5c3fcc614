/** Reads valuation runs and the claims that they count, for clients. */
import type { ValuationRun, ValuationRunClaim } from '@carecover/contract';
import {
  ApiError,
  type Call,
  type Caller,
  type ListResult,
  requireResource,
  type Sql,
} from '@carecover/platform';
import { countedClaimResource, runResource } from '../resources';
import { cutoffsOf, findRun, pageOfCountedClaims, type RunRow } from '../store/valuation-runs';
import type { ReadPayers } from './sum-receivables';

async function requireRun(sql: Sql, caller: Caller, id: string): Promise<RunRow> {
  return requireResource(caller, id, await findRun(sql, caller.tenant, id));
}

/** Reads the references of payers. Benefits does not know a payer if it was restored from an older backup than claims. */
async function referencesOf(readPayers: ReadPayers, ids: readonly (string | null)[]) {
  const known = [...new Set(ids)].filter((id) => id !== null);
  return known.length === 0 ? {} : readPayers(known);
}

/** Reads a run. @throws ApiError resource_not_found, service_unavailable */
export async function getValuationRun(
  sql: Sql,
  readPayers: ReadPayers,
  caller: Caller,
  id: string,
): Promise<ValuationRun> {
  const run = await requireRun(sql, caller, id);
  const payers = await referencesOf(readPayers, run.groups?.map((group) => group.payer_reference) ?? []);
  return runResource(run, payers);
}

/** Reads one page of the claims that a run counted. @throws ApiError resource_not_found, valuation_not_ready, validation_failed */
export async function listValuationRunClaims(
  sql: Sql,
  readPayers: ReadPayers,
  { caller, params, query }: Call<'listValuationRunClaims'>,
): Promise<ListResult<ValuationRunClaim>> {
  const run = await requireRun(sql, caller, params.valuation_run_id);
  if (run.status !== 'ready')
    throw new ApiError('valuation_not_ready', `The run has no result: its status is ${run.status}.`);
  const { starting_after } = query;
  const page = await pageOfCountedClaims(sql, caller, cutoffsOf(run), {
    limit: Number(query.limit),
    ...(starting_after === undefined ? {} : { starting_after }),
  });
  const payers = await referencesOf(
    readPayers,
    page.data.map(({ payer_id }) => payer_id),
  );
  return { ...page, data: page.data.map((claim) => countedClaimResource(claim, payers)) };
}
