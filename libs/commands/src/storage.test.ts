/**
 * Tests how commands are stored: the size of their rows, that updates of rows are heap-only updates, and that responses stay the same
 * byte for byte.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caller, commandWithSteps, newWrite, useSql } from '@carecover/testing/services';
import { commitCommand } from './deciding';
import { executeCommand } from './execute';
import { decodeResponse, encodeResponse } from './stored-response';
import { writeOnce } from './write-once';

const database = useSql();

interface Golden {
  readonly text: string;
  /** The stored form of `text`, in hexadecimal. */
  readonly stored: string;
}

const golden = (): Golden[] => JSON.parse(readFileSync(join(__dirname, 'stored-responses.json'), 'utf8'));

test('responses that earlier releases stored are returned byte for byte', () => {
  const responses = golden();
  expect(responses.length).toBeGreaterThan(3);
  for (const { text, stored } of responses) expect(decodeResponse(Buffer.from(stored, 'hex'))).toBe(text);
});

test('a response is stored in half its length or less, and any text is returned byte for byte', () => {
  for (const { text } of golden()) expect(encodeResponse(text).length).toBeLessThan(text.length / 2);
  const texts = ['', '{}', '"\u2028 é 漢字 \u{1f600}"', ' '.repeat(100_000), 'x'.repeat(300_000)];
  for (const text of texts) expect(decodeResponse(encodeResponse(text))).toBe(text);
});

test('a response of an unknown dictionary is an error', () => {
  const stored = encodeResponse('{}');
  stored[0] = 255;
  expect(() => decodeResponse(stored)).toThrow('dictionary 255');
});

const body = { id: 'clm_1', object: 'claim', status: 'submitted', amount: { currency: 'KES', billed: 1 } };

function write(n: number): Promise<unknown> {
  const request = newWrite({ operation: n % 2 === 0 ? 'createBooking' : 'cancelClaim' });
  if (n % 2 === 0)
    return writeOnce(database.sql, request, 200, async () => ({ status: 201, body, resourceId: 'bkg_1' }));
  return executeCommand(database.sql, request, {
    ...commandWithSteps(({ id }) =>
      commitCommand(database.sql, caller.tenant, id, async () => ({ status: 200, body })),
    ),
    body: { text: 'x'.repeat(1_000) },
  });
}

test('nine of ten updates of command rows are heap-only: answering writes no index', async () => {
  const counts = async () => {
    const [row] = await database.sql<{ updated: number; heap_only: number }[]>`
      select n_tup_upd as updated, n_tup_hot_upd as heap_only from pg_stat_user_tables where relname = 'commands'`;
    if (row === undefined) throw new Error('there is no table of commands');
    return row;
  };
  const before = await counts();
  const updatesSince = async () => {
    const { updated, heap_only } = await counts();
    return { updated: updated - before.updated, heapOnly: heap_only - before.heap_only };
  };
  let next = 0;
  const writer = async () => {
    while (next < 600) await write(next++);
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  // PostgreSQL updates its statistics of changed rows with a delay, so the test waits until they include all updates.
  while ((await updatesSince()).updated < 600) await new Promise((resolve) => setTimeout(resolve, 100));
  const { updated, heapOnly } = await updatesSince();
  expect(heapOnly / updated).toBeGreaterThan(0.9);
});

test('what only a pending command needs is deleted with its response', async () => {
  await write(1);
  expect(await database.sql`select 1 from pending_commands`).toHaveLength(0);
  const [row] = await database.sql`select * from commands order by id desc limit 1`;
  expect(Object.keys(row ?? {})).toEqual([
    'id',
    'project_id',
    'operation',
    'key_digest',
    'request_hash',
    'resource_id',
    'response_status',
    'response',
  ]);
});
