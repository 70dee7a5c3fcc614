import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import {
  CommandGone,
  carryOut,
  commitCommand,
  decideCommand,
  dropCommand,
  type SentCommand,
  type WriteRequest,
  writeOnce,
} from './commands';
import { connectPostgres, type Sql } from './postgres';
import { Refusal, unavailable } from './refusal';
import { type Caller, storedTenant } from './tenant';

const caller: Caller = {
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
  authority: 'key_one of prj_one',
  requestId: '00000000-0000-4000-8000-000000000000',
  resourceIds: null,
  consentDefault: 'granted',
};

let database: TestDatabase;
let sql: Sql;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

function request(overrides: Partial<WriteRequest> = {}): WriteRequest {
  keys += 1;
  return {
    operation: 'createBooking',
    caller,
    idempotencyKey: `key-number-${keys}`,
    requestHash: Buffer.from('hash'),
    ...overrides,
  };
}

describe('a write of one transaction', () => {
  test('twenty racing requests under one key have one effect and one answer', async () => {
    const write = request();
    let effects = 0;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        writeOnce(sql, write, 200, async () => ({
          status: 201,
          body: { n: ++effects },
          resourceId: 'bkg_1',
        })),
      ),
    );
    expect(effects).toBe(1);
    expect(new Set(replies.map((reply) => reply.text))).toEqual(new Set(['{"n":1}']));
    expect(replies.filter((reply) => !reply.replayed)).toHaveLength(1);
    expect(replies.filter((reply) => reply.replayed).every((reply) => reply.status === 200)).toBe(true);
  });

  test('the same key with another request is a conflict and has no effect', async () => {
    const write = request();
    const effect = jest.fn(async () => ({ status: 201, body: {}, resourceId: 'bkg_1' }));
    await writeOnce(sql, write, 200, effect);
    const other = { ...write, requestHash: Buffer.from('another') };
    await expect(writeOnce(sql, other, 200, effect)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(effect).toHaveBeenCalledTimes(1);
  });

  test('a refusal is not remembered: the key may carry a corrected body', async () => {
    const write = request();
    const refuse = async () => {
      throw new Refusal('slot_unavailable', 'taken');
    };
    await expect(writeOnce(sql, write, 200, refuse)).rejects.toMatchObject({ code: 'slot_unavailable' });
    const corrected = { ...write, requestHash: Buffer.from('corrected') };
    const reply = await writeOnce(sql, corrected, 200, async () => ({
      status: 201,
      body: { ok: true },
      resourceId: 'bkg_2',
    }));
    expect(reply).toEqual({ status: 201, text: '{"ok":true}', replayed: false });
  });

  test("another project's and another operation's same key are their own", async () => {
    const write = request();
    const answers = [
      write,
      { ...write, caller: { ...caller, tenant: storedTenant('prj_two') } },
      { ...write, operation: 'cancelBooking' as const },
    ];
    for (const each of answers) {
      const reply = await writeOnce(sql, each, 201, async () => ({
        status: 201,
        body: {},
        resourceId: 'bkg_3',
      }));
      expect(reply.replayed).toBe(false);
    }
  });

  test('without a key nothing is remembered', async () => {
    const write = request({ idempotencyKey: null });
    const effect = jest.fn(async () => ({ status: 200, body: {}, resourceId: 'con_1' }));
    await writeOnce(sql, write, 200, effect);
    await writeOnce(sql, write, 200, effect);
    expect(effect).toHaveBeenCalledTimes(2);
  });
});

describe('a write that a workflow carries out', () => {
  const errand = (send: (command: SentCommand) => Promise<void>) => ({
    resourceId: `clm_${keys}`,
    body: { lines: [] },
    replayStatus: 200,
    send,
  });

  test('the retry of a command that was interrupted joins it: same command, same resource, one answer', async () => {
    const write = request({ operation: 'createClaim' });
    const seen: { id: string; resourceId: string }[] = [];
    const interrupted = carryOut(sql, write, {
      ...errand(async (command) => void seen.push(command)),
      resourceId: 'clm_first',
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
    const reply = await carryOut(sql, write, {
      ...errand(async (command) => {
        seen.push(command);
        await commitCommand(sql, command.id, async (_tx, { resourceId, body }) => ({
          status: 201,
          body: { resourceId, body },
        }));
      }),
      resourceId: 'clm_second',
    });
    expect(new Set(seen.map((command) => command.id)).size).toBe(1);
    expect(JSON.parse(reply.text)).toEqual({ resourceId: 'clm_first', body: { lines: [] } });
  });

  test('the committing transaction repeated after a crash does nothing twice', async () => {
    const write = request({ operation: 'adjudicateClaim' });
    const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
    const reply = await carryOut(
      sql,
      write,
      errand(async (command) => {
        await commitCommand(sql, command.id, effect);
        await commitCommand(sql, command.id, effect);
      }),
    );
    expect(effect).toHaveBeenCalledTimes(1);
    expect(reply).toEqual({ status: 200, text: '{"done":true}', replayed: false });
    const replay = await carryOut(
      sql,
      write,
      errand(() => Promise.reject(new Error('not sent again'))),
    );
    expect(replay).toEqual({ status: 200, text: '{"done":true}', replayed: true });
  });

  test('a decision is committed before its answer; once that is given, it is not made again', async () => {
    const write = request({ operation: 'createRemittance' });
    const decide = jest.fn(async () => 'decided');
    let repeated: string | null = '';
    const reply = await carryOut(
      sql,
      write,
      errand(async ({ id }) => {
        expect(await decideCommand(sql, id, decide)).toBe('decided');
        await commitCommand(sql, id, async () => ({ status: 201, body: {} }));
        repeated = await decideCommand(sql, id, decide);
      }),
    );
    expect(reply.status).toBe(201);
    expect(repeated).toBeNull();
    expect(decide).toHaveBeenCalledTimes(1);
  });

  test('a refusal in the committing transaction undoes its work and forgets the command', async () => {
    const write = request({ operation: 'createClaim' });
    const ids: string[] = [];
    const refused = carryOut(
      sql,
      write,
      errand(async (command) => {
        ids.push(command.id);
        await commitCommand(sql, command.id, async (tx) => {
          await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_undone', 'p', 'r', 't', '{}')`;
          throw new Refusal('duplicate_claim_reference', '/provider_claim_reference was used before');
        });
      }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'duplicate_claim_reference' });
    expect(await sql`select 1 from outbox where event_id = 'evt_undone'`).toHaveLength(0);
    const reply = await carryOut(
      sql,
      { ...write, requestHash: Buffer.from('corrected') },
      errand(async (command) => {
        ids.push(command.id);
        await commitCommand(sql, command.id, async () => ({ status: 201, body: {} }));
      }),
    );
    expect(reply.status).toBe(201);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('a command whose twin was refused is decided anew', async () => {
    const write = request({ operation: 'cancelClaim' });
    let tries = 0;
    const reply = await carryOut(
      sql,
      write,
      errand(async (command) => {
        tries += 1;
        if (tries === 1) await dropCommand(sql, command.id);
        await commitCommand(sql, command.id, async () => ({ status: 200, body: {} }));
      }),
    );
    expect(tries).toBe(2);
    expect(reply.status).toBe(200);
  });

  describe('after a restore the engine remembers what the row does not know', () => {
    const future: Record<string, () => unknown> = {
      'an answer': () => undefined,
      'a refusal': () => Promise.reject(new Refusal('invalid_state', 'It was cancelled then.')),
      'a command that was gone': () => Promise.reject(new CommandGone('gone then')),
    };
    test.each(Object.keys(future))(
      '%s: the command is sent under another id, and has its effect',
      async (what) => {
        const write = request({ operation: 'cancelClaim' });
        const ids: string[] = [];
        const reply = await carryOut(
          sql,
          write,
          errand(async ({ id, updateId }) => {
            ids.push(updateId);
            if (ids.length === 1) await future[what]?.();
            else await commitCommand(sql, id, async () => ({ status: 200, body: { done: true } }));
          }),
        );
        expect(reply.text).toBe('{"done":true}');
        expect(new Set(ids).size).toBe(2);
      },
    );
  });

  test('a crash before the check has passed leaves the key free for a corrected body', async () => {
    const write = request({ operation: 'cancelClaim' });
    const send = jest.fn();
    const died = carryOut(sql, write, {
      ...errand(send),
      precheck: () => Promise.reject(new Error('the connection is gone')),
    });
    await expect(died).rejects.toThrow('the connection is gone');
    expect(send).not.toHaveBeenCalled();
    const reply = await carryOut(
      sql,
      { ...write, requestHash: Buffer.from('corrected') },
      {
        ...errand(({ id }) => commitCommand(sql, id, async () => ({ status: 200, body: {} }))),
        precheck: async () => undefined,
      },
    );
    expect(reply).toMatchObject({ status: 200, replayed: false });
  });

  test('a replay and a conflict are told before what the check refuses', async () => {
    const write = request({ operation: 'cancelClaim' });
    const answering = errand(({ id }) => commitCommand(sql, id, async () => ({ status: 200, body: {} })));
    await carryOut(sql, write, answering);
    const precheck = () => Promise.reject(new Refusal('resource_not_found', 'There is no such resource.'));
    expect(await carryOut(sql, write, { ...answering, precheck })).toMatchObject({ replayed: true });
    const other = { ...write, requestHash: Buffer.from('another') };
    await expect(carryOut(sql, other, { ...answering, precheck })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test('a body that waits already and is refused by now is judged by its commit, which frees the key', async () => {
    const write = request({ operation: 'cancelClaim' });
    const away = errand(() => Promise.reject(unavailable('The workflow engine')));
    await expect(carryOut(sql, write, away)).rejects.toMatchObject({ code: 'service_unavailable' });
    const tooLate = new Refusal('validation_failed', '/due_at must be in the future');
    const precheck = () => Promise.reject(tooLate);
    // Told no, its caller could send another body, and the one that waits could still have its effect.
    await expect(carryOut(sql, write, { ...away, precheck })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    const judging = errand(({ id }) => commitCommand(sql, id, () => Promise.reject(tooLate)));
    await expect(carryOut(sql, write, { ...judging, precheck })).rejects.toBe(tooLate);
    const corrected = { ...write, requestHash: Buffer.from('corrected') };
    const answering = errand(({ id }) => commitCommand(sql, id, async () => ({ status: 200, body: {} })));
    expect(await carryOut(sql, corrected, answering)).toMatchObject({ status: 200, replayed: false });
  });

  test('a command that waits is not joined by who may not see its resource', async () => {
    const write = request({ operation: 'cancelClaim' });
    const away = errand(() => Promise.reject(unavailable('The workflow engine')));
    await expect(carryOut(sql, write, away)).rejects.toMatchObject({ code: 'service_unavailable' });
    const send = jest.fn();
    const precheck = () => Promise.reject(new Refusal('resource_not_found', 'There is no such resource.'));
    await expect(carryOut(sql, write, { ...errand(send), precheck })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(send).not.toHaveBeenCalled();
  });

  test('twenty racing requests under one key with a check have one effect and one answer', async () => {
    const write = request({ operation: 'cancelClaim' });
    const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        carryOut(sql, write, {
          ...errand(({ id }) => commitCommand(sql, id, effect)),
          precheck: async () => undefined,
        }),
      ),
    );
    expect(effect).toHaveBeenCalledTimes(1);
    expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['{"done":true}']));
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  test('what is refused before the workflow is troubled leaves no command', async () => {
    const write = request({ operation: 'cancelClaim' });
    const send = jest.fn();
    const precheck = () => Promise.reject(new Refusal('resource_not_found', 'There is no such resource.'));
    await expect(carryOut(sql, write, { ...errand(send), precheck })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect(send).not.toHaveBeenCalled();
    expect(
      await sql`select 1 from commands where idempotency_key = ${String(write.idempotencyKey)}`,
    ).toHaveLength(0);
  });
});
