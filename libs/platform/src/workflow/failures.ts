/** The two failures that cross between activities, workflows and the edge by their type name. */
export const API_ERROR_FAILURE = 'ApiError';
export const COMMAND_GONE_FAILURE = 'CommandGone';
