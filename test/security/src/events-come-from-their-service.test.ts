/**
 * Guarantee: a process on the inner network can't forge, read or destroy events. NATS knows each service; a service publishes its
 * own event types, the webhooks service alone consumes, and the operator alone may purge or delete the stream.
 */
import { randomBytes } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startTestNats, type TestNats } from '@carecover/local/testing';
import {
  connectStream,
  type EventStream,
  ensureStream,
  type NatsAccess,
  STREAM,
  STREAM_SETTINGS,
  streamManager,
  streamPosition,
} from '@carecover/platform';
import { connect, type NatsConnection } from '@nats-io/transport-node';

const OWN_SUBJECT = {
  benefits: 'carecover.events.benefits.preauthorization.approved',
  claims: 'carecover.events.claims.claim.settled',
  payments: 'carecover.events.payments.remittance.reconciled',
} as const;
const publishers = Object.keys(OWN_SUBJECT) as (keyof typeof OWN_SUBJECT)[];
const users = [...publishers, 'webhooks'] as const;
const JS = '$JS.API';

let nats: TestNats;
const open: EventStream[] = [];

/** A connection of its own, closed after the test. */
async function as(user: Parameters<TestNats['access']>[0]): Promise<EventStream> {
  const stream = await connectStream(nats.access(user), 'attack');
  open.push(stream);
  return stream;
}

beforeAll(async () => {
  nats = await startTestNats();
  const stream = await connectStream(nats.access('webhooks'), 'set-up');
  await ensureStream(stream);
  await (await streamManager(stream)).consumers.add(STREAM, {
    durable_name: 'webhooks',
    ack_policy: 'explicit',
  });
  await stream.close();
  const claims = await connectStream(nats.access('claims'), 'set-up');
  await claims.js.publish(OWN_SUBJECT.claims, '{}');
  await claims.close();
});
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close();
});
afterAll(() => nats?.stop());

async function position(): Promise<{ messages: number; last_seq: number; created: string }> {
  const { state, created } = await (await streamManager(await as('operator'))).streams.info(STREAM);
  return { messages: state.messages, last_seq: state.last_seq, created };
}

/** What NATS answers to a request; a rejected one is an error that names the subject. */
const request = ({ connection }: EventStream, subject: string, body = '') =>
  connection.request(subject, body, { timeout: 2_000 });

describe('without a user', () => {
  test.each<[string, Omit<NatsAccess, 'servers'>]>([
    ['an unknown user', { user: 'gateway', password: 'x'.repeat(32) }],
    ['a user with a wrong password', { user: 'payments', password: randomBytes(32).toString('hex') }],
    ['a user with an empty password', { user: 'payments', password: '' }],
  ])('%s is rejected by name, and the message has no password', async (_name, { user, password }) => {
    const attempt = connectStream({ servers: [nats.url], user, password }, 'attack');
    const error: unknown = await attempt.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: `NATS rejected the credentials of ${user}: check NATS_PASSWORD` });
    if (password !== '') expect(JSON.stringify(error)).not.toContain(password);
  });

  test('an anonymous client is rejected', async () => {
    await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(
      /Authorization Violation/i,
    );
  });

  test('a client that speaks the protocol itself and skips the login is cut off, and publishes nothing', async () => {
    const before = await position();
    const { hostname, port } = new URL(nats.url);
    const socket = connectSocket(Number(port), hostname);
    let answered = '';
    socket.on('data', (chunk) => {
      answered += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.write(
      'CONNECT {"verbose":false}\r\nPUB carecover.events.claims.claim.settled 2\r\n{}\r\nPING\r\n',
    );
    await eventually('it is cut off', async () => socket.destroyed || socket.readableEnded);
    expect(answered).toContain('Authorization Violation');
    expect(await position()).toEqual(before);
  });
});

describe.each(users)('as %s', (user) => {
  const foreign = [
    ...publishers.filter((other) => other !== user).map((other) => OWN_SUBJECT[other]),
    `carecover.events.${user}.sandbox.ping`,
    `carecover.events.${user}`,
    'carecover.events.test',
    // Of this user's prefix, of a type that is another service's.
    `carecover.events.${user}.${user === 'claims' ? 'remittance.reconciled' : 'claim.settled'}`,
  ];

  test.each(foreign)('publishing %s is rejected, with an acknowledgement or without', async (subject) => {
    const before = await position();
    const stream = await as(user);
    await expect(stream.js.publish(subject, '{}')).rejects.toThrow();
    stream.connection.publish(subject, '{}');
    await stream.connection.flush();
    expect(await position()).toEqual(before);
  });

  test('nothing of the stream is read, changed or deleted', async () => {
    const before = await position();
    const stream = await as(user);
    const config = JSON.stringify({ ...STREAM_SETTINGS, max_bytes: 1 });
    const consumer = (name: string) =>
      JSON.stringify({ stream_name: STREAM, config: { durable_name: name, ack_policy: 'none' } });
    const attempts: [string, string][] = [
      [`${JS}.STREAM.PURGE.${STREAM}`, ''],
      [`EVENTS.STREAM.PURGE.${STREAM}`, ''],
      [`${JS}.STREAM.DELETE.${STREAM}`, ''],
      [`${JS}.STREAM.UPDATE.${STREAM}`, config],
      [`${JS}.STREAM.SNAPSHOT.${STREAM}`, '{}'],
      [`${JS}.STREAM.MSG.GET.${STREAM}`, '{"seq":1}'],
      [`${JS}.STREAM.MSG.DELETE.${STREAM}`, '{"seq":1}'],
      [`${JS}.DIRECT.GET.${STREAM}`, '{"seq":1}'],
      [`${JS}.STREAM.CREATE.COPY`, JSON.stringify({ name: 'COPY', mirror: { name: STREAM } })],
      [`${JS}.CONSUMER.CREATE.${STREAM}.spy`, consumer('spy')],
      [`${JS}.CONSUMER.CREATE.${STREAM}`, consumer('spy')],
      [`${JS}.CONSUMER.DELETE.${STREAM}.webhooks`, ''],
      [`${JS}.CONSUMER.PAUSE.${STREAM}.webhooks`, '{"pause_until":"2100-01-01T00:00:00Z"}'],
      ...(user === 'webhooks'
        ? []
        : ([[`${JS}.CONSUMER.MSG.NEXT.${STREAM}.webhooks`, '1']] as [string, string][])),
      ...(user === 'webhooks'
        ? []
        : ([[`$JS.ACK.${STREAM}.webhooks.1.1.1.1.0`, '+TERM']] as [string, string][])),
      ['$SYS.REQ.SERVER.PING', ''],
      ['$SYS.REQ.USER.INFO.x', ''],
    ];
    for (const [subject, body] of attempts) {
      await expect([subject, await outcome(request(stream, subject, body))]).toEqual([subject, 'rejected']);
    }
    expect(await position()).toEqual(before);
  });

  test.each([
    'carecover.events.>',
    '>',
    '_INBOX.>',
    '_INBOX.operator.>',
    '$JS.>',
    '$JS.EVENT.>',
    '$SYS.>',
    '_R_.>',
  ])('subscribing to %s is rejected', async (subject) => {
    const { connection } = await as(user);
    const subscription = connection.subscribe(subject);
    const error = await Promise.race([subscription.closed, sleep(5_000)]);
    expect(String(error)).toMatch(/Permissions Violation for Subscription/i);
  });

  test("another's inbox is neither read nor written", async () => {
    for (const other of users.filter((each) => each !== user)) {
      const { connection: theirs } = await as(other);
      const inbox = `_INBOX.${other}.secret`;
      const received: string[] = [];
      theirs.subscribe(inbox, { callback: (_error, message) => void received.push(message.string()) });
      await theirs.flush();
      const { connection } = await as(user);
      const spy = connection.subscribe(inbox);
      connection.publish(inbox, 'forged');
      await connection.flush();
      expect(String(await Promise.race([spy.closed, sleep(5_000)]))).toMatch(/Permissions Violation/i);
      expect(received).toEqual([]);
    }
  });
});

async function outcome(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    (message) => `answered: ${(message as { string(): string }).string()}`,
    (error: Error) =>
      /Permissions Violation/i.test(`${error.message} ${error.cause}`) ? 'rejected' : error.message,
  );
}

describe.each(publishers)(
  "as %s, the reply to a request that is allowed can't be led to another's subject",
  (user) => {
    const others = publishers.filter((other) => other !== user);
    const targets = [
      ...others.flatMap((other) => [OWN_SUBJECT[other], `_INBOX.${other}.secret`]),
      '_INBOX.webhooks.secret',
      `${JS}.STREAM.PURGE.${STREAM}`,
      `$JS.ACK.${STREAM}.webhooks.1.1.1.1.0`,
    ];

    /** What is on the stream of the other services. */
    async function foreign(): Promise<Record<string, number>> {
      const { streams } = await streamManager(await as('operator'));
      const { state } = await streams.info(STREAM, { subjects_filter: '>' });
      const { [OWN_SUBJECT[user]]: _own, ...rest } = state.subjects ?? {};
      return { ...rest, first_seq: state.first_seq };
    }

    test.each(targets)('%s', async (reply) => {
      const received: string[] = [];
      for (const other of [...others, 'webhooks'] as const) {
        const { connection } = await as(other);
        connection.subscribe(`_INBOX.${other}.>`, {
          callback: (_error, { subject }) => void received.push(subject),
        });
        await connection.flush();
      }
      const stream = await as(user);
      const before = await foreign();
      stream.connection.publish(`EVENTS.STREAM.INFO.${STREAM}`, '', { reply });
      stream.connection.publish(OWN_SUBJECT[user], '{}', { reply });
      await stream.connection.flush();
      // What came before it on the same connection has been handled once this one is acknowledged.
      await stream.js.publish(OWN_SUBJECT[user], '{}');
      expect(await foreign()).toEqual(before);
      expect(received.filter((subject) => subject.endsWith('.secret'))).toEqual([]);
    });
  },
);

describe('each user does its own work', () => {
  test.each(publishers)('%s publishes its events, and sees where the stream is', async (user) => {
    const before = await position();
    const stream = await as(user);
    await stream.js.publish(OWN_SUBJECT[user], '{}');
    await streamPosition(stream);
    expect((await position()).messages).toBe(before.messages + 1);
  });

  test('webhooks consumes and acknowledges; a stream that is missing it creates again', async () => {
    const stream = await as('webhooks');
    const consumer = await stream.js.consumers.get(STREAM, 'webhooks');
    for await (const message of await consumer.fetch({ max_messages: 100, expires: 1_000 })) message.ack();
    await stream.connection.flush();
    await eventually('the stream is empty', async () => (await position()).messages === 0);

    const operator: NatsConnection = (await as('operator')).connection;
    await operator.request(`${JS}.STREAM.DELETE.${STREAM}`);
    const relay = await as('payments');
    await expect(streamPosition(relay)).rejects.toThrow('the webhooks service creates it');
    await expect(ensureStream(relay)).rejects.toThrow();
    await ensureStream(stream);
    await streamPosition(relay);
  });
});

test('a server of an address that demands TLS is not used without it', async () => {
  const access = { ...nats.access('payments'), servers: [nats.url.replace('nats:', 'tls:')] };
  await expect(connectStream(access, 'test')).rejects.toThrow(/tls/);
});
