/** Sends HTTP requests with undici's `dispatch`, which takes less processor time than its `request` with a stream and an AbortSignal. */
import type { Dispatcher } from 'undici';

/** Maximum number of informational responses (1xx) before the final response to a request. */
const MAX_INFORMATIONAL = 16;

class TooManyInformationalResponses extends Error {
  override readonly name = 'TooManyInformationalResponses';
  readonly code = 'TOO_MANY_INFORMATIONAL_RESPONSES';
}

export interface CollectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface CollectOptions {
  /**
   * Maximum number of bytes of the body to return; by default, the whole body. If the body is interrupted, the promise resolves with the
   * bytes that have arrived if this option is set, and rejects if it is not set.
   */
  readonly excerptBytes?: number;
  /** A function that is called when the head of the response has arrived, except for informational responses (1xx). */
  readonly onStart?: () => void;
  /**
   * A function that is called when a part of the body has arrived, with the number of bytes that have arrived so far. If it throws, the
   * request ends with its error.
   */
  readonly onBytes?: (size: number) => void;
}

/**
 * Sends the request and collects the response. There is no timeout: `stop` ends the request and closes its connection. So do more than 16
 * informational responses (1xx), which occupied the process.
 *
 * @returns `response`, a promise that rejects with undici's error, with the reason passed to `stop`, or with an error with the code
 *   `TOO_MANY_INFORMATIONAL_RESPONSES`; and `stop`
 * @example const { response, stop } = collectResponse(pool, { path: '/', method: 'GET' });
 */
export function collectResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { excerptBytes, onStart, onBytes }: CollectOptions = {},
): { readonly response: Promise<CollectedResponse>; readonly stop: (reason: Error) => void } {
  let stop: (reason: Error) => void = () => undefined;
  const response = new Promise<CollectedResponse>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    let status: number | undefined;
    let headers: CollectedResponse['headers'] = {};
    let informational = 0;
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (received: number) => {
      const [first] = chunks;
      const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
      resolve({ status: received, headers, body });
    };
    const fail = (error: Error) => {
      if (excerptBytes === undefined || status === undefined) reject(error);
      else end(status);
    };
    stop = (reason) => {
      stopped = reason;
      fail(reason);
      controller?.abort(reason);
    };

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // `stop` was called before the request had a connection, so the request is aborted at its start.
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart(_controller, statusCode, received) {
        if (statusCode < 200) {
          informational += 1;
          if (informational > MAX_INFORMATIONAL)
            stop(new TooManyInformationalResponses(`more than ${MAX_INFORMATIONAL} informational responses`));
          return;
        }
        status = statusCode;
        headers = received;
        onStart?.();
      },
      onResponseData(_controller, chunk) {
        if (excerptBytes === undefined) chunks.push(chunk);
        // The bytes are copied, because a part of the chunk would keep the chunk's whole buffer in memory.
        else if (size < excerptBytes) chunks.push(Buffer.from(chunk.subarray(0, excerptBytes - size)));
        size += chunk.length;
        try {
          onBytes?.(size);
        } catch (error) {
          stop(error as Error);
        }
      },
      onResponseEnd() {
        // The error is created only when it is needed: its stack trace takes more time than the rest of this function.
        if (status === undefined) reject(new Error('the response has no status'));
        else end(status);
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
  return { response, stop: (reason) => stop(reason) };
}
