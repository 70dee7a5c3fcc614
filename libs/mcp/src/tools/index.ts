/** The list of tools, in the order in which clients get it. */

import { bulkJobsTool } from './bulk-jobs';
import type { Tool } from './definition';
import { deliveriesTool } from './deliveries';
import { reads } from './reads';
import { valuations } from './valuations';
import { whatWaits } from './work';
import { writes } from './writes';

/** Every tool, by its name in a constant order: a client that keeps the list sees no difference between two requests. */
export const tools: readonly Tool[] = [
  whatWaits,
  ...reads,
  ...valuations,
  deliveriesTool,
  bulkJobsTool,
  ...writes,
];

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** Returns the tool of this name; undefined if there is none. */
export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}
