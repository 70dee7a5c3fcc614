// Validators of requests, per operation. The problems that they return become a 400 response with code validation_failed.
import type { ValidateFunction } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { compileLazily } from './ajv';
import { checkBody } from './checks';
import { IDEMPOTENCY_KEY_LENGTH } from './limits';
import type { Problem, Problems } from './operation';
import { type Operation, type OperationId, type OperationInput, operationList } from './operations';
import { firstPerPointer, problem, toProblems } from './problem';
import { findUnplainText, pointerStep } from './text';

/** A valid value, or the problems of an invalid one. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problems };

/** The validated headers of a request, by their documented names. */
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

/** Headers that must not be repeated, because a proxy and this API could each use another occurrence. */
const SINGLE_HEADERS = ['Content-Type', IDEMPOTENCY_KEY, 'X-Artifact-Reference', 'X-Request-Id'];

/** The schema of the Idempotency-Key header. */
export const idempotencyKeySchema = Type.String({
  minLength: IDEMPOTENCY_KEY_LENGTH.min,
  maxLength: IDEMPOTENCY_KEY_LENGTH.max,
  description: 'Identifies this request, so that a repetition has no second effect.',
});

/** Creates the schema of the headers that an operation reads: an object with their documented names. */
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

function createValidators(operation: Operation): OperationValidators {
  const headers = headersSchema(operation);
  return {
    params: compileLazily(operation.params),
    query: compileLazily(operation.query),
    headers: compileLazily(headers),
    body: operation.body && compileLazily(operation.body),
    headerNames: Object.keys(headers.properties),
    queryParameters: queryParameters(operation.query),
  };
}

const validators = Object.fromEntries(
  operationList.map((operation) => [operation.id, createValidators(operation)]),
) as Record<OperationId, OperationValidators>;

/** Compiles all validators. Called at start, so that no first request waits for a compilation. */
export function compileValidators(): void {
  for (const { params, query, headers, body } of Object.values(validators)) {
    params();
    query();
    headers();
    body?.();
  }
}

function createRejection(first: Problem, ...others: Problem[]): { ok: false; problems: Problems } {
  return { ok: false, problems: [first, ...others] };
}

function runValidator<T>(validate: ValidateFunction, value: unknown, root: string): Checked<T> {
  return validate(value)
    ? { ok: true, value: value as T }
    : { ok: false, problems: toProblems(validate.errors, root) };
}

/** Adds problems that were found before the schema's validation. They replace the schema's problems of the same pointers. */
function withEarlier<T>(earlier: readonly Problem[], checked: Checked<T>): Checked<T> {
  const [first, ...others] = firstPerPointer([...earlier, ...(checked.ok ? [] : checked.problems)]);
  return first === undefined ? checked : createRejection(first, ...others);
}

/** Validates path parameters, which the router has percent-decoded. */
export function validateParams<Id extends OperationId>(
  id: Id,
  raw: Readonly<Record<string, string>>,
): Checked<OperationInput<Id>['params']> {
  return runValidator(validators[id].params(), raw, '/path');
}

/**
 * Validates query parameters. `limit` becomes a number and gets its default; a repeated or unknown parameter is rejected.
 *
 * @param raw by name, an array for each repeated parameter
 * @example validateQuery('listClaims', { limit: '50' }) // { ok: true, value: { limit: 50 } }
 */
export function validateQuery<Id extends OperationId>(
  id: Id,
  raw: Readonly<Record<string, string | readonly string[] | undefined>>,
): Checked<OperationInput<Id>['query']> {
  const { query, queryParameters } = validators[id];
  // Without a prototype, because a parameter can have the name __proto__.
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
  const checked = withEarlier(repeated, runValidator<OperationInput<Id>['query']>(query(), value, '/query'));
  return checked.ok ? { ok: true, value: { ...checked.value } } : checked;
}

/**
 * Validates the headers that an operation reads, and rejects repetitions of {@link SINGLE_HEADERS}. Other headers are ignored.
 *
 * @param raw every occurrence of each header by lower-case name, as in Node's `headersDistinct`
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
  const checked = withEarlier(repeated, runValidator<Record<string, string>>(headers(), values, '/headers'));
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
    return first
      ? createRejection(first, ...others)
      : { ok: true, value: undefined as OperationInput<Id>['body'] };
  }
  if (raw === undefined) return createRejection(problem('', 'is required'));
  const checked = runValidator<OperationInput<Id>['body']>(body(), raw, '');
  if (!checked.ok) return checked;
  // Runs after the schema's validation, whose closed objects limit the depth of the recursion.
  const unplain = findUnplainText(raw).map((pointer) =>
    problem(pointer, 'must not contain NUL or half a surrogate pair'),
  );
  const [first, ...others] = unplain.length > 0 ? unplain : checkBody(id, checked.value);
  return first ? createRejection(first, ...others) : checked;
}

/**
 * Validates a parsed JSON body; undefined means none. An operation without a body accepts none or an empty object. The result
 * contains the body itself: no value is converted, added or removed.
 *
 * @param earlier problems that the JSON reader found and that the parsed value doesn't show, such as a repeated name
 */
export function validateBody<Id extends OperationId>(
  id: Id,
  raw: unknown,
  earlier: readonly Problem[] = [],
): Checked<OperationInput<Id>['body']> {
  return withEarlier(earlier, validateBodySchema(id, raw));
}
