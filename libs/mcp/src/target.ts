/** What a message would execute, so that the gateway can check its scopes before the message is handled. */
import type { RequiredScope } from '@carecover/contract';
import type { ToolArguments } from './operation-call';
import { findTemplate } from './resources';
import { findTool } from './tools';
import { scopesOf } from './tools/definition';

interface Target {
  /** The name of the tool or resource template. */
  readonly name: string;
  /** The scopes that the message requires. */
  readonly scopes: readonly RequiredScope[];
}

/** Returns the tool that a message calls, or the resource that it reads; undefined if it executes no operation. */
export function targetOf(method: string, params: Readonly<Record<string, unknown>>): Target | undefined {
  if (method === 'tools/call') {
    const tool = findTool(String(params.name));
    const given = Object(params.arguments) as ToolArguments;
    return tool && { name: tool.name, scopes: tool.scopesOfCall?.(given) ?? scopesOf(tool) };
  }
  if (method !== 'resources/read') return undefined;
  const template = findTemplate(String(params.uri), 'key')?.template;
  return template && { name: template.name, scopes: scopesOf({ operations: [template.operation] }) };
}
