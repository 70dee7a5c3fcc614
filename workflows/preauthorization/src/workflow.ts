/**
 * The workflow of a pre-authorization. It executes commands one at a time and waits for the deadline of the decision or of the approval.
 * The state is in benefits' database. Every run first reads the state, so a run can start at any time. A run ends when no deadline is left,
 * for example after a claim has used the pre-authorization.
 */
import {
  apiErrorIn,
  type CommandMessage,
  DUE_AT,
  Mutex,
  PREAUTHORIZATION_STATUS,
  type ResourceWorkflowInput,
  RunDetails,
} from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { CANCEL_FOR_BOOKING, preauthorizationWorkflow } from './definition';
import {
  type CommandStep,
  care,
  own,
  type PreauthorizationIdentity,
  type PreauthorizationReport,
} from './steps';

/** The longest timer in milliseconds. When it fires before the deadline, the workflow reads the state again. */
const LONGEST_TIMER_MS = 90 * 24 * 60 * 60 * 1000;

/** A function that executes the steps of a command and returns the pre-authorization's state after the command; null if it has ended. */
type ExecuteCommand = (step: CommandStep, requestId: string) => Promise<PreauthorizationReport | null>;

/** Runs the workflow of one pre-authorization. */
export async function preauthorization(input: ResourceWorkflowInput): Promise<void> {
  const mutex = new Mutex();
  const details = new RunDetails();
  let report: PreauthorizationReport | null = null;
  let dueAtMs: number | null = null;
  let mustReview = true;

  const { updates, signal } = preauthorizationWorkflow;
  handleUpdate(updates.decidePreauthorization, decide);
  handleUpdate(updates.cancelPreauthorization, (step) => own.cancel(step));
  handleUpdate(CANCEL_FOR_BOOKING, (step) => own.cancelForBooking(step));
  handleUpdate(updates.expirePreauthorization, (step) => own.expireNow(step));

  setHandler(defineSignal(signal), () => {
    mustReview = true;
  });

  for (;;) {
    if (mustReview) await mutex.take(review);
    await condition(() => mutex.idle);
    if (mustReview) continue;
    if (dueAtMs === null && allHandlersFinished()) return;
    if (hasRunLong() && allHandlersFinished()) await continueAsNew<typeof preauthorization>(input);
    if (await waitForChangeOrDeadline()) mustReview = true;
  }

  function handleUpdate(name: string, command: ExecuteCommand): void {
    setHandler(defineUpdate<void, [CommandMessage]>(name), (message) =>
      executeCommand(name, message, command),
    );
  }

  async function executeCommand(
    name: string,
    message: CommandMessage,
    command: ExecuteCommand,
  ): Promise<void> {
    const { commandId, requestId } = message;
    await mutex.take(async () => {
      try {
        setReport(await command({ ...identity(), commandId }, requestId));
        details.showOutcome(name, message, null);
      } catch (error) {
        // The command may have been rejected because the state that this run has read is outdated, so the state is read again.
        mustReview = true;
        const rejection = apiErrorIn(error);
        if (rejection !== null) details.showOutcome(name, message, rejection);
        throw rejection ?? error;
      }
    });
  }

  async function decide(step: CommandStep, requestId: string): Promise<PreauthorizationReport | null> {
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
        if (await own.abandonDecision(step)) return own.review(input);
      }
      throw error;
    }
  }

  /** Waits for a command or for the pre-authorization's deadline. Returns whether the timer for the deadline has fired. */
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

/**
 * Shows a pre-authorization's state in the Temporal UI: the current details and the search attributes. They contain no data about the
 * member or the care.
 *
 * @param dueAtMs when the workflow's timer fires, in epoch milliseconds of Temporal's clock; null without a timer
 */
function showState(details: RunDetails, now: PreauthorizationReport, dueAtMs: number | null): void {
  details.showState(formatDetails(now));
  upsertSearchAttributes([
    { key: PREAUTHORIZATION_STATUS, value: now.status },
    { key: DUE_AT, value: dueAtMs === null ? null : new Date(dueAtMs) },
  ]);
}

function formatDetails(report: PreauthorizationReport): string {
  if (report.status === 'approved' && report.usedByClaimId !== null) {
    return `Approved and used by ${report.usedByClaimId}: nothing is due. The claim's cancellation or reversal makes it available again.`;
  }
  if (report.status === 'approved') {
    return `Approved: one session is reserved. Expires at ${report.deadline} unless a claim has used it by then.`;
  }
  if (report.status === 'pending') {
    return report.deadline === null
      ? 'Pending: an approval is in progress.'
      : `Pending: waits for the payer's decision until ${report.deadline}.`;
  }
  return `Ended: ${report.status}.`;
}

/** Returns the text that the Temporal UI shows for the workflow's timer. */
function timerSummary(report: PreauthorizationReport): string {
  return report.status === 'pending' ? 'until the decision is overdue' : 'until the approval ends unused';
}
