/** `carecover listen`: forwards a project's events to a developer's machine. */
import { randomBytes } from 'node:crypto';
import { interruptibleSleep } from '@carecover/platform';
import type { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import { fetch as undiciFetch } from 'undici';
import { connectApi, parseUrlOption } from '../api-connection';
import type { CommandContext } from '../command-context';
import { EventForwarder } from '../event-forwarder';

const POLL_MS = 1_000;
const DELIVERY_TIMEOUT_MS = 15_000;

interface ListenOptions {
  readonly forwardTo: string;
  readonly baseUrl?: string;
}

async function deliver(
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const answer = await undiciFetch(address, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    return `no response (${error instanceof Error ? error.message : error})`;
  }
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { output, stopped } = context;
  const client = await connectApi(context, options.baseUrl, 'webhooks:read');
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const webhook = new Webhook(secret);
  const [latest] = (await client.events.list({ limit: 1 })).data;
  const forwarder = new EventForwarder(
    {
      client,
      sign: (id, at, body) => webhook.sign(id, at, body),
      deliver: (body, headers) => deliver(options.forwardTo, body, headers),
      log: (line) => output.write(`${line}\n`),
    },
    latest === undefined ? 0 : Date.parse(latest.created_at),
  );
  output.write(`Forwarding new events to ${options.forwardTo}, signed with ${secret}\n`);
  while (!stopped.aborted) {
    await forwarder.poll();
    await interruptibleSleep(POLL_MS, stopped);
  }
}

export function addListen(command: Command, context: CommandContext): void {
  command
    .requiredOption('--forward-to <url>', 'the receiver, such as http://localhost:3000/hooks', parseUrlOption)
    .option('--base-url <url>', 'the API, ending in /v1; default: the local stack', parseUrlOption)
    .addHelpText(
      'after',
      "\nThe key is CARECOVER_SECRET_KEY, or the local stack's. It needs the scope webhooks:read.",
    )
    .action((options: ListenOptions) => listen(context, options));
}
