/**
 * The story of a remittance: advised, then waiting for its money to be seen, until it is reconciled. What payments decides is
 * committed there first; then the claims service records it, which can't reject; then the caller is answered. It ends once
 * reconciled; a later observation or reversal starts it again from the facts.
 */
import { apiErrorIn, type CommandMessage, Mutex } from '@carecover/platform/workflow';
import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import * as messages from './messages';
import { showState } from './operator';
import { claims, own } from './services';
import type { CommandStep, RemittanceState, RemittanceSteps } from './steps';

/** The least time to wait before looking at a deadline again. */
const PAUSE_MS = 1_000;

export async function remittanceWorkflow(input: messages.RemittanceWorkflowInput): Promise<void> {
  const { resourceId: remittanceId, tenant } = input;
  const mutex = new Mutex();
  let state = null as RemittanceState | null;
  let commands = 0;
  let news = false;

  setHandler(messages.record, (message) => executeCommand(message, allocate));
  setHandler(messages.observe, (message) => executeCommand(message, (step) => own.observe(step)));
  setHandler(messages.reverse, (message) => executeCommand(message, (step) => own.reverseObservation(step)));
  setHandler(messages.wake, () => {
    news = true;
  });

  await mutex.take(async () => {
    // Unless a command that came before this told it, a run begins by reading the facts.
    if (state === null) await review();
  });
  while (await isOpenWhenQuiet()) {
    if (hasRunLong()) return await continueAsNew<typeof remittanceWorkflow>(input);
    await newsOrDeadline();
    if (news || isDue()) await mutex.take(review);
  }

  /** A command from its decision to its answer. */
  async function executeCommand(
    { commandId, requestId }: CommandMessage,
    decide: (step: CommandStep, requestId: string) => Promise<RemittanceState>,
  ): Promise<void> {
    commands += 1;
    await mutex.take(async () => {
      try {
        see(await decide({ commandId }, requestId));
        await notifyClaims(commandId, requestId);
      } catch (error) {
        throw apiErrorIn(error) ?? error;
      }
    });
  }

  /** Only claims knows whether a claim exists that was never adjudicated. */
  async function allocate({ commandId }: CommandStep, requestId: string): Promise<RemittanceState> {
    let knownClaims: readonly string[] | null = null;
    for (;;) {
      const outcome: Awaited<ReturnType<RemittanceSteps['allocate']>> = await own.allocate({
        commandId,
        knownClaims,
      });
      if (!('strangers' in outcome)) return outcome;
      knownClaims = await claims.knownClaims({ tenant, claimIds: outcome.strangers }, requestId);
    }
  }

  /** Looks at facts and clock, whatever this run remembers. */
  async function review(): Promise<void> {
    news = false;
    see(await own.review({ remittanceId }));
    if (state !== null && state.pending.length > 0) await notifyClaims(null, remittanceId);
  }

  async function notifyClaims(commandId: string | null, requestId: string): Promise<void> {
    const pending = state?.pending ?? [];
    for (const { kind, input: facts } of pending) {
      await (kind === 'remittance'
        ? claims.recordRemittance(facts, requestId)
        : claims.recordSettlement(facts, requestId));
    }
    see(await own.conclude({ remittanceId, commandId, toldCauses: pending.map((told) => told.causeId) }));
  }

  function see(seen: RemittanceState | null): void {
    if (seen !== null) showState(seen, state);
    state = seen;
  }

  async function isOpenWhenQuiet(): Promise<boolean> {
    await condition(() => mutex.idle);
    return state !== null && state.status !== 'reconciled';
  }

  async function newsOrDeadline(): Promise<void> {
    const before = state;
    const happened = () => news || state !== before;
    if (before?.status !== 'received') return await condition(happened);
    // Where this clock says that it is due and the database's says otherwise, the database is right.
    const leftMs = isDue() ? before.remainingMs : Date.parse(before.deadline) - Date.now();
    const summary = `waits for money until ${before.deadline}`;
    await condition(happened, Math.max(leftMs, PAUSE_MS), { summary });
  }

  function isDue(): boolean {
    return state?.status === 'received' && Date.now() >= Date.parse(state.deadline);
  }

  function hasRunLong(): boolean {
    return (
      workflowInfo().continueAsNewSuggested || commands >= (input.continueAfter ?? Number.POSITIVE_INFINITY)
    );
  }
}
