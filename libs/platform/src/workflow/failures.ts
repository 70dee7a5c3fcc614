/** The two failures that cross between activities, workflows and the edge by their type name. */
export const REFUSAL_FAILURE = 'Refusal';
export const COMMAND_GONE_FAILURE = 'CommandGone';
