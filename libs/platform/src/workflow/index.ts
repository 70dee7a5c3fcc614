/**
 * What workflow code shares: deterministic, free of Node, safe in the sandbox. Imported as `@carecover/platform/workflow`.
 */
import { ApplicationFailure } from '@temporalio/common';
import { condition } from '@temporalio/workflow';
import { API_ERROR_FAILURE, COMMAND_GONE_FAILURE } from './failures';

export * from '@carecover/setup/search-attributes';
export * from './failures';
export * from './summarized';

/** What every command's Update carries: which row, and what an operator should see. The body stays in the row. */
export interface CommandMessage {
  readonly commandId: string;
  /** `key_…` or `service:…`: who asked. */
  readonly authority: string;
  readonly requestId: string;
}

/** The failure that a caller is to be told of, in whatever wrapping it arrived; null for any other. */
export function apiErrorIn(error: unknown): ApplicationFailure | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure)) continue;
    if (cause.type === API_ERROR_FAILURE || cause.type === COMMAND_GONE_FAILURE) return cause;
  }
  return null;
}

/** Lets handlers of one workflow run one at a time, in the order in which they came. */
export class Mutex {
  private tail = 0;
  private serving = 0;

  /** Runs `work` when all that came before is done, whatever became of it. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.tail++;
    await condition(() => this.serving === mine);
    try {
      return await work();
    } finally {
      this.serving += 1;
    }
  }

  /** Whether no handler runs or waits. */
  get idle(): boolean {
    return this.tail === this.serving;
  }
}
