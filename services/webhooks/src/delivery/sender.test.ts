import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateIn } from '@carecover/testing/servers';
import { newSigningSecret } from '../signing/signature';
import { type Behaviour, type Receiver, respondWith, startReceiver, verify } from '../testing/receiver';
import { Sender, type SenderOptions } from './sender';

const secret = newSigningSecret();
const payload = '{"id":"evt_1","data":{"message":"pöng"}}';
const local = { allowLoopback: true };
const senders: Sender[] = [];
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await receiver.stop();
});

function send(url = receiver.url, options: Partial<SenderOptions> = {}, timeoutMs = 5_000) {
  const sender = new Sender({ policy: local, ...options });
  senders.push(sender);
  return sender.send({ url, eventId: 'evt_1', payload, secrets: [secret] }, timeoutMs);
}

test('a receiver gets the signed bytes, and its 2xx is a success', async () => {
  expect(await send()).toMatchObject({ accepted: true, responseStatus: 204, error: null, excerpt: null });
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing was received');
  expect(received.body).toBe(payload);
  expect(received.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': 'evt_1',
  });
  verify(secret, received);
});

test.each([200, 201, 202, 299])('%d is success', async (status) => {
  receiver.behave(respondWith(status));
  expect(await send()).toMatchObject({ accepted: true, responseStatus: status, error: null });
});

test.each([400, 404, 410, 429, 500, 503, 599])('%d is a failure with its status', async (status) => {
  receiver.behave(respondWith(status, 'no'));
  expect(await send()).toMatchObject({
    accepted: false,
    responseStatus: status,
    error: `The receiver responded with ${status}.`,
    excerpt: 'no',
  });
});

test.each([301, 302, 307, 308])('a redirect by %d is a failure and is not followed', async (status) => {
  const other = await startReceiver();
  receiver.behave(respondWith(status, '', { location: other.url }));
  expect(await send()).toMatchObject({ accepted: false, responseStatus: status });
  expect(other.received).toHaveLength(0);
  await other.stop();
});

test('a slow response within the timeout is a success', async () => {
  receiver.behave((response) => setTimeout(() => response.writeHead(200).end(), 300));
  expect(await send()).toMatchObject({ accepted: true });
});

test('a receiver without a response ends with the timeout', async () => {
  receiver.behave(() => undefined);
  expect(await send(receiver.url, {}, 300)).toMatchObject({
    accepted: false,
    responseStatus: null,
    error: 'There was no response in time.',
  });
});

test('a receiver that sends its headers byte by byte ends with the timeout', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const url = await listening(server);
  expect(await send(url, {}, 300)).toMatchObject({
    accepted: false,
    error: 'There was no response in time.',
  });
  server.close();
});

test('the status decides, also if the body stalls or is interrupted', async () => {
  receiver.behave((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
  });
  expect(await send()).toMatchObject({ accepted: true, responseStatus: 200, excerpt: 'half' });
  receiver.behave((response) => {
    response.writeHead(500, { 'content-length': '100' });
    response.write('half', () => response.socket?.destroy());
  });
  expect(await send()).toMatchObject({ accepted: false, responseStatus: 500 });
});

test('a response of 10 MB is aborted, and its first kilobyte is stored', async () => {
  receiver.behave((response) => {
    response.on('error', () => undefined);
    response.writeHead(200).end('x'.repeat(10 * 1024 * 1024));
  });
  expect(await send()).toMatchObject({ accepted: true, excerpt: 'x'.repeat(1_024) });
});

describe('a receiver that sends without a pause', () => {
  const endless: Record<string, { readonly start?: string; readonly repeated: string }> = {
    'informational responses': { repeated: 'HTTP/1.1 102 Processing\r\n\r\n' },
    'informational responses with long headers': {
      repeated: `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(8_000)}\r\n\r\n`,
    },
    'empty lines': { repeated: '\r\n' },
    'a reason phrase': { start: 'HTTP/1.1 200 ', repeated: 'x' },
    'a header': { start: 'HTTP/1.1 200 OK\r\nx: ', repeated: 'x' },
    'spaces before a header': { start: 'HTTP/1.1 200 OK\r\nx:', repeated: ' ' },
    'header lines': { start: 'HTTP/1.1 200 OK\r\n', repeated: 'x:\r\n' },
  };
  const accepted: typeof endless = {
    'a body': { start: 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', repeated: 'x' },
    'a chunk extension': {
      start: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;x=',
      repeated: 'x',
    },
    trailers: {
      start: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
      repeated: 'x:\r\n',
    },
  };
  /** What the buffers of the two connections hold is sent before the receiver notices the end. */
  const MAX_SENT_BYTES = 32 * 1024 * 1024;

  /** Sends an event to a receiver that writes `repeated` for as long as the connection lasts. Returns the outcome and the bytes sent. */
  async function sendToEndless({ start = '', repeated }: (typeof endless)[string]) {
    const chunk = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)));
    let socket: Socket | undefined;
    const server = createServer((opened) => {
      socket = opened.on('error', () => undefined);
      const write = () => {
        while (opened.write(chunk));
      };
      opened.once('data', () => {
        opened.write(start);
        opened.on('drain', write);
        write();
      });
    });
    const outcome = await send(await listening(server), {}, 15_000);
    socket?.destroy();
    server.close();
    return { outcome, sentBytes: socket?.bytesWritten };
  }

  test.each(Object.keys(endless))('%s ends the attempt after a bounded number of bytes', async (name) => {
    const { outcome, sentBytes } = await sendToEndless(endless[name] ?? { repeated: '' });
    expect(outcome).toMatchObject({ accepted: false, responseStatus: null });
    expect(outcome?.error).toMatch(/too large|too many informational responses \(1xx\)/);
    expect(sentBytes).toBeLessThan(MAX_SENT_BYTES);
  });

  test.each(Object.keys(accepted))(
    '%s does not change the status, and is not read to its end',
    async (name) => {
      const { outcome, sentBytes } = await sendToEndless(accepted[name] ?? { repeated: '' });
      expect(outcome).toMatchObject({ accepted: true, responseStatus: 200, error: null });
      expect(sentBytes).toBeLessThan(MAX_SENT_BYTES);
    },
  );
});

describe('informational responses', () => {
  /** Responds with `count` informational responses, `pauseMs` apart, and then with 204. */
  const respondAfter =
    (count: number, pauseMs: number): Behaviour =>
    async (response) => {
      for (let sent = 0; sent < count; sent++) {
        response.writeProcessing();
        await sleep(pauseMs);
      }
      response.writeHead(204).end();
    };

  test('up to 16 before the response do not change the outcome', async () => {
    receiver.behave(respondAfter(16, 0));
    expect(await send()).toMatchObject({ accepted: true, responseStatus: 204, error: null });
  });

  test('more than 16 are a failure, also if they are sent one at a time', async () => {
    receiver.behave(respondAfter(17, 5));
    expect(await send()).toMatchObject({
      accepted: false,
      responseStatus: null,
      error: 'The receiver sent too many informational responses (1xx).',
    });
  });

  test('do not extend the timeout', async () => {
    receiver.behave(respondAfter(16, 100));
    expect(await send(receiver.url, {}, 500)).toMatchObject({
      accepted: false,
      error: 'There was no response in time.',
    });
  });
});

test('large responses on one connection do not count together', async () => {
  const sender = new Sender({ policy: local });
  senders.push(sender);
  const sockets = new Set<number | undefined>();
  receiver.behave((response, _received, request) => {
    sockets.add(request.socket.remotePort);
    response.writeHead(200, { 'x-long': 'x'.repeat(10_000) }).end('x'.repeat(50_000));
  });
  const outgoingRequest = { url: receiver.url, eventId: 'evt_1', payload, secrets: [secret] };
  for (let n = 0; n < 6; n++) {
    expect(await sender.send(outgoingRequest, 5_000)).toMatchObject({ accepted: true, responseStatus: 200 });
  }
  expect(sockets.size).toBeLessThan(4);
});

test.each([
  [429, '60', 60_000],
  [503, 'Fri, 01 Jan 2100 00:01:30 GMT', 90_000],
  [429, '9'.repeat(400), Number.POSITIVE_INFINITY],
  [429, ['1', '2', '-5'], 2_000],
  [500, '60', null],
  [204, '60', null],
])('a %d with the Retry-After %s requests a delay', async (status, value, requestedDelayMs) => {
  // The receiver's clock is decades ahead.
  const date = 'Fri, 01 Jan 2100 00:00:00 GMT';
  receiver.behave((response) => {
    response.setHeader('retry-after', value);
    response.writeHead(status, { date }).end();
  });
  expect(await send()).toMatchObject({ requestedDelayMs });
});

test("an excerpt contains no character that PostgreSQL can't store", async () => {
  receiver.behave((response) => response.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0x62])));
  expect(await send()).toMatchObject({ excerpt: 'a\ufffdb' });
});

test('a connection that closes before the end of the headers is a failure', async () => {
  receiver.behave((response) => response.socket?.destroy());
  expect(await send()).toMatchObject({
    accepted: false,
    responseStatus: null,
    error: 'The connection was closed before a response.',
  });
  receiver.behave((response) => response.socket?.end('HTTP/1.1 200 OK\r\ncontent-'));
  expect(await send()).toMatchObject({ accepted: false, responseStatus: null });
});

test('a response that is not HTTP, a rejected connection and an unknown host name have their own messages', async () => {
  receiver.behave((response) => response.socket?.end('220 mail.example.com ESMTP\r\n'));
  expect(await send()).toMatchObject({ accepted: false, error: 'The response is not HTTP.' });
  expect(await send('http://localhost:1/')).toMatchObject({ error: 'The connection was refused.' });
  const nowhere = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  expect(await send('https://nowhere.example/', { resolve: nowhere })).toMatchObject({
    error: 'The host name has no public address.',
  });
});

test('connections are reused for further attempts', async () => {
  const sender = new Sender({ policy: local });
  senders.push(sender);
  const sockets = new Set<number | undefined>();
  receiver.behave((response, _received, request) => {
    sockets.add(request.socket.remotePort);
    response.writeHead(200).end('ok');
  });
  const outgoingRequest = { url: receiver.url, eventId: 'evt_1', payload, secrets: [secret] };
  for (let n = 0; n < 6; n++) await sender.send(outgoingRequest, 5_000);
  expect(sockets.size).toBeLessThan(4);
});

test('closing the sender interrupts an attempt, whose result is then unknown', async () => {
  receiver.behave(() => undefined);
  const sender = new Sender({ policy: local });
  const sending = sender.send({ url: receiver.url, eventId: 'evt_1', payload, secrets: [secret] }, 5_000);
  await receiver.untilReceived(1);
  await sender.close();
  expect(await sending).toBeNull();
});

describe('over TLS', () => {
  let folder: string;
  let secure: Receiver;
  let ca: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carecover-certificate-'));
    const { authority, leaf, key } = await certificateIn(join(folder, 'tls'));
    ca = readFileSync(authority, 'utf8');
    secure = await startReceiver({ cert: readFileSync(leaf, 'utf8'), key: readFileSync(key, 'utf8') });
  });

  afterAll(async () => {
    await secure.stop();
    await rm(folder, { recursive: true });
  });

  test('a trusted certificate of the host name is accepted', async () => {
    expect(await send(secure.url, { ca })).toMatchObject({ accepted: true });
  });

  test('a response without an end is too large', async () => {
    secure.behave((response) => {
      response.socket?.write('HTTP/1.1 200 ');
      const chunk = 'x'.repeat(65_536);
      const write = () => {
        while (response.socket?.write(chunk));
      };
      response.socket?.on('error', () => undefined).on('drain', write);
      write();
    });
    expect(await send(secure.url, { ca }, 15_000)).toMatchObject({ error: 'The response is too large.' });
    secure.behave(respondWith(204));
  });

  test('an untrusted certificate, or one of another host name, is rejected before anything is sent', async () => {
    const before = secure.received.length;
    const untrusted = await send(secure.url);
    expect(untrusted?.error).toMatch(/certificate .* not valid/);
    const misnamed = await send(`https://other.example:${secure.port}/`, {
      ca,
      resolve: async () => ['127.0.0.1'],
    });
    expect(misnamed?.error).toMatch(/certificate .* not valid/);
    expect(secure.received).toHaveLength(before);
  });
});

describe('allowed addresses', () => {
  const production = { allowLoopback: false };
  const NOT_ALLOWED = {
    accepted: false,
    responseStatus: null,
    error: 'The host name has no public address.',
  };
  const resolvesTo =
    (...addresses: string[]) =>
    async () =>
      addresses;
  const at = (host: string) => `http://${host}:${receiver.port}/`;

  afterEach(() => expect(receiver.received).toHaveLength(0));

  test('in production no connection is opened to a name that resolves to this machine or a private network', async () => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      'fd00::1',
      '::ffff:127.0.0.1',
    ]) {
      const options = { policy: production, resolve: resolvesTo(address) };
      expect(await send(at('hooks.example.com'), options)).toMatchObject(NOT_ALLOWED);
    }
  });

  test('the same rule applies to IP addresses in every form', async () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
    ]) {
      expect(await send(at(host), { policy: production })).toMatchObject(NOT_ALLOWED);
    }
  });

  test('a name is checked at every connection', async () => {
    const addressesInTurn = [['203.0.113.255', '8.8.8.8'], ['127.0.0.1'], ['10.0.0.1', '127.0.0.1']];
    const resolved: string[] = [];
    const rebinding = async (name: string) => {
      resolved.push(name);
      return addressesInTurn[resolved.length - 1] ?? ['127.0.0.1'];
    };
    const options = { policy: production, resolve: rebinding };
    // The name first resolves to a public address. The connection to this address gets no response within the timeout of 50 ms.
    await send(at('rebind.example.com'), options, 50);
    expect(await send(at('rebind.example.com'), options)).toMatchObject(NOT_ALLOWED);
    expect(await send(at('rebind.example.com'), options)).toMatchObject(NOT_ALLOWED);
    expect(resolved).toHaveLength(3);
  });

  test('the local stack does not connect to a private network either', async () => {
    expect(await send(at('lan.example.com'), { resolve: resolvesTo('192.168.1.1') })).toMatchObject(
      NOT_ALLOWED,
    );
  });
});

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`);
    });
  });
}
