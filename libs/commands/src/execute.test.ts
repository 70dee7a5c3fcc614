import { ApiError, unavailable } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { caller, commandWithSteps, newWrite, useSql } from '@carecover/testing/services';
import { commitCommand } from './deciding';
import { executeCommand, finishCommand } from './execute';
import { finishInterrupted, interruptedCommandsOf, signalInterrupted } from './interrupted';
import { afterPendingSteps, PendingStepOfOther } from './pending-steps';
import { listRejectedCommands } from './rejected';
import { dropCommand, findCommand, MAX_ATTEMPTS, StartAgain } from './row';

const database = useSql();

test('a retry of an interrupted command joins it: same command, same resource, one response', async () => {
  const write = newWrite({ operation: 'createClaim' });
  const seen: { id: string; resourceId: string }[] = [];
  const interrupted = executeCommand(database.sql, write, {
    ...commandWithSteps(async (command) => void seen.push(command)),
    resourceId: 'clm_first',
  });
  await expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
  const sent = await executeCommand(database.sql, write, {
    ...commandWithSteps(async (command) => {
      seen.push(command);
      await commitCommand(database.sql, caller.tenant, command.id, async (_tx, { resourceId, body }) => ({
        status: 201,
        body: { resourceId, body },
      }));
    }),
    resourceId: 'clm_second',
  });
  expect(new Set(seen.map((command) => command.id)).size).toBe(1);
  expect(JSON.parse(sent.text)).toEqual({ resourceId: 'clm_first', body: { lines: [] } });
});

test('a command is decided again if a concurrent one with its key was rejected', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  let tries = 0;
  const sent = await executeCommand(
    database.sql,
    write,
    commandWithSteps(async (command) => {
      tries += 1;
      if (tries === 1) await dropCommand(database.sql, caller.tenant, command.id, null);
      await commitCommand(database.sql, caller.tenant, command.id, async () => ({ status: 200, body: {} }));
    }),
  );
  expect(tries).toBe(2);
  expect(sent.status).toBe(200);
});

test('a request whose command is deleted in every attempt ends after the maximum number of attempts', async () => {
  const send = jest.fn(async ({ id }: { readonly id: string }) => {
    await dropCommand(database.sql, caller.tenant, id, null);
    throw new StartAgain('rejected');
  });
  const sent = executeCommand(database.sql, newWrite({ operation: 'cancelClaim' }), commandWithSteps(send));
  await expect(sent).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(send).toHaveBeenCalledTimes(MAX_ATTEMPTS);
});

test('an attempt that is rejected after another attempt has executed the command returns the stored response', async () => {
  const sent = await executeCommand(
    database.sql,
    newWrite({ operation: 'cancelClaim' }),
    commandWithSteps(async ({ id }) => {
      await commitCommand(database.sql, caller.tenant, id, async () => ({
        status: 200,
        body: { done: true },
      }));
      throw new ApiError('invalid_state', 'It is cancelled.');
    }),
  );
  expect(sent.text).toBe('{"done":true}');
});

test('after a crash before the end of the precheck, the key can be used with a corrected body', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const send = jest.fn();
  const crashed = executeCommand(database.sql, write, {
    ...commandWithSteps(send),
    precheck: () => Promise.reject(new Error('the connection is gone')),
  });
  await expect(crashed).rejects.toThrow('the connection is gone');
  expect(send).not.toHaveBeenCalled();
  const sent = await executeCommand(
    database.sql,
    { ...write, requestHash: Buffer.from('corrected') },
    {
      ...commandWithSteps(({ id }) =>
        commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
      ),
      precheck: async () => undefined,
    },
  );
  expect(sent).toMatchObject({ status: 200, replayed: false });
});

test('a replay and a conflict have priority over a rejection by the precheck', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const answering = commandWithSteps(({ id }) =>
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
  const unreachable = commandWithSteps(() => Promise.reject(new Error('the connection is lost')));
  await expect(executeCommand(database.sql, write, unreachable)).rejects.toThrow('the connection is lost');
  const tooLate = new ApiError('validation_failed', '/due_at must be in the future');
  const precheck = () => Promise.reject(tooLate);
  // The precheck fails, but a command with this key is pending. If this call failed with the precheck's error, the client could send a
  // corrected body while the pending command can still take effect.
  await expect(executeCommand(database.sql, write, { ...unreachable, precheck })).rejects.toThrow(
    'the connection is lost',
  );
  const rejecting = commandWithSteps(({ id }) =>
    commitCommand(database.sql, caller.tenant, id, () => Promise.reject(tooLate)),
  );
  await expect(executeCommand(database.sql, write, { ...rejecting, precheck })).rejects.toBe(tooLate);
  const corrected = { ...write, requestHash: Buffer.from('corrected') };
  const answering = commandWithSteps(({ id }) =>
    commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
  );
  expect(await executeCommand(database.sql, corrected, answering)).toMatchObject({
    status: 200,
    replayed: false,
  });
});

test('a caller that can not read the resource does not join its pending command', async () => {
  const write = newWrite({ operation: 'cancelClaim' });
  const unreachable = commandWithSteps(() => Promise.reject(new Error('the connection is lost')));
  await expect(executeCommand(database.sql, write, unreachable)).rejects.toThrow('the connection is lost');
  const send = jest.fn();
  const precheck = () => Promise.reject(new ApiError('resource_not_found', 'The resource does not exist.'));
  await expect(
    executeCommand(database.sql, write, { ...commandWithSteps(send), precheck }),
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
        ...commandWithSteps(({ id }) => commitCommand(database.sql, caller.tenant, id, effect)),
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
    executeCommand(database.sql, write, { ...commandWithSteps(send), precheck }),
  ).rejects.toMatchObject({
    code: 'resource_not_found',
  });
  expect(send).not.toHaveBeenCalled();
  expect(await findCommand(database.sql, write, String(write.idempotencyKey))).toBeUndefined();
});

test('a step is repeated while another service is unavailable, and the request gets the response', async () => {
  let attempts = 0;
  const sent = await executeCommand(
    database.sql,
    newWrite({ operation: 'adjudicateClaim' }),
    commandWithSteps(async ({ id }) => {
      attempts += 1;
      if (attempts < 3) throw unavailable('The payments service');
      await commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} }));
    }),
  );
  expect(sent).toMatchObject({ status: 200, replayed: false });
  expect(attempts).toBe(3);
});

test('two executors of one command have one effect, and both requests get its response', async () => {
  const write = newWrite({ operation: 'adjudicateClaim' });
  const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
  let waiting = 0;
  let release: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const steps = commandWithSteps(async ({ id }) => {
    waiting += 1;
    if (waiting === 2) release();
    await both;
    await commitCommand(database.sql, caller.tenant, id, effect);
  });
  const replies = await Promise.all([1, 2].map(() => executeCommand(database.sql, write, steps)));
  expect(effect).toHaveBeenCalledTimes(1);
  expect(replies.map(({ text }) => text)).toEqual(['{"done":true}', '{"done":true}']);
});

/** Interrupts a command after its row was inserted, and ends its lease. Returns the command's ID. */
async function interrupt(sql: Sql, resourceId: string, workflowId?: string): Promise<string> {
  let commandId = '';
  const lost = executeCommand(sql, newWrite({ operation: 'adjudicateClaim' }), {
    ...commandWithSteps(async ({ id }) => {
      commandId = id;
      throw new Error('the process ends');
    }),
    resourceId,
    ...(workflowId === undefined ? {} : { workflowId }),
  });
  await expect(lost).rejects.toThrow('the process ends');
  await sql`update pending_commands set leased_until = clock_timestamp() - interval '1 second' where id = ${commandId}`;
  return commandId;
}

describe('an interrupted command', () => {
  test('is read by its workflow only after its lease', async () => {
    const { sql } = database;
    const lost = executeCommand(sql, newWrite({ operation: 'adjudicateClaim' }), {
      ...commandWithSteps(() => Promise.reject(new Error('the process ends'))),
      resourceId: 'clm_leased',
    });
    await expect(lost).rejects.toThrow('the process ends');
    expect(await interruptedCommandsOf(sql, caller.tenant, 'clm_leased')).toEqual([]);
    const commandId = await interrupt(sql, 'clm_lost', 'clm_of_workflow');
    expect(await interruptedCommandsOf(sql, caller.tenant, 'clm_lost')).toEqual([]);
    expect(await interruptedCommandsOf(sql, caller.tenant, 'clm_of_workflow')).toEqual([
      { commandId, operation: 'adjudicateClaim' },
    ]);
  });

  test('is finished by the same function, once, and a repetition of the request gets its response', async () => {
    const { sql } = database;
    const commandId = await interrupt(sql, 'clm_finished');
    const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
    const executors = {
      adjudicateClaim: ({ id }: { readonly id: string }) => commitCommand(sql, caller.tenant, id, effect),
    };
    expect(await finishCommand(sql, executors, caller.tenant, commandId)).toEqual({ outcome: 'executed' });
    expect(await finishCommand(sql, executors, caller.tenant, commandId)).toEqual({ outcome: 'executed' });
    expect(effect).toHaveBeenCalledTimes(1);
  });

  test('that is rejected leaves no command, but a row for operators without its input', async () => {
    const { sql } = database;
    const commandId = await interrupt(sql, 'clm_rejected');
    const executors = {
      adjudicateClaim: ({ id }: { readonly id: string }) =>
        commitCommand(sql, caller.tenant, id, () =>
          Promise.reject(new ApiError('invalid_state', 'The claim is denied.')),
        ),
    };
    expect(await finishCommand(sql, executors, caller.tenant, commandId)).toEqual({
      outcome: 'rejected',
      code: 'invalid_state',
      message: 'The claim is denied.',
    });
    expect(await finishCommand(sql, executors, caller.tenant, commandId)).toEqual({ outcome: 'deleted' });
    expect(await listRejectedCommands(sql, caller.tenant, ['clm_rejected'])).toEqual([
      {
        resource_id: 'clm_rejected',
        operation: 'adjudicateClaim',
        actor: caller.authority,
        request_id: caller.requestId,
        code: 'invalid_state',
        message: 'The claim is denied.',
        rejected_at: expect.any(String),
      },
    ]);
  });

  test('is signalled once to its workflow, however many passes of the sweep run', async () => {
    const { sql } = database;
    await interrupt(sql, 'clm_signalled');
    const pass = signalInterrupted(sql, () => undefined);
    await Promise.all([pass(), pass()]);
    await pass();
    const rows = await sql<{ changes: unknown[] }[]>`
      select changes from workflow_signals where resource_id = 'clm_signalled'`;
    expect(rows.map(({ changes }) => changes)).toEqual([
      [
        {
          what: 'adjudicateClaim interrupted',
          at: expect.any(String),
          actor: caller.authority,
          requestId: caller.requestId,
        },
      ],
    ]);
  });

  test('is left out while a transaction decides it, and that transaction waits for no sweep', async () => {
    const { sql } = database;
    const commandId = await interrupt(sql, 'clm_deciding');
    const pass = signalInterrupted(sql, () => undefined);
    await commitCommand(sql, caller.tenant, commandId, async () => {
      await pass();
      expect(await sql`select 1 from workflow_signals where resource_id = 'clm_deciding'`).toEqual([]);
      return { status: 200, body: {} };
    });
  });

  test('stays interrupted while its workflow tries it, and is not signalled again', async () => {
    const { sql } = database;
    const commandId = await interrupt(sql, 'clm_tried');
    const away = { adjudicateClaim: () => Promise.reject(unavailable('The payments service')) };
    await expect(finishCommand(sql, away, caller.tenant, commandId)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await signalInterrupted(sql, () => undefined)();
    expect(await sql`select 1 from workflow_signals where resource_id = 'clm_tried'`).toEqual([]);
    expect(await interruptedCommandsOf(sql, caller.tenant, 'clm_tried')).toHaveLength(1);
    await sql`
      update pending_commands set attempted_at = clock_timestamp() - interval '10 minutes' where id = ${commandId}`;
    await signalInterrupted(sql, () => undefined)();
    // The first signal has named the interruption. This one only makes sure that a workflow runs.
    expect(await sql`select changes from workflow_signals where resource_id = 'clm_tried'`).toEqual([
      { changes: [] },
    ]);
  });

  test('of a service without workflows is finished by a sweep, and one that fails does not prevent the others', async () => {
    const { sql } = database;
    await sql`delete from pending_commands`;
    const [poisoned, other] = [await interrupt(sql, 'clm_poisoned'), await interrupt(sql, 'clm_other')];
    const pass = finishInterrupted(sql, {
      adjudicateClaim: ({ id }) =>
        id === poisoned
          ? Promise.reject(new Error('always'))
          : commitCommand(sql, caller.tenant, id, async () => ({ status: 200, body: {} })),
    });
    await expect(pass()).rejects.toThrow('always');
    const pending = await sql<{ id: string }[]>`select id from pending_commands`;
    expect(pending.map(({ id }) => id)).toEqual([poisoned]);
    expect(pending).not.toContainEqual({ id: other });
  });
});

test('a command that finds the pending step of another one finishes that one first, and then succeeds', async () => {
  const { sql } = database;
  const first = await interrupt(sql, 'clm_ordered');
  const order: string[] = [];
  const executors = {
    adjudicateClaim: async ({ id }: { readonly id: string }) => {
      order.push('first');
      return commitCommand(sql, caller.tenant, id, async () => ({ status: 200, body: {} }));
    },
  };
  let isPending = true;
  const second = await afterPendingSteps(sql, executors, caller.tenant, async () => {
    if (isPending) {
      isPending = false;
      throw new PendingStepOfOther(first);
    }
    order.push('second');
    return 'decided';
  });
  expect(second).toBe('decided');
  expect(order).toEqual(['first', 'second']);
});

test('a command in progress is awaited for a moment before it is executed a second time', async () => {
  const { sql } = database;
  const first = await interrupt(sql, 'clm_in_progress');
  const second = jest.fn(async () => null);
  let isPending = true;
  const decided = afterPendingSteps(sql, { adjudicateClaim: second }, caller.tenant, async () => {
    if (isPending) throw new PendingStepOfOther(first);
    return 'decided';
  });
  await commitCommand(sql, caller.tenant, first, async () => ({ status: 200, body: {} }));
  isPending = false;
  expect(await decided).toBe('decided');
  expect(second).not.toHaveBeenCalled();
});

test('a command that finds a pending step which can not be finished ends by the given time', async () => {
  const { sql } = database;
  const first = await interrupt(sql, 'clm_poisoned_step');
  const away = { adjudicateClaim: () => Promise.reject(unavailable('The payments service')) };
  const found = () => Promise.reject(new PendingStepOfOther(first));
  const startMs = performance.now();
  const outcomes = await Promise.allSettled(
    [Date.now() + 600, undefined].map((untilMs) =>
      afterPendingSteps(sql, away, caller.tenant, found, untilMs),
    ),
  );
  const unavailableNow = {
    status: 'rejected',
    reason: expect.objectContaining({ code: 'service_unavailable' }),
  };
  expect(outcomes).toEqual([unavailableNow, unavailableNow]);
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test('a pending step that remains although its command has ended is an error, not an endless repetition', async () => {
  const { sql } = database;
  const gone = await interrupt(sql, 'clm_inconsistent');
  await dropCommand(sql, caller.tenant, gone, null);
  const found = () => Promise.reject(new PendingStepOfOther(gone));
  await expect(afterPendingSteps(sql, {}, caller.tenant, found)).rejects.toThrow(
    `the pending step of the command ${gone} remains after its end`,
  );
});
