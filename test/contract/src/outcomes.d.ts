/** Every way in which each operation is documented to answer, from the contract's table: what the contract test must see. */
import { type Operation } from '@carecover/contract';
export interface Expected {
  readonly operation: Operation;
  /** `success`, `replay`, `failure 502`, or an error code. */
  readonly outcome: string;
}
export declare function expectedOutcomes(): Expected[];
/** Whether a repetition under the same key gets the first answer again. */
export declare function keepsAnswers({ idempotencyKey }: Operation): boolean;
