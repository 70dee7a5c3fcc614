import { ApiError, unavailable } from '../api-error';
import { commitCommand } from './deciding';
import { executeCommand, MAX_ATTEMPTS } from './execute';
import { CommandGone, dropCommand, findCommand } from './row';
import { caller, newWrite, useSql, workflowCommand } from './testing';

const database = useSql();

test('a retry of an interrupted command joins it: same command, same resource, one response', async () => {
  const write = newWrite({ operation: 'createClaim' });
  const seen: { id: string; resourceId: string }[] = [];
  const interrupted = executeCommand(database.sql, write, {
    ...workflowCommand(async (command) => void seen.push(command)),
    resourceId: 'clm_first',
  });
  await expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
  const reply = await executeCommand(database.sql, write, {
    ...workflowCommand(async (command) => {
      seen.push(command);
      await commitCommand(database.sql, caller.tenant, command.id, async (_tx, { resourceId, body }) => ({
        status: 201,
        body: { resourceId, body },
      }));
    }),
    resourceId: 'clm_second',
  });
  expect(new Set(seen.map((command) => command.id)).size).toBe(1);
  expect(JSON.parse(reply.text)).toEqual({ resourceId: 'clm_first', body: { lines: [] } });
});

test('a command is decided again if a concurrent one with its key was rejected', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  let tries = 0;
  const reply = await executeCommand(
    database.sql,
    write,
    workflowCommand(async (command) => {
      tries += 1;
      if (tries === 1) await dropCommand(database.sql, caller.tenant, command.id);
      await commitCommand(database.sql, caller.tenant, command.id, async () => ({ status: 200, body: {} }));
    }),
  );
  expect(tries).toBe(2);
  expect(reply.status).toBe(200);
});

test('a command that replaces a rejected one is sent with its own first Update ID, whichever request sends it', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const updateIds: string[] = [];
  await executeCommand(
    database.sql,
    write,
    workflowCommand(async ({ id, updateId }) => {
      updateIds.push(updateId);
      if (updateIds.length === 1) {
        await dropCommand(database.sql, caller.tenant, id);
        throw new CommandGone('rejected');
      }
      expect(updateId).toBe(id);
      await commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} }));
    }),
  );
  expect(new Set(updateIds).size).toBe(2);
});

test('a request whose command is deleted in every attempt ends after the maximum number of attempts', async () => {
  const send = jest.fn(async ({ id }: { readonly id: string }) => {
    await dropCommand(database.sql, caller.tenant, id);
    throw new CommandGone('rejected');
  });
  const reply = executeCommand(database.sql, newWrite({ operation: 'cancelClaim' }), workflowCommand(send));
  await expect(reply).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(send).toHaveBeenCalledTimes(MAX_ATTEMPTS);
});

test('an attempt that is rejected after another attempt has executed the command returns the stored response', async () => {
  const reply = await executeCommand(
    database.sql,
    newWrite({ operation: 'cancelClaim' }),
    workflowCommand(async ({ id }) => {
      await commitCommand(database.sql, caller.tenant, id, async () => ({
        status: 200,
        body: { done: true },
      }));
      throw new ApiError('invalid_state', 'It is cancelled.');
    }),
  );
  expect(reply.text).toBe('{"done":true}');
});

test('a retry sends the Update that the row names', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const sent: (string | null)[] = [];
  const lost = workflowCommand(({ update }) => {
    sent.push(update);
    return Promise.reject(unavailable('Temporal'));
  });
  const retry = { ...lost, update: 'another' };
  for (const command of [lost, retry])
    await expect(executeCommand(database.sql, write, command)).rejects.toThrow();
  expect(sent).toEqual(['cancel', 'cancel']);
});

describe('after a restore Temporal has a result that the row does not have', () => {
  const future: Record<string, () => unknown> = {
    'an answer': () => undefined,
    'a rejection': () => Promise.reject(new ApiError('invalid_state', 'It was cancelled then.')),
    'a command that was gone': () => Promise.reject(new CommandGone('gone then')),
  };
  test.each(Object.keys(future))(
    '%s: the command is sent with another Update ID, and has its effect',
    async (what) => {
      const write = newWrite({ operation: 'cancelClaim' });
      const ids: string[] = [];
      const reply = await executeCommand(
        database.sql,
        write,
        workflowCommand(async ({ id, updateId }) => {
          ids.push(updateId);
          if (ids.length === 1) await future[what]?.();
          else
            await commitCommand(database.sql, caller.tenant, id, async () => ({
              status: 200,
              body: { done: true },
            }));
        }),
      );
      expect(reply.text).toBe('{"done":true}');
      expect(new Set(ids).size).toBe(2);
    },
  );
});

test('after a crash before the end of the precheck, the key can be used with a corrected body', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const send = jest.fn();
  const crashed = executeCommand(database.sql, write, {
    ...workflowCommand(send),
    precheck: () => Promise.reject(new Error('the connection is gone')),
  });
  await expect(crashed).rejects.toThrow('the connection is gone');
  expect(send).not.toHaveBeenCalled();
  const reply = await executeCommand(
    database.sql,
    { ...write, requestHash: Buffer.from('corrected') },
    {
      ...workflowCommand(({ id }) =>
        commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
      ),
      precheck: async () => undefined,
    },
  );
  expect(reply).toMatchObject({ status: 200, replayed: false });
});

test('a replay and a conflict have priority over a rejection by the precheck', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const answering = workflowCommand(({ id }) =>
    commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
  );
  await executeCommand(database.sql, write, answering);
  const precheck = () => Promise.reject(new ApiError('resource_not_found', 'The resource does not exist.'));
  expect(await executeCommand(database.sql, write, { ...answering, precheck })).toMatchObject({
    replayed: true,
  });
  const other = { ...write, requestHash: Buffer.from('another') };
  await expect(executeCommand(database.sql, other, { ...answering, precheck })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
});

test('a pending command whose body became invalid is rejected by its own transaction, which releases the key', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const unreachable = workflowCommand(() => Promise.reject(unavailable('Temporal')));
  await expect(executeCommand(database.sql, write, unreachable)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  const tooLate = new ApiError('validation_failed', '/due_at must be in the future');
  const precheck = () => Promise.reject(tooLate);
  // The precheck fails, but a command with this key is pending. If this call failed with the precheck's error, the client could send a
  // corrected body while the pending command can still take effect.
  await expect(executeCommand(database.sql, write, { ...unreachable, precheck })).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  const rejecting = workflowCommand(({ id }) =>
    commitCommand(database.sql, caller.tenant, id, () => Promise.reject(tooLate)),
  );
  await expect(executeCommand(database.sql, write, { ...rejecting, precheck })).rejects.toBe(tooLate);
  const corrected = { ...write, requestHash: Buffer.from('corrected') };
  const answering = workflowCommand(({ id }) =>
    commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
  );
  expect(await executeCommand(database.sql, corrected, answering)).toMatchObject({
    status: 200,
    replayed: false,
  });
});

test('a caller that can not read the resource does not join its pending command', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const unreachable = workflowCommand(() => Promise.reject(unavailable('Temporal')));
  await expect(executeCommand(database.sql, write, unreachable)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  const send = jest.fn();
  const precheck = () => Promise.reject(new ApiError('resource_not_found', 'The resource does not exist.'));
  await expect(
    executeCommand(database.sql, write, { ...workflowCommand(send), precheck }),
  ).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  expect(send).not.toHaveBeenCalled();
});

test('twenty concurrent requests with one key and a precheck have one effect and one response', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      executeCommand(database.sql, write, {
        ...workflowCommand(({ id }) => commitCommand(database.sql, caller.tenant, id, effect)),
        precheck: async () => undefined,
      }),
    ),
  );
  expect(effect).toHaveBeenCalledTimes(1);
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['{"done":true}']));
  expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test('a rejection by the precheck leaves no command', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const send = jest.fn();
  const precheck = () => Promise.reject(new ApiError('resource_not_found', 'The resource does not exist.'));
  await expect(
    executeCommand(database.sql, write, { ...workflowCommand(send), precheck }),
  ).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  expect(send).not.toHaveBeenCalled();
  expect(await findCommand(database.sql, write, String(write.idempotencyKey))).toBeUndefined();
});
