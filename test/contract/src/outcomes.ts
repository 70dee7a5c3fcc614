/** Every way in which each operation is documented to answer, from the contract's table: what the contract test must see. */
import { type Operation, operationErrors, operationList } from '@carecover/contract';

export interface Expected {
  readonly operation: Operation;
  /** `success`, `replay`, `failure 502`, or an error code. */
  readonly outcome: string;
}

export function expectedOutcomes(): Expected[] {
  return operationList.flatMap((operation) => {
    const outcomes = [
      'success',
      ...(operation.failures ?? []).map(({ status }) => `failure ${status}`),
      ...(keepsAnswers(operation) ? ['replay'] : []),
      // A fault, which can't be provoked.
      ...operationErrors(operation).filter((code) => code !== 'internal_error'),
    ];
    const possible = outcomes.filter(
      (outcome) => !(outcome === 'permission_denied' && operation.scope === 'any key'),
    );
    return possible.map((outcome) => ({ operation, outcome }));
  });
}

/** Whether a repetition under the same key gets the first answer again. */
export function keepsAnswers({ idempotencyKey }: Operation): boolean {
  return idempotencyKey === 'required' || idempotencyKey === 'optional';
}
