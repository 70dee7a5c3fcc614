import { join } from 'node:path';
import {
  createTestDatabase,
  eventually,
  startTimeSkippingTemporal,
  type TestDatabase,
} from '@carecover/local/testing';
import { connectPostgres, newId, type Sql } from '@carecover/platform';
import { recordHistory } from '@carecover/platform/replay';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { PENDING_PAGE } from '../../../services/payments/src/rules/pending-notifications';
import { Bookkeeper, WAIT_MS } from '../../../services/payments/src/testing/bookkeeper';
import { RunningPayments, silenceTemporalLog } from '../../../services/payments/src/testing/running-payments';
import { resendToClaims } from '../../../services/payments/src/verify';

const HISTORIES = join(__dirname, '../histories');

let database: TestDatabase;
let sql: Sql;
let temporal: TestWorkflowEnvironment;
let books: Bookkeeper;
let payments: RunningPayments;
/** A Temporal client whose waits for a result do not make the server skip time. */
let client: Client;
let skippedMs = 0;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
  silenceTemporalLog();
  temporal = await startTimeSkippingTemporal();
  client = new Client({ connection: temporal.connection });
  books = new Bookkeeper(sql);
  payments = await RunningPayments.start(sql, books.tenant, {
    client,
    nativeConnection: temporal.nativeConnection,
  });
});
afterAll(async () => {
  await payments.stop();
  await temporal.teardown();
  await sql.end();
  await database.drop();
});

/** Advances the clock of the database and then that of Temporal, so that a deadline has passed in the database when a timer fires. */
async function pass(ms: number): Promise<void> {
  skippedMs += ms;
  await database.setClockOffset(skippedMs);
  await temporal.sleep(ms);
}

const keepHistory = (name: string, id: string, runId?: string) =>
  recordHistory(HISTORIES, name, client.workflow.getHandle(id, runId));

async function record(shares: Record<string, number>, key = newId('key-')) {
  const allocations = Object.entries(shares).map(([claim_id, paid_amount]) => ({ claim_id, paid_amount }));
  const body = {
    payer_reference: newId('era-'),
    currency: 'KES',
    received_at: '2026-01-06T10:00:00Z',
    allocations,
  };
  return { body, ...(await payments.call('createRemittance', { body, key }).then((answer) => ({ answer }))) };
}

const observation = (remittance_id: string, amount: number) => ({
  remittance_id,
  source_reference: newId('bank-'),
  currency: 'KES',
  amount,
  observed_at: '2026-01-07T10:00:00Z',
});
const read = (remittance_id: string) => payments.call('getRemittance', { params: { remittance_id } });
/** Advises a remittance of 30 minor units, and starts its workflow, which continues as new after two commands. */
async function startWithCommandLimit() {
  const id = await books.advise({ [await books.adjudicate(30)]: 30 });
  const { tenant } = books;
  const first = await client.workflow.start('remittanceWorkflow', {
    workflowId: id,
    taskQueue: 'payments',
    args: [{ resourceId: id, tenant, environment: 'sandbox', commandLimit: 2 }],
  });
  return { id, first };
}

const runStatus = async (id: string) => (await client.workflow.getHandle(id).describe()).status.name;

describe('a remittance', () => {
  test('is recorded by claims before its response, waits, is reconciled, and its workflow ends', async () => {
    const claim = await books.adjudicate(100);
    const { answer } = await record({ [claim]: 100 });
    expect(answer).toMatchObject({ status: 201, replayed: false, body: { status: 'received' } });
    const { id } = answer.body;
    expect(payments.claims.records.get(id)).toMatchObject({ allocations: [{ claimId: claim, amount: 100 }] });
    const settlement = await payments.call('createSettlement', { body: observation(id, 100) });
    expect(settlement).toMatchObject({ status: 201, body: { status: 'matched' } });
    expect(payments.claims.records.get(settlement.body.id)).toMatchObject({
      reconciled: { claimIds: [claim] },
    });
    await client.workflow.getHandle(id).result();
    const settlement_id = settlement.body.id;
    expect((await payments.call('getSettlement', { params: { settlement_id } })).body).toEqual(
      settlement.body,
    );
    expect((await read(id)).body).toMatchObject({ status: 'reconciled', reconciled_at: expect.any(String) });
    await keepHistory('reconciled', id);
  });

  test('without a settlement for 30 days becomes an exception by its timer, and a late settlement reconciles it', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    const { id } = answer.body;
    await pass(WAIT_MS - 60_000);
    expect((await read(id)).body.status).toBe('received');
    await pass(61_000);
    expect((await read(id)).body.status).toBe('exception');
    expect(await books.events(id)).toEqual(['remittance.exception']);
    await payments.call('createSettlement', { body: observation(id, 50) });
    expect((await read(id)).body.status).toBe('reconciled');
    await client.workflow.getHandle(id).result();
    await keepHistory('late-settlement', id);
  });

  test('that is reconciled starts a new run for an excess settlement, and ends after its reversal', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    const { id } = answer.body;
    await payments.call('createSettlement', { body: observation(id, 50) });
    await client.workflow.getHandle(id).result();
    const extra = await payments.call('createSettlement', { body: observation(id, 1) });
    expect((await read(id)).body.status).toBe('exception');
    expect(await runStatus(id)).toBe('RUNNING');
    const params = { settlement_id: extra.body.id };
    const reversal = await payments.call('reverseSettlement', {
      params,
      body: { reason_code: 'wrong_account' },
    });
    expect(reversal).toMatchObject({ status: 200, body: { status: 'reversed' } });
    expect((await read(id)).body.status).toBe('reconciled');
    await client.workflow.getHandle(id).result();
    await keepHistory('revived-by-excess-settlement', id);
  });

  test('continues as new after many commands, without losing one', async () => {
    const { id, first } = await startWithCommandLimit();
    await Promise.all(
      [1, 2, 3].map((amount) => payments.call('createSettlement', { body: observation(id, amount) })),
    );
    await payments.call('createSettlement', { body: observation(id, 24) });
    await client.workflow.getHandle(id).result();
    expect((await read(id)).body.status).toBe('reconciled');
    const last = await client.workflow.getHandle(id).describe();
    expect(last.runId).not.toBe(first.firstExecutionRunId);
    await keepHistory('continued-as-new', id, first.firstExecutionRunId);
    await keepHistory('continued', id);
  });

  test('continues as new after many rejected commands too', async () => {
    const { id, first } = await startWithCommandLimit();
    const early = { ...observation(id, 30), observed_at: '2099-01-01T00:00:00Z' };
    for (const _ of [1, 2, 3]) {
      await expect(payments.call('createSettlement', { body: early })).rejects.toMatchObject({
        code: 'future_timestamp',
      });
    }
    const next = await client.workflow.getHandle(id).describe();
    expect(next.runId).not.toBe(first.firstExecutionRunId);
    await payments.call('createSettlement', { body: observation(id, 30) });
    await client.workflow.getHandle(id).result();
    expect((await read(id)).body.status).toBe('reconciled');
  });

  test('that is rejected leaves no run, and its key can be used for a corrected body', async () => {
    const claim = await books.adjudicate(10);
    const key = newId('key-');
    await expect(record({ [claim]: 11 }, key)).rejects.toMatchObject({ code: 'over_allocation' });
    const { answer: again } = await record({ [claim]: 10 }, key);
    expect(again.status).toBe(201);
    const claimWithoutAccount = newId('clm_');
    await expect(record({ [claimWithoutAccount]: 1 })).rejects.toMatchObject({ code: 'resource_not_found' });
    payments.claims.known.add(claimWithoutAccount);
    await expect(record({ [claimWithoutAccount]: 1 })).rejects.toMatchObject({
      code: 'claim_not_adjudicated',
    });
    expect(await runStatus(again.body.id)).toBe('RUNNING');
    await keepHistory('waiting', again.body.id);
  });

  test('is replayed under its key with the same bytes, also after its status changed', async () => {
    const key = newId('key-');
    const { body, answer } = await record({ [await books.adjudicate(10)]: 10 }, key);
    await payments.call('createSettlement', { body: observation(answer.body.id, 10) });
    const again = await payments.call('createRemittance', { body, key });
    expect(again).toMatchObject({ status: 201, text: answer.text, replayed: true });
    const other = { ...body, payer_reference: 'another' };
    await expect(payments.call('createRemittance', { body: other, key })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test('is recorded by claims after failed calls, with one effect', async () => {
    payments.claims.failures = 3;
    const { answer } = await record({ [await books.adjudicate(10)]: 10 });
    expect(payments.claims.records.has(answer.body.id)).toBe(true);
    await keepHistory('claims-unavailable-for-a-while', answer.body.id);
  });

  test('with twenty concurrent requests under one key is created once', async () => {
    const claim = await books.adjudicate(10);
    const key = newId('key-');
    const body = {
      payer_reference: newId('era-'),
      currency: 'KES',
      received_at: '2026-01-06T10:00:00Z',
      allocations: [{ claim_id: claim, paid_amount: 10 }],
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => payments.call('createRemittance', { body, key })),
    );
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  test('without a workflow is continued by the sweep: its deadline, and its pending notification', async () => {
    const [due, recorded] = [await books.adjudicate(10), await books.adjudicate(10)];
    const overdue = await books.advise({ [due]: 10 });
    const pending = await books.advise({ [recorded]: 10 });
    await sql`update claims_records set recorded_at = null where remittance_id = ${pending}`;
    await pass(WAIT_MS + 60_000);
    await payments.sweep();
    await temporal.sleep(1_000);
    expect((await read(overdue)).body.status).toBe('exception');
    expect(payments.claims.records.has(pending)).toBe(true);
    expect(await sql`select 1 from claims_records where recorded_at is null`).toHaveLength(0);
    await keepHistory('found-overdue', overdue);
    await keepHistory('recorded-again', pending);
  });

  test('is sent to claims again with all that share a claim with it, so that no notification waits for a lost record', async () => {
    const claims = await Promise.all([1, 2, 3, 4].map(() => books.adjudicate(20)));
    const [first = '', second = '', third = '', last = ''] = claims;
    const lost: string[] = [];
    for (const shares of [
      { [first]: 10, [second]: 10 },
      { [second]: 10, [third]: 10 },
      { [third]: 10, [last]: 10 },
    ]) {
      const { id } = (await record(shares)).answer.body;
      const settlement = await payments.call('createSettlement', { body: observation(id, 20) });
      lost.push(id, settlement.body.id);
    }
    payments.claims.lose(lost);
    expect(await resendToClaims(sql, [last])).toBe(3);
    await pass(20_000);
    await payments.sweep();
    await eventually('claims has recorded every notification again', async () =>
      lost.every((cause) => payments.claims.records.has(cause)),
    );
  });

  test('with more pending notifications than a step returns sends them all in their order before the response', async () => {
    const id = await books.advise({ [await books.adjudicate(100)]: 100 });
    for (let count = 0; count < 2 * PENDING_PAGE; count++) await books.observe(id, 1);
    await sql`update claims_records set recorded_at = null where remittance_id = ${id}`;
    const settlement = await payments.call('createSettlement', { body: observation(id, 2) });
    const causes = await sql<{ cause_id: string; recorded_at: Date | null }[]>`
      select cause_id, recorded_at from claims_records where remittance_id = ${id} order by sequence`;
    expect(causes).toHaveLength(2 * PENDING_PAGE + 2);
    expect(causes.at(-1)?.cause_id).toBe(settlement.body.id);
    expect(causes.every(({ recorded_at }) => recorded_at !== null)).toBe(true);
    const sent = [...payments.claims.records.keys()];
    expect(sent.slice(-causes.length)).toEqual(causes.map(({ cause_id }) => cause_id));
    await keepHistory('many-notifications', id);
  });

  test('whose command has neither a sender nor a workflow is completed by the sweep', async () => {
    const claim = await books.adjudicate(10);
    const id = newId('rem_');
    const commandId = await books.command('createRemittance', id, {
      payer_reference: newId('era-'),
      currency: 'KES',
      received_at: '2026-01-06T10:00:00Z',
      allocations: [{ claim_id: claim, paid_amount: 10 }],
    });
    await pass(60_000);
    await payments.sweep();
    expect((await read(id)).body.status).toBe('received');
    const [row] = await sql`select answer_status from commands where id = ${commandId}`;
    expect(row).toEqual({ answer_status: 201 });
  });

  test('that is unknown or another project’s has its pending commands deleted by the sweep', async () => {
    const other = new Bookkeeper(sql);
    const theirs = await other.advise({ [await other.adjudicate(10)]: 10 });
    const settlement = await other.observe(theirs, 5);
    const pending = [
      await books.command('reverseSettlement', settlement.id, { reason_code: 'wrong' }),
      await books.command('reverseSettlement', newId('stl_'), { reason_code: 'wrong' }),
      await books.command('createSettlement', newId('stl_'), observation(theirs, 1)),
    ];
    await pass(60_000);
    await payments.sweep();
    expect(await sql`select 1 from commands where id = any(${pending})`).toHaveLength(0);
  });
});

describe('reading', () => {
  test('remittances are listed newest first, by page and by status', async () => {
    const theirs = new Bookkeeper(sql);
    const { tenant } = theirs;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++)
      ids.push(await theirs.advise({ [await theirs.adjudicate(10)]: 10 }));
    await theirs.observe(ids[1] ?? '', 10);
    const list = async (query: Record<string, string>) => {
      const { body } = await payments.call('listRemittances', { query, tenant });
      return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
    };
    expect(await list({ limit: '2' })).toEqual({ ids: [ids[2], ids[1]], more: true });
    expect(await list({ starting_after: ids[1] ?? '' })).toEqual({ ids: [ids[0]], more: false });
    expect(await list({ status: 'reconciled' })).toEqual({ ids: [ids[1]], more: false });
  });

  test('remittances are listed by the payer’s reference and by claim, within the project', async () => {
    const theirs = new Bookkeeper(sql);
    const { tenant } = theirs;
    const [claim, other] = [await theirs.adjudicate(10), await theirs.adjudicate(10)];
    const first = await theirs.advise({ [claim]: 4, [other]: 1 }, { reference: 'ERA-1' });
    const second = await theirs.advise({ [claim]: 6 }, { reference: 'ERA-2' });
    await theirs.observe(second, 6);
    const list = async (query: Record<string, string>, of = tenant) => {
      const { body } = await payments.call('listRemittances', { query, tenant: of });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await list({ claim_id: claim })).toEqual([second, first]);
    expect(await list({ claim_id: other })).toEqual([first]);
    expect(await list({ claim_id: claim, status: 'reconciled' })).toEqual([second]);
    expect(await list({ claim_id: claim, starting_after: second })).toEqual([first]);
    expect(await list({ payer_reference: 'ERA-1' })).toEqual([first]);
    expect(await list({ payer_reference: 'ERA-1', claim_id: other, status: 'received' })).toEqual([first]);
    expect(await list({ claim_id: 'clm_unknown' })).toEqual([]);
    expect(await list({ claim_id: claim }, books.tenant)).toEqual([]);
    expect(await list({ payer_reference: 'ERA-1' }, books.tenant)).toEqual([]);
  });

  test('settlements are listed newest first, by page, remittance, reference and status', async () => {
    const theirs = new Bookkeeper(sql);
    const { tenant } = theirs;
    const [first, second] = [
      await theirs.advise({ [await theirs.adjudicate(10)]: 10 }),
      await theirs.advise({ [await theirs.adjudicate(10)]: 10 }),
    ];
    const ids = [
      (await theirs.observe(first, 4, { reference: 'bank-a' })).id,
      (await theirs.observe(second, 11, { reference: 'bank-b' })).id,
      (await theirs.observe(first, 6, { reference: 'bank-c' })).id,
    ];
    const list = async (query: Record<string, string>, resourceIds?: string[]) => {
      const asked = { query, tenant, ...(resourceIds && { resourceIds }) };
      const { body } = await payments.call('listSettlements', asked);
      return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
    };
    expect(await list({ limit: '2' })).toEqual({ ids: [ids[2], ids[1]], more: true });
    expect(await list({ starting_after: ids[1] ?? '' })).toEqual({ ids: [ids[0]], more: false });
    expect(await list({ remittance_id: first })).toEqual({ ids: [ids[2], ids[0]], more: false });
    expect(await list({ remittance_id: first, limit: '1' })).toEqual({ ids: [ids[2]], more: true });
    expect(await list({ source_reference: 'bank-b' })).toEqual({ ids: [ids[1]], more: false });
    expect(await list({ source_reference: 'bank-b', remittance_id: first })).toEqual({
      ids: [],
      more: false,
    });
    expect(await list({ status: 'unmatched' })).toEqual({ ids: [ids[1]], more: false });
    expect(await list({ status: 'unmatched', remittance_id: first })).toEqual({ ids: [], more: false });
    expect(await list({ created_after: '2999-01-01T00:00:00Z' })).toEqual({ ids: [], more: false });
    expect(await list({ remittance_id: first }, [ids[0] ?? ''])).toEqual({ ids: [ids[0]], more: false });
    const { body } = await payments.call('listSettlements', { query: { remittance_id: first } });
    expect(body.data).toEqual([]);
  });

  test('a reconciliation shows why a remittance is an exception, and its first step resolves it', async () => {
    const { answer } = await record({ [await books.adjudicate(300)]: 300 });
    const params = { remittance_id: answer.body.id };
    const report = async () => (await payments.call('getRemittanceReconciliation', { params })).body;
    expect(await report()).toMatchObject({
      status: 'received',
      expected: 300,
      observed: 0,
      difference: -300,
      reason: 'awaiting_funds',
      settlements: [],
      next_steps: [{ operation: 'createSettlement', settlement_id: null, amount: 300 }],
    });
    const wrong = await payments.call('createSettlement', { body: observation(answer.body.id, 301) });
    const right = await payments.call('createSettlement', { body: observation(answer.body.id, 300) });
    const { id } = wrong.body;
    const unmatched = { status: 'unmatched', reason: 'amount_exceeds_advice' };
    const [row] = await sql<
      { deadline: Date }[]
    >`select deadline from remittances where id = ${answer.body.id}`;
    expect(await report()).toEqual({
      object: 'remittance_reconciliation',
      remittance_id: answer.body.id,
      status: 'exception',
      currency: 'KES',
      expected: 300,
      observed: 601,
      difference: 301,
      deadline_at: row?.deadline.toISOString(),
      reason: 'amount_exceeds_advice',
      settlements: [wrong.body, right.body].map(({ id, source_reference, amount }) => ({
        ...{ id, source_reference, amount },
        ...unmatched,
      })),
      next_steps: [
        {
          operation: 'reverseSettlement',
          settlement_id: id,
          amount: null,
          description: `Reverse settlement ${id}.`,
        },
      ],
    });
    await payments.call('reverseSettlement', {
      params: { settlement_id: id },
      body: { reason_code: 'wrong_amount' },
    });
    expect(await report()).toMatchObject({
      status: 'reconciled',
      observed: 300,
      difference: 0,
      reason: null,
      settlements: [
        { id, status: 'reversed', reason: null },
        { id: right.body.id, status: 'matched', reason: null },
      ],
      next_steps: [],
    });
  });

  test('a reconciliation is evaluated at the time of the request, before the deadline’s timer', async () => {
    const id = await books.advise({ [await books.adjudicate(10)]: 10 });
    await database.setClockOffset(skippedMs + WAIT_MS);
    const { body } = await payments.call('getRemittanceReconciliation', { params: { remittance_id: id } });
    await database.setClockOffset(skippedMs);
    expect(body).toMatchObject({ status: 'exception', reason: 'deadline_passed' });
    expect((await read(id)).body.status).toBe('received');
  });

  test('another project’s remittance and settlement are 404', async () => {
    const other = new Bookkeeper(sql);
    const theirs = await other.advise({ [await other.adjudicate(10)]: 10 });
    const settlement = await other.observe(theirs, 5);
    const missing = { code: 'resource_not_found' };
    const params = { settlement_id: settlement.id };
    await expect(read(theirs)).rejects.toMatchObject(missing);
    await expect(payments.call('getSettlement', { params })).rejects.toMatchObject(missing);
    await expect(
      payments.call('getRemittanceReconciliation', { params: { remittance_id: theirs } }),
    ).rejects.toMatchObject(missing);
    const body = { reason_code: 'wrong' };
    await expect(payments.call('reverseSettlement', { params, body })).rejects.toMatchObject(missing);
    await expect(payments.call('createSettlement', { body: observation(theirs, 1) })).rejects.toMatchObject(
      missing,
    );
  });

  test('a token that is limited to resources can read only those', async () => {
    const { answer } = await record({ [await books.adjudicate(10)]: 10 });
    const params = { remittance_id: answer.body.id };
    const limited = (resourceIds: string[]) => payments.call('getRemittance', { params, resourceIds });
    expect((await limited([answer.body.id])).status).toBe(200);
    await expect(limited(['rem_other'])).rejects.toMatchObject({ code: 'resource_not_found' });
    const report = (resourceIds: string[]) =>
      payments.call('getRemittanceReconciliation', { params, resourceIds });
    expect((await report([answer.body.id])).status).toBe(200);
    await expect(report(['rem_other'])).rejects.toMatchObject({ code: 'resource_not_found' });
  });
});
