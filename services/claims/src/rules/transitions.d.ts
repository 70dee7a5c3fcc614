/**
 * THE table of a claim's lifecycle: which move leads from which status to which. Every committing transaction applies it
 * under the row's lock, and docs/transitions.md is written from it. What a cell does not name is refused (409).
 */
import type { AdjudicationDecision, ClaimStatus, ClaimValuationEventType } from '@carecover/contract';
/** A status, or none before the first fact. */
export type From = ClaimStatus | 'none';
/** Where a cell leads: a status, or back to what the adjudication that stands decided. */
type To = ClaimStatus | 'decision';
interface MoveRow {
    /** The type of the fact that it appends. */
    readonly fact: ClaimValuationEventType;
    /** What the fact's effective_at is; `now` is its recorded_at. */
    readonly effective: 'now' | 'due_at' | 'decided_at' | 'received_at' | 'observed_at' | 'reconciled_at';
    readonly to: Readonly<Partial<Record<From, To>>>;
}
export declare const moves: {
    readonly create: {
        readonly fact: 'created';
        readonly effective: 'now';
        readonly to: {
            readonly none: 'draft';
        };
    };
    readonly validate: {
        readonly fact: 'validated';
        readonly effective: 'now';
        readonly to: {
            readonly draft: 'draft';
        };
    };
    readonly submit: {
        readonly fact: 'submitted';
        readonly effective: 'now';
        readonly to: {
            readonly draft: 'submitted';
        };
    };
    readonly query: {
        readonly fact: 'queried';
        readonly effective: 'now';
        readonly to: {
            readonly submitted: 'queried';
        };
    };
    readonly lapse: {
        readonly fact: 'submitted';
        readonly effective: 'due_at';
        readonly to: {
            readonly queried: 'submitted';
        };
    };
    readonly add_evidence: {
        readonly fact: 'evidence_added';
        readonly effective: 'now';
        readonly to: {
            readonly queried: 'queried';
        };
    };
    readonly resubmit: {
        readonly fact: 'resubmitted';
        readonly effective: 'now';
        readonly to: {
            readonly queried: 'submitted';
        };
    };
    readonly approve: {
        readonly fact: 'approved';
        readonly effective: 'decided_at';
        readonly to: {
            submitted: "approved";
            approved: "approved";
            partially_approved: "approved";
            denied: "approved";
        };
    };
    readonly approve_in_part: {
        readonly fact: 'partially_approved';
        readonly effective: 'decided_at';
        readonly to: {
            submitted: "partially_approved";
            approved: "partially_approved";
            partially_approved: "partially_approved";
            denied: "partially_approved";
        };
    };
    readonly deny: {
        readonly fact: 'denied';
        readonly effective: 'decided_at';
        readonly to: {
            submitted: "denied";
            approved: "denied";
            partially_approved: "denied";
            denied: "denied";
        };
    };
    readonly record_remittance: {
        readonly fact: 'remittance_recorded';
        readonly effective: 'received_at';
        readonly to: {
            readonly submitted: 'submitted';
            readonly queried: 'queried';
            readonly approved: 'approved';
            readonly partially_approved: 'partially_approved';
            readonly denied: 'denied';
            readonly settled: 'settled';
            readonly reversed: 'reversed';
            readonly cancelled: 'cancelled';
        };
    };
    readonly settle_in_part: {
        readonly fact: 'settled';
        readonly effective: 'observed_at';
        readonly to: {
            readonly submitted: 'submitted';
            readonly queried: 'queried';
            readonly approved: 'approved';
            readonly partially_approved: 'partially_approved';
            readonly denied: 'denied';
            readonly reversed: 'reversed';
            readonly cancelled: 'cancelled';
            readonly settled: 'decision';
        };
    };
    readonly settle_in_full: {
        readonly fact: 'settled';
        readonly effective: 'observed_at';
        readonly to: {
            readonly submitted: 'submitted';
            readonly queried: 'queried';
            readonly denied: 'denied';
            readonly settled: 'settled';
            readonly reversed: 'reversed';
            readonly cancelled: 'cancelled';
            readonly approved: 'settled';
            readonly partially_approved: 'settled';
        };
    };
    readonly reconcile: {
        readonly fact: 'reconciled';
        readonly effective: 'reconciled_at';
        readonly to: {
            readonly submitted: 'submitted';
            readonly queried: 'queried';
            readonly approved: 'approved';
            readonly partially_approved: 'partially_approved';
            readonly denied: 'denied';
            readonly settled: 'settled';
            readonly reversed: 'reversed';
            readonly cancelled: 'cancelled';
        };
    };
    readonly reverse: {
        readonly fact: 'reversed';
        readonly effective: 'now';
        readonly to: {
            readonly approved: 'reversed';
            readonly partially_approved: 'reversed';
            readonly settled: 'reversed';
        };
    };
    readonly cancel: {
        readonly fact: 'cancelled';
        readonly effective: 'now';
        readonly to: {
            readonly submitted: 'cancelled';
            readonly queried: 'cancelled';
        };
    };
};
export type Move = keyof typeof moves;
/** The move by which an adjudication's decision is recorded. */
export declare const moveOfDecision: {
    readonly approved: 'approve';
    readonly partially_approved: 'approve_in_part';
    readonly denied: 'deny';
};
/** Statuses in which nothing can happen any more but what money does, or a reversal after settlement. */
export declare const closedStatuses: readonly ["settled", "reversed", "cancelled"];
/** The row of a move, with the types of the table's columns. */
export declare function rowOf(move: Move): MoveRow;
/**
 * The status that a move leads to; null where it is refused.
 *
 * @param decision of the adjudication that stands, null where none does
 */
export declare function nextStatus(move: Move, from: From, decision: AdjudicationDecision | null): ClaimStatus | null;
export {};
