/**
 * Records a history: every request of concurrent clients with its start, its end and the fields of its response that a model checks. The
 * outcome of a request without a response, or with a status of 500 or more, is unknown, and the request has no recorded end.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type Carecover, CarecoverConnectionError, CarecoverError } from '@carecover/client';

type Transport = Carecover['transport'];
type OperationId = Parameters<Transport['raw']>[0];
type CallInput = NonNullable<Parameters<Transport['raw']>[1]>;

/** The fields of a response that a model checks. Amounts are in minor units. */
export interface Seen {
  readonly id?: string;
  readonly status?: string;
  readonly approved?: number | null;
  readonly remitted?: number | null;
  /** The version of the claim's adjudication; 0 if the claim has no adjudication. */
  readonly version?: number;
  /** The number of facts in a valuation. */
  readonly facts?: number;
  readonly remaining?: number | null;
}

/** The properties of a request that the model needs and that are known before the request is sent. */
export interface Intention {
  readonly model: 'claim' | 'reservation' | 'key';
  /**
   * The partition of the history: the ID of the session that the claims bill, the reference of the member whose coverage is used, or an
   * idempotency key.
   */
  readonly resource: string;
  readonly client: number;
  readonly op: string;
  /** The ID of the resource in the path. */
  readonly id?: string;
  /** The idempotency key. The model treats a request without one as a read. */
  readonly key?: string;
  readonly amount?: number;
  readonly billed?: number;
  readonly limit?: number;
  readonly cutoff?: string;
}

/** One line of a history. Times are in microseconds since the start of the recording. */
export interface RecordedOperation extends Intention {
  readonly request: string;
  readonly call: number;
  /** When the response arrived; null if the outcome is unknown. */
  readonly return: number | null;
  readonly status?: number;
  readonly code?: string;
  readonly replayed?: boolean;
  /** A hash of the response's body. */
  readonly digest?: string;
  readonly seen?: Seen;
}

interface RecordedFault {
  readonly fault: string;
  readonly call: number;
  readonly return: number;
}

/** The known outcome of a request. */
export type Outcome = Required<Pick<RecordedOperation, 'status' | 'code'>> & { readonly seen: Seen };

/**
 * How a request is sent. `key` is its Idempotency-Key header. Some requests that the model treats as reads, such as eligibility checks,
 * have that header too.
 */
export interface Call {
  readonly operation: OperationId;
  readonly input: CallInput;
  readonly key?: string;
  readonly read: (body: never) => Seen;
}

const REQUEST_TIMEOUT_MS = 15_000;
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

export class History {
  readonly operations: RecordedOperation[] = [];
  readonly faults: RecordedFault[] = [];
  private readonly startedMs = performance.now();

  /** Sends a request once and records it. Returns undefined if the outcome is unknown. */
  async record(transport: Transport, intention: Intention, call: Call): Promise<Outcome | undefined> {
    const begun = {
      ...intention,
      request: hash(JSON.stringify([call.operation, call.input])),
      call: this.now(),
    };
    const key = call.key ?? intention.key;
    const options = {
      maxRetries: 0,
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    };
    try {
      const { status, text, headers } = await transport.raw(call.operation, call.input, options);
      const returned = this.now();
      const seen = call.read(JSON.parse(text) as never);
      const replayed = headers.get('idempotent-replayed') === 'true';
      this.operations.push({ ...begun, return: returned, status, replayed, digest: hash(text), seen });
      return { status, code: '', seen };
    } catch (error) {
      if (error instanceof CarecoverError && error.status < 500) {
        const { status, code } = error;
        this.operations.push({ ...begun, return: this.now(), status, code });
        return { status, code, seen: {} };
      }
      if (!(error instanceof CarecoverError || error instanceof CarecoverConnectionError)) throw error;
      this.operations.push({ ...begun, return: null });
      return undefined;
    }
  }

  /** Records a fault that lasts until `work` has ended. */
  async recordFault(fault: string, work: () => Promise<void>): Promise<void> {
    const call = this.now();
    await work();
    this.faults.push({ fault, call, return: this.now() });
  }

  private now(): number {
    return Math.round((performance.now() - this.startedMs) * 1_000);
  }
}

/** Writes a history as JSON lines. */
export function writeHistory(file: string, lines: readonly object[]): Promise<void> {
  return writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
