/** The way of the guide "Many at once": claims of past care by one file, their adjudications by another one, and then what is paid. */
import type { BulkJob, BulkJobId, EligibilityCheckId, RemittanceId, UploadedFile } from '@carecover/client';
import { eventually, testSize } from '@carecover/testing/servers';
import { running } from './world';

const CLAIMS = testSize({ ci: 150, soak: 2_000 });
const PATIENCE_MS = testSize({ ci: 60_000, soak: 300_000 });

let references: string[];
let practitionerId: string;

const ndjson = (lines: readonly object[]): UploadedFile => ({
  content: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  mediaType: 'application/x-ndjson',
});

function ended(id: BulkJobId): Promise<BulkJob> {
  return eventually(
    'the job has ended',
    async () => {
      const job = await running.world.client.bulkJobs.retrieve(id);
      return job.status === 'completed' ? job : undefined;
    },
    PATIENCE_MS,
  );
}

/** Returns a claim of a session that started some minutes more than five days ago. */
function claimOf(index: number, member: string, reference: string) {
  const { starts_at, ends_at } = running.world.pastTimes(5 + index / (24 * 60));
  return {
    session: {
      ...{ practitioner_id: practitionerId, starts_at, ends_at },
      ...{ format: 'in_person', payment_source: 'covered' },
    },
    eligibility_check: {
      ...{ member_reference: member, service_code: 'psy.individual.50', amount: 400_000, currency: 'KES' },
    },
    provider_claim_reference: reference,
    lines: [
      { code_system: 'CPT', service_code: 'psy.individual.50', units: 1, amount: 300_000 },
      { code_system: 'CPT', service_code: 'report', units: 0.5, amount: 100_000 },
    ],
  };
}

beforeAll(async () => {
  const { world } = running;
  const { data } = await world.client.practitioners.list({ limit: 1 });
  practitionerId = data[0]?.id ?? '';
});

test('a file of claims of past care is executed once, with one result per line in the order of the file', async () => {
  const { world } = running;
  const { client } = world;
  const members = Array.from({ length: 10 }, () => world.uniqueReference('member'));
  for (const member of members)
    await world.recordCoverage(member, {
      ...{ authorization_required: false, remaining_sessions: 1_000, amount_limit: 900_000_000_000 },
      ...{ service_code: 'psy.individual.50', observed_at: world.daysFromNow(-20) },
    });
  references = Array.from({ length: CLAIMS }, () => world.uniqueReference('INV'));
  const lines = references.map((reference, index) =>
    claimOf(index, members[index % members.length] ?? '', reference),
  );
  const unknown = claimOf(CLAIMS, world.uniqueReference('unknown'), world.uniqueReference('INV'));
  const file = ndjson([...lines, unknown]);
  const idempotencyKey = world.uniqueReference('job');
  const startMs = performance.now();
  const job = await client.bulkJobs.create({ kind: 'claims' }, file, { idempotencyKey });
  const { counts } = await ended(job.id);
  const seconds = (performance.now() - startMs) / 1_000;
  process.stdout.write(`bulk claims: ${(CLAIMS / seconds).toFixed(0)} per second\n`);
  expect(counts).toMatchObject({ total: CLAIMS + 1, succeeded: CLAIMS, rejected: 1, waiting: 0 });
  expect((await client.bulkJobs.create({ kind: 'claims' }, file, { idempotencyKey })).id).toBe(job.id);

  await eventually('the event of the job has arrived', async () => {
    const { data } = await client.events.list({ type: 'bulk_job.completed' });
    return data.some((event) => event.type === 'bulk_job.completed' && event.data.id === job.id);
  });

  const { data: rejected } = await client.bulkJobs.results(job.id, { status: 'rejected' });
  expect(rejected.map(({ line }) => line)).toEqual([CLAIMS + 1]);
  const { data: first } = await client.bulkJobs.results(job.id, { limit: 2 });
  expect(first.map(({ line, status }) => [line, status])).toEqual([
    [1, 'succeeded'],
    [2, 'succeeded'],
  ]);
  const { data: found } = await client.claims.list({ provider_claim_reference: references[0] ?? '' });
  expect(found.map(({ id, status }) => [id, status])).toEqual([[first[0]?.resource_id, 'submitted']]);
});

test('a file of adjudications decides them, and a dry run of it writes nothing', async () => {
  const { world } = running;
  const { client } = world;
  const lines = references.map((reference) => ({
    provider_claim_reference: reference,
    ...world.adjudicationInput(),
  }));
  const dry = await client.bulkJobs.create({ kind: 'adjudications', dry_run: true }, ndjson(lines));
  expect((await ended(dry.id)).counts).toMatchObject({ total: CLAIMS, succeeded: CLAIMS });
  const statusOf = async (reference = '') =>
    (await client.claims.list({ provider_claim_reference: reference })).data.map(({ status }) => status);
  expect(await statusOf(references[0])).toEqual(['submitted']);

  const startMs = performance.now();
  const job = await client.bulkJobs.create({ kind: 'adjudications' }, ndjson(lines));
  const { counts } = await ended(job.id);
  const seconds = (performance.now() - startMs) / 1_000;
  process.stdout.write(`bulk adjudications: ${(CLAIMS / seconds).toFixed(0)} per second\n`);
  expect(counts).toMatchObject({ total: CLAIMS, succeeded: CLAIMS, rejected: 0 });
  expect(await statusOf(references.at(-1))).toEqual(['partially_approved']);
});

test('a file of remittances records what the payer pays for the claims, and a file of settlements settles them', async () => {
  const { world } = running;
  const { client } = world;
  const read = async (reference: string) =>
    (await client.claims.list({ provider_claim_reference: reference })).data;
  const claims = (await Promise.all(references.slice(0, 20).map(read))).flat();
  const allocations = claims.map(({ id, amount }) => ({ claim_id: id, paid_amount: amount.approved ?? 0 }));
  const remittances = [allocations.slice(0, 10), allocations.slice(10)].map((part) =>
    world.remittanceInput(part),
  );
  const advised = await client.bulkJobs.create({ kind: 'remittances' }, ndjson(remittances));
  expect((await ended(advised.id)).counts).toMatchObject({ total: 2, succeeded: 2, rejected: 0 });
  const { data: created } = await client.bulkJobs.results(advised.id);

  const settlements = created.map(({ resource_id }, index) => ({
    ...world.settlementInput(resource_id as RemittanceId),
    amount: remittances[index]?.allocations.reduce((sum, { paid_amount }) => sum + paid_amount, 0) ?? 0,
  }));
  const settled = await client.bulkJobs.create({ kind: 'settlements' }, ndjson(settlements));
  expect((await ended(settled.id)).counts).toMatchObject({ total: 2, succeeded: 2, rejected: 0 });
  const [first] = await read(references[0] ?? '');
  expect(first).toMatchObject({ status: 'settled', amount: { settled: first?.amount.approved } });
});

test('files of sessions and of eligibility checks record both', async () => {
  const { world } = running;
  const { client } = world;
  const member = world.uniqueReference('member');
  await world.recordCoverage(member, {
    service_code: 'psy.individual.50',
    observed_at: world.daysFromNow(-20),
  });
  const [reference, unused] = [world.uniqueReference('encounter'), world.uniqueReference('INV')];
  const { session, eligibility_check } = claimOf(0, member, unused);
  const sessions = await client.bulkJobs.create(
    { kind: 'sessions' },
    ndjson([{ ...session, external_reference: reference }]),
  );
  expect((await ended(sessions.id)).counts).toMatchObject({ total: 1, succeeded: 1 });
  const { data: recorded } = await client.sessions.list({ external_reference: reference });
  expect(recorded.map(({ status }) => status)).toEqual(['delivered']);

  const check = { ...eligibility_check, scheduled_at: session.starts_at, retrospective: true };
  const checks = await client.bulkJobs.create({ kind: 'eligibility_checks' }, ndjson([check]));
  expect((await ended(checks.id)).counts).toMatchObject({ total: 1, succeeded: 1 });
  const { data: results } = await client.bulkJobs.results(checks.id);
  const id = results[0]?.resource_id as EligibilityCheckId;
  expect((await client.eligibilityChecks.retrieve(id)).service.scheduled_at).toBe(session.starts_at);
});
