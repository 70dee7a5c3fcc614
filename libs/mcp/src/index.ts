/** The MCP server of Carecover, for the gateway and the console. */
export type { AppName } from './apps';
export type { ConfirmedWrites } from './confirmation';
export type { OperationRequest, OperationResponse } from './operation-call';
export type { DocumentationPage } from './resources';
export { createMcpEndpoint, type McpCaller } from './server';
export { targetOf } from './target';
export { tools } from './tools';
export { isConfirmed, isPermitted, scopesOf } from './tools/definition';
