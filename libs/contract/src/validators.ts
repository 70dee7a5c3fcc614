// Validators of requests, one set per operation. Everything rejected here is a 400 that names every place; what passes has exactly
// the operation's types.
import type { ValidateFunction } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { lazily } from './ajv';
import { checkBody } from './checks';
import { IDEMPOTENCY_KEY_LENGTH } from './limits';
import type { Problem, Problems } from './operation';
import { type Operation, type OperationId, type OperationInput, operationList } from './operations';
import { onePerPlace, problem, toProblems } from './problem';
import { findUnplainText, pointerStep } from './text';

/** A value that passed, or what is wrong with it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problems };

/** The documented headers of a request: the Idempotency-Key and an operation's own, by their documented names. */
export interface CheckedHeaders {
  idempotencyKey: string | undefined;
  values: Readonly<Record<string, string>>;
}

interface QueryParameter {
  readonly integer: boolean;
  readonly fallback: unknown;
}

interface OperationValidators {
  readonly params: () => ValidateFunction;
  readonly query: () => ValidateFunction;
  readonly headers: () => ValidateFunction;
  readonly body: (() => ValidateFunction) | undefined;
  readonly headerNames: readonly string[];
  readonly queryParameters: ReadonlyMap<string, QueryParameter>;
}

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Of two occurrences of these, a proxy and this API might each believe another. */
const SINGLE_HEADERS = ['Content-Type', IDEMPOTENCY_KEY, 'X-Artifact-Reference', 'X-Request-Id'];

/** The schema of the Idempotency-Key. */
export const idempotencyKeySchema = Type.String({
  minLength: IDEMPOTENCY_KEY_LENGTH.min,
  maxLength: IDEMPOTENCY_KEY_LENGTH.max,
  description: 'Names this request, so that repeating it never has a second effect.',
});

/** The schema of the headers that an operation reads, an object by their documented names. */
export function headersSchema(operation: Operation) {
  const properties: Record<string, TSchema> = { ...operation.headers };
  if (operation.idempotencyKey === 'required') properties[IDEMPOTENCY_KEY] = idempotencyKeySchema;
  if (operation.idempotencyKey === 'optional') {
    properties[IDEMPOTENCY_KEY] = Type.Optional(idempotencyKeySchema);
  }
  return Type.Object(properties, { additionalProperties: false });
}

function queryParameters(schema: TSchema): Map<string, QueryParameter> {
  const properties: Record<string, { type?: unknown; default?: unknown }> = Reflect.get(schema, 'properties');
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      { integer: property.type === 'integer', fallback: property.default },
    ]),
  );
}

function validatorsOf(operation: Operation): OperationValidators {
  const headers = headersSchema(operation);
  return {
    params: lazily(operation.params),
    query: lazily(operation.query),
    headers: lazily(headers),
    body: operation.body && lazily(operation.body),
    headerNames: Object.keys(headers.properties),
    queryParameters: queryParameters(operation.query),
  };
}

const validators = Object.fromEntries(
  operationList.map((operation) => [operation.id, validatorsOf(operation)]),
) as Record<OperationId, OperationValidators>;

/** Compiles everything now, so that no first request waits for it. */
export function compileValidators(): void {
  for (const { params, query, headers, body } of Object.values(validators)) {
    params();
    query();
    headers();
    body?.();
  }
}

function rejected(first: Problem, ...others: Problem[]): { ok: false; problems: Problems } {
  return { ok: false, problems: [first, ...others] };
}

function run<T>(validate: ValidateFunction, value: unknown, root: string): Checked<T> {
  return validate(value)
    ? { ok: true, value: value as T }
    : { ok: false, problems: toProblems(validate.errors, root) };
}

/** Adds the problems that were found before the schema was asked; they are the better words for their places. */
function withEarlier<T>(earlier: readonly Problem[], checked: Checked<T>): Checked<T> {
  const [first, ...others] = onePerPlace([...earlier, ...(checked.ok ? [] : checked.problems)]);
  return first === undefined ? checked : rejected(first, ...others);
}

/** Path parameters, percent-decoded by the router. */
export function validateParams<Id extends OperationId>(
  id: Id,
  raw: Readonly<Record<string, string>>,
): Checked<OperationInput<Id>['params']> {
  return run(validators[id].params(), raw, '/path');
}

/**
 * Query parameters as a query-string parser gives them. `limit` becomes a number and has its default; a repeated or an unknown
 * parameter is refused.
 */
export function validateQuery<Id extends OperationId>(
  id: Id,
  raw: Readonly<Record<string, string | readonly string[] | undefined>>,
): Checked<OperationInput<Id>['query']> {
  const { query, queryParameters } = validators[id];
  // No prototype: a parameter may be called __proto__.
  const value: Record<string, unknown> = Object.create(null);
  const repeated: Problem[] = [];
  for (const [name, given] of Object.entries(raw)) {
    if (given === undefined) continue;
    const text = typeof given === 'string' ? given : given[0];
    if (typeof given !== 'string') repeated.push(problem(`/query${pointerStep(name)}`, 'must be given once'));
    const decimal = queryParameters.get(name)?.integer === true && /^(0|[1-9][0-9]{0,14})$/.test(text ?? '');
    value[name] = decimal ? Number(text) : text;
  }
  for (const [name, { fallback }] of queryParameters) {
    if (fallback !== undefined && value[name] === undefined) value[name] = fallback;
  }
  const checked = withEarlier(repeated, run<OperationInput<Id>['query']>(query(), value, '/query'));
  return checked.ok ? { ok: true, value: { ...checked.value } } : checked;
}

/**
 * Validates the headers that an operation reads, and that none of {@link SINGLE_HEADERS} is repeated. Other headers are ignored.
 *
 * @param raw by lower-case name, every occurrence of each, as Node's `headersDistinct` gives them
 */
export function validateHeaders(
  id: OperationId,
  raw: Readonly<Record<string, readonly string[] | undefined>>,
): Checked<CheckedHeaders> {
  const { headers, headerNames } = validators[id];
  const values: Record<string, string> = {};
  for (const name of headerNames) {
    const given = raw[name.toLowerCase()]?.[0];
    if (given !== undefined) values[name] = given;
  }
  const repeated = SINGLE_HEADERS.filter((name) => (raw[name.toLowerCase()]?.length ?? 0) > 1).map((name) =>
    problem(`/headers/${name}`, 'must be given once'),
  );
  const checked = withEarlier(repeated, run<Record<string, string>>(headers(), values, '/headers'));
  return checked.ok ? { ok: true, value: { idempotencyKey: values[IDEMPOTENCY_KEY], values } } : checked;
}

function validateNoBody(raw: unknown): Problem[] {
  if (raw === undefined) return [];
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [problem('', 'must be absent')];
  return Object.keys(raw).map((field) => problem(pointerStep(field), 'is not known here'));
}

function validateBodySchema<Id extends OperationId>(
  id: Id,
  raw: unknown,
): Checked<OperationInput<Id>['body']> {
  const { body } = validators[id];
  if (body === undefined) {
    const [first, ...others] = validateNoBody(raw);
    return first ? rejected(first, ...others) : { ok: true, value: undefined as OperationInput<Id>['body'] };
  }
  if (raw === undefined) return rejected(problem('', 'is required'));
  const checked = run<OperationInput<Id>['body']>(body(), raw, '');
  if (!checked.ok) return checked;
  // After the schema, whose closed objects bound the depth of what is walked here.
  const unplain = findUnplainText(raw).map((pointer) =>
    problem(pointer, 'must not contain NUL or half a surrogate pair'),
  );
  const [first, ...others] = unplain.length > 0 ? unplain : checkBody(id, checked.value);
  return first ? rejected(first, ...others) : checked;
}

/**
 * Validates a parsed JSON body, undefined if there was none. An operation without a body accepts none or an empty object. The value
 * is returned unchanged: nothing is coerced, filled in or removed.
 *
 * @param earlier what the JSON reader found that the value doesn't show, such as a name given twice
 */
export function validateBody<Id extends OperationId>(
  id: Id,
  raw: unknown,
  earlier: readonly Problem[] = [],
): Checked<OperationInput<Id>['body']> {
  return withEarlier(earlier, validateBodySchema(id, raw));
}
