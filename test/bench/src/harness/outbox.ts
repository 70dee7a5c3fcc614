/**
 * Commits events to the outbox of claims, as the transactions of that service do, and measures when the receiver of the benchmark gets
 * them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@carecover/domain';
import { insertedRows, type Sql } from '@carecover/postgres';
import type { Received } from '../bare/receiver';
import { createTimedEvent } from './event';

const POLL_MS = 20;
const PATIENCE_MS = 60_000;
/** Number of events per database transaction in a measurement of the rate of deliveries, which needs no commit time per event. */
const EVENTS_PER_TRANSACTION = 50;

export interface Outbox {
  readonly sql: Sql;
  readonly projectId: string;
}

async function commitEvents({ sql, projectId }: Outbox, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const id = newId('evt_');
    const resourceId = newId('clm_');
    return {
      event_id: id,
      project_id: projectId,
      resource_id: resourceId,
      type: 'claim.submitted',
      payload: createTimedEvent(id, resourceId),
    };
  });
  await sql`insert into outbox ${insertedRows(...rows)}`;
}

/** Deletes the deliveries that the receiver has recorded. */
async function resetReceiver(receiver: string): Promise<void> {
  await fetch(`${receiver}/expect`);
}

/** Waits until the receiver has received `count` deliveries. @throws Error after a timeout */
async function waitForDeliveries(receiver: string, count: number): Promise<Received> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const state = (await (await fetch(`${receiver}/received`)).json()) as Received;
    if (state.count >= count) return state;
    if (Date.now() > until) throw new Error(`the receiver has only ${state.count} of ${count} deliveries`);
    await sleep(POLL_MS);
  }
}

/** Commits events as fast as possible. Returns the number of deliveries per second, from the first commit to the last receipt. */
export async function measureBurst(
  outbox: Outbox,
  receiver: string,
  count: number,
  endpoints: number,
): Promise<number> {
  await resetReceiver(receiver);
  const startedAt = performance.timeOrigin + performance.now();
  for (let left = count; left > 0; left -= EVENTS_PER_TRANSACTION)
    await commitEvents(outbox, Math.min(left, EVENTS_PER_TRANSACTION));
  const { lastAt, count: delivered } = await waitForDeliveries(receiver, count * endpoints);
  return (delivered * 1_000) / (lastAt - startedAt);
}

/** Commits events one by one at a fixed rate, without waiting for their deliveries. Returns the latencies in milliseconds, ascending. */
export async function measureAtRate(
  outbox: Outbox,
  receiver: string,
  rate: { readonly perSecond: number; readonly seconds: number; readonly endpoints: number },
): Promise<number[]> {
  await resetReceiver(receiver);
  const count = Math.ceil(rate.perSecond * rate.seconds);
  const startedAt = performance.now();
  const commits: Promise<void>[] = [];
  for (let number = 0; number < count; number++) {
    const dueIn = startedAt + (number * 1_000) / rate.perSecond - performance.now();
    if (dueIn > 0) await sleep(dueIn);
    commits.push(commitEvents(outbox, 1));
  }
  await Promise.all(commits);
  const { latencies } = await waitForDeliveries(receiver, count * rate.endpoints);
  return [...latencies].sort((a, b) => a - b);
}
