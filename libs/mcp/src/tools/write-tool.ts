/**
 * Makes a tool that writes of one operation of the API. Its arguments are those of the operation, and its result is short: a write that has been
 * executed must never look like an error, because its response is long.
 */
import { type Operation, type OperationId, operations } from '@carecover/contract';
import type { Question } from '../confirmation';
import { checkCall, type OperationCaller, type ToolArguments, ToolError } from '../operation-call';
import { idempotencyKeySchema, inputArguments, type ObjectSchema } from '../schema';
import type { ConfirmedTool, Plan } from './definition';

export const CONFIRMED =
  'A person confirms the call: the client shows the amounts and the effect, and nothing happens before the answer. Send an idempotency_key (8 to 255 characters), and the same one when you repeat the call.';

/** The longest text of another party in a question, in characters. */
const MAX_QUOTED = 80;
/** The longest reference that the API records, in characters. A question shows the references of its call whole. */
const MAX_REFERENCE = 300;

/** The most lines or allocations that a question shows one by one. */
export const MAX_SHOWN = 20;

/** Quotes a text that another party wrote, for a question: one line, and no longer than a reference should be. */
export function quote(value: unknown, maxLength = MAX_QUOTED): string {
  const text = String(value)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll('"', "'");
  return `"${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}"`;
}

/** Quotes texts that another party wrote. */
export function quoteAll(values: unknown): string {
  const all = values as readonly unknown[];
  return all.map((value) => quote(value)).join(', ');
}

/** Quotes a reference of the call, which is recorded, whole. */
export function quoteReference(value: unknown): string {
  return quote(value, MAX_REFERENCE);
}

/** Returns the line of a question that contains the references to evidence of the call. */
export function evidenceOf({ evidence_refs, evidence_references }: ToolArguments): string {
  const references = (evidence_refs ?? evidence_references ?? []) as readonly unknown[];
  return `Evidence: ${references.map(quoteReference).join(', ') || 'none'}.`;
}

/** Returns the lines of a question that contain the reasons, the policy and the evidence of a decision. */
export function groundsOf(given: ToolArguments): string {
  const policy = `${quoteReference(given.policy_reference)}, version ${quote(given.policy_version)}`;
  return `Reasons: ${quoteAll(given.reason_codes)}. Policy: ${policy}.\n${evidenceOf(given)}`;
}

/**
 * Checks that a question can show each of the items, so that no person confirms what was not shown.
 *
 * @param items what they are, such as `allocations`
 * @param instead where a longer call can be made
 * @throws ToolError confirmation_too_long
 */
export function requireShown(items: string, count: number, instead: string): void {
  if (count <= MAX_SHOWN) return;
  throw new ToolError(
    'confirmation_too_long',
    `A question shows at most ${MAX_SHOWN} ${items}, and this call has ${count}. Nothing was changed. ${instead}`,
  );
}

/**
 * Returns the arguments of a tool: those for the path of the operation, for its body and the idempotency key.
 *
 * @param given the arguments for the body; undefined: all properties of the body
 */
function writeArguments(id: OperationId, given: ObjectSchema | undefined, what: string): ObjectSchema {
  const operation: Operation = operations[id];
  const body = given ?? inputArguments(operation.body ?? {}, []);
  const path = inputArguments(operation.params, []);
  return {
    ...path,
    properties: {
      ...path.properties,
      ...body.properties,
      idempotency_key: idempotencyKeySchema(what),
    },
    required: [...(path.required ?? []), ...(body.required ?? []), 'idempotency_key'],
  };
}

interface WriteDefinition<Resource, Response> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: OperationId;
  /** The operations that read what the question shows. */
  readonly reads: readonly OperationId[];
  /** The arguments for the body of the operation, if they are not all of its properties. */
  readonly body?: ObjectSchema;
  /** What the idempotency key identifies, such as a decision. */
  readonly what: string;
  readonly isDestructive: boolean;
  readonly page: (given: ToolArguments) => string;
  /** Reads what the question shows. */
  readonly read: (caller: OperationCaller, given: ToolArguments) => Promise<Resource>;
  /** Returns the arguments of the operation, if they are not those of the tool. */
  readonly complete?: (given: ToolArguments, resource: Resource) => ToolArguments;
  /** Returns the question. The arguments are complete and have been checked. */
  readonly question: (given: ToolArguments, resource: Resource) => Question;
  /**
   * Returns the short result of the tool. Its length must have a bound below that of results.
   *
   * @throws ToolError if the response is that of an earlier call with the same idempotency key, whose effect has been replaced
   */
  readonly result: (response: Response, resource: Resource) => Record<string, unknown>;
}

/** Makes the tool of a write. */
export function writeTool<Resource, Response>(
  definition: WriteDefinition<Resource, Response>,
): ConfirmedTool {
  const { operation, reads, description, body, what, read, complete, question, result, ...others } =
    definition;
  return {
    ...others,
    inputSchema: writeArguments(operation, body, what),
    description: `${description} ${CONFIRMED}`,
    operations: [...reads, operation],
    outputSchema: undefined,
    plan: async (caller, given): Promise<Plan> => {
      const resource = await read(caller, given);
      const completed = complete === undefined ? given : complete(given, resource);
      checkCall(operation, completed);
      return {
        question: question(completed, resource),
        operation,
        given: completed,
        resultOf: (response) => result(response as Response, resource),
      };
    },
  };
}
