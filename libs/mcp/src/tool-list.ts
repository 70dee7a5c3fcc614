/** The list of tools as clients receive it. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { appUri } from './apps';
import type { PersonCaller } from './caller';
import { listedProjectsTool, withProject } from './projects';
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

interface Listed {
  readonly tool: Tool;
  readonly entry: ListedTool;
}

const listed: readonly Listed[] = tools.map((tool) => ({ tool, entry: entryOf(tool) }));
const listedForPersons: readonly Listed[] = tools.map((tool) => {
  const entry = entryOf({ ...tool, inputSchema: withProject(tool.inputSchema) });
  return { tool, entry };
});

/** Returns the permitted tools; if they are more than the maximum, without those that no write needs. They can still be called. */
function entriesOf(permitted: readonly Listed[], maximum: number): ListedTool[] {
  const shown =
    permitted.length > maximum ? permitted.filter(({ tool }) => tool.isOmittedFirst !== true) : permitted;
  return shown.map(({ entry }) => entry);
}

/**
 * Returns the tools that the granted scopes permit, as entries of a tools/list response. Of more than {@link MAX_LISTED}, those that no write
 * needs are left out.
 *
 * @param hasWrites whether the project permits writes
 */
export function listedTools(granted: readonly string[], hasWrites: boolean): ListedTool[] {
  const permitted = listed.filter(
    ({ tool }) => isPermitted(tool, granted) && (hasWrites || !isConfirmed(tool)),
  );
  return entriesOf(permitted, MAX_LISTED);
}

/** Returns the tools that a person's roles permit. Whether a project permits writes is known when it is chosen. */
export function listedToolsOfPerson({ permits }: PersonCaller): ListedTool[] {
  const permitted = listedForPersons.filter(({ tool }) => tool.operations.every(permits));
  return [listedProjectsTool, ...entriesOf(permitted, MAX_LISTED - 1)];
}
