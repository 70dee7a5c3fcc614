/**
 * Runs the journey on a cluster, and replaces every process of the services. No call of a client that repeats its requests, as the client
 * library does by default, fails during the replacement. Then kills (SIGKILL) and suspends (SIGSTOP) nodes in turn while clients create and
 * settle claims, value the portfolio and repeat every write under its idempotency key. No write is lost or takes effect twice, a valuation
 * that was read at any time is the same after the faults, and every valuation run of one cutoff has the same result. The soak test kills
 * every node, and then measures for half an hour whether memory, connections, pending work or workflows grow under the load. The test
 * prints the availability of the API during each fault, and the measurements.
 */
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimId, ValuationRunId, ValuationRunInput } from '@carecover/client';
import { runJourney } from '@carecover/local/journey';
import type { WorkerVersions } from '@carecover/setup/worker-versions';
import { drawCases } from '@carecover/testing';
import {
  buildRelease,
  eventually,
  homePaths,
  sendCommand,
  serveControl,
  testSize,
} from '@carecover/testing/servers';
import {
  ClaimScenario,
  mapConcurrently,
  retryUntilResponse,
  useClusterWorld,
  type World,
} from '@carecover/testing/stack';
import { Aftermath, useEventReceiver } from './aftermath';
import { AvailabilityProbe, formatAvailability } from './availability';
import { compareQuarters, findGrowing, formatGrowths, type Growth, measureRepeatedly } from './growth';

const CLIENTS = testSize({ ci: 2, soak: 16 });
/** The time in milliseconds from the kill of a node to its restart. */
const DOWN_MS = testSize({ ci: 1_000, soak: 8_000 });
const PAUSED_MS = testSize({ ci: 3_000, soak: 30_000 });
/** The time in milliseconds between the end of a fault and the next fault. */
const SETTLE_MS = testSize({ ci: 500, soak: 5_000 });
/** The time in milliseconds that a client waits after each settled claim. */
const CLIENT_PAUSE_MS = testSize({ ci: 1_000, soak: 0 });
/** The time in milliseconds between two valuations of the portfolio. */
const VALUATION_PAUSE_MS = testSize({ ci: 5_000, soak: 10_000 });
/**
 * How many times, and with which pause in milliseconds, the cluster is measured after the faults. The clients continue during the
 * measurements.
 */
const MEASUREMENTS = testSize({ ci: { count: 4, intervalMs: 500 }, soak: { count: 60, intervalMs: 30_000 } });
/** One node of each kind. If the test is not a soak test, the seed of the test run draws {@link KILLED} of them. */
const KINDS = [
  'temporal-frontend-1',
  'temporal-history-1',
  'temporal-matching-1',
  'temporal-worker-1',
  'nats-1',
  'postgresql-3',
  'gateway',
  'claims-server-1',
  'payments-worker-1',
];

const KILLED = 4;
/** If the test is not a soak test, the seed of the test run draws one of them. */
const PAUSED = ['temporal-history-2', 'claims-server-2'];

const UPGRADE = 'rolling upgrade';

const running = useClusterWorld();
const received = useEventReceiver(running);

/**
 * The folders of the releases that replace the services one after the other, so that two releases of the workflows run side by side. The
 * soak test builds the commit before the last one, and the last one. Otherwise the release is this clone under another name.
 */
const releases: string[] = [];
let releasesFolder: string;
beforeAll(
  async () => {
    releasesFolder = await mkdtemp(join(tmpdir(), 'carecover-release-'));
    if (testSize({ ci: false, soak: true })) {
      for (const commit of ['HEAD~1', 'HEAD'])
        releases.push(await buildRelease(homePaths(releasesFolder), commit));
    } else {
      const same = join(releasesFolder, 'next');
      await symlink(join(__dirname, '../../..'), same);
      releases.push(same);
    }
  },
  testSize({ ci: 10_000, soak: 900_000 }),
);
afterAll(() => rm(releasesFolder, { recursive: true }), 60_000);

/**
 * Replaces the processes of the services, then causes faults one after the other: kills nodes with SIGKILL and restarts them, suspends
 * nodes with SIGSTOP, and promotes a standby.
 */
async function injectFaults(probe: AvailabilityProbe): Promise<void> {
  const { stack } = running;
  for (const release of releases) {
    await probe.during(UPGRADE, () => stack.upgrade(release));
    const versions = await running.operator<WorkerVersions[]>('temporal', 'versions');
    expect(versions.map(({ current }) => current)).toEqual(Array(3).fill(basename(release)));
  }
  const isUi = (name: string) => name === 'temporal-ui';
  const standbysAndOthers = [...stack.nodes.keys()].filter((name) => !isUi(name));
  for (const name of testSize({ ci: drawCases(KINDS, KILLED), soak: standbysAndOthers })) {
    if (name === stack.primary) continue;
    await probe.during(`${name} SIGKILL`, async () => {
      await stack.killNode(name);
      await sleep(DOWN_MS);
    });
    await stack.startNode(name);
    await probe.during('between faults', () => sleep(SETTLE_MS));
  }
  for (const name of testSize({ ci: drawCases(PAUSED, 1), soak: standbysAndOthers })) {
    if (name === stack.primary) continue;
    await probe.during(`${name} SIGSTOP`, async () => {
      const resume = stack.pauseNode(name);
      await sleep(PAUSED_MS);
      resume();
    });
    await probe.during('between faults', () => sleep(SETTLE_MS));
  }
  for (const signal of testSize({ ci: ['SIGKILL'], soak: ['SIGKILL', 'SIGSTOP'] })) {
    await stack.waitForStandbys();
    await probe.during(`PostgreSQL primary ${signal}, promotion`, async () => {
      if (signal === 'SIGKILL') await stack.killNode(stack.primary);
      else stack.pauseNode(stack.primary);
      await stack.promote();
      await sleep(DOWN_MS);
    });
  }
  await stack.waitForStandbys();
}

/** Creates a valuation run of the portfolio. Its workflow is pinned to the release on which it starts. */
async function createRun({ client }: World, valuation_at: string) {
  const input: ValuationRunInput = { valuation_at, kind: 'totals', group_by: ['status'] };
  const { id } = await retryUntilResponse((options) => client.valuationRuns.create(input, options));
  return id;
}

/** Returns the hash of the run's result when it has ended. */
async function resultOf({ client }: World, id: ValuationRunId): Promise<string | null> {
  const run = await eventually('the valuation run ends', async () => {
    const found = await retryUntilResponse(() => client.valuationRuns.retrieve(id));
    return found.status !== 'pending' && found;
  });
  return run.status === 'ready' ? run.result_sha256 : run.status;
}

test('the journey completes on the cluster', async () => {
  const { valuation } = await runJourney(running.stack.file, {
    print: () => undefined,
    verifyLedger: async () => {
      await running.operator('ledger', 'verify');
    },
  });
  expect(valuation.status).toBe('settled');
});

test('the commands of `npm run cluster` print, kill, suspend and start nodes', async () => {
  const { stack } = running;
  const stop = await serveControl(stack);
  const send = (...args: string[]) => sendCommand(stack.home, args);
  const stateOf = async (node: string) => {
    const [line = ''] = (await send('status')).split('\n').filter((each) => each.startsWith(`${node} `));
    return line.split(/ {2,}/).slice(1);
  };
  const node = 'webhooks-server-2';
  try {
    expect(await stateOf('postgresql-1')).toEqual(['running', expect.stringMatching(/^\d+$/), 'primary']);
    expect((await send('status')).split('\n')).toHaveLength(stack.nodes.size);

    const [, pid = ''] = await stateOf(node);
    expect(await send('pause', node, '1')).toBe(`${node} is paused for 1 seconds.`);
    expect(await stateOf(node)).toEqual(['paused', pid]);
    await expect(send('pause', node)).rejects.toThrow(`${node} is already paused.`);
    await expect(send('upgrade')).rejects.toThrow(`${node} is paused: start it first.`);
    await eventually(`${node} is resumed`, async () => (await stateOf(node))[0] === 'running');
    expect(await stateOf(node)).toEqual(['running', pid]);

    expect(await send('kill', node)).toContain(`npm run cluster -- start ${node}`);
    expect(await stateOf(node)).toEqual(['down', '-']);
    await expect(send('pause', node)).rejects.toThrow(`${node} does not run.`);
    expect(await send('start', node)).toBe(`${node} runs.`);
    expect(await stateOf(node)).toEqual(['running', expect.not.stringMatching(`^(${pid}|-)$`)]);

    await expect(send('kill', 'claims')).rejects.toThrow('There is no node claims: the nodes are');
    await expect(send('pause', node, 'long')).rejects.toThrow('SECONDS must be a positive number, not long.');
    await expect(send('upgrade', 'no-such-commit')).rejects.toThrow('Git knows no commit no-such-commit.');
    await expect(send('restart')).rejects.toThrow('Unknown command.');

    const { port } = JSON.parse(await readFile(join(stack.home.folder, 'control.json'), 'utf8'));
    const response = await fetch(`http://127.0.0.1:${port}/kill/${node}`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([400, { error: 'The token is wrong.' }]);
    expect(await stateOf(node)).toEqual(['running', expect.any(String)]);
  } finally {
    await stop();
  }
  await expect(send('status')).rejects.toThrow('The cluster is starting or stopping: repeat the command.');
}, 60_000);

test(
  'no claim is lost, duplicated or pending while nodes are killed and suspended in turn',
  async () => {
    const { world } = running;
    const earlier = new ClaimScenario(world, await world.createClaimableSession());
    const earlierId = await earlier.runThrough('settle');
    const valueNow = async (id: ClaimId) => {
      const { updated_at: cutoff } = await world.client.claims.retrieve(id);
      return { id, cutoff, valuation: await world.client.claims.valuation(id, { valuation_at: cutoff }) };
    };
    const valuations = [await valueNow(earlierId)];

    const settled: { scenario: ClaimScenario; claimId: ClaimId }[] = [
      { scenario: earlier, claimId: earlierId },
    ];
    const prepared = await mapConcurrently(Array.from({ length: CLIENTS }), CLIENTS, () =>
      world.createClaimableSession(),
    );
    let isRunning = true;
    const valuation_at = new Date().toISOString();
    const portfolio = (async () => {
      const runs: ValuationRunId[] = [];
      do {
        runs.push(await createRun(world, valuation_at));
        await sleep(VALUATION_PAUSE_MS);
      } while (isRunning);
      // A run that a fault has interrupted can meet the next ones too, so its end is expected after them.
      return new Set(await mapConcurrently(runs, CLIENTS, (id) => resultOf(world, id)));
    })();
    const clients = prepared.map(async (first) => {
      let claimable = first;
      do {
        const scenario = new ClaimScenario(world, claimable);
        const id = await scenario.runThrough('settle');
        settled.push({ scenario, claimId: id });
        valuations.push(await valueNow(id));
        await sleep(CLIENT_PAUSE_MS);
        claimable = await world.createClaimableSession();
      } while (isRunning);
    });
    // Prevents unhandled rejections: a client can fail during the faults, and the test awaits the clients only after them.
    for (const client of [portfolio, ...clients]) client.catch(() => undefined);
    const probe = AvailabilityProbe.start(
      running.clients.create(running.stack.file.secret_key),
      world,
      earlierId,
    );
    const after = new Aftermath(running, received);
    let growths: Growth[];
    try {
      await injectFaults(probe).finally(() => probe.stop());
      growths = compareQuarters(await measureRepeatedly(running, after, MEASUREMENTS));
    } finally {
      isRunning = false;
    }
    await Promise.all(clients);
    process.stdout.write(`${settled.length} claims settled\n${formatAvailability(probe)}\n`);
    process.stdout.write(`${formatGrowths(growths)}\n`);

    expect(findGrowing(growths)).toEqual([]);

    expect(probe.finalFailuresDuring(UPGRADE)).toEqual([]);
    for (const { id, cutoff, valuation } of valuations) {
      expect(await world.client.claims.valuation(id, { valuation_at: cutoff })).toEqual(valuation);
    }
    expect([...(await portfolio)]).toEqual([expect.any(String)]);
    const claims = settled.map(({ claimId }) => claimId);
    await after.expectRecordedOnce(
      settled.map(({ scenario }) => scenario),
      claims,
    );
    await after.expectAllEventsDelivered(claims);
    await after.expectWorkflowsOfOpenResources();
    await after.expectBalancedLedger();
  },
  testSize({ ci: 300_000, soak: 5_400_000 }),
);
