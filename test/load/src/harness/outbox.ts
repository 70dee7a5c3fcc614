/** Events as services commit them, and how they come to the benchmark's receiver. Written to the outbox of claims, as its transactions do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Sql } from '@carecover/platform';
import type { Received } from '../bare/receiver';
import { eventAbout } from './event';

const POLL_MS = 20;
const PATIENCE_MS = 60_000;
/** Events to a transaction where only their deliveries are of interest. */
const TOGETHER = 50;

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
      payload: eventAbout(id, resourceId),
    };
  });
  await sql`insert into outbox ${sql(rows)}`;
}

/** Has the receiver begin again. */
async function expectOf(receiver: string): Promise<void> {
  await fetch(`${receiver}/expect`);
}

/** Waits until so many have come. @throws where they don't */
async function received(receiver: string, count: number): Promise<Received> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const state = (await (await fetch(`${receiver}/received`)).json()) as Received;
    if (state.count >= count) return state;
    if (Date.now() > until) throw new Error(`${state.count} of ${count} deliveries came`);
    await sleep(POLL_MS);
  }
}

/** Commits so many events as fast as can be; gives the deliveries a second from the first commit to the last receipt. */
export async function burst(
  outbox: Outbox,
  receiver: string,
  count: number,
  endpoints: number,
): Promise<number> {
  await expectOf(receiver);
  const began = performance.timeOrigin + performance.now();
  for (let left = count; left > 0; left -= TOGETHER) await commitEvents(outbox, Math.min(left, TOGETHER));
  const { lastAt, count: came } = await received(receiver, count * endpoints);
  return (came * 1_000) / (lastAt - began);
}

/** Commits events one by one at a fixed rate, whatever becomes of them; gives the sorted latencies in milliseconds. */
export async function atRate(
  outbox: Outbox,
  receiver: string,
  rate: { readonly perSecond: number; readonly seconds: number; readonly endpoints: number },
): Promise<number[]> {
  await expectOf(receiver);
  const count = Math.ceil(rate.perSecond * rate.seconds);
  const began = performance.now();
  const commits: Promise<void>[] = [];
  for (let number = 0; number < count; number++) {
    const dueIn = began + (number * 1_000) / rate.perSecond - performance.now();
    if (dueIn > 0) await sleep(dueIn);
    commits.push(commitEvents(outbox, 1));
  }
  await Promise.all(commits);
  const { latencies } = await received(receiver, count * rate.endpoints);
  return [...latencies].sort((a, b) => a - b);
}
