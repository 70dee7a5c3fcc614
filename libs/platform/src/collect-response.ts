/** Sends a request by undici's dispatch and collects the response, which costs less than undici's request API with a stream and a signal. */
import type { Dispatcher } from 'undici';

export interface CollectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface CollectOptions {
  /**
   * How many bytes of the body are kept; the whole body by default. With this option a response whose body is interrupted counts, with the
   * bytes that arrived. Without it, it is an error.
   */
  readonly excerptBytes?: number;
  /** Called when the final response starts. */
  readonly onStart?: () => void;
  /** Called with the number of bytes of the body that have arrived. */
  readonly onBytes?: (size: number) => void;
}

/**
 * Sends the request. Timeouts are the caller's: `stop` ends the request and closes its connection.
 *
 * @returns the response, which rejects with undici's error or with the reason of `stop`
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
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (error: Error) => {
      if (status === undefined) return reject(error);
      const [first] = chunks;
      resolve({ status, headers, body: chunks.length === 1 && first ? first : Buffer.concat(chunks) });
    };
    const fail = excerptBytes === undefined ? reject : end;
    stop = (reason) => {
      stopped = reason;
      fail(reason);
      controller?.abort(reason);
    };

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        // The request got its connection after it was stopped.
        if (stopped !== undefined) started.abort(stopped);
      },
      onResponseStart(_controller, statusCode, received) {
        // A 1xx response is informational; the final response follows.
        if (statusCode < 200) return;
        status = statusCode;
        headers = received;
        onStart?.();
      },
      onResponseData(_controller, chunk) {
        if (excerptBytes === undefined) chunks.push(chunk);
        // A copy, because the chunk keeps its whole buffer in memory.
        else if (size < excerptBytes) chunks.push(Buffer.from(chunk.subarray(0, excerptBytes - size)));
        size += chunk.length;
        onBytes?.(size);
      },
      onResponseEnd: () => end(new Error('the response has no status')),
      onResponseError: (_controller, error) => fail(error),
    });
  });
  return { response, stop: (reason) => stop(reason) };
}
