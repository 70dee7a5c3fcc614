/**
 * The workflow of a claim. It is open while the claim awaits a decision, an answer or money. Commands arrive as Updates and are executed
 * one at a time, each by steps that read the facts again: the workflow remembers only what it waits for. The run ends when the claim is
 * denied, settled, reversed or cancelled, and a command that comes later starts a new one, from the facts.
 */
import { apiErrorIn, type CommandMessage, Mutex } from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { adjudicate, cancel, free, reverse, submit } from './commands';
import * as messages from './messages';
import { showState } from './operator';
import { own } from './services';
import type { ClaimView, CommandStep } from './steps';

/** How long a run waits for the submission that started it. */
const SUBMISSION_WAIT_MS = 10_000;
/** The timer's clock may be ahead of the database's, which decides whether a request has lapsed. */
const LAPSE_RETRY_MS = 1_000;
/** No single timer is longer; a deadline may be thousands of years away. */
const LONGEST_TIMER_MS = 366 * 24 * 3_600_000;

/** In these it awaits neither a decision nor an answer nor money. */
const ENDED: readonly ClaimView['status'][] = ['none', 'denied', 'settled', 'reversed', 'cancelled'];

export async function claim(input: messages.ClaimWorkflowInput): Promise<void> {
  const id = { tenant: input.tenant, claimId: input.resourceId };
  const mutex = new Mutex();
  let view: ClaimView = { status: 'none', dueAt: null, mustRelease: false, unfinished: null, words: '' };
  let commands = 0;
  let isOpen = false;
  let news = false;
  let notBeforeMs = 0;

  setHandler(messages.submit, (message) => executeCommand(message, submit));
  setHandler(messages.requestInformation, (message) =>
    executeCommand(message, (step) => own.commitInformationRequest(step)),
  );
  setHandler(messages.submitEvidence, (message) =>
    executeCommand(message, (step) => own.commitEvidence(step)),
  );
  setHandler(messages.adjudicate, (message) => executeCommand(message, adjudicate));
  setHandler(messages.cancel, (message) => executeCommand(message, cancel));
  setHandler(messages.reverse, (message) => executeCommand(message, reverse));
  setHandler(messages.recorded, () => {
    news = true;
  });

  // A submission that came with the start has the first turn: it creates the claim, so there is nothing to read before it.
  await mutex.take(openOnce);
  if (view.status === 'none') await submissionArrives();
  for (;;) {
    const isDue = await newsOrDeadline();
    if (news) await review();
    else if (isDue) await lapse();
    else if (isQuiet() && hasEnded()) return;
    else if (isQuiet() && hasRunLong()) await continueAsNew<typeof claim>(input);
  }

  /** A new run, be it a creation, a revival or after a restore, first ends what a lost one left half done. */
  async function open(): Promise<void> {
    see(await own.loadClaim(id));
    if (view.unfinished !== null) {
      const { update, commandId } = view.unfinished;
      try {
        see(await (update === 'adjudicate' ? adjudicate : reverse)({ ...id, commandId }, commandId));
      } catch (error) {
        // Its caller hears of the rejection by repeating the request; the claim stands as it did.
        if (apiErrorIn(error) === null) throw error;
        see(await own.loadClaim(id));
      }
    }
    see(await free(id, id.claimId, view));
  }

  async function openOnce(): Promise<void> {
    if (isOpen) return;
    await open();
    isOpen = true;
  }

  async function executeCommand(
    { commandId, requestId }: CommandMessage,
    command: (step: CommandStep, requestId: string) => Promise<ClaimView>,
  ): Promise<void> {
    commands += 1;
    await mutex.take(async () => {
      try {
        if (command !== submit) await openOnce();
        see(await command({ ...id, commandId }, requestId));
        if (view.unfinished === null && !view.mustRelease) isOpen = true;
      } catch (error) {
        throw apiErrorIn(error) ?? error;
      }
    });
  }

  async function submissionArrives(): Promise<void> {
    await condition(() => commands > 0, SUBMISSION_WAIT_MS, { summary: 'The submission arrives' });
  }

  /** Waits for news, for the deadline, or for quiet in which the run may end. True where the deadline has come. */
  async function newsOrDeadline(): Promise<boolean> {
    const { dueAt } = view;
    const happened = () => news || view.dueAt !== dueAt || (isQuiet() && (hasEnded() || hasRunLong()));
    if (dueAt === null) {
      await condition(happened);
      return false;
    }
    const dueMs = Math.max(Date.parse(dueAt), notBeforeMs);
    if (dueMs > Date.now()) {
      const waitMs = Math.min(dueMs - Date.now(), LONGEST_TIMER_MS);
      await condition(happened, waitMs, { summary: 'The information request lapses' });
    }
    return view.dueAt === dueAt && Date.now() >= dueMs;
  }

  /** Looks at facts and clock. The step that does is named after the one thing it may change, and histories keep the name. */
  async function review(): Promise<void> {
    news = false;
    await mutex.take(async () => see(await free(id, id.claimId, await own.lapseInformationRequest(id))));
  }

  async function lapse(): Promise<void> {
    const { dueAt } = view;
    await review();
    if (view.dueAt === dueAt) notBeforeMs = Date.now() + LAPSE_RETRY_MS;
  }

  function see(seen: ClaimView): void {
    showState(seen, view);
    view = seen;
  }

  function isQuiet(): boolean {
    return mutex.idle && allHandlersFinished();
  }

  function hasEnded(): boolean {
    return ENDED.includes(view.status);
  }

  function hasRunLong(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || historyLength > (input.historyLimit ?? Number.POSITIVE_INFINITY);
  }
}
