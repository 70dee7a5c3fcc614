/**
 * Measures bulk jobs of 20 times `--prepared` lines from the upload to the end: claims of past care, adjudications of them, and remittances of
 * 100 allocations. The processor time per line is that of all processes, with what the stack uses anyhow; other work on the machine affects
 * it less than the rate. A small job of each kind runs first, unmeasured. The processor time that the workflows of the claims use after a job
 * is measured separately.
 */
import type { BulkJob, ClaimId, Practitioner } from '@carecover/client';
import { connectPostgres } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import type { BenchStack } from '../harness/bench-stack';
import { createInParallel } from '../harness/in-parallel';
import { readProcessorTime, subtractProcessorTime } from '../harness/processor-time';
import { formatFigure, formatTable, printJson } from '../harness/report';
import { RunLag } from '../harness/run-lag';
import type { Benchmark } from './benchmark';

const SERVICE = 'psy.individual.50';
const LINES_PER_PREPARED = 20;
const WARM_UP_LINES = 300;
const MEMBERS = 50;
const ALLOCATIONS = 100;
const PATIENCE_MS = 900_000;

interface Row {
  readonly name: string;
  readonly lines: number;
  readonly perSecond: number;
  /** Processor time per line in milliseconds. */
  readonly processorMs: number;
  /** The same by process. The sum is `processorMs`. */
  readonly processorShares: Readonly<Record<string, number>>;
}

/** Executes work, and returns what it took per line. */
async function measured(name: string, lines: number, work: () => Promise<unknown>): Promise<Row> {
  const before = readProcessorTime();
  const startMs = performance.now();
  await work();
  const seconds = (performance.now() - startMs) / 1_000;
  const used = [...(subtractProcessorTime(before, readProcessorTime()) ?? [])];
  return {
    name,
    lines,
    perSecond: lines / seconds,
    processorMs: used.reduce((sum, [, ms]) => sum + ms, 0) / lines,
    processorShares: Object.fromEntries(used.map(([process, ms]) => [process, ms / lines])),
  };
}

/** Executes a job. @throws Error if a line has no success */
async function execute(
  { client }: BenchStack,
  kind: BulkJob['kind'],
  lines: readonly object[],
): Promise<void> {
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { id } = await client.bulkJobs.create({ kind }, { content, mediaType: 'application/x-ndjson' });
  const isEnded = async () => {
    const job = await client.bulkJobs.retrieve(id);
    return job.completed_at === null ? undefined : job;
  };
  const { counts } = await eventually('the job ends', isEnded, PATIENCE_MS);
  if (counts.succeeded !== lines.length) throw new Error(`a job ended with ${JSON.stringify(counts)}`);
}

/** Returns the line of a claim of care that ended some days ago. */
function claimLine({ world }: BenchStack, practitioner: Practitioner, member: string, reference: string) {
  const { starts_at, ends_at } = world.pastTimes(5 + Math.random());
  return {
    session: {
      practitioner_id: practitioner.id,
      starts_at,
      ends_at,
      format: 'in_person',
      payment_source: 'covered',
    },
    eligibility_check: { member_reference: member, service_code: SERVICE, amount: 400_000, currency: 'KES' },
    provider_claim_reference: reference,
    lines: [
      { code_system: 'CPT', service_code: SERVICE, units: 1, amount: 300_000 },
      { code_system: 'CPT', service_code: 'report', units: 0.5, amount: 100_000 },
    ],
  };
}

async function idsOf(stack: BenchStack, references: readonly string[]): Promise<ClaimId[]> {
  const sql = connectPostgres(stack.databaseUrl('claims'), 1, 'bench');
  try {
    const rows = await sql<{ id: ClaimId }[]>`
      select id from claims where project_id = ${stack.projectId} and provider_claim_reference = any(${[...references]})`;
    return rows.map(({ id }) => id);
  } finally {
    await sql.end();
  }
}

export const bulk: Benchmark = async (stack, { prepared }) => {
  const { world, client } = stack;
  const { data: practitioners } = await client.practitioners.list({ limit: 20 });
  const members = await createInParallel(MEMBERS, async () => {
    const member = world.uniqueReference('member');
    await world.recordCoverage(member, {
      ...{ authorization_required: false, remaining_sessions: 100_000, amount_limit: 900_000_000_000 },
      ...{ service_code: SERVICE, observed_at: world.daysFromNow(-20) },
    });
    return member;
  });
  const runLag = RunLag.open(stack, ['benefits', 'claims', 'payments']);
  const rows: Row[] = [];

  const series = async (count: number, isMeasured: boolean) => {
    const add = (row: Row) => isMeasured && rows.push(row);
    const references = Array.from({ length: count }, () => world.uniqueReference('INV'));
    const claims = references.map((reference, index) => {
      const practitioner = practitioners[index % practitioners.length];
      if (practitioner === undefined) throw new Error('the stack has no practitioners');
      return claimLine(stack, practitioner, members[index % MEMBERS] ?? '', reference);
    });
    const runs = () =>
      measured('workflows after it', count, async () => {
        runLag.startLoad();
        await runLag.endLoad();
      });
    add(await measured('claims of past care', count, () => execute(stack, 'claims', claims)));
    add(await runs());
    const adjudications = references.map((reference) => ({
      provider_claim_reference: reference,
      ...world.adjudicationInput(),
    }));
    add(await measured('adjudications', count, () => execute(stack, 'adjudications', adjudications)));
    add(await runs());
    const ids = await idsOf(stack, references);
    const remittances = Array.from({ length: Math.floor(count / ALLOCATIONS) }, (_, at) =>
      world.remittanceInput(
        ids
          .slice(at * ALLOCATIONS, (at + 1) * ALLOCATIONS)
          .map((claim_id) => ({ claim_id, paid_amount: 300_000 })),
      ),
    );
    if (remittances.length === 0) return;
    const allocations = remittances.length * ALLOCATIONS;
    add(
      await measured('allocations of remittances', allocations, () =>
        execute(stack, 'remittances', remittances),
      ),
    );
    add(await runs());
  };
  await series(WARM_UP_LINES, false);
  await series(LINES_PER_PREPARED * prepared, true);
  await runLag.close();
  print(rows);
};

function print(rows: readonly Row[]): void {
  const head = ['job', 'lines', 'per second', 'CPU ms per line'];
  const cells = rows.map(({ name, lines, perSecond, processorMs }) => [
    name,
    String(lines),
    formatFigure(perSecond),
    formatFigure(processorMs),
  ]);
  const shares = rows.map(({ name, processorShares }) => {
    const parts = Object.entries(processorShares).map(([process, ms]) => `${process} ${formatFigure(ms)}`);
    return `\nCPU ms per line of ${name}: ${parts.join(', ')}`;
  });
  process.stdout.write(`\nBulk jobs\n${formatTable([head, ...cells], 0)}${shares.join('')}\n`);
  printJson({ benchmark: 'bulk', rows });
}
