/** The MCP server of Carecover, for the gateway and the console. */
export type { OperationCaller, OperationRequest, OperationResponse } from './operation-call';
export { createMcpEndpoint, type McpCaller, type McpRequest } from './server';
export { findTool, tools } from './tools';
export { isPermitted, scopesOf } from './tools/definition';
