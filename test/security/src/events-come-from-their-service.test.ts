/**
 * Attacks the guarantee that a process on the internal network can't forge, read or delete events: a service can publish only its own event
 * types, only the webhooks service can consume events, and only the operator can purge or delete the stream.
 */
import { randomBytes } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectStream,
  type EventStream,
  ensureStream,
  type NatsAccess,
  readStreamState,
  STREAM,
  STREAM_SETTINGS,
  streamManager,
} from '@carecover/events';
import { eventually, startTestNats, type TestNats } from '@carecover/testing/servers';
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

/** Opens a connection to NATS as a user. The connection is closed after the test. */
async function connectAs(user: Parameters<TestNats['access']>[0]): Promise<EventStream> {
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

async function readPosition(): Promise<{ messages: number; last_seq: number; created: string }> {
  const { state, created } = await (await streamManager(await connectAs('operator'))).streams.info(STREAM);
  return { messages: state.messages, last_seq: state.last_seq, created };
}

/** Sends a request to NATS. The promise rejects with an error that names the subject if the user lacks the permission. */
const request = ({ connection }: EventStream, subject: string, body = '') =>
  connection.request(subject, body, { timeout: 2_000 });

describe('without a user', () => {
  test.each<[string, Omit<NatsAccess, 'servers'>]>([
    ['an unknown user', { user: 'gateway', password: 'x'.repeat(32) }],
    ['a user with a wrong password', { user: 'payments', password: randomBytes(32).toString('hex') }],
    ['a user with an empty password', { user: 'payments', password: '' }],
  ])(
    "%s is rejected with the user's name and without the password in the message",
    async (_name, { user, password }) => {
      const attempt = connectStream({ servers: [nats.url], user, password }, 'attack');
      const error: unknown = await attempt.catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        message: `NATS rejected the credentials of ${user}: check NATS_PASSWORD`,
      });
      if (password !== '') expect(JSON.stringify(error)).not.toContain(password);
    },
  );

  test('an anonymous client is rejected', async () => {
    await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(
      /Authorization Violation/i,
    );
  });

  test('a raw protocol client without a login is disconnected and cannot publish', async () => {
    const before = await readPosition();
    const { hostname, port } = new URL(nats.url);
    const socket = connectSocket(Number(port), hostname);
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.write(
      'CONNECT {"verbose":false}\r\nPUB carecover.events.claims.claim.settled 2\r\n{}\r\nPING\r\n',
    );
    await eventually('NATS closes the connection', async () => socket.destroyed || socket.readableEnded);
    expect(response).toContain('Authorization Violation');
    expect(await readPosition()).toEqual(before);
  });
});

describe.each(users)('as %s', (user) => {
  const foreign = [
    ...publishers.filter((other) => other !== user).map((other) => OWN_SUBJECT[other]),
    `carecover.events.${user}.sandbox.ping`,
    `carecover.events.${user}`,
    'carecover.events.test',
    // A subject with the prefix of the connected user's own service and an event type of another service.
    `carecover.events.${user}.${user === 'claims' ? 'remittance.reconciled' : 'claim.settled'}`,
  ];

  test.each(foreign)('publishing %s is rejected, with and without an acknowledgement', async (subject) => {
    const before = await readPosition();
    const stream = await connectAs(user);
    await expect(stream.js.publish(subject, '{}')).rejects.toThrow();
    stream.connection.publish(subject, '{}');
    await stream.connection.flush();
    expect(await readPosition()).toEqual(before);
  });

  test(`the stream cannot be read or deleted${user === 'webhooks' ? '' : ', and neither it nor its consumer changed'}`, async () => {
    const before = await readPosition();
    const stream = await connectAs(user);
    const config = JSON.stringify({ ...STREAM_SETTINGS, max_bytes: 1 });
    const consumer = (name: string) =>
      JSON.stringify({ stream_name: STREAM, config: { durable_name: name, ack_policy: 'none' } });
    // What the webhooks service does itself: it consumes, and gives the stream and its consumer the settings of its release.
    const ofConsumer: [string, string][] = [
      [`${JS}.STREAM.UPDATE.${STREAM}`, config],
      [`${JS}.CONSUMER.CREATE.${STREAM}.webhooks`, consumer('webhooks')],
      [`${JS}.CONSUMER.DELETE.${STREAM}.webhooks`, ''],
      [`${JS}.CONSUMER.MSG.NEXT.${STREAM}.webhooks`, '1'],
      [`$JS.ACK.${STREAM}.webhooks.1.1.1.1.0`, '+TERM'],
    ];
    const attempts: [string, string][] = [
      [`${JS}.STREAM.PURGE.${STREAM}`, ''],
      [`EVENTS.STREAM.PURGE.${STREAM}`, ''],
      [`${JS}.STREAM.DELETE.${STREAM}`, ''],
      [`${JS}.STREAM.SNAPSHOT.${STREAM}`, '{}'],
      [`${JS}.STREAM.MSG.GET.${STREAM}`, '{"seq":1}'],
      [`${JS}.STREAM.MSG.DELETE.${STREAM}`, '{"seq":1}'],
      [`${JS}.DIRECT.GET.${STREAM}`, '{"seq":1}'],
      [`${JS}.STREAM.CREATE.COPY`, JSON.stringify({ name: 'COPY', mirror: { name: STREAM } })],
      [`${JS}.CONSUMER.CREATE.${STREAM}.spy`, consumer('spy')],
      [`${JS}.CONSUMER.DELETE.${STREAM}.spy`, ''],
      [`${JS}.STREAM.CREATE.OTHER`, JSON.stringify({ name: 'OTHER', subjects: ['other'] })],
      [`${JS}.STREAM.UPDATE.OTHER`, JSON.stringify({ name: 'OTHER', subjects: ['other'] })],
      [`${JS}.CONSUMER.CREATE.${STREAM}`, consumer('spy')],
      [`${JS}.CONSUMER.PAUSE.${STREAM}.webhooks`, '{"pause_until":"2100-01-01T00:00:00Z"}'],
      ...(user === 'webhooks' ? [] : ofConsumer),
      ['$SYS.REQ.SERVER.PING', ''],
      ['$SYS.REQ.USER.INFO.x', ''],
    ];
    for (const [subject, body] of attempts) {
      await expect([subject, await describeOutcome(request(stream, subject, body))]).toEqual([
        subject,
        'rejected',
      ]);
    }
    expect(await readPosition()).toEqual(before);
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
    const { connection } = await connectAs(user);
    const subscription = connection.subscribe(subject);
    const error = await Promise.race([subscription.closed, sleep(5_000)]);
    expect(String(error)).toMatch(/Permissions Violation for Subscription/i);
  });

  test("another user's inbox can be neither read nor written", async () => {
    for (const other of users.filter((each) => each !== user)) {
      const { connection: otherConnection } = await connectAs(other);
      const inbox = `_INBOX.${other}.secret`;
      const received: string[] = [];
      otherConnection.subscribe(inbox, {
        callback: (_error, message) => void received.push(message.string()),
      });
      await otherConnection.flush();
      const { connection } = await connectAs(user);
      const spy = connection.subscribe(inbox);
      connection.publish(inbox, 'forged');
      await connection.flush();
      expect(String(await Promise.race([spy.closed, sleep(5_000)]))).toMatch(/Permissions Violation/i);
      expect(received).toEqual([]);
    }
  });
});

async function describeOutcome(reply: Promise<unknown>): Promise<string> {
  return reply.then(
    (message) => `responded: ${(message as { string(): string }).string()}`,
    (error: Error) =>
      /Permissions Violation/i.test(`${error.message} ${error.cause}`) ? 'rejected' : error.message,
  );
}

describe.each(publishers)(
  "as %s, the reply to a permitted request cannot be sent to another user's subject",
  (user) => {
    const others = publishers.filter((other) => other !== user);
    const targets = [
      ...others.flatMap((other) => [OWN_SUBJECT[other], `_INBOX.${other}.secret`]),
      '_INBOX.webhooks.secret',
      `${JS}.STREAM.PURGE.${STREAM}`,
      `$JS.ACK.${STREAM}.webhooks.1.1.1.1.0`,
    ];

    /** Returns the number of messages of the other services on the stream, by subject. */
    async function countForeign(): Promise<Record<string, number>> {
      const { streams } = await streamManager(await connectAs('operator'));
      const { state } = await streams.info(STREAM, { subjects_filter: '>' });
      const { [OWN_SUBJECT[user]]: _own, ...rest } = state.subjects ?? {};
      return { ...rest, first_seq: state.first_seq };
    }

    test.each(targets)('%s', async (reply) => {
      const received: string[] = [];
      for (const other of [...others, 'webhooks'] as const) {
        const { connection } = await connectAs(other);
        connection.subscribe(`_INBOX.${other}.>`, {
          callback: (_error, { subject }) => void received.push(subject),
        });
        await connection.flush();
      }
      const stream = await connectAs(user);
      const before = await countForeign();
      stream.connection.publish(`EVENTS.STREAM.INFO.${STREAM}`, '', { reply });
      stream.connection.publish(OWN_SUBJECT[user], '{}', { reply });
      await stream.connection.flush();
      // NATS processes the messages of a connection in order, so the acknowledgement of this event shows that NATS processed the requests
      // before it.
      await stream.js.publish(OWN_SUBJECT[user], '{}');
      expect(await countForeign()).toEqual(before);
      expect(received.filter((subject) => subject.endsWith('.secret'))).toEqual([]);
    });
  },
);

describe('each user does its own work', () => {
  test.each(publishers)('%s can publish its events and read the position of the stream', async (user) => {
    const before = await readPosition();
    const stream = await connectAs(user);
    await stream.js.publish(OWN_SUBJECT[user], '{}');
    await readStreamState(stream);
    expect((await readPosition()).messages).toBe(before.messages + 1);
  });

  test('webhooks can consume and acknowledge, and creates the stream if it is missing', async () => {
    const stream = await connectAs('webhooks');
    const consumer = await stream.js.consumers.get(STREAM, 'webhooks');
    for await (const message of await consumer.fetch({ max_messages: 100, expires: 1_000 })) message.ack();
    await stream.connection.flush();
    await eventually('the stream is empty', async () => (await readPosition()).messages === 0);

    const operator: NatsConnection = (await connectAs('operator')).connection;
    await operator.request(`${JS}.STREAM.DELETE.${STREAM}`);
    const relay = await connectAs('payments');
    await expect(readStreamState(relay)).rejects.toThrow('start the webhooks service, which creates it');
    await expect(ensureStream(relay)).rejects.toThrow();
    await ensureStream(stream);
    await readStreamState(relay);
  });
});

test('a tls: address is not used without TLS', async () => {
  const access = { ...nats.access('payments'), servers: [nats.url.replace('nats:', 'tls:')] };
  await expect(connectStream(access, 'test')).rejects.toThrow(/tls/);
});
