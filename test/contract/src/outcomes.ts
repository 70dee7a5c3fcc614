/** The documented outcomes of every operation, from the API contract. The contract test must cause each of them. */
import { type Operation, operationErrors, operationList } from '@carecover/contract';

export interface Expected {
  readonly operation: Operation;
  /**
   * `success`; `replay` for the stored response to a repeated request; the code of an API error; or `failure <status>` for a documented
   * error status whose body is not an API error.
   */
  readonly outcome: string;
}

/** Lists the outcomes of all operations, except internal_error. */
export function expectedOutcomes(): Expected[] {
  return operationList.flatMap((operation) => {
    const outcomes = [
      'success',
      ...(operation.failures ?? []).map(({ status }) => `failure ${status}`),
      ...(storesResponses(operation) ? ['replay'] : []),
      // internal_error is left out, because no request must cause it.
      ...operationErrors(operation).filter((code) => code !== 'internal_error'),
    ];
    const possible = outcomes.filter(
      (outcome) => !(outcome === 'permission_denied' && operation.scope === 'any key'),
    );
    return possible.map((outcome) => ({ operation, outcome }));
  });
}

/** Returns whether a repeated request to an operation with the same idempotency key gets the stored response. */
export function storesResponses({ idempotencyKey }: Operation): boolean {
  return idempotencyKey === 'required' || idempotencyKey === 'optional';
}
