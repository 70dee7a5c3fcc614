/** Checks a receiver of webhooks that the documentation has as an example: runs it as a reader would, and sends it webhooks. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../servers';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.from('another of twenty-four by').toString('base64')}`;
const MAX_BODY_BYTES = 64 * 1024;

export interface ReceiverProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

interface Delivery {
  readonly id: string;
  readonly body: string;
  readonly signedBody?: string;
  readonly secret?: string;
  readonly sentAt?: Date;
}

/** Sends a webhook as the webhooks service does. Returns the HTTP status of the response. */
async function deliver(address: string, delivery: Delivery): Promise<number> {
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

/**
 * Registers the tests of a receiver.
 *
 * @param prepare returns how the receiver is run; null if this machine has no runtime for it, so that the tests check nothing
 */
export function describeReceiver(name: string, prepare: () => Promise<ReceiverProgram | null>): void {
  describe(`the receiver ${name}`, () => {
    let program: ReceiverProgram | null;
    let receiver: ChildProcess | undefined;
    let output = '';
    let address: string;

    beforeAll(async () => {
      program = await prepare();
      if (program === null) return;
      const { command, args, env } = program;
      receiver = spawn(command, args, {
        env: { ...env, WEBHOOK_SECRET: SECRET, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [receiver.stdout, receiver.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const port = await eventually(
        `the port of ${name}`,
        async () => /^listening on port (\d+)$/m.exec(output)?.[1],
      );
      address = `http://127.0.0.1:${port}/hooks`;
    }, 300_000);

    afterAll(async () => {
      receiver?.kill();
      if (receiver?.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
    });

    const processed = (): string[] => output.match(/^received .*$/gm) ?? [];

    test('processes an event once when it is sent twice, and processes nothing that is not verified', async () => {
      if (program === null) return;
      const body = eventBody('evt_1', 'claim.settled');
      const forged = eventBody('evt_2', 'claim.forged');
      const tooLarge = eventBody('evt_3', 'x'.repeat(MAX_BODY_BYTES));
      const atLimit = eventBody('evt_4', 'sandbox.ping').padEnd(MAX_BODY_BYTES - 1);
      const olderThanFiveMinutes = new Date(Date.now() - 310_000);
      const expectStatus = async (status: number, delivery: Delivery) =>
        expect(await deliver(address, delivery)).toBe(status);

      await expectStatus(204, { id: 'evt_1', body });
      await expectStatus(204, { id: 'evt_1', body });
      await expectStatus(400, { id: 'evt_2', body: forged, secret: OTHER_SECRET });
      await expectStatus(400, { id: 'evt_2', body: forged, signedBody: body });
      await expectStatus(400, { id: 'evt_2', body: forged, sentAt: olderThanFiveMinutes });
      await expectStatus(413, { id: 'evt_3', body: tooLarge });
      // The response to the last event shows that the receiver still runs after all earlier events.
      await expectStatus(204, { id: 'evt_4', body: atLimit });
      await eventually('the last event is processed', async () =>
        processed().includes('received sandbox.ping'),
      );
      expect(processed()).toEqual(['received claim.settled', 'received sandbox.ping']);
    });

    test('rejects an unsigned request without a body with 400', async () => {
      if (program === null) return;
      expect((await fetch(address, { method: 'POST' })).status).toBe(400);
    });

    test('does not start without a secret', async () => {
      if (program === null) return;
      const { command, args, env } = program;
      await expect(promisify(execFile)(command, args, { env: { ...env, PORT: '0' } })).rejects.toThrow(
        'set WEBHOOK_SECRET',
      );
    });
  });
}
