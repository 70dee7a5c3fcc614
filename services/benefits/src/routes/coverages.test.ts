import { createHash } from 'node:crypto';
import type { CoverageBatchInput, CoverageBatchRecord } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { findStoredAnswers } from '@carecover/testing/services';
import { findVersions } from '../store/observations';
import { observation, recordOf } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { apiErrorOf, newCaller, TestBenefits } from '../testing/test-benefits';

let benefits: TestBenefits;
let now: number;

beforeAll(async () => {
  benefits = await TestBenefits.open();
});
beforeEach(async () => {
  now = await benefits.now();
});
afterAll(() => benefits.close());

const at = (offsetMs: number) => new Date(now + offsetMs).toISOString();

function record(overrides: Partial<CoverageBatchRecord> = {}): CoverageBatchRecord {
  return { ...recordOf(observation(now)), ...overrides };
}

function batch(
  records: CoverageBatchRecord[],
  overrides: Partial<CoverageBatchInput> = {},
): CoverageBatchInput {
  return {
    contract_version: '2026-08-01',
    batch_reference: 'batch-1',
    source_contract_reference: 'contract/2027',
    batch_version: '1',
    generated_at: at(-1_000),
    records,
    ...overrides,
  };
}

const send = (body: CoverageBatchInput, options: object = {}) =>
  benefits.call('createCoverageBatch', body, {
    headers: { 'x-artifact-reference': 'sftp/in/batch-1.json' },
    ...options,
  });

describe('an observation', () => {
  test('is recorded with the first snapshot of its coverage, and read as the latest', async () => {
    const input = observation(now, { coordination_priority: null });
    const created = await benefits.call('createCoverage', input);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      source: 'payer_api',
      snapshot_version: 1,
      coordination_priority: null,
      amount_limit: { currency: 'KES', value: 400_000 },
      observed_at: input.observed_at,
    });
    const read = await benefits.call('getCoverage', undefined, {
      params: { coverage_id: created.body.coverage_id },
    });
    expect(read.body).toEqual(created.body);
  });

  test('of the same version with equal content returns the first one with 200, also with other evidence and time', async () => {
    const input = observation(now);
    const first = await benefits.call('createCoverage', input);
    const again = await benefits.call('createCoverage', {
      ...input,
      observed_at: at(-10),
      evidence_references: ['another/extract'],
      valid_from: input.valid_from.replace('Z', '+00:00'),
    });
    expect(again).toEqual({ status: 200, replayed: false, body: first.body });
  });

  test.each([
    { member_reference: 'another-member' },
    { tenant_reference: 'another-group' },
    { plan_name: 'Another plan' },
    { status: 'paused' },
    { currency: 'USD' },
    { amount_limit: 1 },
    { remaining_sessions: 0 },
    { authorization_required: false },
    { coordination_priority: null },
    { service_code: 'another' },
    { valid_until: '2099-01-01T00:00:00Z' },
  ] as const)(
    'of the same version with different content is a conflict and changes nothing: %j',
    async (changed) => {
      const input = observation(now);
      const first = await benefits.call('createCoverage', input);
      const rejection = await apiErrorOf(benefits.call('createCoverage', { ...input, ...changed }));
      expect(rejection.code).toBe('source_version_conflict');
      expect(rejection.message).toMatch(/^\/source_version /);
      const read = await benefits.call('getCoverage', undefined, {
        params: { coverage_id: first.body.coverage_id },
      });
      expect(read.body).toEqual(first.body);
    },
  );

  test('moves the snapshot when observed later or at the same instant, and not when observed earlier', async () => {
    const input = observation(now, { observed_at: at(-50_000) });
    const first = await benefits.call('createCoverage', input);
    const versions = async (source_version: string, observed_at: string) => {
      const { body } = await benefits.call('createCoverage', { ...input, source_version, observed_at });
      const latest = await benefits.call('getCoverage', undefined, {
        params: { coverage_id: first.body.coverage_id },
      });
      return [body.snapshot_version, latest.body.snapshot_version, latest.body.source_version];
    };
    expect(await versions('older', at(-60_000))).toEqual([1, 1, '1']);
    expect(await versions('same', at(-50_000))).toEqual([2, 2, 'same']);
    expect(await versions('newer', at(-40_000))).toEqual([3, 3, 'newer']);
    expect(await versions('late', at(-45_000))).toEqual([3, 3, 'newer']);
  });

  test('from the future is rejected with a pointer to the field', async () => {
    const rejection = await apiErrorOf(
      benefits.call('createCoverage', observation(now, { observed_at: at(DAY_MS) })),
    );
    expect(rejection).toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(/^\/observed_at /),
    });
  });

  test('stores every instant that the contract allows', async () => {
    const input = observation(now, {
      valid_from: '0001-01-01T00:00:00Z',
      valid_until: '9999-12-31T23:59:59.999Z',
      observed_at: '0049-03-01T00:00:00.5+01:00',
    });
    const { body } = await benefits.call('createCoverage', input);
    const read = await benefits.call('getCoverage', undefined, { params: { coverage_id: body.coverage_id } });
    expect(read.body).toMatchObject({
      valid_from: '0001-01-01T00:00:00.000Z',
      valid_until: '9999-12-31T23:59:59.999Z',
      observed_at: '0049-02-28T23:00:00.500Z',
    });
  });

  test('of another project creates a separate coverage that other projects can’t read', async () => {
    const input = observation(now);
    const { body } = await benefits.call('createCoverage', input);
    const otherProject = newCaller();
    const theirs = await benefits.call(
      'createCoverage',
      { ...input, amount_limit: 7 },
      { caller: otherProject },
    );
    expect(theirs.status).toBe(201);
    expect(theirs.body.coverage_id).not.toBe(body.coverage_id);
    const params = { coverage_id: body.coverage_id };
    const reading = benefits.call('getCoverage', undefined, { params, caller: otherProject });
    expect((await apiErrorOf(reading)).code).toBe('resource_not_found');
  });

  test('can be neither changed nor removed by the service', async () => {
    await benefits.call('createCoverage', observation(now));
    await expect(benefits.sql`update coverage_observations set amount_limit = 1`).rejects.toThrow(
      /permission denied/,
    );
    await expect(benefits.sql`delete from coverage_observations`).rejects.toThrow(/permission denied/);
  });

  test('is recorded once by twenty concurrent repetitions under different keys', async () => {
    const input = observation(now);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => benefits.call('createCoverage', input)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('concurrent with other versions of the coverage changes the snapshot once or not at all', async () => {
    const input = observation(now);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        benefits.call('createCoverage', {
          ...input,
          source_version: `v${index}`,
          observed_at: at(-100_000 + index * 1_000),
        }),
      ),
    );
    const params = { coverage_id: answers[0]?.body.coverage_id ?? '' };
    const latest = await benefits.call('getCoverage', undefined, { params });
    expect(latest.body.source_version).toBe('v19');
    const moved = new Set(answers.map((answer) => answer.body.snapshot_version));
    expect(latest.body.snapshot_version).toBe(moved.size);
  });
});

describe('a batch', () => {
  test('of 500 records is recorded whole, with the digest of the exact bytes', async () => {
    const body = batch(Array.from({ length: 500 }, () => record()));
    const rawBody = Buffer.from(`  ${JSON.stringify(body)}\n`);
    const sent = await send(body, { rawBody });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({
      total: 500,
      recorded: 500,
      replayed: 0,
      artifact_sha256: createHash('sha256').update(rawBody).digest('hex'),
    });
    expect(sent.body.observations.map((one) => one.external_coverage_reference)).toEqual(
      body.records.map((one) => one.coverage_reference),
    );
    const [first] = sent.body.observations;
    expect(first).toMatchObject({
      source: 'batch_file',
      observed_at: body.generated_at,
      snapshot_version: 1,
    });
  });

  test('without new records responds 200 with the first observations; with some new records, 201', async () => {
    const known = record();
    const first = await send(batch([known]));
    const again = await send(batch([known], { generated_at: at(-500), batch_reference: 'batch-2' }));
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      total: 1,
      recorded: 0,
      replayed: 1,
      observations: first.body.observations,
    });
    const mixed = await send(batch([known, record()]));
    expect(mixed.status).toBe(201);
    expect(mixed.body).toMatchObject({ total: 2, recorded: 1, replayed: 1 });
  });

  test('shares source versions with single observations of the same contract', async () => {
    const single = observation(now);
    const { body } = await benefits.call('createCoverage', single);
    const sent = await send(batch([recordOf(single)]));
    expect(sent.status).toBe(200);
    expect(sent.body.observations).toEqual([body]);
  });

  test('names every conflicting record', async () => {
    const known = [record(), record()];
    await send(batch(known));
    const changed = known.map((each) => ({ ...each, amount_limit: 1 }));
    const rejection = await apiErrorOf(send(batch([record(), ...changed])));
    expect(rejection.message.match(/\/records\/\d+\/record_version/g)).toEqual([
      '/records/1/record_version',
      '/records/2/record_version',
    ]);
  });

  test('reads the observations of its own source versions, not of those that other coverages have in common with it', async () => {
    const versions = ['1', '2', '3'];
    const records = versions.map(() => record());
    const coverageIds: string[] = [];
    for (const record_version of versions) {
      const { body } = await send(batch(records.map((each) => ({ ...each, record_version }))));
      coverageIds.splice(0, Number.POSITIVE_INFINITY, ...body.observations.map((each) => each.coverage_id));
    }
    const pairs = versions.map((sourceVersion, index) => ({
      coverageId: coverageIds[index] ?? '',
      sourceVersion,
    }));
    const found = await benefits.sql.begin((tx) =>
      findVersions(tx, benefits.caller.tenant, [...pairs, ...pairs]),
    );
    expect(found.map((row) => [row.coverage_id, row.source_version]).sort()).toEqual(
      pairs.map(({ coverageId, sourceVersion }) => [coverageId, sourceVersion]).sort(),
    );
  });

  test('with one conflicting record records nothing and names the record', async () => {
    const known = record();
    await send(batch([known]));
    const fresh = record();
    const rejection = await apiErrorOf(send(batch([fresh, { ...known, amount_limit: 1 }])));
    expect(rejection.code).toBe('source_version_conflict');
    expect(rejection.message).toMatch(/^\/records\/1\/record_version /);
    const later = await send(batch([fresh]));
    expect(later.body.recorded).toBe(1);
  });

  test('can contain a coverage more than once: equal records are one, later versions win, different content conflicts', async () => {
    const one = record({ record_version: 'a' });
    const sent = await send(batch([one, one, { ...one, record_version: 'b', remaining_sessions: 1 }]));
    expect(sent.body).toMatchObject({ total: 3, recorded: 2, replayed: 1 });
    expect(sent.body.observations.map((each) => each.snapshot_version)).toEqual([1, 1, 2]);
    const params = { coverage_id: sent.body.observations[0]?.coverage_id ?? '' };
    const latest = await benefits.call('getCoverage', undefined, { params });
    expect(latest.body.source_version).toBe('b');
    const twins = record();
    const rejection = await apiErrorOf(send(batch([twins, { ...twins, plan_name: 'Other' }])));
    expect(rejection.code).toBe('source_version_conflict');
  });

  test('generated in the future is rejected', async () => {
    const rejection = await apiErrorOf(send(batch([record()], { generated_at: at(DAY_MS) })));
    expect(rejection).toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(/^\/generated_at /),
    });
  });

  test('concurrent with others over the same coverages and members never deadlocks, in any order', async () => {
    const records = Array.from({ length: 60 }, () => record());
    const shuffled = (seed: number) =>
      records
        .map((each, index) => ({ each, key: (index * 7919 * seed) % 61 }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => ({ ...each, record_version: `v${seed}` }));
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        send(batch(shuffled(index + 1), { generated_at: at(-1_000 - index) }), { key: newId('key_') }),
      ),
    );
    expect(sent.every(({ status, body }) => status === 201 && body.recorded === 60)).toBe(true);
  });

  test('stores member references only in the members table', async () => {
    const secret = 'member-only-in-members';
    await send(batch([record({ member_reference: secret, tenant_reference: 'group-to-hide' })]));
    expect(await findStoredAnswers(benefits.sql, secret)).toEqual([]);
    expect(await findStoredAnswers(benefits.sql, 'group-to-hide')).toEqual([]);
    const rows = await benefits.sql`
      select to_jsonb(c)::text as text from commands c union all select to_jsonb(o)::text from coverage_observations o
      union all select to_jsonb(v)::text from coverages v union all select to_jsonb(b)::text from coverage_batches b`;
    expect(rows.filter(({ text }) => text.includes(secret) || text.includes('group-to-hide'))).toEqual([]);
  });
});
