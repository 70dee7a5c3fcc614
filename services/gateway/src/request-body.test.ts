import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ApiError } from '@carecover/domain';
import { MemoryBudget } from './memory-budget';
import { readBody } from './request-body';

const ARRIVAL_LIMIT_MS = 100;

let server: Server;
/** The bytes that the latest body has taken of the budget. */
let heldBytes: number;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      heldBytes = 0;
      const add = (bytes: number) => {
        heldBytes += bytes;
      };
      const body = await readBody(request, 100, { add }, { arrivalLimitMs: ARRIVAL_LIMIT_MS });
      response.end(body === null ? 'none' : body.toString());
    } catch (error) {
      response.end(error instanceof ApiError ? error.code : 'internal error');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Sends a request's head and parts of its body, then nothing more. Returns the body of the response. */
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

test('a complete body is returned unchanged', async () => {
  expect(await send('Content-Length: 4', '{', '"a', '}')).toBe('{"a}');
  expect(await send('Transfer-Encoding: chunked', '2\r\n{}\r\n', '0\r\n\r\n')).toContain('{}');
});

test('an empty body is null', async () => {
  expect(await send('Content-Length: 0')).toBe('none');
  expect(await send('Transfer-Encoding: chunked', '0\r\n\r\n')).toContain('none');
});

test('a body requires a Content-Type, an empty one does not', async () => {
  expect(await sendAs(null, 'Transfer-Encoding: chunked', '0\r\n\r\n')).toContain('none');
  expect(await sendAs(null, 'Transfer-Encoding: chunked', '2\r\n{}\r\n')).toContain('unsupported_media_type');
  expect(await sendAs('text/plain', 'Content-Length: 2')).toBe('unsupported_media_type');
});

test('an incomplete body gets an error after the time limit', async () => {
  expect(await send('Content-Length: 50', '{"a":')).toBe('validation_failed');
});

test('the memory of many small chunks counts, and not only their content', async () => {
  const chunks = 'x'.repeat(90).replaceAll('x', '1\r\nx\r\n');
  expect(await send('Transfer-Encoding: chunked', `${chunks}0\r\n\r\n`)).toContain('x'.repeat(90));
  expect(heldBytes).toBeGreaterThan(90 * 500);
});

test('a body is rejected by its declared length before it arrives', async () => {
  expect(await send('Content-Length: 101')).toBe('payload_too_large');
});

test('a body without a declared length is rejected at the limit, before its end', async () => {
  expect(await send('Transfer-Encoding: chunked', `80\r\n${'x'.repeat(128)}\r\n`)).toContain(
    'payload_too_large',
  );
});

test('a connection that ended before its body is read gets an error at once, whatever the time limit', async () => {
  const late = createServer((request) => request.socket.resetAndDestroy());
  await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
  const socket = connect((late.address() as AddressInfo).port, '127.0.0.1', () =>
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{',
    ),
  ).on('error', () => undefined);
  const [request] = (await once(late, 'request')) as [IncomingMessage];
  await new Promise((resolve) => request.on('error', () => undefined).once('close', resolve));
  const hold = new MemoryBudget().startHold('prj_1');
  await expect(readBody(request, 100, hold, { arrivalLimitMs: 3_600_000 })).rejects.toThrow(
    'The connection ended',
  );
  late.close();
});
