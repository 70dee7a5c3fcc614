/**
 * A sweep that signals workflows which show a status that their resource no longer has. A run that lost an Update after its last step does
 * not know the effect of that step. The response is stored, so the client does not repeat the request, and the run would wait for its next deadline,
 * or forever.
 */
import type { SignalledWorkflow } from './resource-workflow';
import { type ShownStatus, sendAll, type TemporalCommands } from './temporal';
import { isTemporalUnavailable } from './temporal-errors';
import type { OwnedResource } from './tenant';

/** The time in milliseconds for which a process does not signal a workflow again that it has signalled. */
const SIGNAL_PAUSE_MS = 600_000;

/** Remembers which workflows a process has signalled within the last ten minutes: each signal makes a history longer. */
export class RecentSignals {
  /** When each workflow was signalled, in milliseconds of the monotonic clock, in this order. */
  private readonly signalledAt = new Map<string, number>();

  add(id: string): void {
    this.signalledAt.delete(id);
    this.signalledAt.set(id, performance.now());
  }

  has(id: string): boolean {
    for (const [earlier, atMs] of this.signalledAt) {
      if (performance.now() - atMs < SIGNAL_PAUSE_MS) break;
      this.signalledAt.delete(earlier);
    }
    return this.signalledAt.has(id);
  }
}

/**
 * Signals a workflow to read its resource again, and starts it if it does not run. A workflow that was signalled recently is only started if
 * it does not run, because it retries automatically. Returns whether Temporal accepted the request.
 */
export async function signalUnlessRecent(
  temporal: Pick<TemporalCommands, 'ensureRunning' | 'signalReview'>,
  workflow: SignalledWorkflow,
  resource: OwnedResource,
  signals: RecentSignals,
): Promise<boolean> {
  if (signals.has(resource.id)) return temporal.ensureRunning(workflow, resource);
  const isSent = await temporal.signalReview(workflow, resource);
  if (isSent) signals.add(resource.id);
  return isSent;
}

/**
 * Makes the sweep. A pass compares one page of the running workflows with their resources, cyclically, so that many open resources cost an
 * idle process little. A workflow is signalled if it differs in two passes in a row, because a run shows a new status only after the commit.
 * While Temporal is unavailable, a pass does nothing.
 *
 * @param readStatuses reads the statuses of those of the given resources that exist, of all tenants
 */
export function signalOutdatedWorkflows(
  temporal: Pick<TemporalCommands, 'listRunning' | 'signalRunning'>,
  workflow: SignalledWorkflow,
  readStatuses: (
    ids: readonly string[],
  ) => PromiseLike<readonly { readonly id: string; readonly status: string }[]>,
): () => Promise<void> {
  const signals = new RecentSignals();
  let pages: AsyncIterator<readonly ShownStatus[]> | null = null;
  let suspects: ReadonlyMap<string, string | null> = new Map();

  async function findOutdated(shown: readonly ShownStatus[]): Promise<ShownStatus[]> {
    const statuses = new Map(
      (await readStatuses(shown.map(({ id }) => id))).map(({ id, status }) => [id, status]),
    );
    return shown.filter(({ id, status }) => status !== (statuses.get(id) ?? null));
  }

  async function readPage(): Promise<readonly ShownStatus[]> {
    pages ??= temporal.listRunning(workflow);
    const next = await pages.next();
    if (next.done !== true) return next.value;
    pages = null;
    return [];
  }

  async function signalConfirmed(before: ReadonlyMap<string, string | null>): Promise<void> {
    const ids = [...before.keys()].filter((id) => !signals.has(id));
    if (ids.length === 0) return;
    for await (const page of temporal.listRunning(workflow, ids)) {
      const outdated = await findOutdated(page);
      const confirmed = outdated.filter(({ id, status }) => before.get(id) === status);
      await sendAll(confirmed, async ({ id }) => {
        const isSent = await temporal.signalRunning(workflow, id);
        if (isSent) signals.add(id);
        return isSent;
      });
    }
  }

  return async () => {
    const before = suspects;
    suspects = new Map();
    try {
      await signalConfirmed(before);
      suspects = new Map((await findOutdated(await readPage())).map(({ id, status }) => [id, status]));
    } catch (error) {
      // The next pass starts from the first page.
      pages = null;
      if (!isTemporalUnavailable(error)) throw error;
    }
  };
}
