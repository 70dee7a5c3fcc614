/**
 * Sends signals to workflows, in the background, when another request changed their resource. The transaction of the change enqueues the
 * resource. After the commit, a loop signals the workflows in limited batches; no command waits for the signals.
 *
 * Failure policy: a row stays in the table until its workflow was signalled. If the process that leased a row ends, another process takes
 * the row after the lease. While Temporal is unavailable, rows wait without a lease. A rejected signal is repeated after a pause as long as
 * the row's age, but at least {@link SHORTEST_PAUSE_S} and at most {@link LONGEST_PAUSE_S} seconds.
 */
import { ServiceError } from '@temporalio/client';
import { startLoop } from './background-loop';
import { interruptibleSleep, WakeUpSignal } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import { jsonb, type Sql, type Tx } from './postgres';
import type { SignalledWorkflow } from './resource-workflow';
import type { TemporalCommands } from './temporal';
import type { OwnedResource } from './tenant';

const AT_ONCE = 4;
const LEASE_S = 15;
const INTERVAL_MS = 5_000;
/** The shortest and the longest pause before a rejected signal is repeated, in seconds. */
const SHORTEST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 300;
/** Minimum time in milliseconds between two log lines about rejected signals. */
const REPORT_MS = 60_000;
/** A row that waits for longer than this, in seconds, is late: the loop then makes no pauses, so that rows cannot accumulate. */
const LATE_S = 60;

interface ReviewRow extends OwnedResource {
  readonly generation: number;
  readonly is_late: boolean;
}

/**
 * Enqueues resources whose workflows must read the facts again. Call it in the transaction that changes them. Rows are locked in the
 * order of their IDs, by inserts and by deletions, so that the two cannot deadlock.
 */
export async function enqueueReviews(tx: Tx, resources: readonly OwnedResource[]): Promise<void> {
  if (resources.length === 0) return;
  const rows = resources.map(({ id, tenant, environment }) => ({ id, tenant, environment }));
  await tx`
    insert into workflow_reviews (resource_id, project_id, environment)
    select id, tenant, environment from jsonb_to_recordset(${jsonb(rows)}) as r (id text, tenant text, environment text)
    order by id
    on conflict (resource_id) do update set generation = workflow_reviews.generation + 1, leased_until = null`;
}

export interface ReviewedWorkflows {
  readonly workflow: SignalledWorkflow;
  /** The maximum number of signals in a batch. */
  readonly batch: number;
  /**
   * The pause in milliseconds after a batch without late rows. During the pause Temporal executes commands, which are more urgent than
   * these signals.
   */
  readonly pauseMs: number;
  /** Returns the IDs of the given resources that are not in a final status. The workflow of such a resource is started if none runs. */
  readonly findWaiting: (sql: Sql, resources: readonly OwnedResource[]) => Promise<readonly string[]>;
}

/**
 * The outcome of signalling one batch of rows. `more`: there may be further rows; `late`: the same, and a row of the batch was late;
 * `empty`: there were no rows; `unavailable`: Temporal is unavailable.
 */
export type BatchOutcome = 'more' | 'late' | 'empty' | 'unavailable';

export class WorkflowReviews {
  private readonly wakeUpSignal = new WakeUpSignal();
  /** Number of signals that Temporal rejected since the last log line, by reason. */
  private readonly rejected = new Map<string, number>();
  private reportedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly sql: Sql,
    private readonly temporal: Pick<TemporalCommands, 'signalReview' | 'signalRunning'>,
    private readonly log: Log,
    private readonly reviewed: ReviewedWorkflows,
  ) {}

  /** Ends the pause of the signalling loop. Call it after the commit of a transaction that enqueued resources. */
  notify(): void {
    this.wakeUpSignal.send();
  }

  /** Starts the loop that signals workflows. The loop also polls every few seconds, to find rows that other processes enqueued. */
  start(): Stoppable {
    const loop = startLoop({ name: 'the signalling of workflows', log: this.log }, async (stopping) => {
      const outcome = await this.signalBatch();
      if (outcome === 'more') await interruptibleSleep(this.reviewed.pauseMs, stopping);
      if (outcome === 'empty' && !stopping.aborted) await this.wakeUpSignal.wait(INTERVAL_MS);
      // While Temporal is unavailable, the loop waits for the whole pause, even if rows are enqueued during it.
      if (outcome === 'unavailable') await interruptibleSleep(INTERVAL_MS, stopping);
    });
    return {
      stop: async () => {
        const stopped = loop.stop();
        this.wakeUpSignal.send();
        await stopped;
      },
    };
  }

  /** Signals the workflows of one batch of enqueued resources. */
  async signalBatch(): Promise<BatchOutcome> {
    const rows = await this.lease();
    if (rows.length === 0) return 'empty';
    const waiting = new Set(await this.reviewed.findWaiting(this.sql, rows));
    const signalled: ReviewRow[] = [];
    const rejected: ReviewRow[] = [];
    const queue = [...rows];
    let isUnavailable = false;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let row = queue.shift(); row !== undefined && !isUnavailable; row = queue.shift()) {
          try {
            if (await this.signal(row, waiting.has(row.id))) signalled.push(row);
            else isUnavailable = true;
          } catch (error) {
            rejected.push(row);
            this.noteRejection(error);
          }
        }
      }),
    );
    await this.remove(signalled);
    await this.postpone(rejected);
    if (rejected.length > 0) this.reportRejections(rejected);
    if (!isUnavailable) return signalled.some((row) => row.is_late) ? 'late' : 'more';
    const done = new Set([...signalled, ...rejected]);
    await this.release(rows.filter((row) => !done.has(row)));
    return 'unavailable';
  }

  private signal({ id, tenant, environment }: ReviewRow, isWaiting: boolean): Promise<boolean> {
    const { workflow } = this.reviewed;
    return isWaiting
      ? this.temporal.signalReview(workflow, { id, tenant, environment })
      : this.temporal.signalRunning(workflow, id);
  }

  private noteRejection(error: unknown): void {
    const reason = String(error instanceof ServiceError ? error.cause : error);
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }

  private reportRejections(rows: readonly ReviewRow[]): void {
    if (performance.now() - this.reportedMs < REPORT_MS) return;
    this.reportedMs = performance.now();
    const reasons = Object.fromEntries(this.rejected);
    this.rejected.clear();
    this.log.warn(
      { reasons, resource: rows[0]?.id },
      'Temporal rejects signals to workflows: they are repeated later',
    );
  }

  private async lease(): Promise<ReviewRow[]> {
    const rows = await this.sql<ReviewRow[]>`
      update workflow_reviews set leased_until = clock_timestamp() + ${LEASE_S} * interval '1 second'
      where resource_id in (
        select resource_id from workflow_reviews
        where leased_until is null or leased_until < clock_timestamp()
        order by requested_at limit ${this.reviewed.batch} for update skip locked)
      returning resource_id as id, project_id as tenant, environment, generation,
        requested_at < platform.now() - ${LATE_S} * interval '1 second' as is_late`;
    return [...rows];
  }

  /** Selects and locks the leased rows whose resources were not enqueued a second time since the lease. */
  private unchanged(rows: readonly ReviewRow[]) {
    const leased = rows.map(({ id, generation }) => ({ id, generation }));
    return this.sql`
      select w.resource_id from workflow_reviews w
      join jsonb_to_recordset(${jsonb(leased)}) as l (id text, generation integer)
        on w.resource_id = l.id and w.generation = l.generation
      order by w.resource_id for update of w skip locked`;
  }

  private async remove(rows: readonly ReviewRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.sql`delete from workflow_reviews where resource_id in (${this.unchanged(rows)})`;
  }

  private async release(rows: readonly ReviewRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this
      .sql`update workflow_reviews set leased_until = null where resource_id in (${this.unchanged(rows)})`;
  }

  private async postpone(rows: readonly ReviewRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.sql`
      update workflow_reviews
      set leased_until = clock_timestamp() + least(
        greatest(platform.now() - requested_at, ${SHORTEST_PAUSE_S} * interval '1 second'),
        ${LONGEST_PAUSE_S} * interval '1 second')
      where resource_id in (${this.unchanged(rows)})`;
  }
}
