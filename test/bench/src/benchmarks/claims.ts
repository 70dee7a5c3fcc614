/**
 * Measures submissions, evidence and adjudications in two ways: through all of Carecover, and with the same HTTP calls and SQL but
 * without Temporal. Also measures how far the workflows are behind, and how the cost of a valuation grows with the number of its events.
 */
import type { Claim } from '@carecover/client';
import type { BenchStack } from '../harness/bench-stack';
import {
  compareCommand,
  type MeasuredCommand,
  plainShot,
  startPlain,
  totalOf,
} from '../harness/command-contest';
import { driverPath } from '../harness/contest';
import { copyTables } from '../harness/copy-tables';
import { createInParallel } from '../harness/in-parallel';
import { measure } from '../harness/measure';
import { formatTable, printJson } from '../harness/report';
import { RunLag } from '../harness/run-lag';
import type { Size } from '../harness/size';
import { recordClaim } from '../recording/claim-recording';
import { coreOf, type Instance, newSeed } from '../recording/replay';
import type { Benchmark } from './benchmark';

const NO_LIMIT_MS = 600_000;
const PREPARING_CONNECTIONS = 8;
const MAX_PAGE_SIZE = 100;
const EVENTS = [10, 100, 1_000];
const CREATION_EVENTS = 3;

type Claimable = Awaited<ReturnType<BenchStack['world']['createClaimableSession']>>;

/** Maps the identifiers and times of the recorded claim to the values of another claim, for a replay of the recorded SQL. */
function instanceOf(recorded: Claimable, real: Claimable): Instance {
  const pairs = [
    [recorded.check.id, real.check.id],
    [recorded.bookingId, real.bookingId],
    [recorded.sessionId, real.sessionId],
    [recorded.preauthorization.id, real.preauthorization.id],
    [recorded.startsAt, real.startsAt],
  ] as const;
  return Object.fromEntries(pairs.map(([was, is]) => [coreOf(was), coreOf(is)]));
}

async function newestClaims({ client }: BenchStack, count: number): Promise<Claim[]> {
  const claims: Claim[] = [];
  for await (const claim of client.claims.list({ limit: MAX_PAGE_SIZE, status: 'submitted' })) {
    if (claims.push(claim) === count) break;
  }
  return claims;
}

async function commands(stack: BenchStack, size: Size): Promise<void> {
  const { world, client, projectId, https } = stack;
  const count = totalOf(size);
  const [recorded, ...claimables] = await createInParallel(1 + count, () => world.createClaimableSession());
  if (recorded === undefined) throw new Error('no claimable session was created');
  // The first claim of a payer creates the payer's row. This claim creates it before the recording, which must not contain the insert.
  await world.createSubmittedClaim();
  // Both contestants use the same sessions: Carecover reads them in the database of the stack, and the plain contestant reads copies in
  // another database.
  const side = await stack.sideDatabase(['care', 'benefits', 'claims', 'payments']);
  for (const schema of ['care', 'benefits'])
    await copyTables(stack.databaseUrl(schema), side.url(schema), schema);
  const recording = await recordClaim(side.url, projectId, world, recorded);
  const plain = await startPlain(stack, side, recording, 'claims');
  const runLag = RunLag.open(stack, ['benefits', 'claims']);

  const requests = claimables.map((real) => ({
    instance: instanceOf(recorded, real),
    seed: newSeed(),
    claimInput: world.claimInput(real),
  }));
  const plainShots = (command: string, body: (number: number) => unknown) =>
    requests.map(({ instance, seed }, number) => plainShot(command, { instance, seed, body: body(number) }));
  const compare = (
    command: string,
    title: string,
    paths: (number: number) => string,
    body: (number: number) => unknown,
  ) => {
    const measured: MeasuredCommand = {
      benchmark: `claims: ${command}`,
      title,
      ours: requests.map((_, number) => ({ method: 'POST', path: paths(number), body: body(number) })),
      plainOrigin: plain.origin,
      plain: plainShots(command, body),
    };
    return compareCommand(stack, size, runLag, measured);
  };

  const submission = (number: number) => requests[number]?.claimInput;
  await compare('submit', 'POST /claims', () => '/v1/claims', submission);

  const submitted = await newestClaims(stack, count);
  const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
  const queried = await createInParallel(count, async (number) => {
    const claim = submitted[number];
    if (claim === undefined) throw new Error('fewer claims are listed than were submitted');
    return client.claims.requestInformation(claim.id, question);
  });
  const shots = plainShots('requestInformation', () => question);
  await measure({
    driver: driverPath('http'),
    options: { ...https, origin: plain.origin, key: null, shots, again: false },
    connections: PREPARING_CONNECTIONS,
    warmUpMs: 0,
    measureMs: NO_LIMIT_MS,
  });
  const path = (action: string) => (number: number) => `/v1/claims/${queried[number]?.id}/${action}`;
  await compare('submitEvidence', 'POST /claims/{id}/evidence', path('evidence'), (number) => ({
    information_request_id: queried[number]?.information_requests[0]?.id,
    evidence_refs: ['note:1'],
  }));
  const adjudication = world.adjudicationInput();
  const title = 'POST /claims/{id}/adjudications';
  await compare('adjudicate', title, path('adjudications'), () => adjudication);
  await runLag.close();
  await plain.stop();
  await side.drop();
}

/** Adjudicates a claim repeatedly, and measures the duration of its valuation after several numbers of recorded facts. */
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
  await commands(stack, size);
  await valuation(stack, size);
};
