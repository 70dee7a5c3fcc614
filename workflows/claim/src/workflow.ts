/**
 * The workflow of a claim. It runs while the claim waits for a decision, evidence or a settlement. Commands arrive as Updates and are
 * executed one at a time, each by steps that read the facts again: the workflow remembers only what it waits for. The run ends when the
 * claim is denied, settled, reversed or cancelled. A later command starts a new run, which reads the facts.
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
import { adjudicate, cancel, releaseIfEnded, reverse, submit } from './commands';
import * as messages from './messages';
import { showState } from './operator';
import { own } from './services';
import type { ClaimView, CommandStep } from './steps';

/** How long a run waits for the submission that started it. */
const SUBMISSION_WAIT_MS = 10_000;
/** Pause before a deadline is checked again: Temporal's clock can be ahead of the database's clock, which decides. */
const LAPSE_RETRY_MS = 1_000;
/** Longest single timer. After it the deadline, which can be thousands of years away, is read again. */
const LONGEST_TIMER_MS = 366 * 24 * 3_600_000;

/** Statuses in which a claim waits for no decision, evidence or settlement. */
const ENDED: readonly ClaimView['status'][] = ['none', 'denied', 'settled', 'reversed', 'cancelled'];

export async function claim(input: ResourceWorkflowInput): Promise<void> {
  const id = { tenant: input.tenant, claimId: input.resourceId };
  const mutex = new Mutex();
  const details = new RunDetails();
  let view: ClaimView = { status: 'none', dueAt: null, mustRelease: false, unfinished: null, words: '' };
  let commands = 0;
  let isOpen = false;
  let wasSignalled = false;
  let notBeforeMs = 0;

  setHandler(messages.submit, (message) => executeCommand(messages.submit, message, submit));
  setHandler(messages.requestInformation, (message) =>
    executeCommand(messages.requestInformation, message, (step) => own.commitInformationRequest(step)),
  );
  setHandler(messages.submitEvidence, (message) =>
    executeCommand(messages.submitEvidence, message, (step) => own.commitEvidence(step)),
  );
  setHandler(messages.adjudicate, (message) => executeCommand(messages.adjudicate, message, adjudicate));
  setHandler(messages.cancel, (message) => executeCommand(messages.cancel, message, cancel));
  setHandler(messages.reverse, (message) => executeCommand(messages.reverse, message, reverse));
  setHandler(messages.recorded, () => {
    wasSignalled = true;
  });

  // The submission that started the run executes first. It creates the claim, so there is nothing to read before it.
  await mutex.take(openOnce);
  if (view.status === 'none') await waitForSubmission();
  for (;;) {
    const isDue = await waitForSignalOrDeadline();
    if (wasSignalled) await review();
    else if (isDue) await lapse();
    else if (isIdle() && hasEnded()) return;
    else if (isIdle() && hasRunLong()) await continueAsNew<typeof claim>(input);
  }

  /** Reads the claim and completes what a lost run left pending. The first step of every new run, also after a restore. */
  async function open(): Promise<void> {
    setView(await own.loadClaim(id));
    if (view.unfinished !== null) {
      const { update, commandId } = view.unfinished;
      try {
        setView(await (update === 'adjudicate' ? adjudicate : reverse)({ ...id, commandId }, commandId));
      } catch (error) {
        // The rejection is ignored here: the claim is unchanged, and the client gets the error when it repeats the request.
        if (apiErrorIn(error) === null) throw error;
        setView(await own.loadClaim(id));
      }
    }
    setView(await releaseIfEnded(id, id.claimId, view));
  }

  async function openOnce(): Promise<void> {
    if (isOpen) return;
    await open();
    isOpen = true;
  }

  async function executeCommand(
    { name }: { readonly name: string },
    message: CommandMessage,
    command: (step: CommandStep, requestId: string) => Promise<ClaimView>,
  ): Promise<void> {
    const { commandId, requestId } = message;
    commands += 1;
    await mutex.take(async () => {
      try {
        if (command !== submit) await openOnce();
        setView(await command({ ...id, commandId }, requestId));
        if (view.unfinished === null && !view.mustRelease) isOpen = true;
        details.showOutcome(name, message, null);
      } catch (error) {
        const rejection = apiErrorIn(error);
        if (rejection !== null) details.showOutcome(name, message, rejection);
        throw rejection ?? error;
      }
    });
  }

  async function waitForSubmission(): Promise<void> {
    await condition(() => commands > 0, SUBMISSION_WAIT_MS, { summary: 'The submission arrives' });
  }

  /** Waits for a Temporal signal, for the deadline, or until the run can end. Returns whether the deadline has passed. */
  async function waitForSignalOrDeadline(): Promise<boolean> {
    const { dueAt } = view;
    const canContinue = () =>
      wasSignalled || view.dueAt !== dueAt || (isIdle() && (hasEnded() || hasRunLong()));
    if (dueAt === null) {
      await condition(canContinue);
      return false;
    }
    const dueMs = Math.max(Date.parse(dueAt), notBeforeMs);
    if (dueMs > Date.now()) {
      const waitMs = Math.min(dueMs - Date.now(), LONGEST_TIMER_MS);
      await condition(canContinue, waitMs, { summary: 'The information request lapses' });
    }
    return view.dueAt === dueAt && Date.now() >= dueMs;
  }

  /** Reads the facts and lets an overdue information request lapse. */
  async function review(): Promise<void> {
    wasSignalled = false;
    await mutex.take(async () =>
      setView(await releaseIfEnded(id, id.claimId, await own.lapseInformationRequest(id))),
    );
  }

  async function lapse(): Promise<void> {
    const { dueAt } = view;
    await review();
    if (view.dueAt === dueAt) notBeforeMs = Date.now() + LAPSE_RETRY_MS;
  }

  function setView(next: ClaimView): void {
    showState(details, next, view);
    view = next;
  }

  function isIdle(): boolean {
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
