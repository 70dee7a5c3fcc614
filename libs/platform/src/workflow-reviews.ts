/**
 * Tells running workflows, in the background, that their resource changed outside of them. The change's own transaction enqueues the
 * resource; after its commit a loop signals the workflows in bounded batches. No command waits for that.
 *
 * Failure policy: a row stays until its workflow was signalled. One that a process took and did not finish is taken again after its
 * lease; while Temporal is away all of them wait.
 */

import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import type { Sql, Tx } from './postgres';
import type { ResourceWorkflow, TemporalCommands } from './temporal';
import type { Owned, Owner } from './tenant';
import { WakeUpSignal } from './wake-up-signal';

const BATCH = 40;
const AT_ONCE = 4;
const LEASE_S = 15;
const INTERVAL_MS = 3_000;

interface ReviewRow extends Owned {
  readonly generation: number;
}

/**
 * Enqueues resources whose workflows must read the facts again. Part of the transaction that changes them. Rows are locked in the
 * order of their ids, here and where they are deleted, so that the two never wait for each other.
 */
export async function enqueueReviews(tx: Tx, resources: readonly Owned[]): Promise<void> {
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

export class WorkflowReviews {
  private readonly wakeUpSignal = new WakeUpSignal();

  constructor(
    private readonly sql: Sql,
    private readonly engine: Pick<TemporalCommands, 'signalReview' | 'signalRunning'>,
    private readonly log: Log,
    private readonly workflows: ReviewedWorkflows,
  ) {}

  /** Has the loop begin now. Call it after a commit that enqueued something. */
  notify(): void {
    this.wakeUpSignal.ring();
  }

  /** Starts the loop. It also looks by itself every few seconds, for what another process enqueued or left. */
  start(): Stoppable {
    let isStopping = false;
    const loop = async () => {
      while (!isStopping) {
        const isMore = await this.signalBatch().catch((error: unknown) => {
          this.log.warn({ err: error }, 'workflows were not signalled, trying again');
          return false;
        });
        if (!isMore && !isStopping) await this.wakeUpSignal.wait(INTERVAL_MS);
      }
    };
    const running = loop();
    return {
      stop: async () => {
        isStopping = true;
        this.wakeUpSignal.ring();
        await running;
      },
    };
  }

  /** Signals the workflows of one batch. Gives whether there may be more to do now. */
  async signalBatch(): Promise<boolean> {
    const rows = await this.lease();
    if (rows.length === 0) return false;
    const waiting = new Set(
      await this.workflows.findWaiting(
        this.sql,
        rows.map(({ id }) => id),
      ),
    );
    const signalled: ReviewRow[] = [];
    const queue = [...rows];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
          try {
            if (await this.signal(row, waiting.has(row.id))) signalled.push(row);
            else queue.length = 0;
          } catch (error) {
            this.log.warn(
              { err: error, resource: row.id },
              'a workflow was not signalled, trying again later',
            );
          }
        }
      }),
    );
    await this.remove(signalled);
    return signalled.length === rows.length;
  }

  private signal({ id, tenant, environment }: ReviewRow, isWaiting: boolean): Promise<boolean> {
    const { signal, workflowOf } = this.workflows;
    return isWaiting
      ? this.engine.signalReview(id, workflowOf(id, { tenant, environment }), signal)
      : this.engine.signalRunning(id, signal);
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

  /** What was enqueued again since it was leased stays. */
  private async remove(rows: readonly ReviewRow[]): Promise<void> {
    if (rows.length === 0) return;
    const done = rows.map(({ id, generation }) => ({ id, generation }));
    await this.sql`
      delete from workflow_reviews where resource_id in (
        select w.resource_id from workflow_reviews w
        join jsonb_to_recordset(${this.sql.json(done)}) as d (id text, generation integer)
          on w.resource_id = d.id and w.generation = d.generation
        order by w.resource_id for update of w skip locked)`;
  }
}
