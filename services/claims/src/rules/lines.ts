/** Returns a claim's lines as they are stored, numbered from 1 in the order of the input. */
import { type ClaimInput, type ClaimLine, sumMoney } from '@carecover/contract';
import { ApiError } from '@carecover/platform';

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
export function billed(lines: readonly ClaimLine[]): number {
  const sum = sumMoney(lines.map((line) => line.amount));
  if (sum === undefined)
    throw new ApiError('validation_failed', '/lines must have a sum of at most 9007199254740991');
  return sum;
}
