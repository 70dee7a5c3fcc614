import { createHash } from 'node:crypto';
import { newId } from '@carecover/domain';
import { connectStream, type EventStream, ensureStream, STREAM } from '@carecover/events';
import { GatewayFixture } from '@carecover/gateway/testing';
import { startTestNats, type TestNats } from '@carecover/testing/servers';
import { runCommand } from './testing/run-command';

let fixture: GatewayFixture;
let nats: TestNats;
let stream: EventStream;

beforeAll(async () => {
  nats = await startTestNats();
  fixture = await GatewayFixture.start(['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks']);
  stream = await connectStream(nats.access('operator'), 'test');
  await ensureStream(stream);
});
afterAll(async () => {
  await stream?.close();
  await fixture?.stop();
  await nats?.stop();
});

const run = (...args: string[]) =>
  runCommand(args, {
    CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl,
    CARECOVER_OPERATOR: 'amina',
    NATS_URL: nats.url,
    NATS_PASSWORD: nats.access('operator').password,
  });

async function deadLetterEvent(): Promise<string> {
  const id = newId('evt_');
  await fixture.sql`
    insert into claims.outbox (event_id, project_id, resource_id, type, payload, dead_lettered_at, dead_letter_reason)
    values (${id}, 'prj_1', 'clm_1', 'claim.submitted', ${JSON.stringify({ id })}, platform.now(), 'too large')`;
  return id;
}

async function deadLetterMessage(data: string): Promise<string> {
  const digest = createHash('sha256').update(data).digest('hex');
  await fixture.sql`
    insert into webhooks.dead_lettered_messages (digest, subject, stream_seq, data, reason)
    values (decode(${digest}, 'hex'), 'carecover.events.claims.claim.new', 7, ${Buffer.from(data)}, 'type is not in the catalogue')`;
  return digest;
}

const listed = async () =>
  JSON.parse((await run('dead-letters', 'list', '--json')).output) as { id: string }[];
const lastEntry = async () => JSON.parse((await run('audit', 'list', '--limit', '1', '--json')).output)[0];

test('dead letters of outboxes and of the webhooks service are listed with their reasons, and their content is printed', async () => {
  const event = await deadLetterEvent();
  const message = await deadLetterMessage('{"listed":true}');
  expect(await listed()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: event, service: 'claims', what: 'claim.submitted', reason: 'too large' }),
      expect.objectContaining({ id: message, service: 'webhooks', bytes: 15 }),
    ]),
  );
  expect((await run('dead-letters', 'show', event)).output).toBe(`${JSON.stringify({ id: event })}\n`);
  expect((await run('dead-letters', 'show', message, '--json')).output).toBe(
    `${JSON.stringify({ data: '{"listed":true}' })}\n`,
  );
});

test('an event returns to its outbox and a message to the stream; both changes are logged', async () => {
  const event = await deadLetterEvent();
  expect(await run('dead-letters', 'republish', event)).toMatchObject({ code: 0 });
  expect(await lastEntry()).toMatchObject({
    actor: 'amina',
    action: 'dead_letter.republish',
    subject: event,
  });
  const [row] =
    await fixture.sql`select dead_lettered_at, dead_letter_reason from claims.outbox where event_id = ${event}`;
  expect(row).toEqual({ dead_lettered_at: null, dead_letter_reason: null });

  const message = await deadLetterMessage('{"again":true}');
  expect(await run('dead-letters', 'republish', message)).toMatchObject({ code: 0 });
  expect(await lastEntry()).toMatchObject({
    action: 'dead_letter.republish',
    subject: message,
    details: { service: 'webhooks', reason: 'type is not in the catalogue' },
  });
  const kept = await stream.js.streams.get(STREAM);
  const published = await kept.getMessage({ last_by_subj: 'carecover.events.claims.claim.new' });
  expect([published?.subject, published?.string()]).toEqual([
    'carecover.events.claims.claim.new',
    '{"again":true}',
  ]);
  const ids = (await listed()).map(({ id }) => id);
  expect(ids).not.toContain(event);
  expect(ids).not.toContain(message);
});

test('a discarded dead letter is deleted, and the log describes it', async () => {
  for (const id of [await deadLetterEvent(), await deadLetterMessage('{"gone":true}')]) {
    expect(await run('dead-letters', 'discard', id)).toMatchObject({ code: 0 });
    expect(await lastEntry()).toMatchObject({ action: 'dead_letter.discard', subject: id });
    expect((await listed()).map((entry) => entry.id)).not.toContain(id);
  }
});

test('an ID without a dead letter is rejected and not logged', async () => {
  const before = await lastEntry();
  const waiting = newId('evt_');
  await fixture.sql`
    insert into claims.outbox (event_id, project_id, resource_id, type, payload)
    values (${waiting}, 'prj_1', 'clm_1', 'claim.submitted', '{}')`;
  for (const id of [waiting, 'evt_unknown', 'f'.repeat(64), 'what']) {
    for (const action of ['show', 'republish', 'discard']) {
      expect(await run('dead-letters', action, id)).toMatchObject({
        code: 1,
        errors: `carecover: There is no dead letter ${id}.\n`,
      });
    }
  }
  expect(await lastEntry()).toEqual(before);
});
