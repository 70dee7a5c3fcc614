/**
 * Runs complete pre-authorizations in a test: the use cases on a real database, and the real workflow on a time-skipping Temporal server. The
 * clocks of Temporal and of the database advance together. Only care is replaced.
 */
import { join } from 'node:path';
import { signalInterrupted } from '@carecover/commands';
import type { Preauthorization, PreauthorizationDecisionInput } from '@carecover/contract';
import type { ResourceChange } from '@carecover/domain';
import type { Stoppable } from '@carecover/process';
import { createLog } from '@carecover/telemetry';
import {
  asActivities,
  enqueueMissing,
  startOptionsOf,
  TemporalRuns,
  WorkflowSignals,
} from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import { recordHistory } from '@carecover/temporal/replay';
import { eventually, startTimeSkippingTemporal } from '@carecover/testing/servers';
import { Killed } from '@carecover/testing/services';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { preauthorizationSteps } from '../activities';
import { signalTarget } from '../sweeps';
import { type Opened, type OpenOptions, open } from './care-path';
import { DAY_MS } from './days';
import { approval } from './decisions';
import { TestBenefits } from './test-benefits';

const HISTORIES = join(__dirname, '../../../../workflows/preauthorization/histories');

const SIGNAL_SETTINGS = {
  WORKFLOW_SIGNAL_DELAY_MS: 20,
  WORKFLOW_SIGNALS_AT_ONCE: 10,
  WORKFLOW_SIGNALS_PER_SECOND: 1_000,
} as const;

/** A pre-authorization that was created, with its ID. */
export type Open = Opened & { readonly id: string };

export class Life {
  readonly runs: TemporalRuns;
  /** A Temporal client whose waits for a result do not make the server skip time. */
  readonly client: Client;
  private readonly signals: WorkflowSignals;
  private signalling: Stoppable | undefined;
  private running: { readonly worker: Worker; readonly done: Promise<void> } | undefined;
  private offsetMs = 0;
  private opened: string[] = [];

  private constructor(
    readonly benefits: TestBenefits,
    readonly temporal: TestWorkflowEnvironment,
  ) {
    this.client = new Client({ connection: temporal.connection, identity: 'test' });
    this.runs = TemporalRuns.over(this.client);
    const log = createLog('benefits', 'silent');
    this.signals = new WorkflowSignals(benefits.sql, this.runs, log, SIGNAL_SETTINGS, signalTarget);
    benefits.notifySignals = () => this.signals.notify();
  }

  static async begin(): Promise<Life> {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
    });
    const life = new Life(await TestBenefits.open(), await startTimeSkippingTemporal());
    await life.startWorker();
    life.signalling = life.signals.start();
    return life;
  }

  async startWorker(): Promise<void> {
    const worker = await Worker.create({
      connection: this.temporal.nativeConnection,
      shutdownGraceTime: '1s',
      // Without cached workflows every task replays the whole history, so that every nondeterminism is detected.
      maxCachedWorkflows: 0,
      identity: 'test',
      taskQueue: preauthorizationWorkflow.taskQueue,
      workflowBundle: { codePath: await workflowBundle('preauthorization') },
      activities: asActivities(preauthorizationSteps(this.benefits.deps)),
    });
    this.running = { worker, done: worker.run() };
  }

  async stopWorker(): Promise<void> {
    this.running?.worker.shutdown();
    await this.running?.done;
    this.running = undefined;
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

  /** Creates a pre-authorization, and waits until its run waits. */
  async open(options: OpenOptions = {}): Promise<Open> {
    const opened = await open(this.benefits, options);
    const { id } = opened.preauthorization;
    this.opened.push(id);
    await this.untilIdle(id);
    return { ...opened, id };
  }

  /** Creates an approved pre-authorization, by default for a session in 200 days. */
  async approved(options: OpenOptions = {}, validForMs = 90 * DAY_MS): Promise<Open> {
    const one = await this.open({ sessionInMs: 200 * DAY_MS, ...options });
    await this.decide(one.id, approval(await this.benefits.now(), { validForMs }));
    await this.untilIdle(one.id);
    return one;
  }

  /** Terminates the test's workflows, which would otherwise stop the server from skipping time in the next test. */
  async terminateAll(): Promise<void> {
    await this.untilSignalled();
    for (const id of this.opened.splice(0)) {
      if ((await this.runStatus(id)) === 'RUNNING') await this.loseRun(id);
    }
  }

  /** Terminates a run, as if Temporal had lost it. A run that ends during a task would stop the test server from skipping time. */
  async loseRun(id: string): Promise<void> {
    await eventually('the run has no task', async () => {
      const { events } = await this.client.workflow.getHandle(id).fetchHistory();
      const last = events?.at(-1);
      return !(last?.workflowTaskScheduledEventAttributes ?? last?.workflowTaskStartedEventAttributes);
    });
    await this.client.workflow.getHandle(id).terminate('lost');
  }

  /** Starts the run of a pre-authorization that has none, with a limit for the length of its history. */
  async startRun(id: string, historyLimit: number): Promise<void> {
    const { tenant, environment } = this.benefits.caller;
    const { args, ...start } = startOptionsOf(preauthorizationWorkflow, { id, tenant, environment });
    await this.client.workflow.start(preauthorizationWorkflow.type, {
      ...start,
      args: [{ ...args[0], historyLimit }],
    });
  }

  /** Enqueues the start of a run that does not exist, as the sweep for missing workflows does. The test server has no list of workflows. */
  async startMissing(id: string): Promise<void> {
    const { tenant, environment } = this.benefits.caller;
    const temporal = { findNotRunning: async () => [{ id, tenant, environment }] };
    await enqueueMissing(this.benefits.sql, temporal, await temporal.findNotRunning());
    this.signals.notify();
  }

  /** Sends an approval whose process ends while care confirms the booking, before or after care has confirmed it. */
  async interruptApproval(
    id: string,
    decision: PreauthorizationDecisionInput,
    { isConfirmed = false, key = `approval of ${id}` } = {},
  ): Promise<void> {
    const { care } = this.benefits;
    const end = () => Promise.reject(new Killed());
    if (isConfirmed) care.afterConfirming = end;
    else care.beforeConfirming = end;
    await this.decide(id, decision, key).then(
      () => {
        throw new Error('the approval was not interrupted');
      },
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      },
    );
    care.reset();
  }

  /** Ends the leases of interrupted commands, and asks their workflows to finish them, as the sweep does. */
  async signalInterrupted(): Promise<void> {
    await this.benefits
      .sql`update pending_commands set leased_until = clock_timestamp(), attempted_at = null`;
    await signalInterrupted(this.benefits.sql, () => this.signals.notify())();
  }

  /** Waits until no signal is pending. */
  async untilSignalled(): Promise<void> {
    await eventually('all signals are sent', async () => {
      this.signals.notify();
      return (await this.benefits.sql`select 1 from workflow_signals`).length === 0;
    });
  }

  /** Waits until the run has received all changes, and waits for its deadline or has ended. */
  async untilIdle(id: string): Promise<void> {
    await this.untilSignalled();
    await eventually('the run waits or has ended', async () => {
      const { events } = await this.client.workflow.getHandle(id).fetchHistory();
      const last = events?.at(-1);
      return Boolean(last?.timerStartedEventAttributes ?? last?.workflowExecutionCompletedEventAttributes);
    });
  }

  /** Waits until the pre-authorization's run has ended. */
  async untilEnded(id: string): Promise<void> {
    await this.untilSignalled();
    await this.client.workflow.getHandle(id).result();
  }

  /** Returns the status of the pre-authorization's newest run; null if it never had one. */
  async runStatus(id: string): Promise<string | null> {
    try {
      return (await this.client.workflow.getHandle(id).describe()).status.name;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /** Returns the search attributes of the run, by name. */
  async attributes(id: string): Promise<Record<string, unknown>> {
    const { typedSearchAttributes } = await this.client.workflow.getHandle(id).describe();
    return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  }

  /** Returns the text that the Temporal UI shows about the run. */
  async currentDetails(id: string): Promise<string> {
    type Metadata = { readonly currentDetails: string };
    const handle = this.client.workflow.getHandle(id);
    return (await handle.query<Metadata>('__temporal_workflow_metadata')).currentDetails;
  }

  /** Returns the changes that the signals in the run's history name, in order. */
  async signalledChanges(id: string): Promise<ResourceChange[]> {
    const { events } = await this.client.workflow.getHandle(id).fetchHistory();
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      (signal?.input?.payloads ?? []).flatMap((payload) =>
        defaultPayloadConverter.fromPayload<ResourceChange[]>(payload),
      ),
    );
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

  async cancel(id: string): Promise<Preauthorization> {
    const params = { preauthorization_id: id };
    const body = { reason_code: 'plans_changed' };
    return (await this.benefits.call('cancelPreauthorization', body, { params })).body;
  }

  /** Returns for each reservation of a pre-authorization, in order of time, whether it was released. */
  async areReleased(id: string): Promise<boolean[]> {
    const rows = await this.benefits.sql<{ released_at: Date | null }[]>`
      select released_at from reservations where preauthorization_id = ${id} order by reserved_at`;
    return rows.map(({ released_at }) => released_at !== null);
  }

  /** Returns the number of a pre-authorization's pending commands. */
  async pendingCommands(id: string): Promise<number> {
    return (await this.benefits.sql`select 1 from pending_commands where workflow_id = ${id}`).length;
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

  /** Stores the history of the workflow's current run as a file with this name. Does nothing unless this test run records histories. */
  record(id: string, name: string): Promise<void> {
    return recordHistory(HISTORIES, name, this.client.workflow.getHandle(id));
  }

  async close(): Promise<void> {
    await this.signalling?.stop();
    await this.stopWorker();
    await this.temporal.teardown();
    await this.benefits.close();
  }
}
