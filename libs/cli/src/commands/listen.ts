/** `carecover listen`: forwards a project's events to a developer's machine. */
import { randomBytes } from 'node:crypto';
import { CarecoverConnectionError, CarecoverError } from '@carecover/client';
import { interruptibleSleep } from '@carecover/process';
import type { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import { fetch as undiciFetch } from 'undici';
import { connectApi, parseUrlOption } from '../api-connection';
import type { CommandContext } from '../command-context';
import { EventForwarder } from '../event-forwarder';
import { escapeControls, type Output } from '../output';

const POLL_MS = 1_000;
/** The longest pause in milliseconds between two polls while the events can't be read. */
const MAX_PAUSE_MS = 30_000;
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

/** Returns whether a later request can succeed: the error is a lost connection, a response of a proxy, a 429 or a 5xx. */
function canPass(error: unknown): error is Error {
  if (error instanceof CarecoverError) return error.status === 429 || error.status >= 500;
  return error instanceof CarecoverConnectionError;
}

/**
 * Forwards events until the abort. While the events can't be read, it retries with growing pauses; an event that is created meanwhile is
 * forwarded later.
 *
 * @throws the error of a request if a later one can't succeed either, such as that of a revoked key
 */
async function forwardUntilStopped(
  forwarder: EventForwarder,
  stopped: AbortSignal,
  output: Output,
): Promise<void> {
  let pauseMs = POLL_MS;
  while (!stopped.aborted) {
    try {
      await forwarder.poll();
      if (pauseMs > POLL_MS) output.write('The events can be read again.\n');
      pauseMs = POLL_MS;
    } catch (error) {
      if (stopped.aborted) return;
      if (!canPass(error)) throw error;
      if (pauseMs === POLL_MS)
        output.write(`The events can't be read, retrying: ${escapeControls(error.message)}\n`);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
    await interruptibleSleep(pauseMs, stopped);
  }
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { output } = context;
  const client = await connectApi(context, options.baseUrl, 'webhooks:read');
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const webhook = new Webhook(secret);
  const [latest] = (await client.events.list({ limit: 1 })).data;
  const stopped = context.catchStop();
  const forwarder = new EventForwarder(
    {
      client,
      stopped,
      sign: (id, at, body) => webhook.sign(id, at, body),
      deliver: (body, headers) => deliver(options.forwardTo, body, headers),
      log: (line) => output.write(`${escapeControls(line)}\n`),
    },
    latest === undefined ? 0 : Date.parse(latest.created_at),
  );
  output.write(`Forwarding new events to ${options.forwardTo}, signed with ${secret}\n`);
  await forwardUntilStopped(forwarder, stopped, output);
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
