import { ApiError, unavailable } from '../api-error';
import { createLog } from '../log';
import { jsonb } from '../postgres';
import type { SentCommand } from './execute';
import { resendStaleCommands } from './resend';
import { dropCommand } from './row';
import { caller, useSql } from './testing';

const database = useSql();

/** Inserts commands that have been pending for a minute already. Each was created a millisecond after the previous one. */
async function abandon(ids: readonly string[]): Promise<void> {
  await database.sql`
    with command as (
      insert into commands (id, project_id, operation, key_digest, request_hash, resource_id)
      select id, ${caller.tenant}, 'cancelClaim', gen_random_uuid(), '', 'clm_1' from unnest(${[...ids]}::text[]) as abandoned (id))
    insert into pending_commands (id, update_name, caller, created_at)
    select id, 'cancel', ${jsonb(caller)}, platform.now() - interval '1 minute' + ordinality * interval '1 millisecond'
    from unnest(${[...ids]}::text[]) with ordinality as abandoned (id, ordinality)`;
}

test('commands that can not get a response do not block others, and are sent again', async () => {
  const stuck = Array.from({ length: 250 }, (_, index) => `cmd_stuck_${index}`);
  await abandon([...stuck, 'cmd_fine']);
  const sent: string[] = [];
  const sweep = resendStaleCommands(database.sql, 15, createLog('test', 'silent'), async ({ id }) => {
    sent.push(id);
    if (id !== 'cmd_fine') throw unavailable('Temporal');
    await dropCommand(database.sql, caller.tenant, id);
  });
  for (let round = 0; round < 3; round++) await sweep();
  expect(sent).toEqual([...stuck, 'cmd_fine']);
  for (let round = 0; round < 3; round++) await sweep();
  expect(sent.slice(251)).toEqual(stuck);
});

test('a command for which Temporal has a result that its row does not have is sent with another Update ID', async () => {
  await abandon(['cmd_rejected_then', 'cmd_answered_then']);
  const sent: string[] = [];
  const sweep = resendStaleCommands(
    database.sql,
    15,
    createLog('test', 'silent'),
    async ({ id, updateId }) => {
      if (!id.endsWith('_then')) return;
      sent.push(updateId);
      if (updateId !== id) await dropCommand(database.sql, caller.tenant, id);
      else if (id === 'cmd_rejected_then') throw new ApiError('invalid_state', 'It was cancelled then.');
    },
  );
  for (let round = 0; round < 4; round++) await sweep();
  expect(sent.sort()).toEqual([
    'cmd_answered_then',
    'cmd_answered_then:2',
    'cmd_rejected_then',
    'cmd_rejected_then:2',
  ]);
});

test('a command is sent with the Update and the resource of its row', async () => {
  await abandon(['cmd_of_row']);
  const sent: SentCommand[] = [];
  const sweep = resendStaleCommands(database.sql, 15, createLog('test', 'silent'), async (command) => {
    sent.push(command);
    await dropCommand(database.sql, caller.tenant, command.id);
  });
  for (let round = 0; round < 4; round++) await sweep();
  expect(sent.find(({ id }) => id === 'cmd_of_row')).toMatchObject({
    operation: 'cancelClaim',
    resourceId: 'clm_1',
    update: 'cancel',
    updateId: 'cmd_of_row',
  });
});
