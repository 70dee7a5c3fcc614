/** Which facts the world is told of, and in what words. */
import { type ClaimEventData, type EventType } from '@carecover/contract';
import type { Fact } from './facts';
import type { Standing } from './recording';
/** The event of a fact; null where it has none. A lapse resubmits nothing, and a part of a settlement settles nothing. */
export declare function eventOf(fact: Fact): EventType | null;
/** A claim as an event shows it. */
export declare function eventData(claim: {
    readonly id: string;
    readonly currency: string;
    readonly billed: number;
}, standing: Standing): ClaimEventData;
