/**
 * Measures submissions, evidence and adjudications through the whole project and against a bare Temporal workflow with the same number
 * of Temporal operations and the same SQL; and how the cost of a valuation grows with its events.
 */
import type { Claim } from '@carecover/client';
import type { Covered } from '@carecover/test-support';
import type { Shot } from '../drivers/http';
import { startBare } from '../harness/bare-process';
import type { BenchStack } from '../harness/bench-stack';
import { compareContestants, driverPath } from '../harness/contest';
import { copyTables } from '../harness/copy-tables';
import { createInParallel } from '../harness/in-parallel';
import { measure } from '../harness/measure';
import { formatTable, printJson, printReport } from '../harness/report';
import type { Size } from '../harness/size';
import { recordClaim } from '../recording/claim-recording';
import { coreOf, type Instance, newSeed, type ReplaySettings } from '../recording/replay';
import type { Benchmark } from './benchmark';

const NO_LIMIT_SECONDS = 600;
const MAX_PAGE_SIZE = 100;
const EVENTS = [10, 100, 1_000];
const CREATION_EVENTS = 3;

type Claimable = Awaited<ReturnType<BenchStack['world']['createClaimableSession']>>;

interface Bare {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
}

interface BareClaim {
  readonly instance: Instance;
  readonly seed: string;
}

function bareClaimOf(recorded: Claimable, real: Claimable): BareClaim {
  const pairs = [
    [recorded.check.id, real.check.id],
    [recorded.bookingId, real.bookingId],
    [recorded.sessionId, real.sessionId],
    [recorded.preauthorization.id, real.preauthorization.id],
    [recorded.startsAt, real.startsAt],
  ] as const;
  const instance = Object.fromEntries(pairs.map(([was, is]) => [coreOf(was), coreOf(is)]));
  return { instance, seed: newSeed() };
}

/** Returns a function that returns the prepared items in portions, one portion per measurement. */
function createPortions<T>(all: readonly T[], each: number): () => T[] {
  let given = 0;
  return () => {
    const portion = all.slice(given, given + each);
    given += portion.length;
    if (portion.length === 0) throw new Error('no prepared items are left; increase --prepared');
    return portion;
  };
}

async function compare(
  stack: BenchStack,
  size: Size,
  command: { readonly name: string; readonly title: string },
  bare: Bare & { readonly claims: readonly BareClaim[] },
  shots: readonly Shot[],
): Promise<void> {
  const nextShots = createPortions(shots, size.prepared);
  const nextClaims = createPortions(bare.claims, size.prepared);
  const { temporalAddress, replay } = bare;
  const cells = await compareContestants(
    [
      {
        name: 'ours',
        driver: 'http',
        options: () => ({ ...stack.https, shots: nextShots(), again: false }),
      },
      {
        name: 'bare workflow, same SQL',
        driver: 'bare-claims',
        options: () => ({ temporalAddress, replay, command: command.name, claims: nextClaims() }),
        inGenerator: true,
      },
    ],
    { ...size, seconds: NO_LIMIT_SECONDS, warmUpSeconds: 0 },
  );
  printReport({ benchmark: `claims: ${command.name}`, title: command.title, cells });
}

async function newestClaims({ client }: BenchStack, count: number): Promise<Claim[]> {
  const claims: Claim[] = [];
  for await (const claim of client.claims.list({ limit: MAX_PAGE_SIZE, status: 'submitted' })) {
    if (claims.push(claim) === count) break;
  }
  return claims;
}

async function lifecycle(stack: BenchStack, size: Size): Promise<void> {
  const { world, client, projectId, temporalAddress } = stack;
  const count = size.connections.length * size.rounds * size.prepared;
  const [recorded, ...claimables] = await createInParallel(1 + 2 * count + 2, () =>
    world.createClaimableSession(),
  );
  if (recorded === undefined) throw new Error('no claimable session was created');
  const side = await stack.sideDatabase(['care', 'benefits', 'claims', 'payments']);
  for (const schema of ['care', 'benefits'])
    await copyTables(stack.databaseUrl(schema), side.url(schema), schema);
  const recording = await recordClaim(side.url, projectId, world, recorded);
  const replay = { url: side.url('claims', 'benefits', 'care', 'payments'), recording };
  const worker = await startBare('bare-worker', { temporalAddress, replay });
  const ours = claimables.slice(0, count + 1);
  const bareClaims = claimables.slice(count + 1).map((real) => bareClaimOf(recorded, real));
  const bare = { temporalAddress, replay, claims: bareClaims.slice(1) };

  // The first claim of each contestant warms up caches.
  const [first, ...rest] = ours as [Claimable, ...Claimable[]];
  const warm = await client.claims.submit(world.claimInput(first));
  const play = (command: string, claims: readonly BareClaim[]) =>
    measure({
      driver: driverPath('bare-claims'),
      options: { ...bare, command, claims },
      connections: 1 + 7 * Math.sign(claims.length - 1),
      warmUpMs: 0,
      measureMs: NO_LIMIT_SECONDS * 1_000,
    });
  await play('submit', bareClaims.slice(0, 1));
  await world.client.claims.retrieve(warm.id);

  const submissions = rest.map((each: Covered) => ({
    method: 'POST' as const,
    path: '/v1/claims',
    body: world.claimInput(each),
  }));
  await compare(stack, size, { name: 'submit', title: 'POST /claims' }, bare, submissions);

  const submitted = await newestClaims(stack, count);
  const queried = await createInParallel(submitted.length, (number) =>
    client.claims.requestInformation(submitted[number]?.id ?? '', {
      reason_code: 'notes_missing',
      requested_evidence_types: ['notes'],
    }),
  );
  await play('requestInformation', bare.claims);
  const evidence = queried.map(({ id, information_requests }) => ({
    method: 'POST' as const,
    path: `/v1/claims/${id}/evidence`,
    body: { information_request_id: information_requests[0]?.id, evidence_refs: ['note:1'] },
  }));
  const title = 'POST /claims/{id}/evidence';
  await compare(stack, size, { name: 'submitEvidence', title }, bare, evidence);

  const adjudications = queried.map(({ id }) => ({
    method: 'POST' as const,
    path: `/v1/claims/${id}/adjudications`,
    body: world.adjudicationInput(),
  }));
  const adjudication = { name: 'adjudicate', title: 'POST /claims/{id}/adjudications' };
  await compare(stack, size, adjudication, bare, adjudications);
  await worker.stop();
  await side.drop();
}

/** Adjudicates a claim repeatedly, and measures its valuation at several numbers of events. */
async function valuation({ client, world, https }: BenchStack, size: Size): Promise<void> {
  const { id } = await world.createSubmittedClaim();
  const figures: { events: number; p50Ms: number; p99Ms: number }[] = [];
  let events = CREATION_EVENTS;
  for (const wanted of EVENTS.filter((count) => count <= size.prepared * 10)) {
    for (; events < wanted; events++) await client.claims.adjudicate(id, world.adjudicationInput());
    const { updated_at } = await client.claims.retrieve(id);
    const path = `/v1/claims/${id}/valuation?valuation_at=${encodeURIComponent(updated_at)}`;
    const { p50Ms, p99Ms } = await measure({
      driver: driverPath('http'),
      options: { ...https, shots: [{ method: 'GET', path }], again: true },
      connections: 1,
      warmUpMs: size.warmUpSeconds * 1_000,
      measureMs: size.seconds * 1_000,
    });
    figures.push({ events, p50Ms, p99Ms });
  }
  const base = figures[0]?.p50Ms ?? 0;
  const rows = figures.map((each) => [
    String(each.events),
    '',
    each.p50Ms.toFixed(2),
    each.p99Ms.toFixed(2),
    (each.p50Ms / base).toFixed(1),
  ]);
  process.stdout.write(
    `\nGET /claims/{id}/valuation\n${formatTable([['events', '', 'p50 ms', 'p99 ms', 'growth'], ...rows])}\n`,
  );
  printJson({ benchmark: 'claims: valuation', figures });
}

export const claims: Benchmark = async (stack, size) => {
  await lifecycle(stack, size);
  await valuation(stack, size);
};
