/** Reads valuation runs and the claims that they count, for clients. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  PAGE_SIZE,
  type ValuationDimension,
  type ValuationRun,
  type ValuationRunClaim,
  valuationDimensions,
} from '@carecover/contract';
import { ApiError, type Caller, requireResource } from '@carecover/domain';
import type { Call, FileResponse } from '@carecover/http';
import type { ListResult, Sql } from '@carecover/postgres';
import { computeAtCost } from '@carecover/telemetry';
import { LRUCache } from 'lru-cache';
import { countedClaimResource, runResource } from '../resources';
import { CSV_HEADER, claimCsv, claimLine } from '../rules/claim-files';
import {
  allCountedClaims,
  cutoffsOf,
  findRun,
  findRunSummary,
  pageOfCountedClaims,
  type RunRow,
  type RunSummaryRow,
} from '../store/valuation-runs';
import { claimsParquet } from './claim-parquet';
import type { ReadPayers } from './sum-receivables';

async function requireRun(sql: Sql, caller: Caller, id: string): Promise<RunRow> {
  return requireResource(caller, id, await findRun(sql, caller.tenant, id));
}

async function requireSummary(sql: Sql, caller: Caller, id: string): Promise<RunSummaryRow> {
  return requireResource(caller, id, await findRunSummary(sql, caller.tenant, id));
}

async function requireReadyRun(sql: Sql, caller: Caller, id: string): Promise<RunSummaryRow> {
  const run = await requireSummary(sql, caller, id);
  if (run.status !== 'ready')
    throw new ApiError('valuation_not_ready', `The run has no result: its status is ${run.status}.`);
  return run;
}

/**
 * Reads the references of payers by their surrogates. A payer is missing in the result if benefits does not know it, because benefits was
 * restored from an older backup than claims.
 */
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

/** The maximum number of characters of all kept answers: about twenty of the largest ones. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

/**
 * The JSON of runs that are ready, by the ID of the run: their results never change, and reading 5,000 groups and writing them as JSON takes
 * tens of milliseconds.
 */
export type RunAnswers = LRUCache<string, string>;

export function createRunAnswers(): RunAnswers {
  return new LRUCache({ maxSize: KEPT_CHARACTERS, sizeCalculation: ({ length }) => length });
}

/** Returns the JSON of a run, which is kept if the run is ready. @throws ApiError resource_not_found, service_unavailable */
export async function answerValuationRun(
  sql: Sql,
  answers: RunAnswers,
  readPayers: ReadPayers,
  caller: Caller,
  id: string,
): Promise<string> {
  const { id: runId } = await requireSummary(sql, caller, id);
  const kept = answers.get(runId);
  if (kept !== undefined) return kept;
  const run = await requireRun(sql, caller, id);
  const ids = run.groups?.map((group) => group.payer_reference) ?? [];
  const payers: Record<string, string> = await referencesOf(readPayers, ids);
  const answer = computeAtCost(() => JSON.stringify(runResource(run, payers)));
  // The answer is not kept while benefits knows no reference of a payer, because a restore of benefits can bring it back.
  const isFinal =
    run.status === 'ready' && ids.every((payer) => payer === null || payers[payer] !== undefined);
  if (isFinal) answers.set(runId, answer);
  return answer;
}

/** Reads one page of the claims that a run counted. @throws ApiError resource_not_found, valuation_not_ready, validation_failed */
export async function listValuationRunClaims(
  sql: Sql,
  readPayers: ReadPayers,
  { caller, params, query }: Call<'listValuationRunClaims'>,
): Promise<ListResult<ValuationRunClaim>> {
  const run = await requireReadyRun(sql, caller, params.valuation_run_id);
  const { starting_after } = query;
  const page = await pageOfCountedClaims(sql, caller, cutoffsOf(run), {
    limit: Number(query.limit ?? PAGE_SIZE.default),
    ...(starting_after === undefined ? {} : { starting_after }),
  });
  const payers = await referencesOf(
    readPayers,
    page.data.map(({ payer_id }) => payer_id),
  );
  return { ...page, data: page.data.map((claim) => countedClaimResource(claim, payers)) };
}

type Pages = AsyncIterable<readonly ValuationRunClaim[]>;

/** How many times as long as a part of a file takes to make the next one is delayed, so that a file uses at most a third of a processor. */
const PAUSE_PER_WORK = 2;

/** Yields the parts of a file, each after a pause in proportion to the work for the part before it, so that other requests are not delayed. */
async function* withPauses<T>(parts: AsyncIterable<T>): AsyncGenerator<T> {
  let startedMs = performance.now();
  for await (const part of parts) {
    const workMs = performance.now() - startedMs;
    yield part;
    await sleep(PAUSE_PER_WORK * workMs);
    startedMs = performance.now();
  }
}

async function* textFile(
  header: string,
  pages: Pages,
  toText: (claim: ValuationRunClaim) => string,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  for await (const page of pages) if (page.length > 0) yield page.map(toText).join('');
}

const FILES: Readonly<Record<string, (pages: Pages) => AsyncIterable<string | Buffer>>> = {
  'text/csv': (pages) => textFile(CSV_HEADER, pages, claimCsv),
  'application/x-ndjson': (pages) => textFile('', pages, claimLine),
  'application/vnd.apache.parquet': claimsParquet,
};

/** Reads all claims that a run counted as API resources, in pages. The reference of each payer is read from benefits only once. */
async function* countedResources(
  sql: Sql,
  readPayers: ReadPayers,
  caller: Caller,
  run: RunSummaryRow,
): AsyncGenerator<ValuationRunClaim[]> {
  const references: Record<string, string> = {};
  for await (const claims of allCountedClaims(sql, caller, cutoffsOf(run))) {
    const unknown = claims.map(({ payer_id }) => payer_id).filter((id) => references[id] === undefined);
    // If benefits has no reference of a payer, the payer's surrogate is used, and benefits is not called for this payer again.
    for (const id of unknown) references[id] = id;
    Object.assign(references, await referencesOf(readPayers, unknown));
    yield claims.map((claim) => countedClaimResource(claim, references));
  }
}

/**
 * Returns the file of all claims that a run counted, in the given media type. The claims are read while the file is sent. Returns null if
 * there is no file in this media type.
 *
 * @throws ApiError resource_not_found, valuation_not_ready, validation_failed
 */
export async function openValuationRunFile(
  sql: Sql,
  readPayers: ReadPayers,
  { caller, params, query }: Call<'listValuationRunClaims'>,
  mediaType: string | undefined,
): Promise<FileResponse | null> {
  const create = mediaType === undefined ? undefined : FILES[mediaType];
  if (mediaType === undefined || create === undefined) return null;
  const [parameter] = Object.keys(query);
  if (parameter !== undefined)
    throw new ApiError(
      'validation_failed',
      `/query/${parameter} must be absent, because a file has no pages.`,
    );
  const run = await requireReadyRun(sql, caller, params.valuation_run_id);
  const bytes = create(countedResources(sql, readPayers, caller, run));
  return { status: 200, mediaType, stream: Readable.from(withPauses(bytes), { objectMode: false }) };
}

/** What the claims of a group of a run, or of a row of its triangle, have in common. */
export interface RunGroup {
  readonly currency: string;
  /** The values of the dimensions; a dimension that is absent can have any value. */
  readonly values: Readonly<Partial<Record<ValuationDimension, string>>>;
  /** The first and the last month of the services, `YYYY-MM`; null: all months. */
  readonly service: readonly [first: string, last: string] | null;
}

/** The maximum number of claims of {@link listGroupClaims}. */
const GROUP_CLAIMS = 200;

/**
 * Returns the claims that a group of a run consists of, newest first, at most {@link GROUP_CLAIMS}. Reads the claims of the run until there are
 * as many: 100,000 claims take about two seconds.
 *
 * @throws ApiError resource_not_found, valuation_not_ready, service_unavailable
 */
export async function listGroupClaims(
  sql: Sql,
  readPayers: ReadPayers,
  caller: Caller,
  id: string,
  { currency, values, service }: RunGroup,
): Promise<{ readonly data: readonly ValuationRunClaim[]; readonly has_more: boolean }> {
  const run = await requireReadyRun(sql, caller, id);
  const isInGroup = (claim: ValuationRunClaim) =>
    claim.currency === currency &&
    valuationDimensions.every((name) => values[name] === undefined || values[name] === claim[name]) &&
    (service === null || (service[0] <= claim.service_month && claim.service_month <= service[1]));
  const found: ValuationRunClaim[] = [];
  for await (const claims of countedResources(sql, readPayers, caller, run)) {
    found.push(...claims.filter(isInGroup));
    if (found.length > GROUP_CLAIMS) break;
  }
  return { data: found.slice(0, GROUP_CLAIMS), has_more: found.length > GROUP_CLAIMS };
}
