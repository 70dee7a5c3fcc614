import { ApiError, storedTenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import { caller, commandWithSteps, newWrite, useSql } from '@carecover/testing/services';
import { commitCommand, decideCommand, decideThenWrite } from './deciding';
import { executeCommand } from './execute';
import {
  dropCommand,
  findCommand,
  lockCommand,
  readCommand,
  replayOf,
  StartAgain,
  storeResponse,
} from './row';

const database = useSql();

test('the committing transaction has no second effect if it is repeated after a crash', async () => {
  const write = newWrite({ operation: 'adjudicateClaim' });
  const effect = jest.fn(async () => ({ status: 200, body: { done: true } }));
  const sent = await executeCommand(
    database.sql,
    write,
    commandWithSteps(async (command) => {
      await commitCommand(database.sql, caller.tenant, command.id, effect);
      await commitCommand(database.sql, caller.tenant, command.id, effect);
    }),
  );
  expect(effect).toHaveBeenCalledTimes(1);
  expect(sent).toEqual({ status: 200, text: '{"done":true}', replayed: false });
  const replay = await executeCommand(
    database.sql,
    write,
    commandWithSteps(() => Promise.reject(new Error('not sent again'))),
  );
  expect(replay).toEqual({ status: 200, text: '{"done":true}', replayed: true });
});

test('a decision is committed before the response, and not repeated after it', async () => {
  const write = newWrite({ operation: 'createRemittance' });
  const decide = jest.fn(async () => 'decided');
  let repeated: string | null = '';
  const sent = await executeCommand(
    database.sql,
    write,
    commandWithSteps(async ({ id }) => {
      expect(await decideCommand(database.sql, caller.tenant, id, decide)).toBe('decided');
      await commitCommand(database.sql, caller.tenant, id, async () => ({ status: 201, body: {} }));
      repeated = await decideCommand(database.sql, caller.tenant, id, decide);
    }),
  );
  expect(sent.status).toBe(201);
  expect(repeated).toBeNull();
  expect(decide).toHaveBeenCalledTimes(1);
});

test('a rejection in the committing transaction rolls back its changes and deletes the command', async () => {
  const write = newWrite({ operation: 'createClaim' });
  const ids: string[] = [];
  const rejected = executeCommand(
    database.sql,
    write,
    commandWithSteps(async (command) => {
      ids.push(command.id);
      await commitCommand(database.sql, caller.tenant, command.id, async (tx) => {
        await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_undone', 'p', 'r', 't', '{}')`;
        throw new ApiError('duplicate_claim_reference', '/provider_claim_reference was used before');
      });
    }),
  );
  await expect(rejected).rejects.toMatchObject({ code: 'duplicate_claim_reference' });
  expect(await database.sql`select 1 from outbox where event_id = 'evt_undone'`).toHaveLength(0);
  const sent = await executeCommand(
    database.sql,
    { ...write, requestHash: Buffer.from('corrected') },
    commandWithSteps(async (command) => {
      ids.push(command.id);
      await commitCommand(database.sql, caller.tenant, command.id, async () => ({ status: 201, body: {} }));
    }),
  );
  expect(sent.status).toBe(201);
  expect(ids[0]).not.toBe(ids[1]);
});

describe('a decision that is complete before its writes', () => {
  test('is rejected in the transaction that deletes the command, and nothing is written', async () => {
    const write = newWrite({ operation: 'adjudicateClaim' });
    const rejected = executeCommand(
      database.sql,
      write,
      commandWithSteps(async ({ id }) => {
        await decideThenWrite(database.sql, caller.tenant, id, () => {
          throw new ApiError('invalid_state', 'The claim is cancelled.');
        });
      }),
    );
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await findCommand(database.sql, write, String(write.idempotencyKey))).toBeUndefined();
  });

  test('is written once, and not repeated after the response', async () => {
    const write = newWrite({ operation: 'adjudicateClaim' });
    const results: (string | null)[] = [];
    await executeCommand(
      database.sql,
      write,
      commandWithSteps(async ({ id }) => {
        const decide = () =>
          decideThenWrite(
            database.sql,
            caller.tenant,
            id,
            (_tx, { resourceId }, fetched: string) =>
              async (tx) => {
                await storeResponse(tx, caller.tenant, id, { status: 200, body: { resourceId } });
                return fetched;
              },
            (tx) => tx`select 'fetched' as text`.withResult(([row]) => row?.text as string),
          );
        for (let run = 0; run < 2; run++) results.push(await decide());
      }),
    );
    expect(results).toEqual(['fetched', null]);
  });

  test('an error of its writes rolls all of them back and leaves the command pending', async () => {
    const write = newWrite({ operation: 'adjudicateClaim' });
    const lost = executeCommand(
      database.sql,
      write,
      commandWithSteps(async ({ id }) => {
        await decideThenWrite(database.sql, caller.tenant, id, () => async (tx) => {
          await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_lost', 'p', 'r', 't', '{}')`;
          throw new Error('the connection is lost');
        });
      }),
    );
    await expect(lost).rejects.toThrow('the connection is lost');
    expect(await database.sql`select 1 from outbox where event_id = 'evt_lost'`).toHaveLength(0);
    expect(await findCommand(database.sql, write, String(write.idempotencyKey))).toMatchObject({
      response_status: null,
    });
  });
});

test('statements sent with the lock see what its last holder committed, and take no further round trip', async () => {
  const write = newWrite({ operation: 'adjudicateClaim' });
  const count = (tx: Tx) =>
    tx`select from outbox where resource_id = ${'r_fetched'}`.withResult((rows) => rows.length);
  const seen: number[] = [];
  await executeCommand(
    database.sql,
    write,
    commandWithSteps(async ({ id }) => {
      const decide = () =>
        decideCommand(
          database.sql,
          caller.tenant,
          id,
          async (tx, _command, fetched: number) => {
            seen.push(fetched);
            await tx`
              insert into outbox (event_id, project_id, resource_id, type, payload)
              values (${`evt_fetched_${fetched}`}, 'p', 'r_fetched', 't', '{}')`;
          },
          count,
        );
      await Promise.all([decide(), decide(), decide()]);
      await commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body: {} }));
    }),
  );
  expect(seen).toEqual([0, 1, 2]);
});

test('a command of another project is neither read nor locked, answered or deleted', async () => {
  const other = storedTenant('prj_other');
  const response = { status: 200, body: { done: true } };
  const write = newWrite({ operation: 'adjudicateClaim' });
  await executeCommand(
    database.sql,
    write,
    commandWithSteps(async ({ id }) => {
      expect(await readCommand(database.sql, other, id)).toBeNull();
      const locked = database.sql.begin((tx) => lockCommand(tx, other, id));
      await expect(locked).rejects.toBeInstanceOf(StartAgain);
      await storeResponse(database.sql, other, id, { status: 200, body: { done: false } });
      await dropCommand(database.sql, other, id, null);
      expect(await readCommand(database.sql, caller.tenant, id)).toMatchObject({ answered: false });
      await commitCommand(database.sql, caller.tenant, id, async () => response);
    }),
  );
  const row = await findCommand(database.sql, write, write.idempotencyKey ?? '');
  expect(row && replayOf(row, 200)?.text).toBe(JSON.stringify(response.body));
});
