/**
 * Records histories of concurrent clients of claims, reservations and idempotency keys while processes are killed and suspended and
 * connections to the servers are delayed or partitioned; with `--target cluster`, while nodes of a cluster are killed and suspended and a
 * standby of PostgreSQL is promoted. The history must be linearizable: one order of the requests about a resource
 * must explain all their responses.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linearizabilityChecker, type TestCluster, testSize, testTarget } from '@carecover/testing/servers';
import { mapConcurrently, useWorld } from '@carecover/testing/stack';
import { checkHistory } from './check';
import { createLimitedCoverage, useCoverage, useKeys, useSession } from './clients';
import { executeFaults, listClusterFaults, listFaults, Network } from './faults';
import { History, type RecordedOperation } from './history';
import { mutations } from './mutants';

const SESSIONS = testSize({ ci: 3, soak: 8 });
const COVERAGES = testSize({ ci: 2, soak: 6 });
const FAULT_MS = testSize({ ci: 1_500, soak: 4_000 });
const PAUSE_MS = testSize({ ci: 400, soak: 2_000 });
/** The faults of a run in CI: one of each kind. The soak test executes all faults. */
const FAULTS_IN_CI = [
  'kill claims 0',
  'delay claims to postgresql',
  'partition claims to postgresql',
  'suspend benefits 1',
  'partition and reset benefits to temporal',
  'partition payments to nats',
  'partition and reset gateway to postgresql',
  'kill postgresql',
];

const FAULTS_OF_CLUSTER_IN_CI = [
  'kill temporal-frontend-1',
  'kill temporal-history-1',
  'kill nats-1',
  'kill gateway',
  'suspend claims-server-1',
  'suspend payments-worker-1',
  'kill the primary and promote a standby',
];

const isCluster = testTarget() === 'cluster';
const network = new Network();
const running = useWorld(isCluster ? {} : { replicas: 2, route: network.route });
afterAll(() => network.close());

let folder: string;
const recorded: RecordedOperation[] = [];
beforeAll(async () => {
  await linearizabilityChecker();
  folder = await mkdtemp(join(tmpdir(), 'carecover-histories-'));
}, 180_000);

test(
  'claims, reservations and idempotency keys are linearizable while processes and connections fail',
  async () => {
    const { world } = running;
    const [sessions, coverages] = await Promise.all([
      mapConcurrently(Array.from({ length: SESSIONS }), 3, () => world.createClaimableSession()),
      mapConcurrently(Array.from({ length: COVERAGES }), 3, () => createLimitedCoverage(world)),
    ]);
    const history = new History();
    let isRunning = true;
    const recording = { world, history, isRunning: () => isRunning };
    const clients = Promise.all([
      ...sessions.map((session) => useSession(recording, session)),
      ...coverages.map((coverage) => useCoverage(recording, coverage)),
      ...coverages.map((coverage) => useKeys(recording, coverage)),
    ]);
    const all = isCluster
      ? listClusterFaults(running.stack as TestCluster['stack'], FAULT_MS)
      : listFaults(running, network, FAULT_MS);
    const inCi = isCluster ? FAULTS_OF_CLUSTER_IN_CI : FAULTS_IN_CI;
    const faults = all.filter(({ name }) => testSize({ ci: inCi.includes(name), soak: true }));
    expect(faults.length).toBeGreaterThanOrEqual(inCi.length);
    const executing = executeFaults(faults, history, PAUSE_MS).finally(() => {
      isRunning = false;
    });
    await Promise.all([clients, executing]);
    recorded.push(...history.operations);

    const verdict = await checkHistory(folder, [...history.operations, ...history.faults]);
    const { operations, open, partitions, explanation } = verdict;
    const counts = Object.entries(partitions).map(([model, count]) => `${model} ${count}`);
    process.stdout.write(
      `${operations} operations (${open} with an unknown outcome) under ${history.faults.length} faults; partitions: ${counts.join(', ')}\n`,
    );
    if (explanation !== '') throw new Error(`${explanation}The history: ${folder}`);
    expect(verdict).toMatchObject({ illegal: [], undecided: [] });
    expect(history.faults).toHaveLength(faults.length);
    expect(open).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  },
  testSize({ ci: 300_000, soak: 3_600_000 }),
);

describe('a recorded history is rejected with', () => {
  test.each(Object.entries(mutations))('%s', async (_, mutate) => {
    const mutant = mutate(recorded);
    const { illegal, explanation } = await check(mutant.history);
    expect(illegal).toContain(mutant.partition);
    expect(explanation).toContain(`${mutant.partition} is not linearizable.`);
  });
});

describe('a write without a known outcome', () => {
  const claim = { model: 'claim', resource: 'ses_1', client: 0 } as const;
  const answered = { status: 200, replayed: false, digest: 'one' };
  const seen = { id: 'clm_1', status: 'submitted', approved: null, remitted: null, version: 0 };
  const submitted = { ...claim, ...answered, op: 'submit', key: 'a', request: 'a', call: 0, return: 1, seen };
  const cancelling = { ...claim, op: 'cancel', id: 'clm_1', key: 'b', request: 'b', call: 2 };
  const read = (status: string, at: number) => ({
    ...claim,
    ...answered,
    ...{ op: 'read', id: 'clm_1', request: 'c', call: at, return: at + 1, seen: { ...seen, status } },
  });

  test.each([
    ['may take effect late', ['submitted', 'cancelled'], null, []],
    ['may have no effect', ['submitted', 'submitted'], null, []],
    ['has at most one effect', ['cancelled', 'submitted'], null, ['claim ses_1']],
    ['is not confused with an acknowledged one', ['submitted', 'cancelled'], 3, ['claim ses_1']],
  ])('%s', async (_, [first = '', second = ''], returned, expected) => {
    const cancellation = {
      ...cancelling,
      return: returned,
      ...(returned === null ? {} : { ...answered, seen: { ...seen, status: 'cancelled' } }),
    };
    const { illegal } = await check([submitted, cancellation, read(first, 4), read(second, 6)]);
    expect(illegal).toEqual(expected);
  });
});

async function check(history: readonly RecordedOperation[]) {
  const folderOfMutant = await mkdtemp(join(tmpdir(), 'carecover-mutant-'));
  try {
    return await checkHistory(folderOfMutant, history);
  } finally {
    await rm(folderOfMutant, { recursive: true });
  }
}
