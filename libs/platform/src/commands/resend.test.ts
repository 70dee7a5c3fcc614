import { ApiError, unavailable } from '../api-error';
import { createLog } from '../log';
import { resendStaleCommands } from './resend';
import { dropCommand } from './row';
import { useSql } from './testing';

const database = useSql();

/** Commands whose sender went a minute ago, each a millisecond later than the one before it. */
async function abandon(ids: readonly string[]): Promise<void> {
  await database.sql`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, created_at)
    select id, 'prj_1', 'cancelClaim', id, '', 'clm_1', '{}',
           platform.now() - interval '1 minute' + ordinality * interval '1 millisecond'
    from unnest(${[...ids]}::text[]) with ordinality as abandoned (id, ordinality)`;
}

test('commands that nobody can answer keep no other from its turn, and come again', async () => {
  const stuck = Array.from({ length: 250 }, (_, index) => `cmd_stuck_${index}`);
  await abandon([...stuck, 'cmd_fine']);
  const sent: string[] = [];
  const sweep = resendStaleCommands(database.sql, 15, createLog('test', 'silent'), async ({ id }) => {
    sent.push(id);
    if (id !== 'cmd_fine') throw unavailable('The workflow engine');
    await dropCommand(database.sql, id);
  });
  for (let round = 0; round < 3; round++) await sweep();
  expect(sent).toEqual([...stuck, 'cmd_fine']);
  for (let round = 0; round < 3; round++) await sweep();
  expect(sent.slice(251)).toEqual(stuck);
});

test('a command of which the engine remembers an outcome that its row does not know is sent under another id', async () => {
  await abandon(['cmd_refused_then', 'cmd_answered_then']);
  const sent: string[] = [];
  const sweep = resendStaleCommands(
    database.sql,
    15,
    createLog('test', 'silent'),
    async ({ id }, updateId) => {
      if (!id.endsWith('_then')) return;
      sent.push(updateId);
      if (updateId !== id) await dropCommand(database.sql, id);
      else if (id === 'cmd_refused_then') throw new ApiError('invalid_state', 'It was cancelled then.');
    },
  );
  for (let round = 0; round < 4; round++) await sweep();
  expect(sent.sort()).toEqual([
    'cmd_answered_then',
    'cmd_answered_then:2',
    'cmd_refused_then',
    'cmd_refused_then:2',
  ]);
});
