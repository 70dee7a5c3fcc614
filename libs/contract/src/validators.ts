// Validators of requests, per operation. The problems that they return become a 400 response with code validation_failed.
import type { ErrorObject, ValidateFunction } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { compileLazily } from './ajv';
import { checkBody, checkQuery } from './checks';
import { IDEMPOTENCY_KEY_LENGTH, MAX_PROBLEMS } from './limits';
import { type Operation, type OperationId, type OperationInput, operationList } from './operations';
import type { Problem, Problems } from './operations/definition';
import { firstPerPointer, problem, toProblems } from './problem';
import { findUnplainText, pointerStep } from './text';

/** A valid value, or the problems of an invalid one. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problems };

/** The validated headers of a request, by their documented names. */
export interface CheckedHeaders {
  idempotencyKey: string | undefined;
  values: Readonly<Record<string, string>>;
}

/** What is expected of text, because PostgreSQL or UTF-8 can't represent other text. */
const PLAIN_TEXT = 'must not contain NUL or half a surrogate pair';

interface QueryParameter {
  readonly integer: boolean;
  readonly fallback: unknown;
}

/** The property of an operation's body that is an array of objects. A long array is validated in several steps. */
interface LongArray {
  readonly name: string;
  readonly maxItems: number;
}

interface OperationValidators {
  readonly params: () => ValidateFunction;
  readonly query: () => ValidateFunction;
  readonly headers: () => ValidateFunction;
  readonly body: (() => ValidateFunction) | undefined;
  readonly longArray: LongArray | undefined;
  readonly headerNames: readonly string[];
  readonly queryParameters: ReadonlyMap<string, QueryParameter>;
}

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Headers that a request must not repeat, because a proxy and Carecover could each use another occurrence. */
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

/** The number of items of a {@link LongArray} that one step validates, in about a millisecond. */
const STEP_ITEMS = 50;

function findLongArray({ body }: Operation): LongArray | undefined {
  type Properties = Record<string, { maxItems?: number; items?: { properties?: object } }>;
  const properties: Properties = Reflect.get(body ?? {}, 'properties') ?? {};
  const found = Object.entries(properties).find(([, { items }]) => items?.properties !== undefined);
  return found && { name: found[0], maxItems: found[1].maxItems ?? Number.POSITIVE_INFINITY };
}

function createValidators(operation: Operation): OperationValidators {
  const headers = headersSchema(operation);
  return {
    params: compileLazily(operation.params),
    query: compileLazily(operation.query),
    headers: compileLazily(headers),
    body: operation.body && compileLazily(operation.body),
    longArray: findLongArray(operation),
    headerNames: Object.keys(headers.properties),
    queryParameters: queryParameters(operation.query),
  };
}

const validators = Object.fromEntries(
  operationList.map((operation) => [operation.id, createValidators(operation)]),
) as Record<OperationId, OperationValidators>;

/** Compiles all validators. Call it at the start, so that no request waits for a compilation. */
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

/**
 * Adds the problems that were found before the schema was applied. If the schema has found a problem with the same pointer, the earlier
 * problem replaces it.
 */
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
 * @param raw the values by parameter name; an array for each repeated parameter
 * @example validateQuery('listClaims', { limit: '50' }) // { ok: true, value: { limit: 50 } }
 */
export function validateQuery<Id extends OperationId>(
  id: Id,
  raw: Readonly<Record<string, string | readonly string[] | undefined>>,
): Checked<OperationInput<Id>['query']> {
  const { query, queryParameters } = validators[id];
  // The object has no prototype, because a parameter can have the name __proto__.
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
  const unplain = findUnplainText(value, '/query').map((pointer) => problem(pointer, PLAIN_TEXT));
  const checked = withEarlier(
    [...repeated, ...unplain],
    runValidator<OperationInput<Id>['query']>(query(), value, '/query'),
  );
  const problems = checked.ok ? [] : checked.problems;
  const parameters = value as OperationInput<Id>['query'];
  const [first, ...others] = [...problems, ...checkQuery(id, parameters, problems)];
  return first === undefined ? { ok: true, value: { ...parameters } } : createRejection(first, ...others);
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

/**
 * Returns a copy of a validator's error about an array item. The error has the item's index in the validated slice; the copy has the item's
 * index in the whole array.
 */
function moveError(first: number, base: string, error: ErrorObject): ErrorObject {
  const [index = '', ...steps] = error.instancePath.slice(base.length).split('/');
  return { ...error, instancePath: [base + (Number(index) + first), ...steps].join('/') };
}

/** Returns the items of the body's {@link LongArray} if there are more of them than one step validates; otherwise undefined. */
function findLongItems(longArray: LongArray | undefined, raw: unknown): unknown[] | undefined {
  const items: unknown = longArray && Object(raw)[longArray.name];
  return Array.isArray(items) && items.length > STEP_ITEMS ? items : undefined;
}

/** Validates a body of many items in steps. Stops when it has found more problems than an error message contains. */
function* validateManyItems(
  validate: ValidateFunction,
  { name, maxItems }: LongArray,
  raw: unknown,
  items: unknown[],
): Generator<void, Problem[], void> {
  const pointer = pointerStep(name);
  const problems = items.length > maxItems ? [problem(pointer, `must have at most ${maxItems} items`)] : [];
  for (let first = 0; first < items.length && problems.length <= MAX_PROBLEMS; first += STEP_ITEMS) {
    if (!validate({ ...Object(raw), [name]: items.slice(first, first + STEP_ITEMS) })) {
      const errors = (validate.errors ?? []).flatMap((error) => {
        if (error.instancePath.startsWith(`${pointer}/`)) return [moveError(first, `${pointer}/`, error)];
        // Every step finds the problems outside of the array. Only the first step reports them.
        return first === 0 ? [error] : [];
      });
      if (errors.length > 0) problems.push(...toProblems(errors, ''));
    }
    yield;
  }
  return problems;
}

function* findBodyProblems<Id extends OperationId>(
  id: Id,
  raw: unknown,
): Generator<void, readonly Problem[], void> {
  const { body, longArray } = validators[id];
  if (body === undefined) return validateNoBody(raw);
  if (raw === undefined) return [problem('', 'is required')];
  const items = findLongItems(longArray, raw);
  const problems: Problem[] = [];
  if (longArray !== undefined && items !== undefined) {
    problems.push(...(yield* validateManyItems(body(), longArray, raw, items)));
  } else if (!body()(raw)) problems.push(...toProblems(body().errors, ''));
  // The search for unplain text is recursive, so it runs only on a body that its schema accepted: the schema limits the body's depth.
  const unplain = problems.length > 0 ? [] : findUnplainText(raw);
  if (unplain.length > 0) {
    return unplain.map((pointer) => problem(pointer, PLAIN_TEXT));
  }
  if (items !== undefined) yield;
  return [...problems, ...checkBody(id, raw as NonNullable<OperationInput<Id>['body']>, problems)];
}

/**
 * Validates a body as {@link validateBody} does, but yields between steps of about one millisecond if the body has many items.
 *
 * @example await runInTurns(validateBodyInSteps('createCoverageBatch', body))
 */
export function* validateBodyInSteps<Id extends OperationId>(
  id: Id,
  raw: unknown,
  earlier: readonly Problem[] = [],
): Generator<void, Checked<OperationInput<Id>['body']>, void> {
  // Only the first problem of each pointer is reported. The problems in `earlier` come first, because they are more specific.
  const [first, ...others] = firstPerPointer([...earlier, ...(yield* findBodyProblems(id, raw))]);
  return first === undefined
    ? { ok: true, value: raw as OperationInput<Id>['body'] }
    : createRejection(first, ...others);
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
  const steps = validateBodyInSteps(id, raw, earlier);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
