/** The arithmetic of an adjudication: exact integers in minor units, every refusal naming its line by a JSON pointer. */
import { type Adjudication, type AdjudicationDecision, type AdjudicationInput, type ClaimLine } from '@carecover/contract';
type InputLine = AdjudicationInput['lines'][number];
export interface Totals {
    readonly billed: number;
    readonly payer: number;
    readonly patient_responsibility: number;
    readonly adjustment: number;
}
/** The payer's total decides: none of what was billed, all of it, or a part. */
export declare function deriveDecision({ billed, payer }: Pick<Totals, 'billed' | 'payer'>): AdjudicationDecision;
/**
 * Judges a claim's lines.
 *
 * @throws Refusal adjudication_lines_mismatch, adjudication_unbalanced, or validation_failed for a sum beyond 2^53 - 1
 */
export declare function judge(claimLines: readonly ClaimLine[], lines: readonly InputLine[]): {
    readonly totals: Totals;
    readonly decision: AdjudicationDecision;
};
/** The adjudication as the claim shows it and as it is kept. */
export declare function toAdjudication(input: AdjudicationInput, judged: ReturnType<typeof judge>, circumstances: {
    readonly id: string;
    readonly version: number;
    readonly currency: string;
    readonly decidedAt: string;
}): Adjudication;
export {};
