/** What a provocation is: the request that must be answered in one documented way. */
import type { ErrorCode, OperationId } from '@carecover/contract';
import type { World } from '@carecover/test-support';

export interface Attempt {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Puts the world back in order once the answer is there. */
  readonly afterwards?: () => Promise<void>;
}

/** Prepares the world and gives the request. */
export type Provocation = (world: World) => Promise<Attempt>;

/** How an operation can answer a valid client, beyond what every operation does: `success`, a failure's status, or a code. */
export type Outcome = 'success' | `failure ${number}` | ErrorCode;

export type Provocations = { readonly [Id in OperationId]?: { readonly [O in Outcome]?: Provocation } };
