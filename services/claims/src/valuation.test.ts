/** The valuation over HTTP: the same cutoff gives the same bytes, even if facts are recorded meanwhile or the clock is set back. */

import { formatInstant } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { TooEarly } from '@carecover/http';
import { testSize } from '@carecover/testing/servers';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { describeClaim } from './use-cases/describe-claim';
import { valueClaim } from './use-cases/value-claim';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());
afterEach(() => claims.database.setClockOffset(0));

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

test('a fact that took effect before the cutoff and was recorded after it is not known at the cutoff', async () => {
  const { id } = await provider.submitted();
  const approved = await provider.adjudicate(id, 100_000, 50_000);
  await claims.database.setClockOffset(1_000);
  const between = await databaseTime();
  const first = await provider.value(id, between);
  await claims.database.setClockOffset(2_000);
  await provider.remit(id, 150_000, { receivedAt: approved.updated_at });
  const again = await provider.value(id, between);
  expect(again.text).toBe(first.text);
  expect(again.body.amount).toMatchObject({ remitted: 0, payer_liability: 150_000, outstanding: 150_000 });
  const { body } = await provider.value(id, await databaseTime());
  expect(body.amount.remitted).toBe(150_000);
  expect(body.events.at(-1)).toMatchObject({
    type: 'remittance_recorded',
    effective_at: approved.updated_at,
  });
});

test('an earlier instant as it is known later contains what was recorded in between, and stays the same', async () => {
  const { id } = await provider.submitted();
  const approved = await provider.adjudicate(id, 100_000, 50_000);
  await claims.database.setClockOffset(1_000);
  await provider.remit(id, 150_000, { receivedAt: approved.updated_at });
  const known = new Date(await databaseTime()).toISOString();
  const then = await provider.value(id, approved.updated_at);
  const now = await provider.value(id, known, approved.updated_at);
  expect(then.body.amount.remitted).toBe(0);
  expect(now.body).toMatchObject({
    id: `${id}:${known}:${approved.updated_at}`,
    valuation_at: known,
    amount: { remitted: 150_000, payer_liability: 150_000 },
  });
  await claims.database.setClockOffset(2_000);
  await provider.settle(id, 150_000, { observedAt: approved.updated_at });
  expect((await provider.value(id, known, approved.updated_at)).text).toBe(now.text);
  expect((await provider.value(id, known, known)).text).toBe((await provider.value(id, known)).text);
});

test('before the claim took effect it has no valuation, also as it is known now', async () => {
  const claim = await provider.submitted();
  const before = formatInstant(Date.parse(claim.updated_at) - 1);
  expect(await provider.value(claim.id, claim.updated_at, before)).toMatchObject({ status: 404 });
});

test('a claim is valued by the latest decision known at the cutoff, also where a later one replaced it', async () => {
  const { id } = await provider.submitted();
  const first = await provider.adjudicate(id, 100_000, 50_000);
  const before = await provider.value(id, first.updated_at);
  const second = await provider.adjudicate(id, 30_000, 0);
  expect((await provider.value(id, first.updated_at)).text).toBe(before.text);
  expect(before.body).toMatchObject({ status: 'approved', amount: { payer_liability: 150_000 } });
  const { body } = await provider.value(id, second.updated_at);
  expect(body).toMatchObject({
    status: 'partially_approved',
    amount: { payer_liability: 30_000, adjustment: 120_000 },
    policy: { reference: 'policy:outpatient', version: '2026.1' },
  });
});

test('the id is the claim and the cutoff as it is written out, in whatever offset it came', async () => {
  const claim = await provider.submitted();
  const at = Date.parse(claim.updated_at);
  const local = formatInstant(at + 3 * 3_600_000).replace('Z', '999+03:00');
  const { body } = await provider.value(claim.id, local);
  expect(body).toMatchObject({ id: `${claim.id}:${formatInstant(at)}`, valuation_at: formatInstant(at) });
});

test('before the first event, and for an unknown claim, it is 404', async () => {
  const claim = await provider.submitted();
  expect(await provider.value(claim.id, Date.parse(claim.updated_at) - 1)).toMatchObject({
    status: 404,
    body: {
      error: {
        message: `The claim has no valuation at this cutoff: its first fact was recorded at ${claim.updated_at}.`,
      },
    },
  });
  expect(await provider.value(newId('clm_'), await databaseTime())).toMatchObject({ status: 404 });
});

test('a cutoff up to five seconds ahead is answered once it has passed', async () => {
  const { id } = await provider.submitted();
  const cutoff = (await databaseTime()) + 700;
  const answer = await provider.value(id, cutoff);
  expect(answer.status).toBe(200);
  expect(await databaseTime()).toBeGreaterThanOrEqual(cutoff);
  await provider.query(id);
  expect((await provider.value(id, cutoff)).text).toBe(answer.text);
});

test('a request for a cutoff ahead is answered at once with the time to wait, and is not held meanwhile', async () => {
  const { id } = await provider.submitted();
  const cutoff = (await databaseTime()) + 4_900;
  const error = await valueClaim(claims.sql, provider.tenant, id, cutoff).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TooEarly);
  const { waitMs } = error as TooEarly;
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(4_900);
});

test("a cutoff further ahead is 400 with the server's time", async () => {
  const { id } = await provider.submitted();
  const answer = await provider.value(id, (await databaseTime()) + 60_000);
  expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(answer.body.error.message).toMatch(/^\/query\/valuation_at .*\d{4}-\d\d-\d\dT[\d:.]+Z/);
});

test('a clock that is set back changes no answer: what was answered is answered, what is written comes later', async () => {
  const { id } = await provider.submitted();
  await claims.database.setClockOffset(3_600_000);
  const ahead = await databaseTime();
  const first = await provider.value(id, ahead);
  expect(first.status).toBe(200);
  await claims.database.setClockOffset(0);
  expect((await provider.value(id, ahead)).text).toBe(first.text);
  const queried = await provider.query(id);
  expect(Date.parse(queried.updated_at)).toBeGreaterThan(ahead);
  expect((await provider.value(id, ahead)).text).toBe(first.text);
  // The cutoff is later than the claim's last fact and more than 5 seconds in the future, and no earlier request has made it final.
  expect((await provider.value(id, ahead + 60_000)).status).toBe(400);
});

test('facts of one commit share one recorded_at, and it grows from commit to commit while the clock is set back again and again', async () => {
  const { id } = await provider.submitted();
  for (const offset of [50_000, -50_000, 20_000, -90_000]) {
    await claims.database.setClockOffset(offset);
    await provider.answer(await provider.query(id));
  }
  await claims.database.setClockOffset(200_000);
  const { body } = await provider.value(id, await databaseTime());
  const recorded = body.events.map((event: { recorded_at: string }) => Date.parse(event.recorded_at));
  const commits = [3, ...Array(4).fill([1, 2]).flat()] as number[];
  let at = 0;
  let last = 0;
  for (const size of commits) {
    const together = recorded.slice(at, at + size);
    expect(new Set(together).size).toBe(1);
    expect(together[0]).toBeGreaterThan(last);
    last = together[0];
    at += size;
  }
  expect(at).toBe(recorded.length);
});

test(
  'writers and readers race on one claim: every valuation is answered the same again, none with a fault',
  async () => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, 100_000, 50_000);
    const reads = testSize({ ci: 20, soak: 100 });
    let reading = true;
    const statuses: number[] = [];
    const answers = new Map<number, string>();

    async function write(writer: number): Promise<void> {
      while (reading) {
        const past = formatInstant(Date.now() - Math.floor(Math.random() * 5_000));
        if (writer % 4 === 0) {
          const { status } = await provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000));
          statuses.push(status);
        } else if (writer % 2 === 0) {
          await provider.remit(id, 1, { receivedAt: past });
        } else {
          const settlementId = await provider.settle(id, 2, { observedAt: past });
          await provider.settle(id, -2, { settlementId });
        }
      }
    }

    async function read(): Promise<void> {
      for (let count = 0; count < reads; count++) {
        const cutoff = (await databaseTime()) - Math.floor(Math.random() * 300) + 50;
        const { status, text } = await provider.value(id, cutoff);
        statuses.push(status);
        if (status !== 200) continue;
        const before = answers.get(cutoff);
        if (before === undefined) answers.set(cutoff, text);
        else expect(text).toBe(before);
      }
    }

    const writing = Array.from({ length: 20 }, (_, writer) => write(writer));
    try {
      await Promise.all(Array.from({ length: 20 }, () => read()));
    } finally {
      reading = false;
      await Promise.allSettled(writing);
    }
    await Promise.all(writing);
    expect(answers.size).toBeGreaterThan(20);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    const unavailable = statuses.filter((status) => status === 503).length;
    expect(unavailable).toBeLessThanOrEqual(Math.max(1, statuses.length / 100));
    for (const [cutoff, text] of answers) expect((await provider.value(id, cutoff)).text).toBe(text);
  },
  testSize({ ci: 120_000, soak: 600_000 }),
);

test('an operator reads the timeline with both times, the amounts and who decided, now and as it was known', async () => {
  const { id } = await provider.submitted();
  const then = await databaseTime();
  await claims.database.setClockOffset(1_000);
  await provider.adjudicate(id, 100_000, 0);
  await provider.remit(id, 60_000);
  const now = await describeClaim(claims.sql, provider.tenant, id);
  expect(now).toContain(`${id}  partially_approved  as known now`);
  expect(now).toContain('payer 100000, patient 0, adjustment 50000 under policy:outpatient 2026.1');
  expect(now).toMatch(
    /2026-03-15T00:00:00.000Z {2}\d{4}-.*remittance_recorded.*\+60000.*by service:payments/,
  );
  expect(now).toContain(`by project:${provider.tenant}/key:key_test`);
  const known = await describeClaim(claims.sql, provider.tenant, id, then);
  expect(known).toContain(`submitted  as known at ${formatInstant(then)}`);
  expect(known.split('\n').filter((line) => /^ +\d/.test(line))).toHaveLength(3);
});

describe('the description of a claim', () => {
  const describeNow = (claimId: string) => describeClaim(claims.sql, provider.tenant, claimId);
  const waits = async (claimId: string) =>
    (await describeNow(claimId)).split('\n').filter((line) => line.startsWith('waits for'));

  test('says what the claim waits for, until when, and the requested evidence', async () => {
    const { id } = await provider.submitted();
    expect(await waits(id)).toEqual(['waits for the payer’s adjudication']);
    await provider.query(id, '2099-01-01T00:00:00Z');
    expect(await waits(id)).toEqual([
      'waits for the answer to the information request (referral_missing): referral_letter, until 2099-01-01T00:00:00.000Z',
    ]);
    await provider.answer(await provider.read(id));
    await provider.query(id);
    expect(await waits(id)).toEqual([
      'waits for the answer to the information request (referral_missing): referral_letter, without a deadline',
    ]);
    const queriedAt = Date.now();
    await provider.answer(await provider.read(id));
    await provider.adjudicate(id, 100_000, 0);
    expect(await waits(id)).toEqual(['waits for remittances and settlements']);
    await provider.adjudicate(id, 0, 0);
    expect(await waits(id)).toEqual([]);
    // What a claim waited for at an earlier time is not known, because only its facts are.
    expect(await describeClaim(claims.sql, provider.tenant, id, queriedAt)).not.toContain('waits for');
  });

  test('names a command in progress, and that the workflow finishes an interrupted one', async () => {
    const { id } = await provider.submitted();
    const unmentioned = await describeNow(id);
    expect(unmentioned).not.toMatch(/in progress|interrupted/);
    const commandId = await claims.pendingCommand(provider.tenant, 'adjudicateClaim', id, adjudication(1, 0));
    expect(await describeNow(id)).toMatch(
      new RegExp(
        `^interrupted: adjudicateClaim since \\d{4}-.*; an activity of the workflow ${id} in Temporal finishes it, and shows each attempt's error$`,
        'm',
      ),
    );
    await claims.sql`
      update pending_commands set leased_until = clock_timestamp() + interval '1 minute' where id = ${commandId}`;
    expect(await describeNow(id)).toMatch(/^in progress: adjudicateClaim since \d{4}-\S+$/m);
    await claims.sql`delete from commands where id = ${commandId}`;
  });
});
