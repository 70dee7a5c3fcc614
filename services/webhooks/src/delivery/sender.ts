/**
 * One try: a signed POST to a receiver. Failure policy: whatever the receiver does, the try ends within its time and its
 * memory, and is an outcome, not an error. The answer's status decides; its body is only quoted.
 */
import { Agent, type Dispatcher, request } from 'undici';
import type { AddressPolicy } from '../address/address-rules';
import { guardedConnector, nameServers, type ResolveName } from '../address/guarded-connector';
import { signatureHeaders } from '../signing/signature';
import { describeFailure } from './try-failure';

/** What is sent where. */
export interface Shipment {
  readonly url: string;
  readonly eventId: string;
  /** The body, byte for byte. */
  readonly payload: string;
  /** Every live signing secret, the newest first. */
  readonly secrets: readonly string[];
}

export interface Outcome {
  /** Whether the receiver answered 2xx. */
  readonly accepted: boolean;
  /** 100 to 599; null where there was no such answer. */
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** What went wrong, in a sentence; null if nothing did. */
  readonly error: string | null;
  /** The start of the answer's body; null where it is empty. */
  readonly excerpt: string | null;
}

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: ResolveName;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string;
}

const EXCERPT_BYTES = 1_024;
/** An answer is read to its end, so that the connection can serve again, unless it is longer or slower than this. */
const ANSWER_BYTES = 64 * 1_024;
const ANSWER_MS = 1_000;
const HEADERS_BYTES = 16 * 1_024;
const KEEP_ALIVE_MS = 30_000;

async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const patience = setTimeout(() => body.destroy(), ANSWER_MS);
  try {
    for await (const chunk of body) {
      if (size < EXCERPT_BYTES) chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_BYTES) break;
    }
  } catch {
    // The status has been received; an answer that breaks off afterwards is quoted as far as it came.
  } finally {
    clearTimeout(patience);
  }
  const text = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '');
  return text === '' ? null : text;
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}.`;
}

export class Sender {
  private readonly agent: Agent;
  private closed = false;

  constructor({ policy, resolve = nameServers(), ca }: SenderOptions) {
    this.agent = new Agent({
      connect: guardedConnector(policy, resolve, ca),
      pipelining: 1,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADERS_BYTES,
    });
  }

  /** Sends once, within `timeoutMs` in all. Null where {@link close} interrupted it: then nothing is known. */
  async send(shipment: Shipment, timeoutMs: number): Promise<Outcome | null> {
    const startedMs = performance.now();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    });
    try {
      const { statusCode, body } = await request(shipment.url, {
        method: 'POST',
        dispatcher: this.agent,
        signal: timeout.signal,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Carecover-Webhooks/1',
          ...signatureHeaders(shipment.eventId, shipment.payload, new Date(), shipment.secrets),
        },
        body: shipment.payload,
      });
      const excerpt = await readExcerpt(body);
      return ended({
        accepted: statusCode >= 200 && statusCode < 300,
        responseStatus: statusCode >= 100 && statusCode < 600 ? statusCode : null,
        error: describeStatus(statusCode),
        excerpt,
      });
    } catch (error) {
      if (this.closed) return null;
      return ended({
        accepted: false,
        responseStatus: null,
        error: describeFailure(error, timeout.signal.aborted),
        excerpt: null,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends what is still being tried. */
  async close(): Promise<void> {
    this.closed = true;
    await this.agent.destroy();
  }
}
