/**
 * Makes one attempt: sends a signed POST request to a receiver. Failure policy: whatever the receiver does, an attempt ends within its
 * timeout, uses bounded memory and returns an outcome. The status of the response decides whether it succeeded. A response body that is too
 * long, too slow or interrupted changes nothing: the part of it that has arrived is kept.
 */

import { TRACEPARENT } from '@carecover/domain';
import { type CollectedResponse, collectResponse } from '@carecover/http';
import { activeTraceparent, recordResponse, resumeTrace, SpanKind } from '@carecover/telemetry';
import { Agent, type Dispatcher } from 'undici';
import type { AddressPolicy } from '../address/address-rules';
import { dnsResolver, guardedConnector, type ResolveName } from '../address/guarded-connector';
import { describeFailure, describeStatus, type Outcome } from '../rules/attempt-outcome';
import { requestedDelayMs } from '../rules/retry-after';
import { signatureHeaders } from '../signing/signature';
import { boundedConnector } from './bounded-connector';

/** The request of one attempt. */
export interface OutgoingRequest {
  readonly url: string;
  readonly eventId: string;
  /** The request body, byte for byte. */
  readonly payload: string;
  /** The trace context that the attempt resumes; the request has the traceparent of the attempt's own span. */
  readonly traceparent?: string | null;
  /** The instant of the attempt in a project with simulated time; null or omitted in a project with real time. */
  readonly simulatedAt?: Date | null;
  /** Every valid signing secret of the endpoint, the newest first. */
  readonly secrets: readonly string[];
}

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: ResolveName;
  /** Certificates in PEM that are trusted in addition to the default ones. */
  readonly ca?: string;
}

/**
 * The header with the instant of an attempt in a project with simulated time. The signature's timestamp is the real time, because receivers
 * compare it with their clocks.
 */
const SIMULATED_AT = 'webhook-simulated-at';
/** The heads of a response, informational ones (1xx) included, may have at least this many bytes together. */
const HEADS_BYTES = 16 * 1_024;
/** How many bytes Node.js reads from a connection at once at most. */
const READ_BYTES = 64 * 1_024;
/** The most bytes that a receiver may send per attempt: the heads, and one read of the body. More ends the attempt. */
const RESPONSE_BYTES = HEADS_BYTES + READ_BYTES;
const KEEP_ALIVE_MS = 30_000;
const EXCERPT_BYTES = 1_024;
/** Limit in milliseconds up to which a response body is read to its end, so that the connection can be reused. */
const BODY_MS = 1_000;

export class Sender {
  private readonly agent: Agent;
  private closed = false;

  constructor({ policy, resolve = dnsResolver(), ca }: SenderOptions) {
    this.agent = new Agent({
      connect: boundedConnector(guardedConnector(policy, resolve, ca), RESPONSE_BYTES),
      pipelining: 1,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The connection has the limit. After its own limit, undici creates an error for each further header line that it has read.
      maxHeaderSize: RESPONSE_BYTES,
    });
  }

  /** Sends the request of an attempt. Returns null if {@link close} interrupted it, so that its outcome is unknown. */
  send(outgoingRequest: OutgoingRequest, timeoutMs: number): Promise<Outcome | null> {
    const { eventId, traceparent } = outgoingRequest;
    const attempt = async () => {
      const outcome = await this.attemptSend(outgoingRequest, timeoutMs);
      if (outcome !== null) recordResponse(outcome.responseStatus, !outcome.accepted);
      return outcome;
    };
    return resumeTrace(traceparent, 'deliver', SpanKind.CLIENT, attempt, { 'carecover.event_id': eventId });
  }

  private async attemptSend(outgoingRequest: OutgoingRequest, timeoutMs: number): Promise<Outcome | null> {
    const traceparent = activeTraceparent();
    const { url, eventId, payload, secrets, simulatedAt } = outgoingRequest;
    const startedMs = performance.now();
    const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Carecover-Webhooks/1',
      ...signatureHeaders(eventId, payload, new Date(), secrets),
      ...(simulatedAt == null ? {} : { [SIMULATED_AT]: simulatedAt.toISOString() }),
      ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
    };
    try {
      const response = await postRequest(this.agent, { url, headers, body: payload }, timeoutMs);
      const { status, body } = response;
      const text = body.toString('utf8').replaceAll('\0', '');
      return ended({
        accepted: status < 300,
        responseStatus: status < 600 ? status : null,
        error: describeStatus(status),
        excerpt: text === '' ? null : text,
        requestedDelayMs: requestedDelayMs(status, response.headers, Date.now()),
      });
    } catch (error) {
      if (this.closed) return null;
      return ended({
        accepted: false,
        responseStatus: null,
        error: describeFailure(error, error instanceof ResponseTimeout),
        excerpt: null,
        requestedDelayMs: null,
      });
    }
  }

  /** Interrupts all attempts in progress and closes all connections. */
  async close(): Promise<void> {
    this.closed = true;
    await this.agent.destroy();
  }
}

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Thrown if no response arrived before the timeout. */
class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout';
}

/**
 * Sends a POST request and returns the response, whose `body` is the start of the response body, at most 1 KiB.
 *
 * @throws ResponseTimeout, or undici's error if the connection failed
 */
async function postRequest(
  dispatcher: Dispatcher,
  { url, headers, body }: PostRequest,
  timeoutMs: number,
): Promise<CollectedResponse> {
  const { origin, pathname, search } = new URL(url);
  const request = { origin, path: `${pathname}${search}`, method: 'POST', headers, body } as const;
  let bodyTimer: NodeJS.Timeout | undefined;
  const end = () => stop(new ResponseTimeout());
  const { response, stop } = collectResponse(dispatcher, request, {
    excerptBytes: EXCERPT_BYTES,
    onStart: () => {
      bodyTimer = setTimeout(end, BODY_MS);
    },
  });
  const timer = setTimeout(end, timeoutMs);
  try {
    return await response;
  } finally {
    clearTimeout(timer);
    clearTimeout(bodyTimer);
  }
}
