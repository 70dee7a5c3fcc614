/**
 * The story of a claim, from its submission until nothing can happen any more. Commands arrive as Updates and are carried out one
 * at a time, each by steps that look at the facts anew: the workflow remembers only what it waits for.
 *
 * A step that may refuse comes before one that can't. What another service gave is given back if a later one refuses. The run
 * ends when the claim is settled, reversed or cancelled, and a command that reaches it later begins a new one, from the facts.
 */
import { type CommandMessage, refusalIn, Turns } from '@carecover/platform/workflow';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import * as messages from './messages';
import { OperatorDisplay } from './operator';
import { care, freeFromClaim, openLiability, own, reverseLiability, useForClaim } from './services';
import type { ClaimView } from './steps';

/** How long a run waits for the submission that started it. */
const SUBMISSION_WAIT_MS = 10_000;
/** The timer's clock may be ahead of the database's, which decides whether a request has lapsed. */
const LAPSE_RETRY_MS = 1_000;
/** No single timer is longer; a deadline may be thousands of years away. */
const LONGEST_TIMER_MS = 366 * 24 * 3_600_000;

const ENDED: readonly ClaimView['status'][] = ['none', 'settled', 'reversed', 'cancelled'];

export async function claim(input: messages.ClaimWorkflowInput): Promise<void> {
  const id = { tenant: input.tenant, claimId: input.resourceId };
  const turns = new Turns();
  const display = new OperatorDisplay();
  let view: ClaimView = { status: 'none', dueAt: null, toFree: false, unfinished: null, words: '' };
  let commands = 0;
  let news = false;

  function see(seen: ClaimView): void {
    view = seen;
    display.show(seen);
  }

  async function submit(commandId: string): Promise<ClaimView> {
    const command = { ...id, commandId };
    const submission = await own.prepareSubmission(command);
    if (submission === null) return own.loadClaim(id);
    let mayHaveUsed = false;
    try {
      const session = await care.sessionForClaim({
        tenant: input.tenant,
        sessionId: submission.sessionId,
      });
      mayHaveUsed = true;
      const used = await useForClaim({
        caller: submission.caller,
        claimId: input.resourceId,
        eligibilityCheckId: submission.eligibilityCheckId,
        preauthorizationId: submission.preauthorizationId,
        session,
        serviceCodes: submission.serviceCodes,
      });
      return await own.commitSubmission({ ...command, session, ...used });
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null) throw error;
      if (mayHaveUsed) await freeFromClaim(id);
      await own.dropSubmission({ ...command, code: String(refusal.details?.[0]) });
      throw refusal;
    }
  }

  const requestInformation = (commandId: string) => own.commitInformationRequest({ ...id, commandId });

  const submitEvidence = (commandId: string) => own.commitEvidence({ ...id, commandId });

  async function adjudicate(commandId: string): Promise<ClaimView> {
    const command = { ...id, commandId };
    const liability = await own.prepareAdjudication(command);
    if (liability === null) return own.loadClaim(id);
    try {
      await openLiability(liability);
    } catch (error) {
      if (refusalIn(error) !== null) await own.dropInHand(command);
      throw error;
    }
    return own.commitAdjudication({ ...command, decidedAt: liability.decidedAt });
  }

  async function reverse(commandId: string): Promise<ClaimView> {
    const command = { ...id, commandId };
    if (!(await own.prepareReversal(command))) return free(await own.loadClaim(id));
    try {
      await reverseLiability(id);
    } catch (error) {
      if (refusalIn(error) !== null) await own.dropInHand(command);
      throw error;
    }
    return free(await own.commitReversal(command));
  }

  async function cancel(commandId: string): Promise<ClaimView> {
    return free(await own.commitCancellation({ ...id, commandId }));
  }

  /** What a cancelled or reversed claim used can be used by another. */
  async function free(seen: ClaimView): Promise<ClaimView> {
    if (!seen.toFree) return seen;
    await freeFromClaim(id);
    return own.recordFreed(id);
  }

  /** A new run, be it a birth, a revival or after a restore, first ends what a lost one left half done. */
  async function open(): Promise<void> {
    see(await own.loadClaim(id));
    if (view.unfinished !== null) {
      const { update, commandId } = view.unfinished;
      try {
        see(await (update === 'adjudicate' ? adjudicate(commandId) : reverse(commandId)));
      } catch (error) {
        // Its caller hears of the refusal by repeating the request; the claim stands as it did.
        if (refusalIn(error) === null) throw error;
        see(await own.loadClaim(id));
      }
    }
    see(await free(view));
  }

  const inTurn =
    (carryOut: (commandId: string) => Promise<ClaimView>) =>
    ({ commandId }: CommandMessage): Promise<void> => {
      commands += 1;
      return turns.take(async () => {
        try {
          see(await carryOut(commandId));
        } catch (error) {
          throw refusalIn(error) ?? error;
        }
      });
    };

  const opened = turns.take(open);
  setHandler(messages.submit, inTurn(submit));
  setHandler(messages.requestInformation, inTurn(requestInformation));
  setHandler(messages.submitEvidence, inTurn(submitEvidence));
  setHandler(messages.adjudicate, inTurn(adjudicate));
  setHandler(messages.cancel, inTurn(cancel));
  setHandler(messages.reverse, inTurn(reverse));
  setHandler(messages.recorded, () => {
    news = true;
  });
  await opened;
  if (view.status === 'none') {
    await condition(() => commands > 0, SUBMISSION_WAIT_MS, { summary: 'The submission arrives' });
  }

  let notBefore = 0;
  for (;;) {
    const { dueAt } = view;
    const rested = () => turns.idle && allHandlersFinished();
    const full = () =>
      workflowInfo().continueAsNewSuggested ||
      workflowInfo().historyLength > (input.historyLimit ?? Number.POSITIVE_INFINITY);
    const somethingToDo = () =>
      news || view.dueAt !== dueAt || (rested() && (ENDED.includes(view.status) || full()));

    const due = dueAt === null ? null : Math.max(Date.parse(dueAt), notBefore);
    if (due === null) await condition(somethingToDo);
    else if (due > Date.now())
      await condition(somethingToDo, Math.min(due - Date.now(), LONGEST_TIMER_MS), {
        summary: 'The information request lapses',
      });

    if (news) {
      news = false;
      await turns.take(async () => see(await free(await own.lapseInformationRequest(id))));
    } else if (due !== null && view.dueAt === dueAt && Date.now() >= due) {
      await turns.take(async () => see(await own.lapseInformationRequest(id)));
      if (view.dueAt === dueAt) notBefore = Date.now() + LAPSE_RETRY_MS;
    } else if (rested() && ENDED.includes(view.status)) {
      return;
    } else if (rested() && full()) {
      await continueAsNew<typeof claim>(input);
    }
  }
}
