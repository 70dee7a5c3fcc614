/**
 * The story of a pre-authorization. It keeps the two deadlines, undecided and unused, and carries out the commands one at a
 * time. What is true stands in the benefits service's facts: every run begins by reading them, so a run may be a creation, a
 * revival or a restore, and it ends when nothing more can happen by itself.
 */
import { apiErrorIn, type CommandMessage, Mutex } from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import * as messages from './messages';
import { showState, timerWords } from './operator';
import { care, own } from './services';
import type { CommandStep, PreauthorizationIdentity, PreauthorizationReport } from './steps';

/**
 * A later deadline is checked again after this time. The run of a pre-authorization that a claim uses ends at such a check: it is not
 * signalled when the claim takes it.
 */
const LONGEST_TIMER_MS = 90 * 24 * 60 * 60 * 1000;

export async function preauthorization(input: messages.PreauthorizationWorkflowInput): Promise<void> {
  const mutex = new Mutex();
  let stands: PreauthorizationReport | null = null;
  let dueAtMs: number | null = null;
  let mustReview = true;

  setHandler(messages.wake, () => {
    mustReview = true;
  });
  setHandler(messages.decide, (message) => executeCommand(message, decide));
  setHandler(messages.cancel, (message) => executeCommand(message, (step) => own.cancel(step)));
  setHandler(messages.cancelForBooking, (message) =>
    executeCommand(message, (step) => own.cancelForBooking(step)),
  );
  setHandler(messages.expire, (message) => executeCommand(message, (step) => own.expireNow(step)));

  for (;;) {
    if (mustReview) await mutex.take(review);
    await condition(() => mutex.idle);
    if (mustReview) continue;
    if (dueAtMs === null && allHandlersFinished()) return;
    if (hasRunLong() && allHandlersFinished()) await continueAsNew<typeof preauthorization>(input);
    if (await newsOrDeadline()) mustReview = true;
  }

  async function executeCommand(
    { commandId, requestId }: CommandMessage,
    command: (step: CommandStep, requestId: string) => Promise<PreauthorizationReport>,
  ): Promise<void> {
    await mutex.take(async () => {
      try {
        see(await command({ ...identity(), commandId }, requestId));
      } catch (error) {
        // A rejection may mean that it stands otherwise than we knew.
        mustReview = true;
        throw apiErrorIn(error) ?? error;
      }
    });
  }

  async function decide(step: CommandStep, requestId: string): Promise<PreauthorizationReport> {
    const begun = await own.beginDecision(step);
    const confirmation = begun && {
      tenant: input.tenant,
      bookingId: begun.bookingId,
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

  /** Waits for a command, a signal or the deadline. True where the deadline has come. */
  async function newsOrDeadline(): Promise<boolean> {
    const happened = () => mustReview || !mutex.idle || hasRunLong();
    if (stands === null || dueAtMs === null) {
      await condition(happened);
      return false;
    }
    const waitMs = Math.max(1, dueAtMs - Date.now());
    return !(await condition(happened, waitMs, { summary: timerWords(stands) }));
  }

  async function review(): Promise<void> {
    mustReview = false;
    see(await own.review(input));
  }

  function see(seen: PreauthorizationReport | null): void {
    stands = seen;
    dueAtMs =
      seen === null || seen.dueInMs === null ? null : Date.now() + Math.min(seen.dueInMs, LONGEST_TIMER_MS);
    if (seen !== null) showState(seen, dueAtMs);
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
