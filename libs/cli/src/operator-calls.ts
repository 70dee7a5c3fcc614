/** Executes operations of the API for an operator, in the process of the CLI: calls the services' use cases without the gateway. */
import { randomUUID } from 'node:crypto';
import {
  type Environment,
  type ErrorCode,
  findOtherCurrencies,
  type OperationId,
  type OperationInput,
  type Problem,
  validateBody,
  WILDCARD_SCOPE,
} from '@carecover/contract';
import { ApiError, type Caller, storedTenant, type Tenant } from '@carecover/domain';
import { audited, listProjects, OperatorError, tickForChange } from '@carecover/gateway';
import { type Call, operatorAuthority, repeatWhenTooEarly } from '@carecover/http';
import { atProjectTime, type ListQuery, type ListResult, type Sql } from '@carecover/postgres';
import { type CommandContext, operatorOf, withDatabase } from './command-context';

/** Reads one page of a list, for the project of the caller. */
type ListOfProject<T> = (caller: Caller, page: ListQuery) => Promise<ListResult<T>>;

const PAGE = 100;

function callerOf(
  context: CommandContext,
  project: {
    readonly id: string;
    readonly environment: Environment;
    readonly currencies: readonly string[] | null;
  },
): Caller {
  return {
    tenant: storedTenant(project.id),
    environment: project.environment,
    authority: operatorAuthority(operatorOf(context.env)),
    requestId: randomUUID(),
    scopes: [WILDCARD_SCOPE],
    resourceIds: null,
    consentDefault: 'withdrawn',
    endpointLimit: 0,
    currencies: project.currencies,
  };
}

/**
 * Makes one {@link Caller} per project, or only that of `projectId` if it is given, with the operator as authority.
 *
 * @throws OperatorError if there is no project `projectId`
 */
export async function operatorCallers(
  context: CommandContext,
  projectId: string | undefined,
): Promise<Caller[]> {
  const projects = await withDatabase(context, listProjects);
  const chosen = projects.filter(({ id }) => projectId === undefined || id === projectId);
  if (projectId !== undefined && chosen.length === 0)
    throw new OperatorError(`There is no project ${projectId}.`);
  return chosen.map((project) => callerOf(context, project));
}

/** Makes a {@link Caller} of the project with the operator as authority. @throws OperatorError if the project does not exist */
export async function operatorCaller(context: CommandContext, projectId: string): Promise<Caller> {
  const [caller] = await operatorCallers(context, projectId);
  if (caller === undefined) throw new OperatorError(`There is no project ${projectId}.`);
  return caller;
}

/** An item of a list with when it was created, by which lists are ordered. */
interface Created {
  readonly id: string;
  readonly created_at: Date | string;
}

/** Compares items in the order of lists: newest first, and of the same instant by the ID. */
export function compareNewestFirst(a: Created, b: Created): number {
  const later = new Date(b.created_at).getTime() - new Date(a.created_at).getTime();
  return later !== 0 ? later : Number(a.id < b.id) - Number(a.id > b.id);
}

/** Makes an item of a list of a row, with when the row was created. */
export function withCreation<Row extends { readonly created_at: Date }, T>(toResource: (row: Row) => T) {
  return (row: Row): T & Pick<Created, 'created_at'> => ({
    ...toResource(row),
    created_at: row.created_at,
  });
}

/**
 * Reads the newest items of a list over several projects, of each at the project's time. Returns at most `limit` items of all these projects
 * together, newest first, each with its project's ID.
 */
export async function listOfProjects<T extends Created>(
  sql: Sql,
  callers: readonly Caller[],
  limit: number,
  list: ListOfProject<T>,
): Promise<(T & { readonly project_id: string })[]> {
  const items: (T & { project_id: string })[] = [];
  for (const caller of callers) {
    let page: ListResult<T> = { object: 'list', data: [], has_more: true };
    for (let count = 0; page.has_more && count < limit; count += page.data.length) {
      const after = page.data.at(-1)?.id;
      const query = {
        limit: Math.min(PAGE, limit - count),
        ...(after === undefined ? {} : { starting_after: after }),
      };
      page = await atProjectTime(sql, caller.tenant, () => list(caller, query));
      items.push(...page.data.map((item) => ({ ...item, project_id: caller.tenant })));
    }
  }
  return items.sort(compareNewestFirst).slice(0, limit);
}

/** The names of the CLI's options that differ from the names of the API's fields, by field name. */
const OPTIONS: Readonly<Record<string, string>> = {
  source_contract_reference: 'contract',
  valuation_at: 'at',
  reason_code: 'reason',
};

/**
 * Replaces the JSON pointer at the start of an API message by the name of the CLI's option for the field.
 *
 * @example nameOption('/query/effective_through must be …') // '--effective-through must be …'
 */
function nameOption(message: string): string {
  return message.replace(
    /^\/(?:query\/)?([a-z_]+)\S*/,
    (_pointer, field: string) => `--${(OPTIONS[field] ?? field).replaceAll('_', '-')}`,
  );
}

/** Creates the error for options that the API's validation rejects. Its message names the CLI's options instead of the API's fields. */
export function invalidOptions(problems: readonly Problem[]): OperatorError {
  return new OperatorError(
    problems.map(({ pointer, message }) => nameOption(`${pointer} ${message}`)).join('; '),
  );
}

/** @throws OperatorError if a currency of the input is none that the project accepts */
export function requireCurrencies({ currencies }: Caller, input: unknown): void {
  const problems = findOtherCurrencies(input, currencies);
  if (problems.length > 0) throw invalidOptions(problems);
}

/**
 * Creates the input with which the CLI calls an operation's use case directly. It has no idempotency key. @throws OperatorError if the body
 * is invalid
 */
export function operatorCall<Id extends OperationId>(
  operation: Id,
  caller: Caller,
  input: Pick<OperationInput<Id>, 'params' | 'body'>,
): Call<Id> {
  const checked = validateBody(operation, input.body);
  if (!checked.ok) throw invalidOptions(checked.problems);
  requireCurrencies(caller, checked.value);
  return {
    operation,
    caller,
    params: input.params,
    query: {} as OperationInput<Id>['query'],
    body: checked.value,
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: null,
    requestHash: Buffer.alloc(0),
    replayStatus: 200,
  };
}

/**
 * Runs `work`, and again after the wait for which it asks with TooEarly. Converts an ApiError to an OperatorError with the message in `messages` for its code, or else with the ApiError's message.
 */
export async function asOperator<T>(
  work: () => Promise<T>,
  messages: Partial<Record<ErrorCode, string>> = {},
): Promise<T> {
  try {
    return await repeatWhenTooEarly(work);
  } catch (error) {
    throw error instanceof ApiError
      ? new OperatorError(messages[error.code] ?? nameOption(error.message))
      : error;
  }
}

/**
 * Writes the audit entry of a change that a service commits in its own transactions. Call it before the change: it moves the clock of a
 * simulated project on, so that the facts of the change are later than those of the one before.
 */
export function logChange(
  context: CommandContext,
  project: Tenant,
  action: string,
  subject: string,
  details: Record<string, unknown>,
): Promise<void> {
  return withDatabase(context, (sql, operator) =>
    audited(sql, operator, action, async (tx) => {
      await tickForChange(tx, project);
      return { subject, details, result: undefined };
    }),
  );
}
