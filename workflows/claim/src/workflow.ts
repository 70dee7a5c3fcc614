/**
 * The workflow of a claim. It runs while the claim waits for a decision, evidence or a settlement. Commands arrive as Updates and are
 * executed one at a time, each by steps that read the facts again: the workflow remembers only what it waits for. The run ends when the
 * claim is denied, settled, reversed or cancelled. A later command starts a new run, which reads the facts.
 */
import {
  apiErrorIn,
  CLAIM_STATUS,
  type CommandMessage,
  DUE_AT,
  Mutex,
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
import { adjudicate, cancel, releaseIfEnded, reverse, submit } from './commands';
import { claimWorkflow } from './definition';
import { type ClaimView, type CommandStep, own } from './steps';

/** How many milliseconds a new run waits for the Update with the submission that started the run. */
const SUBMISSION_WAIT_MS = 10_000;
/**
 * Milliseconds until the deadline of an information request is checked again. Temporal's clock can have reached the deadline before the
 * database's clock, which decides.
 */
const LAPSE_RETRY_MS = 1_000;
/** The longest timer in milliseconds. A deadline can be thousands of years away; the workflow then starts one timer after another. */
const LONGEST_TIMER_MS = 366 * 24 * 3_600_000;

/** Statuses in which a claim waits for no decision, evidence or settlement. */
const ENDED: readonly ClaimView['status'][] = ['none', 'denied', 'settled', 'reversed', 'cancelled'];

type Unfinished = NonNullable<ClaimView['unfinished']>;

/** A function that executes the steps of a command and returns the claim's state after the command. */
type ExecuteCommand = (step: CommandStep, requestId: string) => Promise<ClaimView>;

export async function claim(input: ResourceWorkflowInput): Promise<void> {
  const id = { tenant: input.tenant, claimId: input.resourceId };
  const mutex = new Mutex();
  const details = new RunDetails();
  let view: ClaimView = { status: 'none', dueAt: null, mustRelease: false, unfinished: null, words: '' };
  let commands = 0;
  let isOpen = false;
  let wasSignalled = false;
  let notBeforeMs = 0;

  const { updates, signal } = claimWorkflow;
  handleUpdate(updates.createClaim, submit);
  handleUpdate(updates.requestClaimInformation, (step) => own.commitInformationRequest(step));
  handleUpdate(updates.submitClaimEvidence, (step) => own.commitEvidence(step));
  handleUpdate(updates.adjudicateClaim, adjudicate);
  handleUpdate(updates.cancelClaim, cancel);
  handleUpdate(updates.reverseClaim, reverse);
  setHandler(defineSignal(signal), () => {
    wasSignalled = true;
  });

  // A submission that started this run has taken the mutex before and has created the claim. Then `openOnce` reads nothing.
  await mutex.take(openOnce);
  if (view.status === 'none') await waitForSubmission();
  for (;;) {
    const isDue = await waitForSignalOrDeadline();
    if (wasSignalled) await review();
    else if (isDue) await lapse();
    else if (isIdle() && hasEnded()) return;
    else if (isIdle() && hasRunLong()) await continueAsNew<typeof claim>(input);
  }

  /**
   * Reads the claim, and completes what a lost run left pending: a command, and the release of the session and pre-authorization. Every new
   * run of an existing claim executes this first, also after a restore of a backup.
   */
  async function open(): Promise<void> {
    setView(await own.loadClaim(id));
    if (view.unfinished !== null) setView(await complete(view.unfinished));
    setView(await releaseIfEnded(id, id.claimId, view));
  }

  /** Executes a command that a lost run or a lost Update left pending, and returns the claim's state after it. */
  async function complete({ update, commandId }: Unfinished): Promise<ClaimView> {
    try {
      return await (update === 'adjudicate' ? adjudicate : reverse)({ ...id, commandId }, commandId);
    } catch (error) {
      // If the pending command is rejected, the run continues: the claim is unchanged, and the client receives the error when it repeats
      // the request.
      if (apiErrorIn(error) === null) throw error;
      return own.loadClaim(id);
    }
  }

  async function openOnce(): Promise<void> {
    if (isOpen) return;
    await open();
    isOpen = true;
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
    commands += 1;
    await mutex.take(async () => {
      try {
        if (command !== submit) await openOnce();
        setView(await command({ ...id, commandId }, requestId));
        if (view.unfinished !== null) {
          // Temporal can lose an Update of this run after its step in payments. The command that it left pending is completed first.
          setView(await complete(view.unfinished));
          setView(await command({ ...id, commandId }, requestId));
        }
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

  /**
   * Waits for a Temporal signal, for the deadline of the information request, or until the run can end. Returns whether the deadline has
   * passed.
   */
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

  /**
   * Lets an overdue information request lapse, completes a pending release of the session and pre-authorization, and reads the claim's
   * state.
   */
  async function review(): Promise<void> {
    wasSignalled = false;
    await mutex.take(async () => setView(await releaseIfEnded(id, id.claimId, await own.reviewClaim(id))));
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

/**
 * Shows a claim's state in the Temporal UI: the current details and the search attributes. Adds an event to the history only if search
 * attributes changed.
 *
 * @param before the state that was shown last
 */
function showState(details: RunDetails, now: ClaimView, before: ClaimView): void {
  details.showState(now.words);
  if (now.status === 'none') return;
  const changed = [
    ...(now.status === before.status ? [] : [{ key: CLAIM_STATUS, value: now.status }]),
    ...(now.dueAt === before.dueAt
      ? []
      : [{ key: DUE_AT, value: now.dueAt === null ? null : new Date(now.dueAt) }]),
  ];
  if (changed.length > 0) upsertSearchAttributes(changed);
}
