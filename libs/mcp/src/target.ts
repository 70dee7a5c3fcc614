/** What a message would execute, so that the gateway can check its scopes before the message is handled. */
import type { OperationId } from '@carecover/contract';
import { findTemplate } from './resources';
import { findTool } from './tools';

interface Target {
  /** The name of the tool or resource template. */
  readonly name: string;
  readonly operations: readonly OperationId[];
}

/** Returns the tool that a message calls, or the resource that it reads; undefined if it executes no operation. */
export function targetOf(method: string, params: Readonly<Record<string, unknown>>): Target | undefined {
  if (method === 'tools/call') return findTool(String(params.name));
  if (method !== 'resources/read') return undefined;
  const found = findTemplate(String(params.uri));
  return found && { name: found.template.name, operations: [found.template.operation] };
}
