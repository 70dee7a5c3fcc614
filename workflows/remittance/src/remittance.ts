/**
 * The life of a remittance: advised, then waiting for its money to be seen, until it is reconciled. What payments decides is
 * committed there first; then the claims service records it, which can't refuse; then the caller is answered. It ends once
 * reconciled; a later observation or reversal starts it again from the facts.
 */
import { type CommandMessage, refusalIn, Turns } from '@carecover/platform/workflow';
import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import type { RemittanceLedger, RemittanceState } from './ledger';
import { observe, type RemittanceInput, record, reverse, wake } from './messages';
import { claims, ledger } from './services';
import { showState } from './show-state';

/** The least time to wait before looking at a deadline again. */
const PAUSE_MS = 1_000;

export async function remittanceWorkflow(input: RemittanceInput): Promise<void> {
  const { resourceId: remittanceId, tenant } = input;
  const turns = new Turns();
  let state = null as RemittanceState | null;
  let commands = 0;
  let woken = false;

  setHandler(record, (message) => carryOut(message, allocate));
  setHandler(observe, (message) => carryOut(message, (commandId) => ledger.observe({ commandId })));
  setHandler(reverse, (message) =>
    carryOut(message, (commandId) => ledger.reverseObservation({ commandId })),
  );
  setHandler(wake, () => {
    woken = true;
  });

  await turns.take(async () => {
    // Unless a command that came before this told it, a run begins by reading the facts.
    if (state === null) await review();
  });
  while (await isOpenWhenQuiet()) {
    if (hasRunLong()) return await continueAsNew<typeof remittanceWorkflow>(input);
    await newsOrDeadline();
    if (woken || isDue()) await turns.take(review);
  }

  /** A command from its decision to its answer. */
  async function carryOut(
    { commandId }: CommandMessage,
    decide: (commandId: string) => Promise<RemittanceState>,
  ): Promise<void> {
    commands += 1;
    await turns.take(async () => {
      try {
        become(await decide(commandId));
        await tellClaims(commandId);
      } catch (error) {
        throw refusalIn(error) ?? error;
      }
    });
  }

  /** Only claims knows whether a claim exists that was never adjudicated. */
  async function allocate(commandId: string): Promise<RemittanceState> {
    let knownClaims: readonly string[] | null = null;
    for (;;) {
      const outcome: Awaited<ReturnType<RemittanceLedger['allocate']>> = await ledger.allocate({
        commandId,
        knownClaims,
      });
      if (!('strangers' in outcome)) return outcome;
      knownClaims = await claims.knownClaims({ tenant, claimIds: outcome.strangers });
    }
  }

  /** Looks at facts and clock, whatever this run remembers. */
  async function review(): Promise<void> {
    woken = false;
    become(await ledger.review({ remittanceId }));
    if (state !== null && state.untold.length > 0) await tellClaims(null);
  }

  async function tellClaims(commandId: string | null): Promise<void> {
    const untold = state?.untold ?? [];
    for (const { kind, input: facts } of untold) {
      await (kind === 'remittance' ? claims.recordRemittance(facts) : claims.recordSettlement(facts));
    }
    become(
      await ledger.conclude({ remittanceId, commandId, toldCauses: untold.map((told) => told.causeId) }),
    );
  }

  function become(next: RemittanceState | null): void {
    if (next !== null) showState(next, state);
    state = next;
  }

  async function isOpenWhenQuiet(): Promise<boolean> {
    await condition(() => turns.idle);
    return state !== null && state.status !== 'reconciled';
  }

  async function newsOrDeadline(): Promise<void> {
    const seen = state;
    const news = () => woken || state !== seen;
    if (seen?.status !== 'received') return await condition(news);
    // Where this clock says that it is due and the database's says otherwise, the database is right.
    const leftMs = isDue() ? seen.remainingMs : Date.parse(seen.deadline) - Date.now();
    await condition(news, Math.max(leftMs, PAUSE_MS), { summary: `waits for money until ${seen.deadline}` });
  }

  function isDue(): boolean {
    return state?.status === 'received' && Date.now() >= Date.parse(state.deadline);
  }

  function hasRunLong(): boolean {
    const { continueAsNewSuggested } = workflowInfo();
    return continueAsNewSuggested || commands >= (input.continueAfter ?? Number.POSITIVE_INFINITY);
  }
}
