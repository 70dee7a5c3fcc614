/**
 * Measures requests of well-behaved clients through the gateway while a service hangs, is killed or unreachable, the database is
 * unavailable, or other clients misbehave; and how fast the disturbing requests are rejected. This process sends the disturbing requests,
 * on the same machine.
 */
import { type BlackHole, freeze, startBlackHole } from '@carecover/testing/servers';
import type { BenchStack } from '../harness/bench-stack';
import { driverPath } from '../harness/contest';
import { type Measurement, measure } from '../harness/measure';
import { measurePeakMemory } from '../harness/memory';
import { formatFigure, formatTable, printJson } from '../harness/report';
import type { Size } from '../harness/size';
import { type ApiErrors, type Strain, whileStrained } from '../harness/strained';
import type { Benchmark } from './benchmark';

interface Case {
  readonly name: string;
  /** The disturbing load; null for the measurement without a disturbing load, with which the other measurements are compared. */
  readonly strain: Strain | null;
  /** Whether the measured requests need no database. */
  readonly withoutDatabase?: boolean;
  /** The minimum duration of the measurement in seconds, so that the measurement includes the first rejections of disturbing requests. */
  readonly seconds?: number;
  /** Starts the fault of a process or server, and returns a function that ends it. */
  readonly begin?: () => Promise<() => Promise<void>>;
}

interface Row {
  readonly name: string;
  readonly others: Measurement;
  readonly rejections: ApiErrors | null;
  readonly gatewayBytes: number | null;
}

interface Keys {
  /** The API key of the project that sends the disturbing requests. */
  readonly greedy: string;
  readonly revoked: string;
}

/** The production value of the setting of the address rate limiter: requests without a valid key per address and minute. */
const ADDRESS_LIMIT = { UNAUTHENTICATED_LIMIT: '600' };
const ADDRESSES_CONNECTIONS = 64;
/** The maximum number of connections whose requests wait for a component that does not respond. */
const MAX_WAITING_CONNECTIONS = 200;

function casesOf(stack: BenchStack, { greedy, revoked }: Keys, size: Size, hole: BlackHole): Case[] {
  const { parts } = stack;
  const { origin, ca } = stack.https;
  const sendRequests = (
    path: string,
    key: string | null,
    statuses: readonly number[],
    connections: number,
  ): Strain => ({
    driver: 'http',
    options: { origin, ca, key, statuses, shots: [{ method: 'GET', path }], again: true },
    connections,
  });
  const openConnections = (behaviour: string, connections: number): Strain => ({
    driver: 'connections',
    options: { origin, ca, key: greedy, behaviour },
    connections,
  });
  const frozen = async (pid: number | undefined) => {
    if (pid === undefined) throw new Error('the process is not running');
    const thaw = freeze(pid);
    return async () => thaw();
  };
  const gatewayWith = async (settings: NodeJS.ProcessEnv) => {
    await parts.process('gateway').restart(settings);
    // This request makes the gateway cache the key before the measurement, because the gateway accepts a cached key from an address over
    // its limit.
    await stack.client.practitioners.list({ limit: 1 });
    return () => parts.process('gateway').restart();
  };
  const unavailable = [503];
  const waiting = Math.min(MAX_WAITING_CONNECTIONS, 20 * size.prepared);
  const calm: Case = { name: 'calm', strain: null };
  return [
    calm,
    {
      name: 'claims hangs',
      strain: sendRequests('/v1/claims', greedy, unavailable, waiting),
      seconds: 12,
      begin: () => frozen(parts.process('claims').pid),
    },
    {
      name: 'claims is dead',
      strain: sendRequests('/v1/claims', greedy, unavailable, 32),
      begin: async () => {
        await parts.process('claims').kill();
        return () => parts.process('claims').start();
      },
    },
    {
      name: 'claims is a black hole',
      strain: sendRequests('/v1/claims', greedy, unavailable, waiting),
      begin: () => gatewayWith({ CLAIMS_URL: hole.url }),
    },
    { name: `${20 * size.prepared} idle connections`, strain: openConnections('idle', 20 * size.prepared) },
    { name: 'heads of 1 MiB', strain: openConnections('huge head', 8) },
    {
      name: `${2 * size.prepared} slow heads`,
      strain: openConnections('slow head', 2 * size.prepared),
      seconds: 14,
    },
    {
      name: `${2 * size.prepared} slow bodies`,
      strain: openConnections('slow body', 2 * size.prepared),
      seconds: 17,
    },
    {
      name: 'a flood without a key',
      strain: sendRequests('/v1/claims', null, [401, 429], ADDRESSES_CONNECTIONS),
      begin: () => gatewayWith(ADDRESS_LIMIT),
    },
    {
      name: 'a flood with a revoked key',
      strain: sendRequests('/v1/claims', revoked, [401, 429], ADDRESSES_CONNECTIONS),
      begin: () => gatewayWith(ADDRESS_LIMIT),
    },
    { ...calm, name: 'calm, without the database', withoutDatabase: true },
    {
      name: 'PostgreSQL hangs',
      strain: sendRequests('/v1/claims', greedy, unavailable, waiting),
      withoutDatabase: true,
      seconds: 7,
      begin: () => frozen(parts.servers.postgresql.pid),
    },
    {
      name: 'PostgreSQL is dead',
      strain: sendRequests('/v1/claims', greedy, unavailable, 32),
      withoutDatabase: true,
      begin: async () => {
        await parts.servers.postgresql.kill();
        return () => parts.servers.postgresql.start();
      },
    },
    { ...calm, name: 'calm again' },
  ];
}

/** Measures requests of well-behaved clients during one disturbance. */
async function play(stack: BenchStack, each: Case, practitionerId: string, size: Size): Promise<Row> {
  process.stderr.write(`… ${each.name}\n`);
  const seconds = size.seconds < 1 ? size.seconds : Math.max(size.seconds, each.seconds ?? 0);
  const path = each.withoutDatabase === true ? '/docs/errors' : `/v1/practitioners/${practitionerId}`;
  const others = () =>
    measure({
      driver: driverPath('http'),
      options: { ...stack.https, shots: [{ method: 'GET', path }], again: true },
      connections: size.connections[Math.floor(size.connections.length / 2)] ?? 1,
      warmUpMs: size.warmUpSeconds * 1_000,
      measureMs: seconds * 1_000,
    });
  const end = await each.begin?.();
  try {
    const { result, bytes } = await measurePeakMemory(stack.parts.process('gateway').pid, async () =>
      each.strain === null
        ? { result: await others(), rejections: null }
        : await whileStrained(each.strain, others),
    );
    return { name: each.name, others: result.result, rejections: result.rejections, gatewayBytes: bytes };
  } finally {
    await end?.();
  }
}

const HEADS = [
  'strain',
  'others per second',
  'p50 ms',
  'p99 ms',
  'rejected',
  'after p50 ms',
  'p99 ms',
  'gateway MiB',
];

function cells({ name, others, rejections, gatewayBytes }: Row): string[] {
  const nonEmpty = rejections !== null && rejections.count > 0 ? rejections : null;
  return [
    name,
    formatFigure(others.perSecond),
    formatFigure(others.p50Ms),
    formatFigure(others.p99Ms),
    rejections === null ? '' : String(rejections.count),
    nonEmpty === null ? '' : formatFigure(nonEmpty.p50Ms),
    nonEmpty === null ? '' : formatFigure(nonEmpty.p99Ms),
    gatewayBytes === null ? '' : formatFigure(gatewayBytes / 1024 / 1024),
  ];
}

export const strain: Benchmark = async (stack, size) => {
  const { data } = await stack.client.practitioners.list({ limit: 1 });
  const practitionerId = data[0]?.id ?? '';
  const [{ key: greedy }, { key: revoked, keyId }] = [await stack.newProject(), await stack.newProject()];
  await stack.revoke(keyId);
  const hole = await startBlackHole();
  const rows: Row[] = [];
  try {
    for (const each of casesOf(stack, { greedy, revoked }, size, hole))
      rows.push(await play(stack, each, practitionerId, size));
  } finally {
    await hole.close();
  }
  process.stdout.write(`\nThe gateway under strain\n${formatTable([HEADS, ...rows.map(cells)], 0)}\n`);
  printJson({
    benchmark: 'strain',
    rows: rows.map(({ name, others: { perSecond, p50Ms, p99Ms }, rejections, gatewayBytes }) => ({
      ...{ name, perSecond, p50Ms, p99Ms, gatewayBytes },
      rejections: rejections !== null && rejections.count > 0 ? rejections : null,
    })),
  });
};
