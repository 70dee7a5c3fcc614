/** The list of tools as clients receive it. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { appUri } from './apps';
import { tools } from './tools';
import { annotationsOf, isConfirmed, isPermitted, type Tool } from './tools/definition';

/** The largest number of tools in one list: models and clients degrade beyond. */
export const MAX_LISTED = 24;

function entryOf(tool: Tool): ListedTool {
  const { name, title, description, inputSchema, outputSchema, app } = tool;
  const annotations = annotationsOf(tool);
  // The package's type has mutable arrays.
  return {
    ...{ name, title, description, inputSchema, outputSchema, annotations },
    ...(app !== undefined && { _meta: { ui: { resourceUri: appUri(app) } } }),
  } as unknown as ListedTool;
}

const listed = tools.map((tool) => ({ tool, entry: entryOf(tool) }));

/**
 * Returns the tools that the granted scopes permit, as entries of a tools/list response. If these are more than {@link MAX_LISTED}, the tools
 * that no write needs are left out; they can still be called.
 *
 * @param hasWrites whether the project permits writes
 */
export function listedTools(granted: readonly string[], hasWrites: boolean): ListedTool[] {
  const permitted = listed.filter(
    ({ tool }) => isPermitted(tool, granted) && (hasWrites || !isConfirmed(tool)),
  );
  const shown =
    permitted.length > MAX_LISTED ? permitted.filter(({ tool }) => tool.isOmittedFirst !== true) : permitted;
  return shown.map(({ entry }) => entry);
}
