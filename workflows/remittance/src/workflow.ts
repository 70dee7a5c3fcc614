/**
 * The remittance's workflow: it waits for settlements until the remittance is reconciled. Payments commits a decision, claims
 * records it and can't reject it, and then the client receives the response. The run ends when the remittance is reconciled; a later
 * settlement or reversal starts a new run, which reads the state.
 */
import {
  apiErrorIn,
  type CommandMessage,
  DUE_AT,
  Mutex,
  REMITTANCE_STATUS,
  type ResourceWorkflowInput,
  RunDetails,
} from '@carecover/platform/workflow';
import {
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { remittanceWorkflow as definition } from './definition';
import { type AdviceOutcome, type CommandStep, claims, own, type RemittanceState } from './steps';

/** The shortest wait in milliseconds before a deadline is checked again. */
const PAUSE_MS = 1_000;

/** Input of a run. Everything else is read from the database. */
interface RemittanceWorkflowInput extends ResourceWorkflowInput {
  /** Number of commands after which the run continues as new, unless Temporal has suggested it earlier. Only tests set this field. */
  readonly commandLimit?: number;
}

/** A function that executes a command's decision in payments and returns the remittance's state after the decision. */
type Decide = (step: CommandStep, requestId: string) => Promise<RemittanceState>;

export async function remittanceWorkflow(input: RemittanceWorkflowInput): Promise<void> {
  const { resourceId: remittanceId, tenant } = input;
  const mutex = new Mutex();
  const details = new RunDetails();
  let state = null as RemittanceState | null;
  let commands = 0;
  let isReviewRequested = false;

  const { updates, signal } = definition;
  handleUpdate(updates.createRemittance, allocate);
  handleUpdate(updates.createSettlement, (step) => own.observe(step));
  handleUpdate(updates.reverseSettlement, (step) => own.reverseObservation(step));
  setHandler(defineSignal(signal), () => {
    isReviewRequested = true;
  });

  await mutex.take(async () => {
    // A new run reads the remittance's state here, unless it has already executed a command, whose steps return the state.
    if (state === null) await review();
  });
  while (await isOpenWhenIdle()) {
    if (shouldContinueAsNew()) return await continueAsNew<typeof remittanceWorkflow>(input);
    await waitForChangeOrDeadline();
    if (isReviewRequested || isDue()) await mutex.take(review);
  }

  function handleUpdate(name: string, decide: Decide): void {
    setHandler(defineUpdate<void, [CommandMessage]>(name), (message) =>
      executeCommand(name, message, decide),
    );
  }

  /** Executes a command: its decision in payments, the notifications to claims, and its response. */
  async function executeCommand(name: string, message: CommandMessage, decide: Decide): Promise<void> {
    const { commandId, requestId } = message;
    commands += 1;
    await mutex.take(async () => {
      try {
        setState(await decide({ tenant, remittanceId, commandId }, requestId));
        await notifyClaims(commandId, requestId);
        details.showOutcome(name, message, null);
      } catch (error) {
        const rejection = apiErrorIn(error);
        if (rejection !== null) details.showOutcome(name, message, rejection);
        throw rejection ?? error;
      }
    });
  }

  /**
   * Posts the payer's advice. Claims without an account were never adjudicated, so only the claims service can decide whether they exist.
   */
  async function allocate(step: CommandStep, requestId: string): Promise<RemittanceState> {
    let knownClaims: readonly string[] | null = null;
    for (;;) {
      const outcome: AdviceOutcome = await own.allocate({ ...step, knownClaims });
      if (!('claimsWithoutAccount' in outcome)) return outcome;
      knownClaims = await claims.knownClaims({ tenant, claimIds: outcome.claimsWithoutAccount }, requestId);
    }
  }

  /** Reads the remittance's state, which changes first if the deadline for settlement has passed. Sends pending notifications to claims. */
  async function review(): Promise<void> {
    isReviewRequested = false;
    setState(await own.review({ tenant, remittanceId }));
    if (state !== null && state.pending.length > 0) await notifyClaims(null, remittanceId);
  }

  /** Sends all pending notifications to claims, page by page. The command, if any, gets its response after the last page. */
  async function notifyClaims(commandId: string | null, requestId: string): Promise<void> {
    let hasMore: boolean;
    do {
      const pending = state?.pending ?? [];
      hasMore = state?.hasMorePending ?? false;
      for (const { kind, input: facts } of pending) {
        await (kind === 'remittance'
          ? claims.recordRemittance(facts, requestId)
          : claims.recordSettlement(facts, requestId));
      }
      const recordedCauses = pending.map(({ causeId }) => causeId);
      const concluded = hasMore ? null : commandId;
      setState(await own.conclude({ tenant, remittanceId, commandId: concluded, recordedCauses }));
    } while (hasMore);
  }

  function setState(next: RemittanceState | null): void {
    if (next !== null) showState(details, next, state);
    state = next;
  }

  async function isOpenWhenIdle(): Promise<boolean> {
    await condition(() => mutex.idle);
    return state !== null && state.status !== 'reconciled';
  }

  /** Waits until there is something to do. Rejected commands change no state, but they make the history longer. */
  async function waitForChangeOrDeadline(): Promise<void> {
    const before = state;
    const isChanged = () => isReviewRequested || state !== before || (mutex.idle && shouldContinueAsNew());
    if (before?.status !== 'received') return await condition(isChanged);
    // If Temporal's clock has reached the deadline and the database's clock has not, the workflow waits for the time that remains by the
    // database's clock.
    const leftMs = isDue() ? before.remainingMs : Date.parse(before.deadline) - Date.now();
    const summary = `waits for money until ${before.deadline}`;
    await condition(isChanged, Math.max(leftMs, PAUSE_MS), { summary });
  }

  function isDue(): boolean {
    return state?.status === 'received' && Date.now() >= Date.parse(state.deadline);
  }

  function shouldContinueAsNew(): boolean {
    return (
      workflowInfo().continueAsNewSuggested || commands >= (input.commandLimit ?? Number.POSITIVE_INFINITY)
    );
  }
}

/**
 * Shows a remittance's state in the Temporal UI: the current details and the search attributes. Adds an event to the history only if the
 * status changed.
 *
 * @param before the state that was shown last; null if none was shown
 */
function showState(details: RunDetails, now: RemittanceState, before: RemittanceState | null): void {
  details.showState(formatDetails(now));
  if (now.status === before?.status) return;
  upsertSearchAttributes([
    { key: REMITTANCE_STATUS, value: now.status },
    { key: DUE_AT, value: now.status === 'received' ? new Date(now.deadline) : null },
  ]);
}

/** Formats a remittance's state as the Markdown text that the Temporal UI shows; amounts are in minor units. */
function formatDetails(state: RemittanceState): string {
  const { status, currency, total, settled, deadline, pending, hasMorePending } = state;
  const lines = [
    `**${status}**`,
    `${settled} of ${total} ${currency} (minor units) settled`,
    status === 'received' ? `Waits for settlements until ${deadline}` : null,
    pending.length === 0
      ? null
      : `${pending.length}${hasMorePending ? '+' : ''} notification(s) to claims pending`,
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}
