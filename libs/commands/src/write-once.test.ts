import { ApiError, newId, storedTenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import { caller, newWrite, useSql } from '@carecover/testing/services';
import { insertCommand, MAX_ATTEMPTS } from './row';
import { writeOnce } from './write-once';

const database = useSql();

test('twenty concurrent requests with one key have one effect and one response', async () => {
  const write = newWrite();
  let effects = 0;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      writeOnce(database.sql, write, 200, async () => ({
        status: 201,
        body: { n: ++effects },
        resourceId: 'bkg_1',
      })),
    ),
  );
  expect(effects).toBe(1);
  expect(new Set(replies.map((sent) => sent.text))).toEqual(new Set(['{"n":1}']));
  expect(replies.filter((sent) => !sent.replayed)).toHaveLength(1);
  expect(replies.filter((sent) => sent.replayed).every((sent) => sent.status === 200)).toBe(true);
});

test('a key that was used for another request is a conflict and has no effect', async () => {
  const write = newWrite();
  const effect = jest.fn(async () => ({ status: 201, body: {}, resourceId: 'bkg_1' }));
  await writeOnce(database.sql, write, 200, effect);
  const other = { ...write, requestHash: Buffer.from('another') };
  await expect(writeOnce(database.sql, other, 200, effect)).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
  expect(effect).toHaveBeenCalledTimes(1);
});

test('while a command with the key is pending, because another release executes it in steps, the write has no effect', async () => {
  const write = newWrite();
  await insertCommand(database.sql, write, String(write.idempotencyKey), {
    resourceId: 'bkg_pending',
    workflowId: 'bkg_pending',
    body: {},
    traceparent: null,
  });
  const effect = jest.fn(async () => ({ status: 201, body: {}, resourceId: 'bkg_pending' }));
  await expect(writeOnce(database.sql, write, 200, effect)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  expect(effect).not.toHaveBeenCalled();
});

test('of two writes that wait for each other, the one that the database ends is repeated', async () => {
  let effects = 0;
  let release = () => {};
  const areBothLocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const write = (own: number, other: number) =>
    writeOnce(database.sql, newWrite(), 201, async (tx) => {
      await tx`select pg_advisory_xact_lock(${own})`;
      effects += 1;
      if (effects === 2) release();
      await areBothLocked;
      await tx`select pg_advisory_xact_lock(${other})`;
      return { status: 201, body: {}, resourceId: 'bkg_1' };
    });
  const sent = await Promise.all([write(7_001, 7_002), write(7_002, 7_001)]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201]);
  expect(effects).toBe(3);
});

test('a write that the database ends in each repetition is unavailable, and has no effect', async () => {
  let effects = 0;
  const write = writeOnce(database.sql, newWrite(), 201, async (tx) => {
    effects += 1;
    await tx`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`;
    return { status: 201, body: {}, resourceId: 'bkg_1' };
  });
  await expect(write).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(effects).toBe(MAX_ATTEMPTS);
});

test('a rejection is not stored: the key can be used with a corrected body', async () => {
  const write = newWrite();
  const reject = async () => {
    throw new ApiError('slot_unavailable', 'taken');
  };
  await expect(writeOnce(database.sql, write, 200, reject)).rejects.toMatchObject({
    code: 'slot_unavailable',
  });
  const corrected = { ...write, requestHash: Buffer.from('corrected') };
  const sent = await writeOnce(database.sql, corrected, 200, async () => ({
    status: 201,
    body: { ok: true },
    resourceId: 'bkg_2',
  }));
  expect(sent).toEqual({ status: 201, text: '{"ok":true}', replayed: false });
});

test('the same key in another project or operation is another key', async () => {
  const write = newWrite();
  const answers = [
    write,
    { ...write, caller: { ...caller, tenant: storedTenant('prj_two') } },
    { ...write, operation: 'cancelBooking' as const },
  ];
  for (const each of answers) {
    const sent = await writeOnce(database.sql, each, 201, async () => ({
      status: 201,
      body: {},
      resourceId: 'bkg_3',
    }));
    expect(sent.replayed).toBe(false);
  }
});

test('without a key nothing is stored', async () => {
  const write = newWrite({ idempotencyKey: null });
  const effect = jest.fn(async () => ({ status: 200, body: {}, resourceId: 'con_1' }));
  await writeOnce(database.sql, write, 200, effect);
  await writeOnce(database.sql, write, 200, effect);
  expect(effect).toHaveBeenCalledTimes(2);
});

test('the last writes are committed with the response, and an error of them rolls everything back', async () => {
  const write = newWrite();
  const event = (id: string) => async (tx: Tx) => ({
    status: 201,
    body: { id },
    resourceId: 'bkg_4',
    writes: [
      tx`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'r', 't', '{}')`,
    ],
  });
  const events = () => database.sql`select 1 from outbox where event_id = 'evt_written'`;
  await writeOnce(database.sql, write, 201, event('evt_written'));
  expect(await events()).toHaveLength(1);
  const other = newWrite();
  const failed = writeOnce(database.sql, other, 201, event('evt_written'));
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  // The request that failed left its idempotency key unused.
  const sent = await writeOnce(database.sql, other, 200, event('evt_other'));
  expect(sent).toEqual({ status: 201, text: '{"id":"evt_other"}', replayed: false });
});

test('what is fetched is read behind the command row of a concurrent request with the same key', async () => {
  const write = newWrite();
  const seen: number[] = [];
  const replies = await Promise.all(
    Array.from({ length: 5 }, () =>
      writeOnce(
        database.sql,
        write,
        200,
        async (tx, known: number) => {
          seen.push(known);
          const id = newId('evt_');
          await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'fetched', 't', '{}')`;
          return { status: 201, body: { known }, resourceId: 'bkg_5' };
        },
        (tx) => tx`select 1 from outbox where resource_id = 'fetched'`.withResult((rows) => rows.length),
      ),
    ),
  );
  expect(seen).toEqual([0]);
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['{"known":0}']));
});
