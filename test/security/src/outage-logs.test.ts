/**
 * Checks the logs of an outage under load: each process that uses the unavailable server logs one line when the outage starts, and one
 * line with the number of suppressed lines when the server is available again.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carecover/testing/servers';
import { useWorld } from '@carecover/testing/stack';

const running = useWorld();

const CLIENTS = 8;
const OUTAGE_MS = 4_000;
const SERVERS = ['postgresql.log', 'nats.log', 'temporal.log'];

/** Returns the log messages about a server by log file, oldest first. */
async function findMessagesAbout(dependency: string): Promise<Map<string, string[]>> {
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

/** Returns the number of warnings and errors in the log of each process. */
async function countWarnings(): Promise<Map<string, number>> {
  const folder = running.stack.home.logs;
  const counts = new Map<string, number>();
  for (const file of await readdir(folder)) {
    if (SERVERS.includes(file)) continue;
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
    counts.set(file, lines.filter((line) => line.startsWith('{') && JSON.parse(line).level >= 40).length);
  }
  return counts;
}

/** Starts clients that read, write and submit claims until `stop` is called, and that ignore errors. */
async function startClients() {
  const { world } = running;
  const { client } = world;
  const once = { maxRetries: 0 };
  let stopped = false;
  const claimable = await world.createClaimableSession();
  const coverage = await world.recordCoverage(world.uniqueReference('member'));
  const done = Array.from({ length: CLIENTS }, async () => {
    while (!stopped) {
      await Promise.allSettled([
        client.claims.list({ limit: 1 }, once),
        client.coverages.record({ ...coverage, source_version: world.uniqueReference('version') }, once),
        // Only the first submission for the session is accepted. Later submissions execute the same steps and are then rejected.
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

/**
 * The maximum number of warnings and errors that a process logs during an outage. It permits more than one line, for example a line for
 * each poller of the Temporal SDK.
 */
const LINES_PER_PROCESS = 20;

/** Expects that each process has logged only a few lines since the counts in `before` were taken, and not one line per request. */
async function expectFewLines(before: ReadonlyMap<string, number>): Promise<void> {
  for (const [file, count] of await countWarnings()) {
    const added = count - (before.get(file) ?? 0);
    expect([file, added <= LINES_PER_PROCESS ? 'few lines' : `${added} lines`]).toEqual([file, 'few lines']);
  }
}

test.each(['postgresql', 'nats'] as const)(
  'an outage of %s under load is one line per process, and one more at its end',
  async (name) => {
    const dependency = { postgresql: 'PostgreSQL', nats: 'NATS' }[name];
    const before = await countWarnings();
    const clients = await startClients();
    const server = running.stack.servers[name];
    await server.kill();
    await sleep(OUTAGE_MS);
    await server.start();
    await clients.stop();
    await eventually(`every process has logged that ${dependency} is available again`, async () => {
      const found = [...(await findMessagesAbout(dependency)).values()];
      return (
        found.length > 0 && found.every((messages) => messages.at(-1) === `${dependency} is available again`)
      );
    });
    for (const [file, messages] of await findMessagesAbout(dependency)) {
      expect([file, messages]).toEqual([
        file,
        [`${dependency} is unavailable`, `${dependency} is available again`],
      ]);
    }
    await expectFewLines(before);
  },
);

test('an outage of Temporal under load does not log a line per request', async () => {
  const before = await countWarnings();
  const clients = await startClients();
  await running.stack.servers.temporal.kill();
  await sleep(OUTAGE_MS);
  await running.stack.servers.temporal.start();
  await clients.stop();
  await expectFewLines(before);
});
