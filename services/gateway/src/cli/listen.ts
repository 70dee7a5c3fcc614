/** `carecover listen`: a project's events, forwarded to a developer's own machine. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Carecover } from '@carecover/client';
import { rest } from '@carecover/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { Webhook } from 'standardwebhooks';
import { Agent, fetch as undiciFetch } from 'undici';
import { OperatorError } from '../operator/operator-error';
import { findStack } from './bootstrap-credential';
import { EventForwarder } from './event-forwarder';
import type { Surroundings } from './surroundings';

const POLL_MS = 1_000;
const DELIVERY_LIMIT_MS = 15_000;

interface ListenOptions {
  readonly forwardTo: string;
  readonly baseUrl?: string;
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It must be an address that starts with http:// or https://.');
  }
  return text;
}

/** The API to listen to: what is given, else the local stack's. */
async function connect(around: Surroundings, given: string | undefined): Promise<Carecover> {
  const stack = await findStack(around.env);
  const apiKey = around.env.CARECOVER_SECRET_KEY || stack?.secret_key;
  const baseUrl = given ?? stack?.base_url;
  if (apiKey === undefined || baseUrl === undefined) {
    throw new OperatorError(
      'Set CARECOVER_SECRET_KEY to a key with webhooks:read and give --base-url, or run a local stack with "npm start".',
    );
  }
  const isLocal = stack !== null && baseUrl === stack.base_url;
  const dispatcher = new Agent(isLocal ? { connect: { ca: await readFile(stack.ca_certificate) } } : {});
  return new Carecover({
    apiKey,
    baseUrl,
    // undici's own fetch and Node's have the same shape, and only the former takes a certificate for one client alone.
    fetch: ((url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch,
  });
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
      signal: AbortSignal.timeout(DELIVERY_LIMIT_MS),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : error})`;
  }
}

async function listen(around: Surroundings, options: ListenOptions): Promise<void> {
  const { output, stopped } = around;
  const client = await connect(around, options.baseUrl);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const webhook = new Webhook(secret);
  const [latest] = (await client.events.list({ limit: 1 })).data;
  const forwarder = new EventForwarder(
    {
      client,
      sign: (id, at, body) => webhook.sign(id, at, body),
      deliver: (body, headers) => deliver(options.forwardTo, body, headers),
      tell: (line) => output.write(`${line}\n`),
    },
    latest === undefined ? 0 : Date.parse(latest.created_at),
  );
  output.write(`Forwarding new events to ${options.forwardTo}, signed with ${secret}\n`);
  while (!stopped.aborted) {
    await forwarder.poll();
    await rest(POLL_MS, stopped);
  }
}

export function addListen(program: Command, around: Surroundings): void {
  program
    .command('listen')
    .description(
      "forward a project's new events to an address of yours, signed as webhooks are, until stopped",
    )
    .requiredOption(
      '--forward-to <url>',
      'where to send them, such as http://localhost:3000/hooks',
      webAddress,
    )
    .option('--base-url <url>', 'the API, ending in /v1; the local stack unless given', webAddress)
    .addHelpText('after', "\nThe key is CARECOVER_SECRET_KEY, or the local stack's; it needs webhooks:read.")
    .action((options: ListenOptions) => listen(around, options));
}
