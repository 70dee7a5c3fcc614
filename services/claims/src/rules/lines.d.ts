/** A claim's lines as they are kept: numbered from 1 in the order of input. */
import { type ClaimInput, type ClaimLine } from '@carecover/contract';
export declare function toLines(lines: ClaimInput['lines']): ClaimLine[];
/** The exact sum of the lines in minor units. @throws Refusal validation_failed beyond 2^53 - 1 */
export declare function billed(lines: readonly ClaimLine[]): number;
