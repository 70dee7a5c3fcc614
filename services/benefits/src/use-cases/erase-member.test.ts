import type { CoverageInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { identifier } from '@carecover/postgres';
import { testSize } from '@carecover/testing/servers';
import { findStoredAnswers, playRounds, raceOutcomes } from '@carecover/testing/services';
import { check, observation, recordOf, useBenefits } from '../testing/care-path';
import { DAY_MS } from '../testing/days';

const ROUNDS = testSize({ ci: 10, soak: 50 });
jest.setTimeout(120_000);

const running = useBenefits();
const call: typeof running.benefits.call = (...args) => running.benefits.call(...args);

/** Creates an observation in which every reference contains the person's name. */
async function personal(overrides: Partial<CoverageInput> = {}): Promise<CoverageInput> {
  const person = newId('person-');
  return observation(await running.benefits.now(), {
    member_reference: `member/${person}`,
    tenant_reference: `group/${person}`,
    source_contract_reference: `contract/${person}`,
    external_coverage_reference: `policy/${person}`,
    source_version: `version/${person}`,
    evidence_references: [`extract/${person}`],
    ...overrides,
  });
}

/** Sends a coverage batch with the given observations, by default under a new idempotency key. */
async function sendBatch(inputs: readonly CoverageInput[], key = newId('key_')) {
  const now = await running.benefits.now();
  return call(
    'createCoverageBatch',
    {
      contract_version: '2026-08-01',
      batch_reference: 'batch-1',
      batch_version: '1',
      source_contract_reference: inputs[0]?.source_contract_reference ?? '',
      generated_at: new Date(now - 60_000).toISOString(),
      records: inputs.map(recordOf),
    },
    { key, headers: { 'x-artifact-reference': 'file-1' } },
  );
}

/** Returns the names of the tables of benefits that have a row that contains the given text. */
async function tablesWith(text: string): Promise<string[]> {
  const { admin } = running.benefits;
  const tables = await admin<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'benefits' order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await admin`select 1 from ${identifier(name)} t where strpos(t::text, ${text}) > 0 limit 1`;
    if (rows.length > 0) found.push(name);
  }
  const answers = await findStoredAnswers(running.benefits.sql, text);
  return [...found, ...(answers.length > 0 ? ['stored answers'] : [])].sort();
}

const personOf = ({ member_reference }: CoverageInput) => member_reference.replace('member/', '');
const startsAt = async () => (await running.benefits.now()) + 10 * DAY_MS;

test('no row contains an erased member, and every fact and decision stays', async () => {
  const input = await personal();
  const key = newId('key_');
  const { body: observed } = await call('createCoverage', input, { key });
  const checked = await check(running.benefits, input.member_reference, await startsAt());
  await call('recordConsent', { member_reference: input.member_reference, status: 'granted' });
  expect(await tablesWith(personOf(input))).toEqual([
    'coverage_observations',
    'coverages',
    'members',
    'stored answers',
  ]);

  expect(await running.benefits.erase(input.member_reference)).toBe(true);
  expect(await tablesWith(personOf(input))).toEqual([]);
  const params = { eligibility_check_id: checked.id };
  expect((await call('getEligibilityCheck', undefined, { params })).body).toEqual(checked);
  const { body: shown } = await call('getCoverage', undefined, {
    params: { coverage_id: observed.coverage_id },
  });
  expect(shown).toEqual({
    ...observed,
    source_contract_reference: `erased/${observed.coverage_id}`,
    external_coverage_reference: `erased/${observed.coverage_id}`,
    source_version: `erased/${observed.id}`,
  });
  expect(await call('createCoverage', input, { key })).toEqual({ status: 200, replayed: true, body: shown });
  expect(await running.benefits.erase(input.member_reference)).toBe(false);
});

test('a later statement with the same references creates a new coverage of a new member', async () => {
  const input = await personal();
  const { body: before } = await call('createCoverage', input);
  const checkedBefore = await check(running.benefits, input.member_reference, await startsAt());
  await running.benefits.erase(input.member_reference);
  expect((await check(running.benefits, input.member_reference, await startsAt())).reason_codes).toEqual([
    'coverage_not_found',
  ]);

  // Sends the erased source version under another idempotency key, and then a later source version.
  for (const source_version of [input.source_version, 'later']) {
    const { status, body } = await call('createCoverage', { ...input, source_version });
    expect(status).toBe(201);
    expect(body.coverage_id).not.toBe(before.coverage_id);
  }
  const after = await check(running.benefits, input.member_reference, await startsAt());
  expect(after.status).toBe('eligible');
  const joined = await running.benefits.sql`
    select 1 from eligibility_checks a join eligibility_checks b
      on a.member_id = b.member_id or a.coverage_id = b.coverage_id
    where a.id = ${checkedBefore.id} and b.id = ${after.id}`;
  expect(joined).toHaveLength(0);
});

test('the stored response of a batch is without the erased member, and under another key the batch records the member again', async () => {
  const contract = { source_contract_reference: newId('contract-') };
  const [kept, erased] = [await personal(contract), await personal(contract)];
  const key = newId('key_');
  const generated = await sendBatch([kept, erased], key);
  await running.benefits.erase(erased.member_reference);
  expect(await tablesWith(personOf(erased))).toEqual([]);

  const [stored] = await findStoredAnswers(running.benefits.sql, generated.body.batch_reference);
  const answer = JSON.parse(stored ?? '');
  expect(answer.observations[0]).toEqual(generated.body.observations[0]);
  expect(answer).toMatchObject({ total: 2, recorded: 2, replayed: 0 });
  expect(answer.observations[1].id).toBe(generated.body.observations[1]?.id);

  const again = await sendBatch([kept, erased]);
  expect(again.body).toMatchObject({ total: 2, recorded: 1, replayed: 1 });
  expect(again.body.observations[1]?.coverage_id).not.toBe(generated.body.observations[1]?.coverage_id);
});

test('a batch under the contract of the erased member alone has a surrogate; a contract of others stays', async () => {
  const [erased, kept] = [await personal(), await personal()];
  await sendBatch([erased]);
  await sendBatch([kept]);
  expect(await tablesWith(personOf(erased))).toContain('coverage_batches');
  await running.benefits.erase(erased.member_reference);
  expect(await tablesWith(personOf(erased))).toEqual([]);
  expect(await tablesWith(kept.source_contract_reference)).toContain('coverage_batches');
});

test('observations of the erased member are moved from a coverage that is now another member’s', async () => {
  const erased = await personal();
  const next = newId('next-');
  const key = newId('key_');
  const { body: first } = await call('createCoverage', erased, { key });
  const checked = await check(running.benefits, erased.member_reference, await startsAt());
  const taken = {
    ...erased,
    member_reference: next,
    tenant_reference: next,
    source_version: '2',
    evidence_references: [next],
  };
  const { body: second } = await call('createCoverage', taken);
  expect(second.coverage_id).toBe(first.coverage_id);

  await running.benefits.erase(erased.member_reference);
  const [row] = await running.benefits.sql<{ coverage_id: string }[]>`
    select coverage_id from eligibility_checks where id = ${checked.id}`;
  expect(row?.coverage_id).not.toBe(first.coverage_id);
  const answered = await call('createCoverage', erased, { key });
  expect(answered.body).toMatchObject({ id: first.id, coverage_id: row?.coverage_id });
  const third = await call('createCoverage', { ...taken, source_version: '3' });
  expect(third.body).toMatchObject({
    coverage_id: second.coverage_id,
    external_coverage_reference: erased.external_coverage_reference,
    snapshot_version: 3,
  });
  expect((await check(running.benefits, next, await startsAt())).status).toBe('eligible');
});

test('after an erasure concurrent with an observation, a batch, a check or a consent, no new row belongs to the erased member', async () => {
  const input = await personal();
  const writers = [
    (round: number) => call('createCoverage', { ...input, source_version: `observed-${round}` }),
    (round: number) => sendBatch([{ ...input, source_version: `batched-${round}` }]),
    async () => check(running.benefits, input.member_reference, await startsAt()),
    () => call('recordConsent', { member_reference: input.member_reference, status: 'granted' }),
  ];
  for (const write of writers) {
    await playRounds(ROUNDS, async (round) => {
      await call('createCoverage', { ...input, source_version: newId('before-') });
      const outcome = await raceOutcomes(
        round,
        () => write(round.number),
        () => running.benefits.erase(input.member_reference),
      );
      expect(outcome).toEqual(['done', 'done']);
      const orphans = await running.benefits.sql`
        select c.id from coverages c join members m on m.id = c.member_id
        where c.project_id = ${running.benefits.caller.tenant}
          and (c.external_coverage_reference like 'erased/%') <> (m.erased_at is not null)
        union all
        select o.id from coverage_observations o join coverages c on c.id = o.coverage_id
        join members m on m.id = o.member_id
        where o.project_id = ${running.benefits.caller.tenant}
          and (o.member_id <> c.member_id or (o.content_hash = '') <> (m.erased_at is not null))`;
      expect(orphans).toHaveLength(0);
      return 'done';
    });
  }
});

test('the service can’t change observations: only the administrator can erase', async () => {
  await expect(
    running.benefits.sql`update coverage_observations set evidence_references = '{}'`,
  ).rejects.toThrow('permission denied');
});
