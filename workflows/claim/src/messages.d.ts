/** What can be said to a claim's workflow, with the types of its messages. */
import type { CommandMessage } from '@carecover/platform/workflow';
/** What a run begins with; everything else it reads from the facts. */
export interface ClaimWorkflowInput {
    /** The claim's id, which is the workflow's. */
    readonly resourceId: string;
    readonly tenant: string;
    readonly environment: 'sandbox' | 'production';
    /** Continue as new beyond this many history events, where the server does not suggest it earlier. For tests. */
    readonly historyLimit?: number;
}
export declare const submit: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
export declare const requestInformation: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
export declare const submitEvidence: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
export declare const adjudicate: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
export declare const cancel: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
export declare const reverse: import("@temporalio/common").UpdateDefinition<void, [CommandMessage], string>;
/** Something was recorded on the claim from outside, or is overdue: look at the facts again. */
export declare const recorded: import("@temporalio/common").SignalDefinition<[], "recorded">;
