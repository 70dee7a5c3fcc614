/**
 * Kills (SIGKILL) processes of a stack at random times during bulk jobs. Each line must have one result and one effect, equal to those of an
 * undisturbed job but for IDs and times, and the ledger must verify.
 */
import type { BulkJob, BulkJobId, BulkJobResult, ClaimId, RemittanceId } from '@carecover/client';
import { drawCases } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import { retryUntilResponse, SERVICE, useWorld } from '@carecover/testing/stack';
import { Client as Database } from 'pg';
import { whileKilling } from './killing';

const LINES = testSize({ ci: 120, soak: 2_000 });
/** The lines of each job of another kind than claims and adjudications. */
const OTHER_LINES = testSize({ ci: 20, soak: 500 });
/** The kinds that are executed after claims and adjudications. Settlements need the remittances of the same run. */
const OTHER_KINDS: readonly BulkJob['kind'][] = testSize<BulkJob['kind'][][]>({
  ci: drawCases<BulkJob['kind'][]>([['sessions'], ['eligibility_checks'], ['remittances', 'settlements']], 1),
  soak: [['sessions', 'eligibility_checks', 'remittances', 'settlements']],
}).flat();
const ALLOCATIONS = 3;
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

/** What the lines of one run have in common. */
interface Run {
  readonly prefix: string;
  readonly member: string;
  readonly practitioner: string;
  /** The amount of its eligibility checks, which no other run has. */
  readonly amount: number;
}

const timesOf = (line: number) => {
  const start = FIRST_MS + line * 600_000;
  return { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 3_000_000).toISOString() };
};

const numbers = Array.from({ length: OTHER_LINES }, (_, index) => index + 1);

/** Creates the lines of recorded sessions. Every tenth line has an unknown practitioner. */
function sessionLines({ prefix, practitioner }: Run): object[] {
  return numbers.map((line) => ({
    ...timesOf(line),
    practitioner_id: line % 10 === 0 ? 'prc_unknown' : practitioner,
    format: 'in_person',
    payment_source: 'covered',
    external_reference: `${prefix}-${line}`,
  }));
}

/** Creates the lines of checks. Every tenth line is for the past without being retrospective. */
function checkLines({ member, amount }: Run): object[] {
  return numbers.map((line) => ({
    member_reference: member,
    service_code: SERVICE,
    scheduled_at: timesOf(line).starts_at,
    ...(line % 10 === 0 ? {} : { retrospective: true }),
    amount,
    currency: 'KES',
  }));
}

/** Creates the lines of remittances of adjudicated claims. Every tenth line allocates more than the claims have. */
function remittanceLines(claimIds: readonly ClaimId[]): object[] {
  const shares = claimIds.slice(0, numbers.length + ALLOCATIONS);
  return numbers.map((line) => {
    const first = line % Math.max(1, shares.length - ALLOCATIONS);
    return running.world.remittanceInput(
      shares
        .slice(first, first + ALLOCATIONS)
        .map((claim_id) => ({ claim_id, paid_amount: line % 10 === 0 ? 9_000_000 : 1_000 })),
    );
  });
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

/** Reads the results of all lines. */
async function resultsOf(id: BulkJobId): Promise<BulkJobResult[]> {
  const found: BulkJobResult[] = [];
  for (;;) {
    const after_line = found.at(-1)?.line ?? 0;
    const page = await retryUntilResponse(() =>
      running.world.client.bulkJobs.results(id, { limit: 100, after_line }),
    );
    found.push(...page.data);
    if (!page.has_more) return found;
  }
}

/** Reads the results of all lines, without IDs. */
const results = async (id: BulkJobId) =>
  (await resultsOf(id)).map(({ line, status, error }) => ({ line, status, error }));

/** Returns the resources that the lines of a job created or changed, each once, in the order of the lines. */
async function resourcesOf(id: BulkJobId): Promise<string[]> {
  return [...new Set((await resultsOf(id)).flatMap(({ resource_id: resource }) => resource ?? []))];
}

type Jobs = Partial<Record<BulkJob['kind'], BulkJobId>>;

/** Executes jobs of the kinds of this run, one after the other. */
async function executeJobs(run: Run): Promise<Jobs> {
  const jobs: Jobs = {};
  const execute = async (kind: BulkJob['kind'], lines: readonly object[]) => {
    const id = await submit(kind, lines);
    jobs[kind] = id;
    await ended(id);
    return resourcesOf(id);
  };
  await execute('claims', claimLines(run.prefix, run.member, run.practitioner));
  const claimIds = await execute('adjudications', adjudicationLines(run.prefix));
  if (OTHER_KINDS.includes('sessions')) await execute('sessions', sessionLines(run));
  if (OTHER_KINDS.includes('eligibility_checks')) await execute('eligibility_checks', checkLines(run));
  if (OTHER_KINDS.includes('remittances')) {
    const remittanceIds = await execute('remittances', remittanceLines(claimIds as ClaimId[]));
    const settlements = remittanceIds.map((id) =>
      running.world.settlementInput(id as RemittanceId, ALLOCATIONS * 1_000),
    );
    await execute('settlements', settlements);
  }
  return jobs;
}

test(
  `each of ${LINES} lines of claims and of adjudications, and each line of ${OTHER_KINDS.join(' and ')}, has one effect and one result while processes are killed`,
  async () => {
    const { world, stack } = running;
    const member = world.uniqueReference('member');
    await world.recordCoverage(member, { authorization_required: false, remaining_sessions: 100_000 });
    const { practitioner_id: practitioner } = await world.nextSlot();
    const [calm, killed] = ['CALM', 'KILLED'].map((name) => world.uniqueReference(name)) as [string, string];

    const runOf = (prefix: string, amount: number): Run => ({ prefix, member, practitioner, amount });
    const [calmRun, killedRun] = [runOf(calm, 111_111), runOf(killed, 222_222)];
    const calmJobs = await executeJobs(calmRun);
    let killedJobs: Jobs = {};
    await whileKilling(
      KILLED.map((name) => stack.part(name, 0)),
      PACE,
      async () => {
        killedJobs = await executeJobs(killedRun);
      },
    );

    for (const kind of ['claims', 'adjudications', ...OTHER_KINDS] as const) {
      const [undisturbed, disturbed] = [calmJobs[kind], killedJobs[kind]];
      if (undisturbed === undefined || disturbed === undefined) throw new Error('a job did not end');
      const [expected, found] = [await results(undisturbed), await results(disturbed)];
      expect([kind, found.some(({ status }) => status === 'succeeded')]).toEqual([kind, true]);
      expect([kind, found]).toEqual([kind, expected]);
      expect((await ended(disturbed)).counts).toEqual((await ended(undisturbed)).counts);
      const received = `select count(*) from webhooks.events where resource_id = $1 and type = 'bulk_job.completed'`;
      await eventually(
        `webhooks has the event of ${disturbed}`,
        async () => (await count(received, disturbed)) === 1,
      );
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
      'coalesce(sum(remitted), 0)',
      'coalesce(sum(settled), 0)',
    ])
      expect([columns, await ofPrefix(columns, killed)]).toEqual([columns, await ofPrefix(columns, calm)]);
    const sessions = (prefix: string) =>
      count(
        'select count(distinct session_id) from claims.claims where provider_claim_reference like $1',
        `${prefix}-%`,
      );
    expect(await sessions(killed)).toBe(await sessions(calm));
    const recorded = (prefix: string) =>
      count('select count(*) from care.bookings where external_reference like $1', `${prefix}-%`);
    expect(await recorded(killed)).toBe(await recorded(calm));
    const checks = (amount: number) =>
      count('select count(*) from benefits.eligibility_checks where requested_amount = $1', amount);
    expect(await checks(killedRun.amount)).toBe(await checks(calmRun.amount));
    await running.operator('ledger', 'verify');
  },
  testSize({ ci: 300_000, soak: 1_800_000 }),
);
