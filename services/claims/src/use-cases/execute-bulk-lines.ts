/**
 * The step of a bulk job's workflow: executes a set of lines, and stores their results in one transaction.
 *
 * Failure policy: a rejected line has a result, and does not affect the others. A line that fails for another reason has none; the results of
 * the others are stored, and the step fails, so that the workflow repeats it. A line that was executed and whose result was not stored is
 * executed again under the same idempotency key, also after the job was paused or cancelled: each line is marked as started before.
 */
import { bulkJobEventData, type ClaimAdjudicationInput, referenceOfBulkLine } from '@carecover/contract';
import { ApiError, isRejection, type Tenant, unavailable } from '@carecover/domain';
import { appendEvent } from '@carecover/events';
import { atProjectTime, type Sql, type Tx } from '@carecover/postgres';
import { FairSemaphore, failpoint } from '@carecover/process';
import type { JobReport } from '@carecover/workflow-bulk-job';
import { jobResource } from '../resources';
import { keysOfLine, queuesOf } from '../rules/bulk-lines';
import {
  endJob,
  findJob,
  isAtRejectedLine,
  type JobRow,
  type LineResult,
  lockJob,
  nextLines,
  setStatus,
  startLines,
  storeResults,
  type WaitingLine,
} from '../store/bulk-jobs';
import { claimIdsOf } from '../store/claims';
import { BulkSetPermits } from './bulk-set-permits';
import type { ClaimCommandDeps } from './claim-command';
import {
  type LineOfJob,
  lineExecutors,
  type ParsedLine,
  parseBulkLine,
  type SetExecutor,
  setExecutors,
} from './execute-bulk-line';

/** What executes the lines of bulk jobs. */
export interface BulkLineDeps extends ClaimCommandDeps {
  /** Limits the lines in progress in this process, of all jobs. Projects take turns. */
  readonly lineSlots: FairSemaphore;
  /** Maximum number of lines of one job in progress. */
  readonly linesAtOnce: number;
  /** Limits the steps in progress in this process. */
  readonly setPermits: BulkSetPermits;
}

/** Maximum number of steps in progress per process: half of the slots for local activities, so that claims are reviewed beside them. */
const MAX_SETS = 32;

/** Creates the limits of the lines in progress in a process. A line that waits longer for its turn is executed by a later set. */
export function bulkLineLimits(
  linesAtOnce: number,
): Pick<BulkLineDeps, 'lineSlots' | 'linesAtOnce' | 'setPermits'> {
  const lineSlots = new FairSemaphore({
    permits: linesAtOnce,
    maxWaiting: 10_000,
    maxWaitingPerQueue: 1_000,
    waitMs: 20_000,
    rejection: () => unavailable('Capacity for bulk jobs'),
  });
  // Twice the lines, so that sets that read or store their lines leave no slot unused.
  const setPermits = new BulkSetPermits(Math.min(2 * linesAtOnce, MAX_SETS));
  return { lineSlots, linesAtOnce, setPermits };
}

/** Maximum number of lines of a set, and the time in milliseconds after which no further line of a set is started. */
const SET = { lines: 100, timeMs: 5_000 };

interface JobOfTenant {
  readonly tenant: Tenant;
  readonly resourceId: string;
}

const NOTHING: Awaited<ReturnType<typeof executeSet>> = { results: [], failure: null };

/**
 * Executes the next lines of a job, or ends it. Does nothing, and reports `later`, if this process executes enough sets already.
 *
 * @throws the error of a line that has no result
 */
export async function executeBulkLines(deps: BulkLineDeps, job: JobOfTenant): Promise<JobReport> {
  const { setPermits } = deps;
  if (!setPermits.tryAcquire(job.tenant))
    return { next: 'later', words: 'Waits for other jobs', interrupted: [] };
  try {
    return await executeNextSet(deps, job);
  } finally {
    setPermits.release(job.tenant);
  }
}

async function executeNextSet(
  deps: BulkLineDeps,
  { tenant, resourceId: id }: JobOfTenant,
): Promise<JobReport> {
  const { sql } = deps;
  const job = await startJob(sql, tenant, id);
  if (job === null || job.completed_at !== null) return reportOf(job, 'ended');
  const lines = await nextLines(sql, job, SET.lines);
  if (job.status === 'paused' && lines.length === 0) return reportOf(job, 'paused');
  const executed = lines.length === 0 ? NOTHING : await executeSet(deps, job, lines);
  failpoint('bulk.executed');
  const storeAndEnd = async (tx: Tx) => {
    const locked = await lockJob(tx, tenant, id);
    if (locked === null || locked.completed_at !== null) return locked;
    if (executed.results.length > 0) await storeResults(tx, tenant, id, executed.results);
    if (job.on_error === 'stop' && locked.status !== 'cancelled' && (await isAtRejectedLine(tx, tenant, id)))
      return end(tx, locked, 'stopped');
    // A job whose status changed meanwhile can have lines that were started.
    const isDone = lines.length === 0 && locked.status === job.status;
    if (isDone) return end(tx, locked, job.status === 'cancelled' ? 'cancelled' : 'completed');
    return findJob(tx, tenant, id);
  };
  // The job ends once.
  const after = await atProjectTime(sql, tenant, () => sql.begin(storeAndEnd), null, `${id}/end`);
  if (executed.failure !== null) throw executed.failure;
  return reportOf(after, after === null || after.completed_at !== null ? 'ended' : 'more lines');
}

/** Makes a pending job a running one. Returns the job; null if there is none. */
async function startJob(sql: Sql, tenant: Tenant, id: string): Promise<JobRow | null> {
  return sql.begin(async (tx) => {
    const job = await lockJob(tx, tenant, id);
    return job?.status === 'pending' ? setStatus(tx, tenant, id, 'running') : job;
  });
}

/** Ends a locked job, and appends its event. */
async function end(tx: Tx, { project_id: tenant, id }: JobRow, status: JobRow['status']): Promise<JobRow> {
  const job = await endJob(tx, tenant, id, status);
  await appendEvent(tx, {
    tenant,
    environment: job.environment,
    type: 'bulk_job.completed',
    resourceId: id,
    resourceVersion: 1,
    createdAt: job.completed_at ?? job.created_at,
    data: bulkJobEventData(jobResource(job)),
  });
  return job;
}

/** A line of a set, parsed. */
interface Work {
  readonly waiting: WaitingLine;
  readonly work: LineOfJob;
}

/** The execution of a set of lines: those of the same claim in their order. */
class SetExecution {
  readonly results: LineResult[] = [];
  /** The error of a line that has no result; null if there is none. */
  failure: unknown = null;
  /** When no further line is started, in milliseconds of `performance.now()`: counted from the first slot, because a set can wait long for it. */
  private untilMs = Number.POSITIVE_INFINITY;
  /** Whether the job was paused or cancelled, so that no further line is started. */
  private isEnded = false;

  constructor(
    private readonly deps: BulkLineDeps,
    private readonly job: JobRow,
  ) {}

  /** Executes lines. A job that stops executes them one after the other, up to the first rejected one. */
  async run(lines: readonly WaitingLine[]): Promise<void> {
    const works = await this.parse(lines);
    if (this.job.on_error === 'stop') {
      await this.inSequence(works);
      return;
    }
    const queues = queuesOf(works, ({ work }) => keysOfLine(this.job.kind, work.line, work.claimId));
    const executeTogether = this.job.dry_run ? undefined : setExecutors[this.job.kind];
    if (executeTogether === undefined) await this.concurrently(queues);
    else await this.inSets(queues, executeTogether);
  }

  private get isOver(): boolean {
    return this.failure !== null || this.isEnded || performance.now() > this.untilMs;
  }

  private async parse(lines: readonly WaitingLine[]): Promise<Work[]> {
    const { kind, caller, dry_run: isDryRun, on_error } = this.job;
    const parsed: { readonly waiting: WaitingLine; readonly line: ParsedLine }[] = [];
    for (const waiting of lines) {
      try {
        parsed.push({ waiting, line: await parseBulkLine(kind, waiting, caller) });
      } catch (error) {
        if (!isRejection(error)) throw error;
        this.results.push(rejectedResult(waiting, error));
        if (on_error === 'stop') break;
      }
    }
    const claimIds = await claimsOf(
      this.deps.sql,
      this.job,
      parsed.map(({ line }) => line),
    );
    return parsed.map(({ waiting, line }) => ({
      waiting,
      work: { line, caller, isDryRun, claimId: claimIds.get(line.line) ?? null },
    }));
  }

  /** Executes lines one after the other. Returns whether all were executed, none with a rejection. */
  private async inSequence(works: readonly Work[]): Promise<boolean> {
    for (const work of works) {
      if (this.isOver) return false;
      const isSuccessful = await this.execute(work);
      if (!isSuccessful && this.job.on_error === 'stop') return false;
    }
    return true;
  }

  private async concurrently(queues: readonly (readonly Work[])[]): Promise<void> {
    const waiting = [...queues];
    const worker = async () => {
      for (let queue = waiting.shift(); queue !== undefined && !this.isOver; queue = waiting.shift())
        await this.inSequence(queue);
    };
    await Promise.all(Array.from({ length: this.deps.linesAtOnce }, worker));
  }

  /** Executes the first lines of all queues together, then the second ones, and so on. What the set leaves is executed alone. */
  private async inSets(queues: readonly (readonly Work[])[], executeTogether: SetExecutor): Promise<void> {
    const longest = Math.max(0, ...queues.map(({ length }) => length));
    for (let at = 0; at < longest && !this.isOver; at++) {
      const works = queues.flatMap((queue) => queue[at] ?? []);
      const outcomes = await this.withSlot('lines from', works, () =>
        executeTogether(
          this.deps,
          works.map(({ work }) => work),
        ),
      );
      if (outcomes === null) return;
      const left: Work[][] = [];
      for (const [index, work] of works.entries()) {
        const outcome = outcomes[index] ?? null;
        if (outcome === null) left.push([work]);
        else if (outcome instanceof ApiError) this.results.push(rejectedResult(work.waiting, outcome));
        else this.results.push(succeededResult(work, outcome.resourceId));
      }
      await this.concurrently(left);
    }
  }

  /** Executes a line. Returns whether it succeeded. */
  private async execute(work: Work): Promise<boolean> {
    const outcome = await this.withSlot('line', [work], async () => {
      try {
        return { resourceId: await lineExecutors[this.job.kind](this.deps, work.work) };
      } catch (error) {
        if (isRejection(error)) return error;
        throw error;
      }
    });
    if (outcome === null) return false;
    const isRejected = outcome instanceof ApiError;
    this.results.push(
      isRejected ? rejectedResult(work.waiting, outcome) : succeededResult(work, outcome.resourceId),
    );
    return !isRejected;
  }

  /** Starts lines with a slot. Returns null if they fail, and then keeps the error, or if no further line is started. */
  private async withSlot<T>(
    what: 'line' | 'lines from',
    works: readonly Work[],
    run: () => Promise<T>,
  ): Promise<T | null> {
    const { lineSlots } = this.deps;
    try {
      await lineSlots.acquire(this.job.project_id);
      try {
        if (this.untilMs === Number.POSITIVE_INFINITY) this.untilMs = performance.now() + SET.timeMs;
        await this.start(works);
        return this.isEnded ? null : await this.inIdScope(what, works, run);
      } finally {
        lineSlots.release();
      }
    } catch (error) {
      this.failure = error;
      return null;
    }
  }

  /**
   * Runs work on lines of a project with simulated time, so that the IDs have the order of the lines, and follow from the seed if it has one. If a
   * line was started before, they are random.
   */
  private inIdScope<T>(
    what: 'line' | 'lines from',
    works: readonly Work[],
    run: () => Promise<T>,
  ): Promise<T> {
    const { project_id: tenant, id } = this.job;
    const isFirst = works.every(({ waiting }) => !waiting.is_started);
    const scope = `${works[0]?.waiting.line}:${id}/${what}`;
    return isFirst ? atProjectTime(this.deps.sql, tenant, run, null, scope) : run();
  }

  /** Marks lines as started, before they can have an effect. A dry run has none. */
  private async start(works: readonly Work[]): Promise<void> {
    const { project_id: tenant, id, dry_run: isDryRun } = this.job;
    const lines = works.flatMap(({ waiting: { line, is_started } }) => (is_started ? [] : [line]));
    if (isDryRun || lines.length === 0) return;
    const areStarted = await startLines(this.deps.sql, tenant, id, lines);
    if (!areStarted) this.isEnded = true;
  }
}

/** Executes a set of lines. */
async function executeSet(deps: BulkLineDeps, job: JobRow, lines: readonly WaitingLine[]) {
  const execution = new SetExecution(deps, job);
  await execution.run(lines);
  const { results, failure } = execution;
  return { results: job.on_error === 'stop' ? untilRejected(lines, results) : results, failure };
}

/** Returns the results of the first lines that have one, without a gap, up to the first rejected line. */
function untilRejected(lines: readonly WaitingLine[], results: readonly LineResult[]): LineResult[] {
  const byLine = new Map(results.map((result) => [result.line, result]));
  const first: LineResult[] = [];
  for (const { line } of lines) {
    const result = byLine.get(line);
    if (result === undefined) break;
    first.push(result);
    if (result.status === 'rejected') break;
  }
  return first;
}

/** Finds the claims that the lines of adjudications name, by the number of the line. */
async function claimsOf(
  sql: Sql,
  { project_id: tenant, kind }: JobRow,
  lines: readonly ParsedLine[],
): Promise<ReadonlyMap<number, string>> {
  if (kind !== 'adjudications') return new Map();
  const named = lines.map(({ line, body }) => ({ line, ...(body as ClaimAdjudicationInput) }));
  const references = named.flatMap(({ provider_claim_reference: reference }) => reference ?? []);
  const ids = references.length === 0 ? new Map<string, string>() : await claimIdsOf(sql, tenant, references);
  return new Map(
    named.flatMap(({ line, claim_id, provider_claim_reference: reference = '' }) => {
      const id = claim_id ?? ids.get(reference);
      return id === undefined ? [] : [[line, id] as const];
    }),
  );
}

function succeededResult({ waiting, work }: Work, resourceId: string | null): LineResult {
  return {
    line: waiting.line,
    status: waiting.is_repeated ? 'replayed' : 'succeeded',
    reference: referenceOfBulkLine(work.line.body),
    resource_id: resourceId,
    error_code: null,
    error_message: null,
  };
}

function rejectedResult({ line, content }: WaitingLine, { code, message }: ApiError): LineResult {
  const reference = referenceOfText(content);
  return { line, status: 'rejected', reference, resource_id: null, error_code: code, error_message: message };
}

function referenceOfText(content: string): string | null {
  try {
    return referenceOfBulkLine(JSON.parse(content));
  } catch {
    // The result says that the line is no JSON.
    return null;
  }
}

function reportOf(job: JobRow | null, next: JobReport['next']): JobReport {
  if (job === null) return { next, words: 'The job does not exist', interrupted: [] };
  const { status, total, succeeded, replayed, rejected } = job;
  const done = succeeded + replayed + rejected;
  return { next, words: `${status}: ${done} of ${total} lines, ${rejected} rejected`, interrupted: [] };
}
