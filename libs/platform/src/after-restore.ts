/**
 * Removes state that contradicts the facts after a restore of PostgreSQL or Temporal: workflow runs that are newer than the
 * restored facts, and a stream that would reject restored events as duplicates. Sweeps start the runs again from the facts,
 * and relays publish the events again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TemporalSettings } from '@carecover/setup/temporal-connection';
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  connectStream,
  ensureStream,
  type NatsAccess,
  STREAM,
  STREAM_SETTINGS,
  streamManager,
} from './stream';
import { TemporalRuns } from './temporal';

const MAX_CONCURRENT = 20;
const PAUSE_MS = 200;
const MAX_ATTEMPTS = 10;
/** Visibility query that selects Carecover's workflows, and no others of the namespace. */
const IS_CARECOVER = 'ProjectId is not null';

/**
 * Terminates every workflow run that started before this call.
 *
 * @param reason text that Temporal stores in the history of each terminated run
 * @returns the number of terminated runs
 */
export async function terminateRuns(settings: TemporalSettings, reason: string): Promise<number> {
  const temporal = TemporalRuns.create(settings);
  const terminated = new Set<string>();
  const terminate = async ({ workflowId, runId }: { workflowId: string; runId: string }) => {
    terminated.add(runId);
    try {
      await temporal.client.workflow.getHandle(workflowId, runId).terminate(reason);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  try {
    const query = `ExecutionStatus = 'Running' and ${IS_CARECOVER} and StartTime < '${new Date().toISOString()}'`;
    for (let found = true; found; ) {
      found = false;
      const ending: Promise<void>[] = [];
      for await (const run of temporal.client.workflow.list({ query })) {
        found = true;
        if (!terminated.has(run.runId)) ending.push(terminate(run));
        if (ending.length >= MAX_CONCURRENT) await Promise.all(ending.splice(0));
      }
      await Promise.all(ending);
      // Temporal's list of running workflows is read again after a pause, because it is eventually consistent: it can still contain
      // terminated runs, or not yet contain new ones.
      if (found) await sleep(PAUSE_MS);
    }
    return terminated.size;
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
