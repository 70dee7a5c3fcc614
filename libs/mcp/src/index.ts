/** The MCP server of Carecover, for the gateway and the console. */
export { LAST_START_MS, type McpCaller, type PersonCaller } from './caller';
export type { ConfirmedWrites } from './confirmation';
export { createAppReader, readPages } from './installed-files';
export {
  DISCOVER,
  errorMessage,
  HEADER_MISMATCH,
  idOf,
  isOfTool,
  MESSAGE_BYTES,
  METHOD_NOT_FOUND,
  type Message,
  protocolHeaders,
  readRequest,
} from './message';
export { type OperationRequest, type OperationResponse, ToolError } from './operation-call';
export { createMcpEndpoint } from './server';
export { targetOf } from './target';
export { tools } from './tools';
export { areGranted, isConfirmed, scopesOf } from './tools/definition';
