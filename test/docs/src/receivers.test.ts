/** Runs the example receivers of docs/guides/webhooks.md in a folder with the built client, as a reader would, and sends them webhooks. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@carecover/local/testing';
import { Webhook } from 'standardwebhooks';
import { ROOT } from './pages';

const folder = mkdtempSync(join(tmpdir(), 'carecover-receivers-'));
const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.from('another of twenty-four by').toString('base64')}`;
const MAX_BODY_BYTES = 64 * 1024;

// Installs the frameworks and the client. The client is compiled from its sources, so that the test needs no build.
beforeAll(async () => {
  const modules = join(folder, 'node_modules');
  const client = join(modules, '@carecover/client');
  mkdirSync(client, { recursive: true });
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [
    ...['-p', join(ROOT, 'libs/client/tsconfig.build.json'), '--outDir', client],
  ]);
  writeFileSync(join(client, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  for (const name of ['express', 'fastify', 'koa'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Delivery {
  readonly id: string;
  readonly body: string;
  readonly signedBody?: string;
  readonly secret?: string;
  readonly sentAt?: Date;
}

describe.each(['express', 'fastify', 'koa', 'node'])('the receiver %s.mjs', (name) => {
  let receiver: ChildProcess;
  let output = '';
  let address: string;

  beforeAll(async () => {
    const file = join(folder, `${name}.mjs`);
    copyFileSync(join(ROOT, `docs/guides/receivers/${name}.mjs`), file);
    receiver = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [receiver.stdout, receiver.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const port = await eventually(
      `the port of ${name}.mjs`,
      async () => /^listening on port (\d+)$/m.exec(output)?.[1],
    );
    address = `http://127.0.0.1:${port}/hooks`;
  });

  afterAll(async () => {
    receiver.kill();
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
  });

  /** Sends a webhook as the webhooks service does. Returns the HTTP status of the response. */
  async function deliver(delivery: Delivery): Promise<number> {
    const { id, body, signedBody = body, secret = SECRET, sentAt = new Date() } = delivery;
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, sentAt, signedBody),
      },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  }

  // The body has spaces that are lost if a program parses and formats the body again before it verifies the signature.
  const eventBody = (id: string, type: string) => `{ "id": "${id}",  "type": "${type}", "text": "é" }`;
  const processed = (): string[] => output.match(/^received .*$/gm) ?? [];

  test('processes an event once when it is sent twice, and processes nothing that is not verified', async () => {
    const body = eventBody('evt_1', 'claim.settled');
    const forged = eventBody('evt_2', 'claim.forged');
    const tooLarge = eventBody('evt_3', 'x'.repeat(MAX_BODY_BYTES));
    const atLimit = eventBody('evt_4', 'sandbox.ping').padEnd(MAX_BODY_BYTES - 1);
    const olderThanFiveMinutes = new Date(Date.now() - 310_000);

    expect(await deliver({ id: 'evt_1', body })).toBe(204);
    expect(await deliver({ id: 'evt_1', body })).toBe(204);
    expect(await deliver({ id: 'evt_2', body: forged, secret: OTHER_SECRET })).toBe(400);
    expect(await deliver({ id: 'evt_2', body: forged, signedBody: body })).toBe(400);
    expect(await deliver({ id: 'evt_2', body: forged, sentAt: olderThanFiveMinutes })).toBe(400);
    expect(await deliver({ id: 'evt_3', body: tooLarge })).toBe(413);
    // The response to the last event shows that the receiver still runs after all earlier events.
    expect(await deliver({ id: 'evt_4', body: atLimit })).toBe(204);
    await eventually('the last event is processed', async () =>
      processed().includes('received sandbox.ping'),
    );
    expect(processed()).toEqual(['received claim.settled', 'received sandbox.ping']);
  });

  test('rejects an unsigned request without a body with 400', async () => {
    expect((await fetch(address, { method: 'POST' })).status).toBe(400);
  });

  test('does not start without a secret', async () => {
    const file = join(folder, `${name}.mjs`);
    await expect(
      promisify(execFile)(process.execPath, [file], { env: { PATH: process.env.PATH, PORT: '0' } }),
    ).rejects.toThrow('set WEBHOOK_SECRET');
  });
});
