import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ApiError } from '@carecover/platform';
import { readBody } from './request-body';
import { RequestBodyBudget } from './request-body-budget';

const ARRIVAL_LIMIT_MS = 100;

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      const body = await readBody(request, 100, new RequestBodyBudget().of('prj_1'), ARRIVAL_LIMIT_MS);
      response.end(body === null ? 'none' : body.toString());
    } catch (error) {
      response.end(error instanceof ApiError ? error.code : 'fault');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Sends a head and some of the body, then nothing; gives the answer's body. */
function send(head: string, ...parts: string[]): Promise<string> {
  return sendAs('application/json', head, ...parts);
}

function sendAs(type: string | null, head: string, ...parts: string[]): Promise<string> {
  const typed = type === null ? head : `Content-Type: ${type}\r\n${head}`;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${typed}\r\n\r\n`);
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (chunk) => {
      resolve(String(chunk).split('\r\n\r\n')[1] ?? '');
      socket.destroy();
    });
  });
}

test('a whole body is given as it came', async () => {
  expect(await send('Content-Length: 4', '{', '"a', '}')).toBe('{"a}');
  expect(await send('Transfer-Encoding: chunked', '2\r\n{}\r\n', '0\r\n\r\n')).toContain('{}');
});

test('no body is none', async () => {
  expect(await send('Content-Length: 0')).toBe('none');
  expect(await send('Transfer-Encoding: chunked', '0\r\n\r\n')).toContain('none');
});

test('a body needs its type, none needs none', async () => {
  expect(await sendAs(null, 'Transfer-Encoding: chunked', '0\r\n\r\n')).toContain('none');
  expect(await sendAs(null, 'Transfer-Encoding: chunked', '2\r\n{}\r\n')).toContain('unsupported_media_type');
  expect(await sendAs('text/plain', 'Content-Length: 2')).toBe('unsupported_media_type');
});

test('a sender that stops in the middle is told so instead of waited for', async () => {
  expect(await send('Content-Length: 50', '{"a":')).toBe('validation_failed');
});

test('a body is refused by its declared length before any of it came', async () => {
  expect(await send('Content-Length: 101')).toBe('payload_too_large');
});

test('an undeclared length is refused at the limit, not at its end', async () => {
  expect(await send('Transfer-Encoding: chunked', `80\r\n${'x'.repeat(128)}\r\n`)).toContain(
    'payload_too_large',
  );
});
