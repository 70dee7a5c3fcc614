/**
 * The life of a pre-authorization. It keeps the two deadlines, undecided and unused, and carries out the commands one at a
 * time. What is true stands in the benefits service's facts: every run begins by reading them, so a run may be a birth, a
 * revival or a restore, and it ends when nothing more can happen by itself.
 */
import {
  type CommandMessage,
  DUE_AT,
  PREAUTHORIZATION_STATUS,
  refusalIn,
  Turns,
} from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { cancelForBookingUpdate, cancelUpdate, decideUpdate, expireUpdate, wakeSignal } from './messages';
import type { CommandStep, PreauthorizationIdentity, PreauthorizationReport } from './ports';
import { care, own } from './services';
import { inWords, timerWords } from './words';

/** A later deadline is looked at again after a year: no engine likes a timer of a thousand. */
const LONGEST_TIMER_MS = 365 * 24 * 60 * 60 * 1000;

/** How a pre-authorization's workflow is started. */
export interface PreauthorizationInput extends PreauthorizationIdentity {
  /** Events of history after which it continues as a new run; by default when the engine suggests it. */
  readonly continueAfterEvents?: number;
}

export async function preauthorization(input: PreauthorizationInput): Promise<void> {
  const turns = new Turns();
  let stands: PreauthorizationReport | null = null;
  let dueAtMs: number | null = null;
  let mustReview = true;

  setHandler(wakeSignal, () => {
    mustReview = true;
  });
  setHandler(decideUpdate, (message) => inTurn(message, decide));
  setHandler(cancelUpdate, (message) => inTurn(message, own.cancel));
  setHandler(cancelForBookingUpdate, (message) => inTurn(message, own.cancelForBooking));
  setHandler(expireUpdate, (message) => inTurn(message, own.expireNow));

  for (;;) {
    if (mustReview) await turns.take(review);
    await condition(() => turns.idle);
    if (mustReview) continue;
    if (dueAtMs === null && allHandlersFinished()) return;
    if (hasGrownLong() && allHandlersFinished()) await continueAsNew<typeof preauthorization>(input);
    const isOverdue = !(await somethingHappens());
    if (isOverdue) mustReview = true;
  }

  /** Waits for a command, a signal or the deadline; false where it was the deadline. */
  async function somethingHappens(): Promise<boolean> {
    const happened = () => mustReview || !turns.idle || hasGrownLong();
    if (stands === null || dueAtMs === null) {
      await condition(happened);
      return true;
    }
    return condition(happened, Math.max(1, dueAtMs - Date.now()), { summary: timerWords(stands) });
  }

  async function review(): Promise<void> {
    mustReview = false;
    learn(await own.review(input));
  }

  async function inTurn(
    message: CommandMessage,
    command: (step: CommandStep) => Promise<PreauthorizationReport>,
  ): Promise<void> {
    await turns.take(async () => {
      try {
        learn(await command({ ...identity(), commandId: message.commandId }));
      } catch (error) {
        // A refusal may mean that it stands otherwise than we knew.
        mustReview = true;
        throw refusalIn(error) ?? error;
      }
    });
  }

  async function decide(step: CommandStep): Promise<PreauthorizationReport> {
    const begun = await own.beginDecision(step);
    try {
      if (begun !== null) {
        await care.confirmBooking({
          tenant: input.tenant,
          bookingId: begun.bookingId,
          preauthorizationId: input.resourceId,
        });
      }
      return await own.commitDecision(step);
    } catch (error) {
      if (refusalIn(error) !== null) {
        await own.abandonDecision(step);
      }
      throw error;
    }
  }

  function learn(report: PreauthorizationReport | null): void {
    stands = report;
    dueAtMs =
      report === null || report.dueInMs === null
        ? null
        : Date.now() + Math.min(report.dueInMs, LONGEST_TIMER_MS);
    if (report === null) return;
    setCurrentDetails(inWords(report));
    upsertSearchAttributes([
      { key: PREAUTHORIZATION_STATUS, value: report.status },
      { key: DUE_AT, value: dueAtMs === null ? null : new Date(dueAtMs) },
    ]);
  }

  function identity(): PreauthorizationIdentity {
    const { resourceId, tenant, environment } = input;
    return { resourceId, tenant, environment };
  }

  function hasGrownLong(): boolean {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return continueAsNewSuggested || historyLength > (input.continueAfterEvents ?? Number.POSITIVE_INFINITY);
  }
}
