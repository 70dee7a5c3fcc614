/**
 * What must go once PostgreSQL, or the engine, has been restored to an instant of its own: the memory of steps in progress
 * outside the facts. A run that was begun in a future which the facts no longer have would carry its steps out against them,
 * and the stream would neither take an event again that it remembers nor give one again that was taken off it. Both are made
 * again from the facts: runs by the services' sweeps, the stream by their relays.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { connectStream, ensureStream, type NatsAccess, STREAM, streamManager } from './stream';
import { TemporalCommands } from './temporal';
import type { TemporalSettings } from './temporal-connection';

const WIDTH = 20;
const PAUSE_MS = 200;
const TRIES = 10;
/** All our workflows have it, and nobody else's in the namespace. */
const OURS = 'ProjectId is not null';

/** Ends every run that was begun before now, `reason` in its history. Gives their number. */
export async function endRuns(settings: TemporalSettings, reason: string): Promise<number> {
  const engine = TemporalCommands.create(settings);
  const ended = new Set<string>();
  const end = async ({ workflowId, runId }: { workflowId: string; runId: string }) => {
    ended.add(runId);
    try {
      await engine.client.workflow.getHandle(workflowId, runId).terminate(reason);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  try {
    const query = `ExecutionStatus = 'Running' and ${OURS} and StartTime < '${new Date().toISOString()}'`;
    for (let found = true; found; ) {
      found = false;
      const hand: Promise<void>[] = [];
      for await (const run of engine.client.workflow.list({ query })) {
        found = true;
        if (!ended.has(run.runId)) hand.push(end(run));
        if (hand.length >= WIDTH) await Promise.all(hand.splice(0));
      }
      await Promise.all(hand);
      // The list lags behind what it lists.
      if (found) await sleep(PAUSE_MS);
    }
    return ended.size;
  } finally {
    await engine.close();
  }
}

/** Deletes the stream and makes it again with the settings that it had. Gives the number of messages that were on it. */
export async function renewStream(nats: NatsAccess): Promise<number> {
  const stream = await connectStream(nats, 'carecover-restored');
  try {
    await ensureStream(stream);
    const { streams } = await streamManager(stream);
    const { config, state } = await streams.info(STREAM);
    for (let attempt = 1; ; attempt++) {
      await streams.delete(STREAM);
      try {
        await streams.add(config);
        return state.messages;
      } catch (error) {
        // A service that runs meanwhile made it first, with other settings.
        if (attempt === TRIES) throw error;
        await sleep(PAUSE_MS);
      }
    }
  } finally {
    await stream.close();
  }
}
