/**
 * Executes the parts of an act one after the other, for acts of several changes that are not one transaction.
 *
 * Failure policy: if the first part is rejected, nothing was changed and the act is rejected. If a later part is rejected, the parts before it
 * stay, those after it are not executed, and the act says what was done and what was not.
 */
import { ApiError } from '@carecover/domain';

/** What happened to the parts of an act. */
export interface InTurn<Part, Result> {
  /** The results of the executed parts, in order. */
  readonly done: readonly Result[];
  /** The part that was rejected, or whose result is not known, with the reason; null if all were executed. */
  readonly failed: { readonly part: Part; readonly message: string } | null;
}

/**
 * Executes the parts in turn until one is rejected.
 *
 * @param execute executes the part with this index
 * @throws the error of the first part; any error that is no ApiError
 */
export async function executeInTurn<Part, Result>(
  parts: readonly Part[],
  execute: (part: Part, index: number) => Promise<Result>,
): Promise<InTurn<Part, Result>> {
  const done: Result[] = [];
  for (const [index, part] of parts.entries())
    try {
      done.push(await execute(part, index));
    } catch (error) {
      if (done.length === 0 || !(error instanceof ApiError)) throw error;
      return { done, failed: { part, message: error.message } };
    }
  return { done, failed: null };
}
