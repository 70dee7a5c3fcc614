/**
 * Measures remittances of 1, 10 and 100 allocations, with one posting each: inside the payments service (the two transactions of its
 * workflow, with the rules), as the same SQL in bare transactions, and through the gateway.
 */
import { connectPostgres } from '@carecover/platform';
import type { BenchStack } from '../harness/bench-stack';
import { Bookkeeping } from '../harness/bookkeeping';
import { compareContestants } from '../harness/contest';
import { createInParallel } from '../harness/in-parallel';
import { printReport } from '../harness/report';
import type { Size } from '../harness/size';
import { Recorder } from '../recording/recorder';
import { coreOf, type ReplaySettings } from '../recording/replay';
import type { Benchmark } from './benchmark';

const ALLOCATIONS = [1, 10, 100];
/** The number of disjoint groups of claims: more than the concurrent remittances, so that these don't share claims. */
const GROUPS = 64;

async function recordRemittance(
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

function groupsOf(claimIds: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.floor(claimIds.length / size) }, (_, group) =>
    claimIds.slice(group * size, (group + 1) * size),
  );
}

/** Creates requests of remittances over existing claims, used in rotation. */
function createShots(stack: BenchStack, claimIds: readonly string[], allocations: number, count: number) {
  return Array.from({ length: count }, (_, number) => ({
    method: 'POST',
    path: '/v1/remittances',
    body: stack.world.remittanceInput(
      Array.from({ length: allocations }, (__, index) => ({
        claim_id: claimIds[(number * allocations + index) % claimIds.length] ?? '',
        paid_amount: 1,
      })),
    ),
  }));
}

const SHOTS_PER_SECOND = 100;

export const payments: Benchmark = async (stack: BenchStack, size: Size) => {
  const decided = await createInParallel(
    size.prepared,
    async () => (await stack.world.createAdjudicatedClaim()).id,
  );
  const side = await stack.sideDatabase(['payments']);
  const url = side.url('payments');
  const sql = connectPostgres(url, 8, 'bench');
  const { projectId, https } = stack;
  for (const allocations of ALLOCATIONS.filter((count) => count <= decided.length)) {
    const accounts = await new Bookkeeping(sql, projectId).openAccounts(GROUPS * allocations);
    const groups = groupsOf(accounts, allocations);
    const bare = await recordRemittance(url, projectId, groups);
    const perMeasurement = Math.ceil((size.seconds + size.warmUpSeconds) * SHOTS_PER_SECOND);
    const cells = await compareContestants(
      [
        {
          name: 'ours, inside the service',
          driver: 'remittances',
          options: () => ({ url, projectId, groups }),
          inGenerator: true,
        },
        { name: 'the same SQL, bare', driver: 'sql', options: () => bare, inGenerator: true },
        {
          name: 'ours, through the gateway',
          driver: 'http',
          options: () => ({
            ...https,
            shots: createShots(stack, decided, allocations, perMeasurement),
            again: false,
          }),
        },
      ],
      size,
    );
    printReport({
      benchmark: `payments: ${allocations} allocations`,
      title: `Remittances of ${allocations} allocations (postings per second: ${allocations} times as many)`,
      cells,
    });
  }
  await sql.end();
  await side.drop();
};
