/**
 * The gateway under strain: what others get of it while a service hangs, is dead or can't be reached, the database is away, or
 * callers behave badly; and how soon those are refused. The strain comes from this process and takes its share of the machine.
 */
import { type BlackHole, freeze, startBlackHole } from '@carecover/local/testing';
import type { BenchStack } from '../harness/bench-stack';
import { driverPath } from '../harness/contest';
import { type Measurement, measure } from '../harness/measure';
import { mostMemory } from '../harness/memory';
import { figure, printJson, table } from '../harness/report';
import type { Size } from '../harness/size';
import { type ApiErrors, type Strain, whileStrained } from '../harness/strained';
import type { Benchmark } from './benchmark';

interface Case {
  readonly name: string;
  /** Null for the calm with which the others are compared. */
  readonly strain: Strain | null;
  /** Whether the others are those who need no database. */
  readonly withoutDatabase?: boolean;
  /** How long it must last for its first rejections to be seen. */
  readonly seconds?: number;
  /** Brings the strain about; what it gives back ends it. */
  readonly begin?: () => Promise<() => Promise<void>>;
}

interface Row {
  readonly name: string;
  readonly others: Measurement;
  readonly rejections: ApiErrors | null;
  readonly gatewayBytes: number | null;
}

interface Keys {
  /** Of the project that brings the strain about. */
  readonly greedy: string;
  readonly revoked: string;
}

/** As in production, where what one address asks for without a good key is bounded. */
const BOUNDED = { UNAUTHENTICATED_LIMIT: '600' };
const ADDRESSES_CONNECTIONS = 64;

function casesOf(stack: BenchStack, { greedy, revoked }: Keys, size: Size, hole: BlackHole): Case[] {
  const { parts } = stack;
  const { origin, ca } = stack.https;
  const asking = (
    path: string,
    key: string | null,
    statuses: readonly number[],
    connections: number,
  ): Strain => ({
    driver: 'http',
    options: { origin, ca, key, statuses, shots: [{ method: 'GET', path }], again: true },
    connections,
  });
  const behaving = (behaviour: string, connections: number): Strain => ({
    driver: 'connections',
    options: { origin, ca, key: greedy, behaviour },
    connections,
  });
  const frozen = async (pid: number | undefined) => {
    if (pid === undefined) throw new Error('there is no such process');
    const thaw = freeze(pid);
    return async () => thaw();
  };
  const gatewayWith = async (settings: NodeJS.ProcessEnv) => {
    await parts.process('gateway').restart(settings);
    // A key that was good lately is served on from an address that is over its limit.
    await stack.client.practitioners.list({ limit: 1 });
    return () => parts.process('gateway').restart();
  };
  const away = [503];
  const calm: Case = { name: 'calm', strain: null };
  return [
    calm,
    {
      name: 'claims hangs',
      strain: asking('/v1/claims', greedy, away, 200),
      seconds: 12,
      begin: () => frozen(parts.process('claims').pid),
    },
    {
      name: 'claims is dead',
      strain: asking('/v1/claims', greedy, away, 32),
      begin: async () => {
        await parts.process('claims').kill();
        return () => parts.process('claims').start();
      },
    },
    {
      name: 'claims is a black hole',
      strain: asking('/v1/claims', greedy, away, 200),
      begin: () => gatewayWith({ CLAIMS_URL: hole.url }),
    },
    { name: `${20 * size.prepared} idle connections`, strain: behaving('idle', 20 * size.prepared) },
    { name: 'heads of 1 MiB', strain: behaving('huge head', 8) },
    {
      name: `${2 * size.prepared} slow heads`,
      strain: behaving('slow head', 2 * size.prepared),
      seconds: 14,
    },
    {
      name: `${2 * size.prepared} slow bodies`,
      strain: behaving('slow body', 2 * size.prepared),
      seconds: 17,
    },
    {
      name: 'a flood without a key',
      strain: asking('/v1/claims', null, [401, 429], ADDRESSES_CONNECTIONS),
      begin: () => gatewayWith(BOUNDED),
    },
    {
      name: 'a flood with a revoked key',
      strain: asking('/v1/claims', revoked, [401, 429], ADDRESSES_CONNECTIONS),
      begin: () => gatewayWith(BOUNDED),
    },
    { ...calm, name: 'calm, without the database', withoutDatabase: true },
    {
      name: 'PostgreSQL hangs',
      strain: asking('/v1/claims', greedy, away, 200),
      withoutDatabase: true,
      seconds: 7,
      begin: () => frozen(parts.servers.postgresql.pid),
    },
    {
      name: 'PostgreSQL is dead',
      strain: asking('/v1/claims', greedy, away, 32),
      withoutDatabase: true,
      begin: async () => {
        await parts.servers.postgresql.kill();
        return () => parts.servers.postgresql.start();
      },
    },
    { ...calm, name: 'calm again' },
  ];
}

/** Measures the others of one case. */
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
    const { result, bytes } = await mostMemory(stack.parts.process('gateway').pid, async () =>
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
  'others a second',
  'p50 ms',
  'p99 ms',
  'refused',
  'after p50 ms',
  'p99 ms',
  'gateway MiB',
];

function cells({ name, others, rejections, gatewayBytes }: Row): string[] {
  const told = rejections !== null && rejections.count > 0 ? rejections : null;
  return [
    name,
    figure(others.perSecond),
    figure(others.p50Ms),
    figure(others.p99Ms),
    rejections === null ? '' : String(rejections.count),
    told === null ? '' : figure(told.p50Ms),
    told === null ? '' : figure(told.p99Ms),
    gatewayBytes === null ? '' : figure(gatewayBytes / 1024 / 1024),
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
  process.stdout.write(`\nThe gateway under strain\n${table([HEADS, ...rows.map(cells)], 0)}\n`);
  printJson({
    benchmark: 'strain',
    rows: rows.map(({ name, others: { perSecond, p50Ms, p99Ms }, rejections, gatewayBytes }) => ({
      ...{ name, perSecond, p50Ms, p99Ms, gatewayBytes },
      rejections: rejections !== null && rejections.count > 0 ? rejections : null,
    })),
  });
};
