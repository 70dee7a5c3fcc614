/** Until when an information request may be answered. */
import { type InformationRequestInput } from '@carecover/contract';
/** The deadline, or null for none. @param now epoch milliseconds @throws Refusal validation_failed where it is not in the future */
export declare function checkDueAt({ due_at }: Pick<InformationRequestInput, 'due_at'>, now: number): Date | null;
