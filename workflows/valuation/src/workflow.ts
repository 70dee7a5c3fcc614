/**
 * The workflow of a valuation run. It makes the cutoff final, rolls up the months of the project that have ended, and computes the result.
 * The state is in the database of claims, so a run of the workflow can start at any time, and a repeated step has the same result. While a
 * step of another run of the project is in progress, the workflow waits with a timer, which holds neither a connection nor a worker's slot.
 */
import { pinToRelease, type ResourceWorkflowInput } from '@carecover/temporal/workflow';
import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { own } from './steps';

/** The longest timer in milliseconds. When it fires, the database's clock is read again, because it can differ from Temporal's clock. */
const LONGEST_TIMER_MS = 60_000;

/** What operators read in the Temporal UI while a step of other work for the project is in progress. */
const BUSY = 'waits until other work for the project is done';

// The workflow takes only minutes, so each run is executed to its end by the release on which it started.
pinToRelease(valuation);

/** Runs the workflow of one valuation run. */
export async function valuation(input: ResourceWorkflowInput): Promise<void> {
  const { resourceId, tenant } = input;
  const run = { resourceId, tenant };
  setCurrentDetails('Waits until the facts through the cutoff are final');
  for (;;) {
    const aheadMs = await own.closeCutoff(run);
    if (aheadMs === null) return;
    if (aheadMs === 0) break;
    await sleep(Math.min(aheadMs, LONGEST_TIMER_MS), { summary: 'until the cutoff' });
    if (mustContinue(input)) await continueAsNew<typeof valuation>(input);
  }
  for (;;) {
    const { hasMore, percent, retryAfterMs } = await own.rollUpMonth(run);
    const work = retryAfterMs === undefined ? 'rolls up the months of the project' : BUSY;
    setCurrentDetails(`${percent} %: ${work}`);
    if (!hasMore) break;
    if (retryAfterMs !== undefined) await sleepUntilRetry(retryAfterMs);
    if (mustContinue(input)) await continueAsNew<typeof valuation>(input);
  }
  for (;;) {
    const computed = await own.computeResult(run);
    if (typeof computed === 'string') {
      setCurrentDetails(computed);
      return;
    }
    setCurrentDetails(BUSY);
    await sleepUntilRetry(computed.retryAfterMs);
    if (mustContinue(input)) await continueAsNew<typeof valuation>(input);
  }
}

function sleepUntilRetry(ms: number): Promise<void> {
  return sleep(ms, { summary: 'until other work for the project is done' });
}

function mustContinue({ historyLimit = Number.POSITIVE_INFINITY }: ResourceWorkflowInput): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > historyLimit;
}
