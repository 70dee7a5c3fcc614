/**
 * Kills (SIGKILL) processes of a stack at random times during bulk jobs. Each line must have one result and one effect, equal to those of an
 * undisturbed job but for IDs and times, and the ledger must verify.
 */
import type { BulkJob, BulkJobId, BulkJobResult } from '@carecover/client';
import { eventually, testSize } from '@carecover/testing/servers';
import { retryUntilResponse, SERVICE, useWorld } from '@carecover/testing/stack';
import { Client as Database } from 'pg';
import { whileKilling } from './killing';

const LINES = testSize({ ci: 120, soak: 2_000 });
const DAY_MS = 86_400_000;
const KILLED = ['claims', 'care', 'benefits', 'payments'] as const;
const PACE = { upMs: 700, downMs: 100, minKills: KILLED.length };
/** The start of the first session. All sessions are past, and within the cover. */
const FIRST_MS = Date.now() - 25 * DAY_MS;

const running = useWorld({ replicas: 1 });

async function count(text: string, ...values: readonly unknown[]): Promise<number> {
  const database = new Database({ connectionString: running.stack.file.database_url });
  await database.connect();
  try {
    return Number((await database.query<{ count: string }>(text, [...values])).rows[0]?.count);
  } finally {
    await database.end();
  }
}

const ndjson = (lines: readonly object[]) => ({
  mediaType: 'application/x-ndjson',
  content: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
});

/** Creates the lines of claims of past care. Every tenth line is rejected, and every twentieth repeats the one before it. */
function claimLines(prefix: string, member: string, practitioner: string): object[] {
  const lines: object[] = [];
  for (let line = 1; line <= LINES; line++) {
    const before = lines.at(-1);
    if (line % 20 === 0 && before !== undefined) lines.push(before);
    else {
      const start = new Date(FIRST_MS + line * 600_000);
      lines.push({
        session: {
          practitioner_id: practitioner,
          starts_at: start.toISOString(),
          ends_at: new Date(start.getTime() + 3_000_000).toISOString(),
          format: 'in_person',
          payment_source: 'covered',
        },
        eligibility_check: {
          member_reference: line % 10 === 0 ? `${member}-unknown` : member,
          service_code: SERVICE,
          amount: 300_000,
          currency: 'KES',
        },
        provider_claim_reference: `${prefix}-${line}`,
        lines: [{ code_system: 'CPT', service_code: SERVICE, units: 1, amount: 300_000 }],
      });
    }
  }
  return lines;
}

/** Creates the lines of two adjudications of each claim, of which the second one stands. */
function adjudicationLines(prefix: string): object[] {
  const amount = (payer: number) => ({
    billed: 300_000,
    allowed: payer,
    payer,
    patient_responsibility: 0,
    adjustment: 300_000 - payer,
  });
  return [100_000, 250_000].flatMap((payer) =>
    Array.from({ length: LINES / 2 }, (_, index) => ({
      provider_claim_reference: `${prefix}-${index + 1}`,
      policy_reference: 'policy:one',
      policy_version: '1',
      reason_codes: ['fee_schedule'],
      lines: [{ line_number: 1, amount: amount(payer), reason_codes: ['fee_schedule'] }],
    })),
  );
}

async function submit(kind: BulkJob['kind'], lines: readonly object[]): Promise<BulkJobId> {
  const file = ndjson(lines);
  const { id } = await retryUntilResponse((options) =>
    running.world.client.bulkJobs.create({ kind }, file, options),
  );
  return id;
}

function ended(id: BulkJobId): Promise<BulkJob> {
  return eventually(
    'the job ends',
    async () => {
      const job = await retryUntilResponse(() => running.world.client.bulkJobs.retrieve(id));
      return job.completed_at === null ? undefined : job;
    },
    testSize({ ci: 120_000, soak: 900_000 }),
  );
}

/** Reads the results of all lines, without IDs. */
async function results(id: BulkJobId) {
  const found: Pick<BulkJobResult, 'line' | 'status' | 'error'>[] = [];
  for (;;) {
    const after_line = found.at(-1)?.line ?? 0;
    const page = await running.world.client.bulkJobs.results(id, { limit: 100, after_line });
    found.push(...page.data.map(({ line, status, error }) => ({ line, status, error })));
    if (!page.has_more) return found;
  }
}

test(
  `each of ${LINES} lines has one effect and one result while processes are killed`,
  async () => {
    const { world, stack } = running;
    const member = world.uniqueReference('member');
    await world.recordCoverage(member, { authorization_required: false, remaining_sessions: 100_000 });
    const { practitioner_id: practitioner } = await world.nextSlot();
    const [calm, killed] = ['CALM', 'KILLED'].map((name) => world.uniqueReference(name)) as [string, string];

    const jobs: Record<string, { claims: BulkJobId; adjudications: BulkJobId }> = {};
    for (const prefix of [calm, killed]) {
      const execute = async () => {
        const claims = await submit('claims', claimLines(prefix, member, practitioner));
        await ended(claims);
        const adjudications = await submit('adjudications', adjudicationLines(prefix));
        await ended(adjudications);
        jobs[prefix] = { claims, adjudications };
      };
      if (prefix === calm) await execute();
      else
        await whileKilling(
          KILLED.map((name) => stack.part(name, 0)),
          PACE,
          execute,
        );
    }

    for (const kind of ['claims', 'adjudications'] as const) {
      const [undisturbed, disturbed] = [jobs[calm]?.[kind], jobs[killed]?.[kind]];
      if (undisturbed === undefined || disturbed === undefined) throw new Error('a job did not end');
      const [expected, found] = [await results(undisturbed), await results(disturbed)];
      expect(found).toHaveLength(LINES);
      expect(found).toEqual(expected);
      expect((await ended(disturbed)).counts).toEqual((await ended(undisturbed)).counts);
      const events = `select count(*) from claims.outbox where resource_id = $1 and type = 'bulk_job.completed'`;
      const stored = `select count(*) from claims.published_events where resource_id = $1 and type = 'bulk_job.completed'`;
      expect((await count(events, disturbed)) + (await count(stored, disturbed))).toBe(1);
    }
    const ofPrefix = (columns: string, prefix: string) =>
      count(
        `select ${columns} as count from claims.claims join claims.adjudications on claim_id = claims.id where provider_claim_reference like $1`,
        `${prefix}-%`,
      );
    for (const columns of [
      'count(*)',
      'count(distinct claims.id)',
      'max(adjudications.version)',
      'sum(approved)',
    ])
      expect([columns, await ofPrefix(columns, killed)]).toEqual([columns, await ofPrefix(columns, calm)]);
    const sessions = (prefix: string) =>
      count(
        'select count(distinct session_id) from claims.claims where provider_claim_reference like $1',
        `${prefix}-%`,
      );
    expect(await sessions(killed)).toBe(await sessions(calm));
    await running.operator('ledger', 'verify');
  },
  testSize({ ci: 300_000, soak: 1_800_000 }),
);
