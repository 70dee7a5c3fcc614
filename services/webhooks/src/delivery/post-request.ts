/**
 * Sends one POST request to a receiver.
 *
 * Failure policy: a request ends within its timeout and uses bounded memory. If the response body is too long, too slow or interrupted, the
 * response is returned with the part of the body that has arrived.
 */
import { collectResponse } from '@carecover/platform';
import type { Dispatcher } from 'undici';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostResponse {
  readonly status: number;
  /** The first bytes of the response body, at most 1 KiB. */
  readonly excerpt: Buffer;
}

/** Thrown if no response arrived before the timeout. */
export class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout';
}

const EXCERPT_BYTES = 1_024;
/** Limits in bytes and milliseconds up to which a response body is read to its end, so that the connection can be reused. */
const BODY_BYTES = 64 * 1_024;
const BODY_MS = 1_000;

/**
 * Sends a POST request and returns the status of the response and the start of its body.
 *
 * @throws ResponseTimeout, or undici's error if the connection failed
 */
export async function postRequest(
  dispatcher: Dispatcher,
  { url, headers, body }: PostRequest,
  timeoutMs: number,
): Promise<PostResponse> {
  const { origin, pathname, search } = new URL(url);
  const request = { origin, path: `${pathname}${search}`, method: 'POST', headers, body } as const;
  let bodyTimer: NodeJS.Timeout | undefined;
  const end = () => stop(new ResponseTimeout());
  const { response, stop } = collectResponse(dispatcher, request, {
    excerptBytes: EXCERPT_BYTES,
    onStart: () => {
      bodyTimer = setTimeout(end, BODY_MS);
    },
    onBytes: (size) => {
      if (size > BODY_BYTES) end();
    },
  });
  const timer = setTimeout(end, timeoutMs);
  try {
    const { status, body: excerpt } = await response;
    return { status, excerpt };
  } finally {
    clearTimeout(timer);
    clearTimeout(bodyTimer);
  }
}
