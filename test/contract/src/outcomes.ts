/** Every way in which each operation is documented to answer, from the contract's table: what the contract test must see. */
import { commonErrors, type ErrorCode, type Operation, operationList } from '@carecover/contract';

export interface Expected {
  readonly operation: Operation;
  /** `success`, `replay`, `failure 502`, or an error code. */
  readonly outcome: string;
}

/** Codes that a mistaken client meets; `internal_error` is a fault and can't be provoked. */
function exceptional({ body, bodyLimitBytes }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['method_not_allowed'];
  if (body !== undefined && bodyLimitBytes > 0) codes.push('payload_too_large', 'unsupported_media_type');
  return codes;
}

export function expectedOutcomes(): Expected[] {
  return operationList.flatMap((operation) => {
    const outcomes = [
      'success',
      ...(operation.failures ?? []).map(({ status }) => `failure ${status}`),
      ...(keepsAnswers(operation) ? ['replay'] : []),
      ...new Set([...operation.codes, ...commonErrors, ...exceptional(operation)]),
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
