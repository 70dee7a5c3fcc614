/**
 * A server that goes away under load is one line in the log of each process that needs it, and one more when it is back, with
 * how many lines were left out: an operator reads what happened, not hundreds of consequences.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carecover/local/testing';
import { useWorld } from '@carecover/test-support';

const running = useWorld();

const CALLERS = 8;
const AWAY_MS = 4_000;
const SERVERS = ['postgresql.log', 'nats.log', 'temporal.log'];

/** What each service's log says of this server, by process, oldest first. */
async function messagesAbout(dependency: string): Promise<Map<string, string[]>> {
  const folder = running.stack.home.logs;
  const found = new Map<string, string[]>();
  for (const file of await readdir(folder)) {
    if (SERVERS.includes(file)) continue;
    const text = await readFile(join(folder, file), 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('{'));
    const about = lines.map((line) => JSON.parse(line)).filter((line) => line.dependency === dependency);
    if (about.length > 0)
      found.set(
        file,
        about.map(({ msg }) => msg),
      );
  }
  return found;
}

/** How many warnings and errors each process has logged. */
async function warnings(): Promise<Map<string, number>> {
  const folder = running.stack.home.logs;
  const counts = new Map<string, number>();
  for (const file of await readdir(folder)) {
    if (SERVERS.includes(file)) continue;
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
    counts.set(file, lines.filter((line) => line.startsWith('{') && JSON.parse(line).level >= 40).length);
  }
  return counts;
}

/** Callers that read, write and submit until told to stop, whatever is answered. */
async function startCallers() {
  const { world } = running;
  const { client } = world;
  const once = { maxRetries: 0 };
  let stopped = false;
  const claimable = await world.createClaimableSession();
  const coverage = await world.recordCoverage(world.uniqueReference('member'));
  const done = Array.from({ length: CALLERS }, async () => {
    while (!stopped) {
      await Promise.allSettled([
        client.claims.list({ limit: 1 }, once),
        client.coverages.record({ ...coverage, source_version: world.uniqueReference('version') }, once),
        // One of a session is accepted, the others are rejected by the same steps.
        client.claims.submit(world.claimInput(claimable), once),
      ]);
    }
  });
  return {
    stop() {
      stopped = true;
      return Promise.all(done);
    },
  };
}

/** Beside the two lines of an outage: what a process may still write once, such as a line per poller of the Temporal SDK. */
const LINES_PER_PROCESS = 20;

/** No process has logged a line per request since then. */
async function expectFewLines(before: ReadonlyMap<string, number>): Promise<void> {
  for (const [file, count] of await warnings()) {
    const added = count - (before.get(file) ?? 0);
    expect([file, added <= LINES_PER_PROCESS ? 'few lines' : `${added} lines`]).toEqual([file, 'few lines']);
  }
}

test.each(['postgresql', 'nats'] as const)(
  '%s going away under load is one line per process, and one when it is back',
  async (name) => {
    const dependency = { postgresql: 'PostgreSQL', nats: 'NATS' }[name];
    const before = await warnings();
    const callers = await startCallers();
    const server = running.stack.servers[name];
    await server.kill();
    await sleep(AWAY_MS);
    await server.start();
    await callers.stop();
    await eventually(`every process that missed ${dependency} has it back`, async () => {
      const found = [...(await messagesAbout(dependency)).values()];
      return found.length > 0 && found.every((messages) => messages.at(-1) === `${dependency} is back`);
    });
    for (const [file, messages] of await messagesAbout(dependency)) {
      expect([file, messages]).toEqual([file, [`${dependency} is away`, `${dependency} is back`]]);
    }
    await expectFewLines(before);
  },
);

test('Temporal going away under load makes no line per request', async () => {
  const before = await warnings();
  const callers = await startCallers();
  await running.stack.servers.temporal.kill();
  await sleep(AWAY_MS);
  await running.stack.servers.temporal.start();
  await callers.stop();
  await expectFewLines(before);
});
