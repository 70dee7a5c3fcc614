/**
 * The workflow of a pre-authorization. It executes commands one at a time and waits for the deadline of the decision or of the approval.
 * The state is in benefits' database. Every run first reads the state, so a run can start at any time. It ends when no deadline is left.
 */
import {
  apiErrorIn,
  type CommandMessage,
  Mutex,
  type ResourceWorkflowInput,
  RunDetails,
} from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import * as messages from './messages';
import { showState, timerSummary } from './operator';
import { care, own } from './services';
import type { CommandStep, PreauthorizationIdentity, PreauthorizationReport } from './steps';

/**
 * The longest timer. For a later deadline the state is read again after this time. When a claim uses the pre-authorization, the
 * workflow receives no signal: the run ends when its timer fires.
 */
const LONGEST_TIMER_MS = 90 * 24 * 60 * 60 * 1000;

/** Runs the workflow of one pre-authorization. */
export async function preauthorization(input: ResourceWorkflowInput): Promise<void> {
  const mutex = new Mutex();
  const details = new RunDetails();
  let report: PreauthorizationReport | null = null;
  let dueAtMs: number | null = null;
  let mustReview = true;

  setHandler(messages.decide, (message) => executeCommand(messages.decide, message, decide));
  setHandler(messages.cancel, (message) =>
    executeCommand(messages.cancel, message, (step) => own.cancel(step)),
  );
  setHandler(messages.cancelForBooking, (message) =>
    executeCommand(messages.cancelForBooking, message, (step) => own.cancelForBooking(step)),
  );
  setHandler(messages.expire, (message) =>
    executeCommand(messages.expire, message, (step) => own.expireNow(step)),
  );

  for (;;) {
    if (mustReview) await mutex.take(review);
    await condition(() => mutex.idle);
    if (mustReview) continue;
    if (dueAtMs === null && allHandlersFinished()) return;
    if (hasRunLong() && allHandlersFinished()) await continueAsNew<typeof preauthorization>(input);
    if (await waitForChangeOrDeadline()) mustReview = true;
  }

  async function executeCommand(
    { name }: { readonly name: string },
    message: CommandMessage,
    command: (step: CommandStep, requestId: string) => Promise<PreauthorizationReport>,
  ): Promise<void> {
    const { commandId, requestId } = message;
    await mutex.take(async () => {
      try {
        setReport(await command({ ...identity(), commandId }, requestId));
        details.showOutcome(name, message, null);
      } catch (error) {
        // The state that this run has read can be outdated, and the reason for the rejection. It is read again.
        mustReview = true;
        const rejection = apiErrorIn(error);
        if (rejection !== null) details.showOutcome(name, message, rejection);
        throw rejection ?? error;
      }
    });
  }

  async function decide(step: CommandStep, requestId: string): Promise<PreauthorizationReport> {
    const booking = await own.beginDecision(step);
    const confirmation = booking && {
      tenant: input.tenant,
      bookingId: booking.bookingId,
      preauthorizationId: input.resourceId,
      approvalId: step.commandId,
    };
    try {
      if (confirmation !== null) await care.confirmBooking(confirmation, requestId);
      return await own.commitDecision(step);
    } catch (error) {
      if (apiErrorIn(error) !== null) {
        if (confirmation !== null) await care.withdrawConfirmation(confirmation, requestId);
        await own.abandonDecision(step);
      }
      throw error;
    }
  }

  /** Waits for a command or the deadline. Returns whether the deadline has passed. */
  async function waitForChangeOrDeadline(): Promise<boolean> {
    const canContinue = () => mustReview || !mutex.idle || hasRunLong();
    if (report === null || dueAtMs === null) {
      await condition(canContinue);
      return false;
    }
    const waitMs = Math.max(1, dueAtMs - Date.now());
    return !(await condition(canContinue, waitMs, { summary: timerSummary(report) }));
  }

  async function review(): Promise<void> {
    mustReview = false;
    setReport(await own.review(input));
  }

  function setReport(next: PreauthorizationReport | null): void {
    report = next;
    dueAtMs =
      next === null || next.dueInMs === null ? null : Date.now() + Math.min(next.dueInMs, LONGEST_TIMER_MS);
    if (next !== null) showState(details, next, dueAtMs);
  }

  function identity(): PreauthorizationIdentity {
    const { resourceId, tenant, environment } = input;
    return { resourceId, tenant, environment };
  }

  function hasRunLong(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || historyLength > (input.historyLimit ?? Number.POSITIVE_INFINITY);
  }
}
