import * as messages from './messages';
export declare function claim(input: messages.ClaimWorkflowInput): Promise<void>;
