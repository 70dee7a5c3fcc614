/**
 * A person's access to several projects: each tool has the argument `project_id`, and `list_projects` finds its value.
 */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { PersonCaller } from './caller';
import { limitOf, type ToolArguments, ToolError } from './operation-call';
import { argumentsSchema, type JsonSchema, LIST_LIMIT, type ObjectSchema } from './schema';

export const PROJECT_ID = 'project_id';

const projectIdSchema: JsonSchema = {
  type: 'string',
  description: 'The project (prj_…), from list_projects.',
};

/** Returns the arguments of a tool with the project first. */
export function withProject({ properties, required }: ObjectSchema): ObjectSchema {
  return argumentsSchema({ [PROJECT_ID]: projectIdSchema, ...properties }, [
    PROJECT_ID,
    ...((required as readonly string[] | undefined) ?? []),
  ]);
}

/** Returns the project's ID and the other arguments of a call. @throws ToolError validation_failed */
export function splitProject(given: ToolArguments): readonly [string, ToolArguments] {
  const { [PROJECT_ID]: id, ...others } = given;
  if (typeof id === 'string') return [id, others];
  throw new ToolError('validation_failed', `${PROJECT_ID} is required: a text (prj_…), from list_projects.`);
}

const LIMIT: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: LIST_LIMIT.max,
  default: LIST_LIMIT.default,
  description: 'The maximum number of projects.',
};
const AFTER: JsonSchema = {
  type: 'string',
  description: 'The id of the last project of the previous page, if has_more was true.',
};

/** The tool that lists the projects. It is no operation of the API, because a key belongs to one project. */
export const projectsTool = {
  name: 'list_projects',
  title: 'List projects',
  description:
    'Lists the projects of this installation with their names, newest first. Every other tool needs the id of one (project_id). Ask the person which project is meant if several fit.',
  inputSchema: argumentsSchema({ limit: LIMIT, starting_after: AFTER }, []),
} as const;

/** The tool as an entry of a tools/list response. */
export const listedProjectsTool = {
  ...projectsTool,
  annotations: {
    title: projectsTool.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
} as unknown as ListedTool;

/** Executes the tool. @throws ToolError validation_failed */
export async function listProjects(
  caller: PersonCaller,
  given: ToolArguments,
): Promise<Record<string, unknown>> {
  const { starting_after: after = null } = given;
  if (after !== null && typeof after !== 'string')
    throw new ToolError('validation_failed', 'starting_after must be a text (prj_…).');
  const { data, has_more } = await caller.projects(limitOf(given), after);
  return { data: data.map(({ id, name }) => ({ id, name })), has_more };
}
