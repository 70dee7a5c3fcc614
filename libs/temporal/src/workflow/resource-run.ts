/**
 * What the workflows of resources have in common: they read the facts, show them, finish interrupted commands, and wait for a change or a
 * deadline. A run never decides by its memory.
 */

import type { ResourceChange } from '@carecover/domain';
import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { CHANGED, type ResourceWorkflowInput } from './changes';

/** A command that no process executes any more and that has no response. */
export interface InterruptedCommand {
  readonly commandId: string;
  readonly operation: string;
}

/** How an interrupted command ended. */
export interface FinishedCommand {
  readonly outcome: 'executed' | 'rejected' | 'deleted';
  readonly code?: string;
}

/** What a run knows of its resource after it has read the facts. */
export interface ResourceReport {
  /** The text that the Temporal UI shows to operators (the current details), in Markdown. */
  readonly words: string;
  /** The commands that this run must finish. */
  readonly interrupted: readonly InterruptedCommand[];
}

/** The activity with which a service finishes an interrupted command. It is an ordinary activity, so that operators see its attempts. */
export interface FinishingActivity {
  finishCommand(command: { readonly tenant: string; readonly commandId: string }): Promise<FinishedCommand>;
}

/** Number of changes that the current details show. */
const SHOWN_CHANGES = 10;

/**
 * The shortest and the longest timer in milliseconds. Temporal's clock can reach a deadline before the database's clock, which decides. A
 * deadline can be thousands of years away; the run then starts one timer after another.
 */
const SHORTEST_TIMER_MS = 1_000;
const LONGEST_TIMER_MS = 366 * 24 * 3_600_000;

function isChange(value: unknown): value is ResourceChange {
  if (typeof value !== 'object' || value === null) return false;
  const { what, at, actor, requestId } = value as Partial<Record<keyof ResourceChange, unknown>>;
  const isText = (part: unknown) => typeof part === 'string';
  return isText(what) && isText(at) && isText(actor) && (requestId === null || isText(requestId));
}

const lineOf = ({ what, at, actor, requestId }: ResourceChange) =>
  `${at} ${what}${requestId === null ? '' : ` (${actor}, request ${requestId})`}`;

/** One run of a resource's workflow. */
export class ResourceRun {
  private hasChanged = false;
  private readonly changes: string[] = [];
  private readonly finishing = new Set<string>();

  constructor(private readonly input: ResourceWorkflowInput) {
    // The parameter is of any type, because operators can send the signal by hand. A handler that throws would stop the run for ever.
    setHandler(defineSignal<[unknown]>(CHANGED), (changes) => {
      this.hasChanged = true;
      if (!Array.isArray(changes)) return;
      for (const change of changes) if (isChange(change)) this.remember(lineOf(change));
    });
  }

  /** Reads the facts by a step, shows them, and starts to finish the interrupted commands. */
  async review<Report extends ResourceReport | null>(read: () => Promise<Report>): Promise<Report> {
    this.hasChanged = false;
    const report = await read();
    if (report === null) return report;
    for (const command of report.interrupted) void this.finish(command);
    setCurrentDetails([report.words, ...this.shownChanges()].join('\n\n'));
    return report;
  }

  /**
   * Waits until the resource changed, a command was finished, or a deadline is due.
   *
   * @param dueInMs milliseconds until the deadline; null if there is none
   * @param summary what the Temporal UI shows beside the timer
   */
  async waitForChange(dueInMs: number | null, summary: string): Promise<void> {
    const mayContinue = () => this.hasChanged || this.mustContinueAsNew();
    if (dueInMs === null) return await condition(mayContinue);
    const waitMs = Math.min(Math.max(dueInMs, SHORTEST_TIMER_MS), LONGEST_TIMER_MS);
    await condition(mayContinue, waitMs, { summary });
  }

  /** Whether the run can end: it has received no change since it read the facts, and finishes no command. */
  get isQuiet(): boolean {
    return !this.hasChanged && this.finishing.size === 0;
  }

  /** Whether the run's history is long, so that the run must continue as new. */
  mustContinueAsNew(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    const isLong =
      continueAsNewSuggested || historyLength > (this.input.historyLimit ?? Number.POSITIVE_INFINITY);
    return isLong && this.isQuiet;
  }

  private async finish({ commandId, operation }: InterruptedCommand): Promise<void> {
    if (this.finishing.has(commandId)) return;
    this.finishing.add(commandId);
    const { finishCommand } = proxyActivities<FinishingActivity>({
      startToCloseTimeout: '30s',
      retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
      summary: `Finish the interrupted ${operation}`,
    });
    let end: string;
    try {
      const { outcome, code } = await finishCommand({ tenant: this.input.tenant, commandId });
      end = code === undefined ? outcome : `${outcome}: ${code}`;
    } catch (error) {
      // The activity is retried without limit, so only an operator ends it. The command is still interrupted, and is tried again.
      end = `not finished: ${error instanceof Error ? error.message : error}`;
    }
    this.remember(`${new Date().toISOString()} interrupted ${operation} ${end}`);
    this.finishing.delete(commandId);
    this.hasChanged = true;
  }

  private remember(line: string): void {
    this.changes.push(`- ${line}`);
    if (this.changes.length > SHOWN_CHANGES) this.changes.shift();
  }

  private shownChanges(): string[] {
    return this.changes.length === 0 ? [] : [`Latest changes of this run:\n\n${this.changes.join('\n')}`];
  }
}
