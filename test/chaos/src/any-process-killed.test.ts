/**
 * Two gateways, two of each service and worker: each process dies by SIGKILL in turn, and comes back, while claims are made,
 * judged, paid and settled by callers who repeat every write under its key through both gateways. Nothing is lost or doubled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames } from '@carecover/contract';
import { testSize } from '@carecover/local/testing';
import { Story, useWorld } from '@carecover/test-support';
import { Aftermath, useListener } from './aftermath';

const STORIES = testSize({ ci: 4, soak: 8 });
/** Every process and server, or one process of each service. */
const EVERY = testSize({ ci: false, soak: true });
const DOWN_MS = testSize({ ci: 200, soak: 2_000 });

const running = useWorld({ replicas: 2 });
const heard = useListener(running);

function mortals() {
  const processes = serviceNames.flatMap((service, index) =>
    (EVERY ? [0, 1] : [index % 2]).map((replica) => running.stack.process(service, replica)),
  );
  return EVERY ? [...processes, ...Object.values(running.stack.servers)] : processes;
}

test(
  'each process killed in turn while claims go their whole way: none is lost, doubled or pending',
  async () => {
    const { world } = running;
    const told: { story: Story; claimId: string }[] = [];
    let dying = true;
    const tellers = Array.from({ length: STORIES }, async () => {
      while (dying) {
        const story = new Story(world, await world.claimable());
        told.push({ story, claimId: await story.tell('settle') });
      }
    });
    for (const mortal of mortals()) {
      await mortal.kill();
      await sleep(DOWN_MS);
      await mortal.start();
    }
    dying = false;
    await Promise.all(tellers);
    process.stdout.write(`${told.length} claims settled while ${mortals().length} processes were killed\n`);

    const claims = told.map(({ claimId }) => claimId);
    expect(claims.length).toBeGreaterThanOrEqual(STORIES);
    const listed: string[] = [];
    for await (const { id } of world.client.claims.list({ limit: 100 })) listed.push(id);
    expect(listed.sort()).toEqual([...claims].sort());
    const after = new Aftermath(running, heard);
    await after.toldOnce(
      told.map(({ story }) => story),
      claims,
    );
    await after.everythingIsTold(claims);
    await after.workflowsFitTheFacts();
    await after.booksBalance();
  },
  testSize({ ci: 300_000, soak: 900_000 }),
);
