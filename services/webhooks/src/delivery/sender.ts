/**
 * One try: a signed POST to a receiver. Failure policy: whatever the receiver does, the try ends within its time and its
 * memory, and is an outcome, not an error. The answer's status decides; its body is only quoted.
 */
import { activeTraceparent, recordResponse, resumeTrace, SpanKind, TRACEPARENT } from '@carecover/platform';
import { Agent } from 'undici';
import type { AddressPolicy } from '../address/address-rules';
import { guardedConnector, nameServers, type ResolveName } from '../address/guarded-connector';
import { signatureHeaders } from '../signing/signature';
import { exchange, NoAnswerInTime } from './exchange';
import { describeFailure } from './try-failure';

/** What is sent where. */
export interface OutgoingRequest {
  readonly url: string;
  readonly eventId: string;
  /** The body, byte for byte. */
  readonly payload: string;
  /** The trace that the try goes on with; the receiver gets the try's own span of it. */
  readonly traceparent?: string | null;
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

const HEADERS_BYTES = 16 * 1_024;
const KEEP_ALIVE_MS = 30_000;

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
  send(outgoingRequest: OutgoingRequest, timeoutMs: number): Promise<Outcome | null> {
    const { eventId, traceparent } = outgoingRequest;
    const attempt = async () => {
      const outcome = await this.trySend(outgoingRequest, timeoutMs);
      if (outcome !== null) recordResponse(outcome.responseStatus, !outcome.accepted);
      return outcome;
    };
    return resumeTrace(traceparent, 'deliver', SpanKind.CLIENT, attempt, { 'carecover.event_id': eventId });
  }

  private async trySend(outgoingRequest: OutgoingRequest, timeoutMs: number): Promise<Outcome | null> {
    const traceparent = activeTraceparent();
    const { url, eventId, payload, secrets } = outgoingRequest;
    const startedMs = performance.now();
    const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Carecover-Webhooks/1',
      ...signatureHeaders(eventId, payload, new Date(), secrets),
      ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
    };
    try {
      const { status, excerpt } = await exchange(this.agent, { url, headers, body: payload }, timeoutMs);
      const text = excerpt.toString('utf8').replaceAll('\0', '');
      return ended({
        accepted: status < 300,
        responseStatus: status < 600 ? status : null,
        error: describeStatus(status),
        excerpt: text === '' ? null : text,
      });
    } catch (error) {
      if (this.closed) return null;
      return ended({
        accepted: false,
        responseStatus: null,
        error: describeFailure(error, error instanceof NoAnswerInTime),
        excerpt: null,
      });
    }
  }

  /** Ends what is still being tried. */
  async close(): Promise<void> {
    this.closed = true;
    await this.agent.destroy();
  }
}
