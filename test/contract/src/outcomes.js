Object.defineProperty(exports, '__esModule', { value: true });
exports.expectedOutcomes = expectedOutcomes;
exports.keepsAnswers = keepsAnswers;
/** Every way in which each operation is documented to answer, from the contract's table: what the contract test must see. */
const contract_1 = require('@carecover/contract');
/** Codes that a mistaken client meets; `internal_error` is a fault and can't be provoked. */
function exceptional({ body, bodyLimitBytes }) {
  const codes = ['method_not_allowed'];
  if (body !== undefined && bodyLimitBytes > 0) codes.push('payload_too_large', 'unsupported_media_type');
  return codes;
}
function expectedOutcomes() {
  return contract_1.operationList.flatMap((operation) => {
    const outcomes = [
      'success',
      ...(operation.failures ?? []).map(({ status }) => `failure ${status}`),
      ...(keepsAnswers(operation) ? ['replay'] : []),
      ...new Set([...operation.codes, ...contract_1.commonErrors, ...exceptional(operation)]),
    ];
    const possible = outcomes.filter(
      (outcome) => !(outcome === 'permission_denied' && operation.scope === 'any key'),
    );
    return possible.map((outcome) => ({ operation, outcome }));
  });
}
/** Whether a repetition under the same key gets the first answer again. */
function keepsAnswers({ idempotencyKey }) {
  return idempotencyKey === 'required' || idempotencyKey === 'optional';
}
