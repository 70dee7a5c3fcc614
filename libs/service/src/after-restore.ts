/**
 * Removes state that contradicts the facts after a restore of PostgreSQL or Temporal: workflow runs that are newer than the
 * restored facts, and a stream that would reject restored events as duplicates. Sweeps start the runs again from the facts,
 * and relays publish the events again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectStream,
  ensureStream,
  type NatsAccess,
  STREAM,
  STREAM_SETTINGS,
  streamManager,
} from '@carecover/events';
import type { TemporalSettings } from '@carecover/setup/temporal-connection';
import { listPages, withinDeadline } from '@carecover/setup/workflow-lists';
import { TemporalRuns } from '@carecover/temporal';
import { WorkflowNotFoundError } from '@temporalio/client';

const MAX_CONCURRENT = 20;
const PAUSE_MS = 200;
const MAX_ATTEMPTS = 10;
/** Visibility query that selects Carecover's workflows, and no others of the namespace. */
const IS_CARECOVER = 'ProjectId is not null';
/** Maximum time in milliseconds for the end of one run: long, because a restored server is busy. */
const TERMINATE_MS = 30_000;
/** The time in milliseconds by which the clock of this machine can be behind the one of Temporal, so that no run is missed. */
const CLOCK_DIFFERENCE_MS = 300_000;
/** Maximum time in milliseconds until Temporal's list of workflows shows that a run has ended. Usually it takes less than a second. */
const LIST_DELAY_MS = 60_000;

/**
 * Terminates every workflow run that started before this call. A run that a service starts meanwhile for a resource whose run was
 * terminated is not terminated: it has read the restored facts. A run that Temporal lists and has no history of can't be terminated and
 * executes nothing.
 *
 * @param reason text that Temporal stores in the history of each terminated run
 * @returns the number of terminated runs
 * @throws Error if Temporal's list of workflows shows terminated runs as running for a minute, because it can then lack other runs
 */
export async function terminateRuns(settings: TemporalSettings, reason: string): Promise<number> {
  const temporal = TemporalRuns.create(settings);
  const { client } = temporal;
  /** The terminated run of each workflow. */
  const terminated = new Map<string, string>();
  /** The IDs of listed runs that had ended or do not exist. */
  const missing = new Set<string>();
  const terminate = async ({ workflowId, runId }: { workflowId: string; runId: string }) => {
    try {
      const run = client.workflow.getHandle(workflowId, runId);
      await withinDeadline(client, () => run.terminate(reason), TERMINATE_MS);
      terminated.set(workflowId, runId);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      missing.add(runId);
    }
  };
  const latestStart = new Date(Date.now() + CLOCK_DIFFERENCE_MS).toISOString();
  const query = `ExecutionStatus in ('Running', 'Paused') and ${IS_CARECOVER} and StartTime < '${latestStart}'`;
  try {
    // The list is read again after a pause until it shows the ends of the terminated runs, because it is eventually consistent: until then
    // it can lack runs that started before.
    let changedMs = performance.now();
    let fewest = Number.POSITIVE_INFINITY;
    for (;;) {
      let found = 0;
      let ending = 0;
      for await (const page of listPages(client, query)) {
        ending += page.filter(({ workflowId, runId }) => terminated.get(workflowId) === runId).length;
        const runs = page.filter(
          ({ workflowId, runId }) => !terminated.has(workflowId) && !missing.has(runId),
        );
        found += runs.length;
        while (runs.length > 0) await Promise.all(runs.splice(0, MAX_CONCURRENT).map(terminate));
      }
      if (found === 0 && ending === 0) return terminated.size;
      if (found > 0 || ending < fewest) changedMs = performance.now();
      fewest = ending;
      if (performance.now() - changedMs > LIST_DELAY_MS) {
        throw new Error(
          `For ${LIST_DELAY_MS / 1_000} seconds, Temporal's list of workflows has shown ended runs as running. Run the command again.`,
        );
      }
      await sleep(PAUSE_MS);
    }
  } finally {
    await temporal.close();
  }
}

/**
 * Deletes the event stream and creates an empty one with the settings of this release, and otherwise those of the deleted stream. Returns
 * the number of messages that the deleted stream had.
 */
export async function recreateStream(nats: NatsAccess): Promise<number> {
  const stream = await connectStream(nats, 'carecover-restored');
  try {
    await ensureStream(stream);
    const { streams } = await streamManager(stream);
    const { config, state } = await streams.info(STREAM);
    for (let attempt = 1; ; attempt++) {
      await streams.delete(STREAM);
      try {
        await streams.add({ ...config, ...STREAM_SETTINGS });
        return state.messages;
      } catch (error) {
        // The creation fails if a running service has already created the stream with other settings. The next iteration of this loop
        // deletes that stream and tries the creation again.
        if (attempt === MAX_ATTEMPTS) throw error;
        await sleep(PAUSE_MS);
      }
    }
  } finally {
    await stream.close();
  }
}
