/**
 * Signals to workflows after their resources changed. The transaction of a change enqueues it. After the commit, a loop starts or signals
 * the workflow of each resource with the changes since its last signal. No command waits for it, and it yields to commands: while resources
 * change faster than a quarter of the greatest rate of signals, signals are sent at that quarter, until one is {@link LONGEST_YIELD_MS} late.
 *
 * Failure policy: a row stays in the table until its workflow was signalled. If the process that leased a row ends, another process takes
 * the row after the lease. While Temporal is unavailable, rows wait without a lease. A rejected signal is repeated after a pause as long as
 * the row's age, but at least {@link SHORTEST_PAUSE_S} and at most {@link LONGEST_PAUSE_S} seconds.
 */
import { type Config, setting } from '@carecover/config';
import type { OwnedResource, ResourceChange } from '@carecover/domain';
import { type Fragment, jsonb, type Query, type Sql, type Tx } from '@carecover/postgres';
import type { Stoppable } from '@carecover/process';
import { interruptibleSleep, startLoop, WakeUpSignal } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import { ServiceError } from '@temporalio/client';
import type { ResourceWorkflow } from './resource-workflow';
import type { TemporalRuns } from './temporal';

/** The settings of the work that follows commands in Temporal. */
export const WORKFLOW_SIGNAL_SETTINGS = {
  /** How long in milliseconds a change waits for further changes of its resource, so that they are one signal. */
  WORKFLOW_SIGNAL_DELAY_MS: setting.withDefault(setting.integer(0, 60_000), 3_000),
  /** Maximum number of signals that a process sends at the same time. */
  WORKFLOW_SIGNALS_AT_ONCE: setting.withDefault(setting.integer(1, 64), 4),
  /** Maximum number of signals that a process sends per second; 0 sends none, until a process with another value runs. */
  WORKFLOW_SIGNALS_PER_SECOND: setting.withDefault(setting.integer(0, 10_000), 20),
} as const;

export type WorkflowSignalSettings = Config<typeof WORKFLOW_SIGNAL_SETTINGS>;

const LEASE_S = 15;
/** The longest pause in milliseconds between two queries for rows. A row of another process waits for it. */
const LONGEST_POLL_MS = 5_000;
/** The shortest and the longest pause before a rejected signal is repeated, in seconds. */
const SHORTEST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 300;
/** The part of the greatest rate of signals that is used while commands need the processors: then the workflows take about a quarter of two. */
const YIELDING_SHARE = 1 / 4;
/** How late a signal is, in milliseconds, when it yields to commands no longer. */
const LONGEST_YIELD_MS = 5_000;
/** Minimum time in milliseconds between two log lines about rejected signals. */
const REPORT_MS = 60_000;

/** A resource whose workflow must be signalled, with what changed. */
export interface NewSignal {
  readonly resource: OwnedResource;
  readonly changes: readonly ResourceChange[];
}

/**
 * Returns the SQL that enqueues signals to the workflows of changed resources, at least one. Execute it in the transaction that changes them.
 * Rows are locked in the order of their IDs, by inserts and by deletions, so that the two cannot deadlock.
 */
export function signalsInsert(tx: Tx, signals: readonly NewSignal[]): Fragment {
  const rows = new Map<string, { tenant: string; environment: string; changes: ResourceChange[] }>();
  for (const { resource, changes } of signals) {
    const { id, tenant, environment } = resource;
    const row = rows.get(id);
    if (row === undefined) rows.set(id, { tenant, environment, changes: [...changes] });
    else row.changes.push(...changes);
  }
  return tx`
    insert into workflow_signals (resource_id, project_id, environment, changes)
    select id, tenant, environment, changes
    from jsonb_to_recordset(${jsonb([...rows].map(([id, row]) => ({ id, ...row })))})
      as r (id text, tenant text, environment text, changes jsonb)
    order by id
    on conflict (resource_id) do update set changes = workflow_signals.changes || excluded.changes`;
}

/** Returns the query that executes {@link signalsInsert}; null for no signals. */
export function enqueueSignals(tx: Tx, signals: readonly NewSignal[]): Query<unknown> | null {
  return signals.length === 0 ? null : tx`${signalsInsert(tx, signals)}`;
}

/**
 * Enqueues the start of those workflows of open resources that do not run: a signal without changes.
 *
 * @returns the number of starts that were enqueued; null if Temporal is unavailable
 */
export async function enqueueMissing(
  sql: Sql,
  temporal: Pick<TemporalRuns, 'findNotRunning'>,
  resources: readonly OwnedResource[],
): Promise<number | null> {
  const missing = await temporal.findNotRunning(resources);
  if (missing === null || missing.length === 0) return missing && 0;
  const rows = missing.map(({ id, tenant, environment }) => ({ id, tenant, environment }));
  const enqueued = await sql`
    insert into workflow_signals (resource_id, project_id, environment, changes)
    select id, tenant, environment, '[]'
    from jsonb_to_recordset(${jsonb(rows)}) as r (id text, tenant text, environment text) order by id
    on conflict (resource_id) do nothing
    returning 1`;
  return enqueued.length;
}

interface SignalRow extends OwnedResource {
  readonly changes: readonly ResourceChange[];
  /** Whether the workflow must finish an interrupted command. */
  readonly has_interrupted: boolean;
  readonly leased_until: Date;
  readonly age_ms: number;
  /** Number of resources whose changes of the last second wait for a signal. */
  readonly changed: number;
}

/** The outcome of sending one batch. */
export interface Batch {
  readonly outcome: 'sent' | 'empty' | 'unavailable';
  /** Number of signals that were tried. */
  readonly signals: number;
  /** The rate at which signals are sent now, per second. */
  readonly perSecond: number;
}

/** The signals of one service: which workflow they go to, and which resources need a run. */
export interface SignalTarget {
  readonly workflow: ResourceWorkflow;
  /**
   * Returns the IDs of the given resources that wait for something. The workflow of such a resource, or of one with an interrupted command,
   * is started if none runs.
   */
  readonly findWaiting: (sql: Sql, resources: readonly OwnedResource[]) => Promise<readonly string[]>;
}

export class WorkflowSignals {
  private readonly wakeUpSignal = new WakeUpSignal();
  /** Number of signals that Temporal rejected since the last log line, by reason. */
  private readonly rejected = new Map<string, number>();
  private reportedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly sql: Sql,
    private readonly temporal: Pick<TemporalRuns, 'signalOrStart' | 'signalRunning'>,
    private readonly log: Log,
    private readonly settings: WorkflowSignalSettings,
    private readonly target: SignalTarget,
  ) {}

  /** Ends the pause of the loop if no rows were found before. Call it after the commit of a transaction that enqueued signals. */
  notify(): void {
    this.wakeUpSignal.send();
  }

  /** Starts the loop that sends the signals. With 0 signals per second it does nothing. */
  start(): Stoppable {
    const { WORKFLOW_SIGNALS_PER_SECOND: greatest, WORKFLOW_SIGNAL_DELAY_MS: delayMs } = this.settings;
    if (greatest === 0) {
      this.log.warn({}, 'signals to workflows are paused by WORKFLOW_SIGNALS_PER_SECOND=0');
      return { stop: async () => undefined };
    }
    const loop = startLoop({ name: 'the signalling of workflows', log: this.log }, async (stopping) => {
      const startedMs = performance.now();
      const { outcome, signals, perSecond } = await this.sendBatch();
      if (outcome === 'empty') {
        // A change of this process ends the wait; its signal is due after the delay.
        if (await this.wakeUpSignal.wait(LONGEST_POLL_MS)) await interruptibleSleep(delayMs, stopping);
      } else if (outcome === 'unavailable') {
        // While Temporal is unavailable, the loop waits for the whole pause, even if rows are enqueued during it.
        await interruptibleSleep(LONGEST_POLL_MS, stopping);
      } else {
        const elapsedMs = performance.now() - startedMs;
        const leastMs = (signals * 1_000) / greatest;
        const pauseMs = Math.min((signals * 1_000) / perSecond, Math.max(leastMs, LONGEST_YIELD_MS));
        await interruptibleSleep(Math.max(0, pauseMs - elapsedMs), stopping);
      }
    });
    return {
      stop: async () => {
        const stopped = loop.stop();
        this.wakeUpSignal.send();
        await stopped;
      },
    };
  }

  /** Sends the signals of one batch of rows. */
  async sendBatch(): Promise<Batch> {
    const rows = await this.lease();
    const perSecond = this.rate(rows);
    if (rows.length === 0) return { outcome: 'empty', signals: 0, perSecond };
    const waiting = new Set(await this.target.findWaiting(this.sql, rows));
    const outcomes = await Promise.allSettled(
      rows.map((row) => this.send(row, row.has_interrupted || waiting.has(row.id))),
    );
    const sent: SignalRow[] = [];
    const unsent: SignalRow[] = [];
    const rejected: SignalRow[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const row = rows[index] as SignalRow;
      if (outcome.status === 'rejected') {
        rejected.push(row);
        this.noteRejection(outcome.reason);
      } else (outcome.value ? sent : unsent).push(row);
    }
    await this.remove(sent);
    await this.release(unsent);
    await this.postpone(rejected);
    if (rejected.length > 0) this.reportRejections(rejected);
    return { outcome: unsent.length > 0 ? 'unavailable' : 'sent', signals: rows.length, perSecond };
  }

  /** Returns the number of signals per second at which the loop yields to commands, or at which it catches up. */
  private rate(rows: readonly SignalRow[]): number {
    const { WORKFLOW_SIGNALS_PER_SECOND: greatest, WORKFLOW_SIGNAL_DELAY_MS: delayMs } = this.settings;
    const yielding = greatest * YIELDING_SHARE;
    const isLate = rows.some(({ age_ms }) => age_ms > delayMs + LONGEST_YIELD_MS);
    return (rows[0]?.changed ?? 0) > yielding && !isLate ? yielding : greatest;
  }

  private send({ id, tenant, environment, changes }: SignalRow, needsRun: boolean): Promise<boolean> {
    const { workflow } = this.target;
    return needsRun
      ? this.temporal.signalOrStart(workflow, { id, tenant, environment }, changes)
      : this.temporal.signalRunning(id, changes);
  }

  private noteRejection(error: unknown): void {
    const reason = String(error instanceof ServiceError ? error.cause : error);
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }

  private reportRejections(rows: readonly SignalRow[]): void {
    if (performance.now() - this.reportedMs < REPORT_MS) return;
    this.reportedMs = performance.now();
    const reasons = Object.fromEntries(this.rejected);
    this.rejected.clear();
    this.log.warn(
      { reasons, resource: rows[0]?.id },
      'Temporal rejects signals to workflows: they are repeated later',
    );
  }

  private async lease(): Promise<SignalRow[]> {
    const { WORKFLOW_SIGNAL_DELAY_MS: delayMs, WORKFLOW_SIGNALS_AT_ONCE: atOnce } = this.settings;
    const rows = await this.sql<SignalRow[]>`
      update workflow_signals set leased_until = clock_timestamp() + ${LEASE_S} * interval '1 second'
      where resource_id in (
        select resource_id from workflow_signals
        where enqueued_at <= clock_timestamp() - ${delayMs} * interval '1 millisecond'
          and (leased_until is null or leased_until < clock_timestamp())
        order by enqueued_at limit ${atOnce} for update skip locked)
      returning resource_id as id, project_id as tenant, environment, changes, leased_until,
        (extract(epoch from clock_timestamp() - enqueued_at) * 1000)::float8 as age_ms,
        (select count(*)::integer from workflow_signals where enqueued_at > clock_timestamp() - interval '1 second') as changed,
        exists (select 1 from pending_commands where workflow_id = resource_id and pending_commands.leased_until < clock_timestamp())
          as has_interrupted`;
    return [...rows];
  }

  /**
   * Changes the rows whose lease this process still has. They are locked first, in the order of their IDs: a transaction that adds a change
   * ends before, so that `write` sees all changes.
   *
   * @param write returns the statement. In it, `mine` names the rows: `resource_id`, and `count`, the number of changes that were read
   */
  private async changeLeased(
    rows: readonly SignalRow[],
    write: (tx: Tx, mine: Fragment) => Query<unknown>,
  ): Promise<void> {
    if (rows.length === 0) return;
    const leases = jsonb(
      rows.map(({ id, leased_until, changes }) => ({ id, leased_until, count: changes.length })),
    );
    await this.sql.begin(async (tx) => {
      const mine = tx`
        select w.resource_id, l.count from workflow_signals w
        join jsonb_to_recordset(${leases}) as l (id text, leased_until timestamptz, count integer)
          on w.resource_id = l.id and w.leased_until = l.leased_until`;
      await tx.pipeline([tx`${mine} order by w.resource_id for update of w`, write(tx, mine)]);
    });
  }

  /** Deletes rows whose changes were all sent, and removes the sent changes from the others. */
  private remove(rows: readonly SignalRow[]): Promise<void> {
    return this.changeLeased(
      rows,
      (tx, mine) => tx`
        with mine as (${mine}), completed as (
          delete from workflow_signals w using mine
          where w.resource_id = mine.resource_id and jsonb_array_length(w.changes) <= mine.count
        )
        update workflow_signals w set leased_until = null, enqueued_at = clock_timestamp(), changes = (
          select jsonb_agg(change order by place) from jsonb_array_elements(w.changes) with ordinality as c (change, place)
          where place > mine.count)
        from mine where w.resource_id = mine.resource_id and jsonb_array_length(w.changes) > mine.count`,
    );
  }

  private release(rows: readonly SignalRow[]): Promise<void> {
    return this.changeLeased(
      rows,
      (tx, mine) => tx`
        update workflow_signals w set leased_until = null from (${mine}) mine where w.resource_id = mine.resource_id`,
    );
  }

  private postpone(rows: readonly SignalRow[]): Promise<void> {
    return this.changeLeased(
      rows,
      (tx, mine) => tx`
        update workflow_signals w set leased_until = clock_timestamp() + least(
          greatest(clock_timestamp() - enqueued_at, ${SHORTEST_PAUSE_S} * interval '1 second'),
          ${LONGEST_PAUSE_S} * interval '1 second')
        from (${mine}) mine where w.resource_id = mine.resource_id`,
    );
  }
}
