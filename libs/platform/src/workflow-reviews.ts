/**
 * Signals workflows, in the background, that their resource changed outside of them. The change's own transaction enqueues the
 * resource; after its commit a loop signals the workflows in bounded batches. No command waits for that.
 *
 * Failure policy: a row stays until its workflow was signalled. One that a process took and did not finish is taken again after its
 * lease. While Temporal is away all of them wait, without a lease. One that Temporal rejects is repeated after as long as it has waited
 * so far, within bounds, and keeps no other from its turn.
 */
import { ServiceError } from '@temporalio/client';
import { interruptibleSleep, WakeUpSignal } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import type { Sql, Tx } from './postgres';
import type { ResourceWorkflow, TemporalCommands } from './temporal';
import type { OwnedResource, Owner } from './tenant';

const BATCH = 40;
const AT_ONCE = 4;
const LEASE_S = 15;
const INTERVAL_MS = 3_000;
/** Bounds of the pause before a signal that was rejected is repeated. */
const SHORTEST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 300;
/** Between two log lines about rejected signals. */
const REPORT_MS = 60_000;

interface ReviewRow extends OwnedResource {
  readonly generation: number;
}

/**
 * Enqueues resources whose workflows must read the facts again. Part of the transaction that changes them. Rows are locked in the
 * order of their ids, here and where they are deleted, so that the two never wait for each other.
 */
export async function enqueueReviews(tx: Tx, resources: readonly OwnedResource[]): Promise<void> {
  if (resources.length === 0) return;
  const rows = resources.map(({ id, tenant, environment }) => ({ id, tenant, environment }));
  await tx`
    insert into workflow_reviews (resource_id, project_id, environment)
    select id, tenant, environment from jsonb_to_recordset(${tx.json(rows)}) as r (id text, tenant text, environment text)
    order by id
    on conflict (resource_id) do update set generation = workflow_reviews.generation + 1, leased_until = null`;
}

export interface ReviewedWorkflows {
  /** The signal at which the workflow reads the facts. */
  readonly signal: string;
  readonly workflowOf: (id: string, owner: Owner) => ResourceWorkflow;
  /** Which of these resources await something, so that a workflow is started where none runs. */
  readonly findWaiting: (sql: Sql, ids: readonly string[]) => Promise<readonly string[]>;
}

/** What a batch found: more than it took, perhaps; nothing more; or Temporal away. */
export type BatchOutcome = 'more' | 'empty' | 'away';

export class WorkflowReviews {
  private readonly wakeUpSignal = new WakeUpSignal();
  /** Signals rejected since the last log line about them, by the reason. */
  private readonly rejected = new Map<string, number>();
  private reportedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly sql: Sql,
    private readonly engine: Pick<TemporalCommands, 'signalReview' | 'signalRunning'>,
    private readonly log: Log,
    private readonly workflows: ReviewedWorkflows,
  ) {}

  /** Has the loop begin now. Call it after a commit that enqueued something. */
  notify(): void {
    this.wakeUpSignal.send();
  }

  /** Starts the loop. It also looks by itself every few seconds, for what another process enqueued or left. */
  start(): Stoppable {
    const stopping = new AbortController();
    const loop = async () => {
      while (!stopping.signal.aborted) {
        const outcome = await this.signalBatch().catch((error: unknown) => {
          this.log.warn({ err: error }, 'workflows were not signalled, trying again');
          return 'away' as const;
        });
        if (outcome === 'empty') await this.wakeUpSignal.wait(INTERVAL_MS);
        // Whatever is enqueued meanwhile.
        if (outcome === 'away') await interruptibleSleep(INTERVAL_MS, stopping.signal);
      }
    };
    const running = loop();
    return {
      stop: async () => {
        stopping.abort();
        this.wakeUpSignal.send();
        await running;
      },
    };
  }

  /** Signals the workflows of one batch. */
  async signalBatch(): Promise<BatchOutcome> {
    const rows = await this.lease();
    if (rows.length === 0) return 'empty';
    const waiting = new Set(
      await this.workflows.findWaiting(
        this.sql,
        rows.map(({ id }) => id),
      ),
    );
    const signalled: ReviewRow[] = [];
    const rejected: ReviewRow[] = [];
    const queue = [...rows];
    let isAway = false;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let row = queue.shift(); row !== undefined && !isAway; row = queue.shift()) {
          try {
            if (await this.signal(row, waiting.has(row.id))) signalled.push(row);
            else isAway = true;
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
    if (!isAway) return 'more';
    const done = new Set([...signalled, ...rejected]);
    await this.release(rows.filter((row) => !done.has(row)));
    return 'away';
  }

  private signal({ id, tenant, environment }: ReviewRow, isWaiting: boolean): Promise<boolean> {
    const { signal, workflowOf } = this.workflows;
    return isWaiting
      ? this.engine.signalReview(id, workflowOf(id, { tenant, environment }), signal)
      : this.engine.signalRunning(id, signal);
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
        order by requested_at limit ${BATCH} for update skip locked)
      returning resource_id as id, project_id as tenant, environment, generation`;
    return [...rows];
  }

  /** The ids of those rows that were not enqueued again since they were leased, locked. */
  private unchanged(rows: readonly ReviewRow[]) {
    const leased = rows.map(({ id, generation }) => ({ id, generation }));
    return this.sql`
      select w.resource_id from workflow_reviews w
      join jsonb_to_recordset(${this.sql.json(leased)}) as l (id text, generation integer)
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
