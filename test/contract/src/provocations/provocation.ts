/** The types of provocations. A provocation prepares test data and returns a request that has one documented outcome. */
import type { ErrorCode, OperationId } from '@carecover/contract';
import type { World } from '@carecover/testing/stack';

export interface Attempt {
  /** The secret key with which the request is sent; absent: the test's main key. */
  readonly key?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The file of an operation that receives one, in place of `body`. */
  readonly file?: { readonly mediaType: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Inserts test data that would take too many requests. The tests call the function before the request, with the URL of the
   * stack's database.
   */
  readonly insertRows?: (databaseUrl: string) => Promise<void>;
  /**
   * Undoes a change that would affect other provocations, such as a moved clock. The contract test calls the function after the response.
   */
  readonly cleanUp?: () => Promise<void>;
}

/** Inserts the test data of an attempt, and returns the attempt. */
export async function withRows(attempt: Attempt, databaseUrl: string): Promise<Attempt> {
  await attempt.insertRows?.(databaseUrl);
  return attempt;
}

/** Prepares test data and returns the request. */
export type Provocation = (world: World) => Promise<Attempt>;

/** An outcome of an operation: `success`, the status of a failure, or an error code. */
export type Outcome = 'success' | `failure ${number}` | ErrorCode;

export type Provocations = { readonly [Id in OperationId]?: { readonly [O in Outcome]?: Provocation } };
