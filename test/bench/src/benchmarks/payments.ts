/**
 * Measures remittances of several numbers of allocations, with one posting per allocation, and their settlements: through the gateway,
 * and with the same HTTP calls and SQL without Temporal. Also measures how far the workflows are behind, and remittances inside the payments
 * service (its two transactions, with the rules), compared with the same SQL without the rules and with one
 * insert of the same number of rows.
 */
import type { Remittance } from '@carecover/client';
import { newId } from '@carecover/domain';
import { connectPostgres, jsonb } from '@carecover/postgres';
import type { PlainRequest } from '../bare/plain-service';
import type { BenchStack, SideDatabase } from '../harness/bench-stack';
import { Bookkeeping } from '../harness/bookkeeping';
import { compareCommand, plainShot, startPlain, totalOf } from '../harness/command-contest';
import { compareContestants } from '../harness/contest';
import { openClaimCopies } from '../harness/copy-claims';
import { formatFigure, printReport } from '../harness/report';
import { RunLag } from '../harness/run-lag';
import type { Size } from '../harness/size';
import { Recorder } from '../recording/recorder';
import { recordRemittance } from '../recording/remittance-recording';
import { coreOf, newSeed, type ReplaySettings, seededId } from '../recording/replay';
import type { Benchmark } from './benchmark';

const MAX_PAGE_SIZE = 100;
/**
 * The number of disjoint groups of claims for the measurement without the gateway, per concurrent remittance: more than one, so that
 * concurrent remittances share no claim.
 */
const GROUPS_PER_CONNECTION = 2;

async function recordInside(
  url: string,
  projectId: string,
  groups: readonly (readonly string[])[],
): Promise<ReplaySettings> {
  const [recorded = []] = groups;
  const recorder = new Recorder(() => url);
  const bookkeeping = new Bookkeeping(await recorder.sql('payments'), projectId);
  recorder.enter('remit');
  await bookkeeping.remit(recorded);
  return {
    url,
    recording: await recorder.finish(),
    instances: groups.map((group) =>
      Object.fromEntries(recorded.map((claimId, index) => [coreOf(claimId), coreOf(group[index] ?? '')])),
    ),
  };
}

/** Creates a replay of one insert with a row per claim into a table like postings, but without triggers and foreign keys. */
function bareInsert(url: string, claimIds: readonly string[]): ReplaySettings {
  const startedAt = Date.now();
  const statement = {
    text: `
      insert into bench_postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
      select 'bench', claim_id, 'payer_liability', 'remitted', 1, 'KES', $1, now(), now()
      from jsonb_array_elements_text($2) as claim_id`,
    parameters: [newId('rem_'), jsonb(claimIds)],
  };
  const steps = [{ command: 'insert', service: 'payments', statements: [statement] }];
  return { url, recording: { startedAt, steps } };
}

function groupsOf(claimIds: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.floor(claimIds.length / size) }, (_, group) =>
    claimIds.slice(group * size, (group + 1) * size),
  );
}

async function insideTheService(
  { projectId }: BenchStack,
  side: SideDatabase,
  size: Size,
  allocations: number,
): Promise<void> {
  const url = side.url('payments');
  const sql = connectPostgres(url, 8, 'bench');
  const groupCount = GROUPS_PER_CONNECTION * Math.max(...size.connections);
  const accounts = await new Bookkeeping(sql, projectId).openAccounts(groupCount * allocations);
  await sql`create table if not exists bench_postings (like postings including all)`;
  await sql.end();
  const groups = groupsOf(accounts, allocations);
  const bare = await recordInside(url, projectId, groups);
  const insert = bareInsert(url, groups[0] ?? []);
  const cells = await compareContestants(
    [
      {
        name: 'ours, inside the service',
        driver: 'remittances',
        options: () => ({ url, projectId, groups }),
        inGenerator: true,
      },
      { name: 'the same SQL, bare', driver: 'sql', options: () => bare, inGenerator: true },
      { name: 'an insert of as many rows, bare', driver: 'sql', options: () => insert, inGenerator: true },
    ],
    size,
  );
  printReport({
    benchmark: `payments: ${allocations} inside`,
    title: `Remittances of ${allocations} allocations inside the service`,
    cells,
  });
  const postings = cells.map(
    ({ name, connections, perSecond }) =>
      `${name}, ${connections} connections: ${formatFigure(perSecond * allocations)}`,
  );
  process.stdout.write(`Postings per second\n${postings.join('\n')}\n`);
}

/**
 * Measures remittances and then their settlements. Each remittance pays claims of its own, as in practice, where a claim has few facts.
 */
async function throughTheGateway(
  stack: BenchStack,
  side: SideDatabase,
  size: Size,
  allocations: number,
  claims: ReturnType<typeof openClaimCopies>,
  runLag: RunLag,
): Promise<void> {
  const { world, client, projectId } = stack;
  const count = totalOf(size);
  const { recording, claimIds } = await recordRemittance(
    side.url,
    projectId,
    world,
    allocations,
    claims.inSide,
  );
  const plain = await startPlain(stack, side, recording, 'payments');
  const bodies = Array.from({ length: count }, () =>
    world.remittanceInput(claimIds.map(() => ({ claim_id: newId('clm_'), paid_amount: 1 }))),
  );
  await claims.inStack(bodies.flatMap(({ allocations: list }) => list.map(({ claim_id }) => claim_id)));
  const seeds = bodies.map(() => newSeed());
  const plainShots = (command: string, body: (number: number) => unknown) =>
    seeds.map((seed, number) => plainShot(command, { instance: {}, seed, body: body(number) }));

  await compareCommand(stack, size, runLag, {
    benchmark: `payments: ${allocations} remitted`,
    title: `POST /remittances of ${allocations} allocations`,
    ours: bodies.map((body) => ({ method: 'POST', path: '/v1/remittances', body })),
    plainOrigin: plain.origin,
    plain: plainShots('remit', (number) => bodies[number]),
    // Each remittance of the plain contestant has claims of its own too, which the recorded sequence numbers of facts fit.
    preparePlain: (shots) =>
      claims.inSide(
        shots.flatMap(({ body }) => claimIds.map((id) => seededId(id, (body as PlainRequest).seed))),
      ),
  });

  const settlements = (await waitingRemittances(client, count)).map(({ id }) =>
    world.settlementInput(id, allocations),
  );
  await compareCommand(stack, size, runLag, {
    benchmark: `payments: ${allocations} settled`,
    title: `POST /settlements of ${allocations} allocations`,
    ours: settlements.map((body) => ({ method: 'POST', path: '/v1/settlements', body })),
    plainOrigin: plain.origin,
    plain: plainShots('settle', (number) => settlements[number]),
  });
  await plain.stop();
}

/** Returns the remittances that are not settled: the remittances of the last measurement, because all earlier ones are settled. */
async function waitingRemittances(
  { remittances }: BenchStack['client'],
  count: number,
): Promise<Remittance[]> {
  const waiting: Remittance[] = [];
  for await (const remittance of remittances.list({ limit: MAX_PAGE_SIZE, status: 'received' })) {
    if (waiting.push(remittance) === count) break;
  }
  return waiting;
}

export const payments: Benchmark = async (stack: BenchStack, size: Size) => {
  const side = await stack.sideDatabase(['claims', 'payments']);
  const template = await stack.world.createAdjudicatedClaim();
  const claims = openClaimCopies(stack.databaseUrl('claims'), side.url('claims'), template.id);
  // Only remittances: the sweeps of claims start a workflow for each copy of a claim, beside the measurements.
  const runLag = RunLag.open(stack, ['payments']);
  for (const allocations of size.allocations) {
    await insideTheService(stack, side, size, allocations);
    await throughTheGateway(stack, side, size, allocations, claims, runLag);
  }
  await runLag.close();
  await claims.close();
  await side.drop();
};
