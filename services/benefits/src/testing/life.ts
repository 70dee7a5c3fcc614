/**
 * Runs complete pre-authorizations in a test: the real workflow on a time-skipping Temporal server, and the real steps on a real database.
 * The clocks of Temporal and of the database advance together. Only care is replaced.
 */
import { join } from 'node:path';
import type { Preauthorization, PreauthorizationDecisionInput } from '@carecover/contract';
import { eventually, startTimeSkippingTemporal } from '@carecover/local/testing';
import {
  asActivities,
  createLog,
  type Stoppable,
  startOptionsOf,
  TemporalCommands,
  WorkflowReviews,
} from '@carecover/platform';
import { workflowBundle } from '@carecover/platform/bundle';
import { recordHistory } from '@carecover/platform/replay';
import type { CareForPreauthorizations, PreauthorizationSteps } from '@carecover/workflow-preauthorization';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { benefitsActivities } from '../activities';
import { reviewedWorkflows } from '../sweeps';
import { type Opened, type OpenOptions, open } from './care-path';
import { DAY_MS } from './days';
import { approval } from './decisions';
import { TestBenefits } from './test-benefits';
import { TestCare } from './test-care';

const HISTORIES = join(__dirname, '../../../../workflows/preauthorization/histories');

export interface Reservation {
  readonly released_at: Date | null;
}

export type LifeOptions = OpenOptions & { readonly historyLimit?: number };

export class Life {
  readonly care = new TestCare();
  readonly activities: ReturnType<typeof benefitsActivities>;
  readonly engine: TemporalCommands;
  private readonly reviews: WorkflowReviews;
  private reviewing: Stoppable | undefined;
  /** A Temporal client whose waits for a result do not make the server skip time. */
  readonly client: Client;
  private offsetMs = 0;
  private opened: string[] = [];
  private lastStep: string | null = null;
  private sender = new AbortController();
  private workers: { worker: Worker; running: Promise<void> }[] = [];

  private constructor(
    readonly benefits: TestBenefits,
    readonly temporal: TestWorkflowEnvironment,
  ) {
    this.client = new Client({ connection: temporal.connection, identity: 'test' });
    this.engine = TemporalCommands.over(this.client);
    benefits.useTemporal(this.engine);
    this.reviews = new WorkflowReviews(
      benefits.sql,
      this.engine,
      createLog('benefits', 'silent'),
      reviewedWorkflows,
    );
    this.activities = benefitsActivities(benefits.sql, () => this.reviews.notify());
  }

  static async begin(): Promise<Life> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const life = new Life(await TestBenefits.open(), await startTimeSkippingTemporal());
    await life.startWorkers();
    life.reviewing = life.reviews.start();
    return life;
  }

  async startWorkers(): Promise<void> {
    const { nativeConnection: connection, namespace } = this.temporal;
    // Without cached workflows every task replays the whole history, so that every nondeterminism is detected.
    const options = {
      connection,
      namespace: namespace ?? 'default',
      shutdownGraceTime: '1s',
      maxCachedWorkflows: 0,
      identity: 'test',
    } as const;
    const workers = [
      await Worker.create({
        ...options,
        taskQueue: 'benefits',
        workflowBundle: { codePath: await workflowBundle('preauthorization') },
        activities: asActivities(this.losingRuns({ ...this.activities, ...this.care })),
      }),
    ];
    this.workers = workers.map((worker) => ({ worker, running: worker.run() }));
  }

  /**
   * After the next execution of the given step has taken effect, terminates the workflow's run and aborts the sender of its command. A
   * repeated command then starts a new run, which executes all steps again.
   */
  loseRunAfter(step: keyof PreauthorizationSteps | keyof CareForPreauthorizations): void {
    this.lastStep = step;
    this.benefits.useTemporal({
      command: (...sent) =>
        this.client.withAbortSignal(this.sender.signal, () => this.engine.command(...sent)),
    });
  }

  private losingRuns<T extends object>(steps: T): T {
    const wrapped = Object.entries(steps).map(([name, step]) => [
      name,
      async (input: { resourceId: string } | { preauthorizationId: string }, ...rest: unknown[]) => {
        const [outcome] = await Promise.allSettled([step(input, ...rest)]);
        if (name === this.lastStep) {
          await this.loseRun('resourceId' in input ? input.resourceId : input.preauthorizationId);
        }
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      },
    ]);
    return Object.fromEntries(wrapped);
  }

  private async loseRun(id: string): Promise<never> {
    this.lastStep = null;
    await this.client.workflow.getHandle(id).terminate();
    this.benefits.useTemporal(this.engine);
    this.sender.abort();
    this.sender = new AbortController();
    // Ends the activity task, because the workflow's run is terminated.
    throw ApplicationFailure.nonRetryable('the run is lost');
  }

  async stopWorkers(): Promise<void> {
    for (const { worker } of this.workers) worker.shutdown();
    await Promise.all(this.workers.map(({ running }) => running));
    this.workers = [];
  }

  /** Advances only the database's clock, so that the workflow's timer is late. */
  async advanceDatabaseClock(ms: number): Promise<void> {
    this.offsetMs += ms;
    await this.benefits.database.setClockOffset(this.offsetMs);
  }

  /** Stops the database's clock at the instant `atMs` while `work` runs. */
  async withStoppedClock<T>(atMs: number, work: () => Promise<T>): Promise<T> {
    await this.benefits.database.stopClock(atMs);
    try {
      return await work();
    } finally {
      await this.benefits.database.setClockOffset(this.offsetMs);
    }
  }

  /** Advances the clocks of the database and of Temporal. */
  async advance(ms: number): Promise<void> {
    await this.advanceDatabaseClock(ms);
    await this.temporal.sleep(ms);
  }

  /** Creates a pre-authorization and starts its workflow, as the service does. */
  async open(options: LifeOptions = {}): Promise<Opened & { readonly id: string }> {
    const opened = await open(this.benefits, options);
    const { id } = opened.preauthorization;
    this.opened.push(id);
    const { tenant, environment } = this.benefits.caller;
    const { historyLimit } = options;
    const { args, ...start } = startOptionsOf(preauthorizationWorkflow, { id, tenant, environment });
    const [input] = args;
    await this.client.workflow.start(preauthorizationWorkflow.type, {
      ...start,
      args: [historyLimit === undefined ? input : { ...input, historyLimit }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    await this.untilIdle(id);
    return { ...opened, id };
  }

  /** Creates an approved pre-authorization, by default for a session in 200 days. */
  async approved(
    options: LifeOptions = {},
    validForMs = 90 * DAY_MS,
  ): Promise<Opened & { readonly id: string }> {
    const one = await this.open({ sessionInMs: 200 * DAY_MS, ...options });
    await this.decide(one.id, approval(await this.benefits.now(), { validForMs }));
    return one;
  }

  /** Terminates the test's workflows, which would otherwise stop the server from skipping time in the next test. */
  async terminateAll(): Promise<void> {
    for (const id of this.opened.splice(0)) {
      await this.client.workflow
        .getHandle(id)
        .terminate()
        .catch(() => undefined);
    }
  }

  /** Waits until the workflow has started its timer or has ended, so that the clocks can advance. */
  async untilIdle(id: string): Promise<void> {
    await eventually('the workflow waits', async () => {
      const { events } = await this.client.workflow.getHandle(id).fetchHistory();
      const last = events?.at(-1);
      return Boolean(last?.timerStartedEventAttributes ?? last?.workflowExecutionCompletedEventAttributes);
    });
  }

  async read(id: string): Promise<Preauthorization> {
    const { body } = await this.benefits.call('getPreauthorization', undefined, {
      params: { preauthorization_id: id },
    });
    return body;
  }

  async decide(id: string, decision: PreauthorizationDecisionInput, key?: string): Promise<Preauthorization> {
    const params = { preauthorization_id: id };
    const { body } = await this.benefits.call(
      'decidePreauthorization',
      decision,
      key === undefined ? { params } : { params, key },
    );
    return body;
  }

  async cancel(id: string, key?: string): Promise<Preauthorization> {
    const params = { preauthorization_id: id };
    const body = { reason_code: 'plans_changed' };
    const response = await this.benefits.call(
      'cancelPreauthorization',
      body,
      key === undefined ? { params } : { params, key },
    );
    return response.body;
  }

  /** Reads all reservations of a pre-authorization, released ones included. */
  async reservations(id: string): Promise<Reservation[]> {
    return this.benefits.sql<Reservation[]>`
      select released_at from reservations where preauthorization_id = ${id} order by reserved_at`;
  }

  /** Returns for each reservation of a pre-authorization, in order of time, whether it was released. */
  async areReleased(id: string): Promise<boolean[]> {
    return (await this.reservations(id)).map(({ released_at }) => released_at !== null);
  }

  /** Returns the number of a pre-authorization's pending commands. */
  async pendingCommands(id: string): Promise<number> {
    const [row] = await this.benefits.sql<{ n: number }[]>`
      select count(*)::int as n from commands join pending_commands using (id) where resource_id = ${id}`;
    return row?.n ?? 0;
  }

  /** Returns the types of a pre-authorization's facts, by version. */
  async facts(id: string): Promise<string[]> {
    const rows = await this.benefits.sql<{ type: string }[]>`
      select type from preauthorization_facts where preauthorization_id = ${id} order by version`;
    return rows.map(({ type }) => type);
  }

  /** Returns the types of a pre-authorization's events, oldest first. */
  async events(id: string): Promise<string[]> {
    return (await this.benefits.eventsOf(id)).map(({ type }) => type.replace('preauthorization.', ''));
  }

  /** Waits until a pre-authorization's workflow has ended. */
  async untilEnded(id: string): Promise<void> {
    await this.client.workflow.getHandle(id).result();
  }

  async status(id: string): Promise<string> {
    return (await this.client.workflow.getHandle(id).describe()).status.name;
  }

  /** Stores the history of the workflow's current run as a file with this name. Does nothing unless this test run records histories. */
  record(id: string, name: string): Promise<void> {
    return recordHistory(HISTORIES, name, this.client.workflow.getHandle(id));
  }

  async close(): Promise<void> {
    await this.reviewing?.stop();
    await this.stopWorkers();
    await this.temporal.teardown();
    await this.benefits.close();
  }
}
