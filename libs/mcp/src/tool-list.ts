/** The list of tools as clients receive it. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { tools } from './tools';
import { annotationsOf, isPermitted, type Tool } from './tools/definition';

function entryOf(tool: Tool): ListedTool {
  const { name, title, description, inputSchema, outputSchema } = tool;
  const annotations = annotationsOf(tool);
  // The package's type has mutable arrays.
  return { name, title, description, inputSchema, outputSchema, annotations } as unknown as ListedTool;
}

const listed = tools.map((tool) => ({ tool, entry: entryOf(tool) }));

/** Returns the tools that the granted scopes permit, as entries of a tools/list response. */
export function listedTools(granted: readonly string[]): ListedTool[] {
  return listed.filter(({ tool }) => isPermitted(tool, granted)).map(({ entry }) => entry);
}
