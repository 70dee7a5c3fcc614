import { join } from 'node:path';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { recordHistory } from '@carecover/temporal/replay';
import { DUE_AT, REMITTANCE_STATUS } from '@carecover/temporal/workflow';
import {
  createTestDatabase,
  eventually,
  startTimeSkippingTemporal,
  type TestDatabase,
} from '@carecover/testing/servers';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
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
const runStatus = async (id: string) => {
  const run = client.workflow.getHandle(id);
  return run.describe().then(
    ({ status }) => status.name,
    (error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 'NONE';
      throw error;
    },
  );
};

/** Waits until the remittance's run has the status. */
const runIs = (id: string, status: string) =>
  eventually(`the run of ${id} is ${status}`, async () => (await runStatus(id)) === status);

/** Waits until no signal is pending, so that the next change is another signal. */
const signalled = () =>
  eventually('no signal is pending', async () => {
    const rows = await sql`select 1 from workflow_signals`;
    return rows.length === 0;
  });

/** Waits until the remittance's run waits for a change: it has read the facts after its latest signal. */
async function runWaits(id: string): Promise<void> {
  await runIs(id, 'RUNNING');
  await signalled();
  await eventually('the run has read the facts', async () => {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    const last = events?.at(-1);
    return Boolean(
      last?.timerStartedEventAttributes ??
        last?.workflowTaskCompletedEventAttributes ??
        last?.markerRecordedEventAttributes ??
        last?.upsertWorkflowSearchAttributesEventAttributes,
    );
  });
}

describe('a remittance', () => {
  test('is recorded by claims before its response, waits, is reconciled, and its workflow ends', async () => {
    const claim = await books.adjudicate(100);
    const { answer } = await record({ [claim]: 100 });
    expect(answer).toMatchObject({ status: 201, replayed: false, body: { status: 'received' } });
    const { id } = answer.body;
    expect(payments.claims.records.get(id)).toMatchObject({ allocations: [{ claimId: claim, amount: 100 }] });
    await runWaits(id);
    const settlement = await payments.call('createSettlement', { body: observation(id, 100) });
    expect(settlement).toMatchObject({ status: 201, body: { status: 'matched' } });
    expect(payments.claims.records.get(settlement.body.id)).toMatchObject({
      reconciled: { claimIds: [claim] },
    });
    await runIs(id, 'COMPLETED');
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
    await runWaits(id);
    await pass(WAIT_MS - 60_000);
    expect((await read(id)).body.status).toBe('received');
    await pass(61_000);
    await eventually('the timer fires', async () => (await read(id)).body.status === 'exception');
    expect(await books.events(id)).toEqual(['remittance.exception']);
    await runWaits(id);
    await payments.call('createSettlement', { body: observation(id, 50) });
    expect((await read(id)).body.status).toBe('reconciled');
    await runIs(id, 'COMPLETED');
    await keepHistory('late-settlement', id);
  });

  test('that is reconciled starts a new run for an excess settlement, and ends after its reversal', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    const { id } = answer.body;
    await runWaits(id);
    await payments.call('createSettlement', { body: observation(id, 50) });
    await runIs(id, 'COMPLETED');
    const extra = await payments.call('createSettlement', { body: observation(id, 1) });
    expect((await read(id)).body.status).toBe('exception');
    await runWaits(id);
    const params = { settlement_id: extra.body.id };
    const reversal = await payments.call('reverseSettlement', {
      params,
      body: { reason_code: 'wrong_account' },
    });
    expect(reversal).toMatchObject({ status: 200, body: { status: 'reversed' } });
    expect((await read(id)).body.status).toBe('reconciled');
    await runIs(id, 'COMPLETED');
    await keepHistory('revived-by-excess-settlement', id);
  });

  test('whose money arrives before its first signal has no open run', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    await payments.call('createSettlement', { body: observation(answer.body.id, 50) });
    await signalled();
    await eventually('no run is open', async () => /NONE|COMPLETED/.test(await runStatus(answer.body.id)));
  });

  test('continues as new after a long history, without losing a change', async () => {
    const id = await books.advise({ [await books.adjudicate(30)]: 30 });
    const first = await client.workflow.start('remittance', {
      workflowId: id,
      taskQueue: 'payments',
      args: [{ resourceId: id, tenant: books.tenant, environment: 'sandbox', historyLimit: 12 }],
    });
    for (const amount of [1, 2, 3]) {
      await payments.call('createSettlement', { body: observation(id, amount) });
      await runWaits(id);
    }
    await eventually('the run continues as new', async () => {
      const { runId } = await client.workflow.getHandle(id).describe();
      return runId !== first.firstExecutionRunId;
    });
    await payments.call('createSettlement', { body: observation(id, 24) });
    await runIs(id, 'COMPLETED');
    expect((await read(id)).body.status).toBe('reconciled');
    await keepHistory('continued-as-new', id, first.firstExecutionRunId);
    await keepHistory('continued', id);
  });

  test('shows its status, its deadline and its latest changes, with actor and request', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    const { id } = answer.body;
    await payments.call('createSettlement', { body: observation(id, 20) });
    await runWaits(id);
    const [row] = await sql<{ deadline: Date }[]>`select deadline from remittances where id = ${id}`;
    await eventually('the attributes are shown', async () => {
      const { typedSearchAttributes } = await client.workflow.getHandle(id).describe();
      return (
        typedSearchAttributes.get(REMITTANCE_STATUS) === 'received' &&
        typedSearchAttributes.get(DUE_AT)?.getTime() === row?.deadline.getTime()
      );
    });
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    const changes = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      (signal?.input?.payloads ?? []).flatMap((payload) =>
        defaultPayloadConverter.fromPayload<{ what: string; actor: string; requestId: string }[]>(payload),
      ),
    );
    expect(changes.map(({ what }) => what)).toEqual(['received', 'settlement recorded']);
    for (const { actor, requestId } of changes) {
      expect(actor).toMatch(/^project:|key/);
      expect(requestId).toMatch(/^req_/);
    }
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
    await runWaits(again.body.id);
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
  });

  test('whose request ended before claims recorded it is recorded by its run, after failed calls', async () => {
    const claim = await books.adjudicate(10);
    const { recordRemittance } = payments.claims;
    const { calls } = { calls: { failed: 0 } };
    payments.claims.recordRemittance = async (input) => {
      calls.failed += 1;
      throw new Error(`${input.remittanceId} is not recorded`);
    };
    await expect(record({ [claim]: 10 })).rejects.toMatchObject({ code: 'internal_error' });
    const [row] = await sql<{ id: string }[]>`
      select remittance_id as id from remittance_allocations where claim_id = ${claim}`;
    const id = row?.id ?? '';
    await eventually('the run has tried it', async () => calls.failed > 2);
    payments.claims.recordRemittance = recordRemittance;
    await eventually('the run delivers it', async () => payments.claims.records.has(id));
    await runWaits(id);
    await keepHistory('claims-unavailable-for-a-while', id);
  });

  test('keeps its run and its deadline after the run is terminated, as if Temporal had lost it', async () => {
    const { answer } = await record({ [await books.adjudicate(50)]: 50 });
    const { id } = answer.body;
    await runWaits(id);
    await client.workflow.getHandle(id).terminate('lost');
    await client.workflow.start('remittance', {
      workflowId: id,
      taskQueue: 'payments',
      args: [{ resourceId: id, tenant: books.tenant, environment: 'sandbox' }],
    });
    await pass(WAIT_MS + 1_000);
    await eventually('the new run applies it', async () => (await read(id)).body.status === 'exception');
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
    await sql`delete from workflow_signals`;
    await sql`update claims_notifications set recorded_at = null where remittance_id = ${pending}`;
    await pass(WAIT_MS + 60_000);
    await payments.deliverySweeps();
    expect((await read(overdue)).body.status).toBe('exception');
    expect(payments.claims.records.has(pending)).toBe(true);
    expect(await sql`select 1 from claims_notifications where recorded_at is null`).toHaveLength(0);
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
    await pass(30_000);
    await payments.deliverySweeps();
    await eventually('claims has recorded every notification again', async () =>
      lost.every((cause) => payments.claims.records.has(cause)),
    );
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
