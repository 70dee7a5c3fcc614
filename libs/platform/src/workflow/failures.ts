/** Type names of the two failures that activities and workflows pass on to the service that sent the command. */
export const API_ERROR_FAILURE = 'ApiError';
export const COMMAND_GONE_FAILURE = 'CommandGone';
