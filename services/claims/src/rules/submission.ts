/** The rules for a claim's submission: its lines and their sum, its first changes, and the conflicts with other claims. */
import { type ClaimInput, type ClaimLine, sumMoney } from '@carecover/contract';
import { ApiError, type Command } from '@carecover/domain';
import type { ClaimOpening } from './facts';
import type { Change } from './recording';

/** Returns a claim's lines as they are stored, numbered from 1 in the order of the input. */
export function toLines(lines: ClaimInput['lines']): ClaimLine[] {
  return lines.map((line, index) => ({
    line_number: index + 1,
    code_system: line.code_system,
    code_system_version: line.code_system_version ?? null,
    service_code: line.service_code,
    units: line.units,
    amount: line.amount,
  }));
}

/** Returns the exact sum of the lines in minor units. @throws ApiError validation_failed above 2^53 - 1 */
export function billed(lines: readonly Pick<ClaimLine, 'amount'>[]): number {
  const sum = sumMoney(lines.map((line) => line.amount));
  if (sum === undefined)
    throw new ApiError('validation_failed', '/lines must have a sum of at most 9007199254740991');
  return sum;
}

/** Returns the changes that create a claim: create, validate and submit. */
export function submissionChanges({ id, caller, body }: Command, opening: ClaimOpening): Change[] {
  const { evidence_refs } = body as ClaimInput;
  const by = { cause: id, authority: caller.authority, requestId: caller.requestId };
  return [
    { transition: 'create', detail: opening, ...by },
    { transition: 'validate', ...by },
    { transition: 'submit', evidenceReferences: evidence_refs ?? [], ...by },
  ];
}

/** Returns the API error for a violated unique constraint of the table claims; null for any other constraint. */
export function conflictError(constraint: string | null): ApiError | null {
  switch (constraint) {
    case 'claims_reference_once':
      return new ApiError('duplicate_claim_reference', '/provider_claim_reference belongs to another claim.');
    case 'claims_one_live_a_session':
      return new ApiError(
        'session_already_claimed',
        '/session_id already has a claim that is neither cancelled nor reversed.',
      );
    default:
      return null;
  }
}
