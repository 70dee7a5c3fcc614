/** What a tool is, and the tools that are one operation. */
import {
  grants,
  type Operation,
  type OperationId,
  operations,
  type RequiredScope,
} from '@carecover/contract';
import type { AppName } from '../apps';
import type { Question } from '../confirmation';
import { callOperation, limitOf, type OperationCaller, type ToolArguments } from '../operation-call';
import {
  type JsonSchema,
  type ObjectSchema,
  openSchema,
  operationArguments,
  resultSchema,
  selectFields,
  selectProperties,
} from '../schema';

/** What clients read of a tool, and the operations by which its scopes are derived. */
interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The operations that a call can execute. Credentials with their scopes see the tool; a call requires them too, unless `scopesOfCall` is given. */
  readonly operations: readonly OperationId[];
  /** Returns the scopes that a call requires, if they depend on its arguments. */
  readonly scopesOfCall?: (given: ToolArguments) => readonly RequiredScope[];
  readonly inputSchema: ObjectSchema;
  /** The open schema of the result; undefined if it would be longer than its use to a model. */
  readonly outputSchema: ObjectSchema | undefined;
  /** The app that shows the result. */
  readonly app?: AppName;
  /** Whether a list that would be too long leaves the tool out, because no write needs it. */
  readonly isOmittedFirst?: true;
}

/** A tool that is executed at once. */
export interface DirectTool extends Definition {
  /** Executes the tool. @throws ToolError */
  readonly run: (caller: OperationCaller, given: ToolArguments) => Promise<Record<string, unknown>>;
}

/** One write of the API, and the question by which a person confirms it. */
export interface Plan {
  readonly question: Question;
  readonly operation: OperationId;
  /** The arguments of the operation. */
  readonly given: ToolArguments;
  /**
   * Returns the short result of the tool for the operation's response.
   *
   * @throws ToolError if the response is that of an earlier call, and nothing was changed
   */
  readonly resultOf: (response: Record<string, unknown>) => Record<string, unknown>;
}

/** A tool whose call a person confirms before it changes anything. Only projects that permit writes list it. */
export interface ConfirmedTool extends Definition {
  /** Whether the write decides or moves money. */
  readonly isDestructive: boolean;
  /** Returns the path of the page in a project's console on which a person does the same. */
  readonly page: (given: ToolArguments) => string;
  /** Checks the arguments and reads what the question shows. Nothing is changed. @throws ToolError */
  readonly plan: (caller: OperationCaller, given: ToolArguments, askedMs: number) => Promise<Plan>;
}

export type Tool = DirectTool | ConfirmedTool;

/** Returns whether a person must confirm each call of the tool. */
export function isConfirmed(tool: Tool): tool is ConfirmedTool {
  return 'plan' in tool;
}

/** Returns the scopes that a tool requires: those of its operations. */
export function scopesOf({ operations: ids }: Pick<Tool, 'operations'>): RequiredScope[] {
  return [...new Set(ids.map((id) => operations[id].scope))];
}

/** Returns whether the granted scopes permit the tool. */
export function isPermitted(tool: Pick<Tool, 'operations'>, granted: readonly string[]): boolean {
  return areGranted(scopesOf(tool), granted);
}

/** Returns whether all of these scopes are granted. */
export function areGranted(required: readonly RequiredScope[], granted: readonly string[]): boolean {
  return required.every((scope) => grants(granted, scope));
}

/** Returns the hints of a tool. They are derived from its operations: a tool of reads changes nothing. */
export function annotationsOf(tool: Tool) {
  const { operations: ids, title } = tool;
  const used: readonly Operation[] = ids.map((id) => operations[id]);
  const readOnlyHint = used.every(({ method }) => method === 'GET');
  return {
    title,
    readOnlyHint,
    destructiveHint: isConfirmed(tool) && tool.isDestructive,
    idempotentHint: used.every(({ method, idempotencyKey }) => method === 'GET' || idempotencyKey !== 'none'),
    openWorldHint: false,
  };
}

interface ReadDefinition {
  /** What the tool returns and when to use it, for a model that has never seen the product. */
  readonly description: string;
  /** The fields of the resource, or of each item of a list. Absent: all. */
  readonly fields?: readonly string[];
  /** Whether the tool has no output schema. */
  readonly isOpaque?: true;
  readonly app?: AppName;
  readonly isOmittedFirst?: true;
}

const LIST_FIELDS = ['data', 'has_more'] as const;

function itemSchema(schema: JsonSchema): JsonSchema | undefined {
  return schema.properties?.data?.items;
}

/** Returns the schema of the operation's result with the selected fields. */
function compactSchema(operation: Operation, fields: readonly string[] | undefined): JsonSchema {
  const schema = resultSchema(operation);
  const item = itemSchema(schema);
  if (fields === undefined) return schema;
  if (item === undefined) return selectProperties(schema, fields);
  const list = selectProperties(schema, LIST_FIELDS);
  const data = { type: 'array', items: selectProperties(item, fields) };
  return { ...list, properties: { ...list.properties, data } };
}

/** Returns a list with the selected fields of its items, or a resource with the selected fields. */
export function compact(
  value: Readonly<Record<string, unknown>>,
  fields: readonly string[] | undefined,
): Record<string, unknown> {
  if (fields === undefined) return { ...value };
  if (!Array.isArray(value.data)) return selectFields(value, fields);
  return { data: value.data.map((item) => selectFields(item, fields)), has_more: value.has_more };
}

/** Makes a tool of one operation that reads. Name, title, arguments and schemas come from the table of operations. */
export function readTool(id: OperationId, name: string, definition: ReadDefinition): DirectTool {
  const operation: Operation = operations[id];
  const { description, fields, isOpaque, app, isOmittedFirst } = definition;
  const inputSchema = operationArguments(operation);
  return {
    name,
    title: operation.summary,
    description,
    operations: [id],
    inputSchema,
    ...(app !== undefined && { app }),
    ...(isOmittedFirst && { isOmittedFirst }),
    outputSchema: isOpaque ? undefined : (openSchema(compactSchema(operation, fields)) as ObjectSchema),
    run: async (caller, given) => {
      if (inputSchema.properties.limit !== undefined) limitOf(given);
      return compact(await callOperation(caller, id, given), fields);
    },
  };
}
