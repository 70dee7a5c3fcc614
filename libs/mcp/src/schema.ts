/**
 * Makes the schemas of tools from the schemas of the contract's operations, so that no schema is written twice. The schemas of results are
 * open: clients keep the list of tools, and a closed schema would make every additional field an error there.
 */
import type { Operation } from '@carecover/contract';

/** A JSON Schema as the contract uses it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

/** The schema of a tool's arguments or of its result. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Returns the contract's schema as a plain JSON Schema. */
function asJsonSchema(schema: object): JsonSchema {
  return schema as JsonSchema;
}

/** Returns the schema of the operation's first success. */
export function resultSchema(operation: Operation): JsonSchema {
  return asJsonSchema(operation.success[0].schema);
}

/** Keywords that help no model: examples and names, and the patterns and lengths of results, which the service guarantees. */
const DROPPED_OF_ARGUMENTS = new Set(['title', 'examples', 'discriminator', 'maxLength']);
const DROPPED_OF_RESULTS = new Set([
  ...DROPPED_OF_ARGUMENTS,
  'additionalProperties',
  'pattern',
  'format',
  'minLength',
  'minimum',
  'const',
]);

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** Rewrites `type: [X, 'null']`, which some providers of models reject, as a choice of both. */
function splitNull(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const { type, description, enum: values, ...others } = schema;
  const [plain] = type.filter((name: string) => name !== 'null');
  const value = { type: plain, ...(values && { enum: values.filter((each) => each !== null) }), ...others };
  return { anyOf: [value, { type: 'null' }], ...(description !== undefined && { description }) };
}

function simplify(schema: JsonSchema, dropped: ReadonlySet<string>): JsonSchema {
  const kept: JsonSchema = Object.fromEntries(Object.entries(schema).filter(([key]) => !dropped.has(key)));
  const { properties, items, anyOf } = kept;
  const each = (part: JsonSchema) => simplify(part, dropped);
  return splitNull({
    ...kept,
    ...(properties && { properties: mapValues(properties, each) }),
    ...(items && { items: each(items) }),
    ...(anyOf && { anyOf: anyOf.map(each) }),
  });
}

/** Returns the schema of an argument. */
function argumentSchema(schema: JsonSchema): JsonSchema {
  return simplify(schema, DROPPED_OF_ARGUMENTS);
}

/** Returns the open schema of a part of a result. */
export function openSchema(schema: JsonSchema): JsonSchema {
  return simplify(schema, DROPPED_OF_RESULTS);
}

/** The number of items that a list has if the arguments have no `limit`, and the largest `limit`: a result is read by a model. */
export const LIST_LIMIT = { default: 5, max: 20 } as const;

const limitSchema: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: LIST_LIMIT.max,
  default: LIST_LIMIT.default,
  description: 'The maximum number of items.',
};

/** Returns the properties of the operation's path, query and body, and which of them are required. */
function partsOf(operation: Operation): JsonSchema[] {
  const { params, query, body } = operation;
  return [params, query, ...(body === undefined ? [] : [body])].map(asJsonSchema);
}

/** Returns the schema of the argument `idempotency_key`. */
export function idempotencyKeySchema(what: string): JsonSchema {
  return {
    type: 'string',
    minLength: 8,
    maxLength: 255,
    description: `A new random text per ${what}. Keep it when you repeat the call, so that it has one effect.`,
  };
}

/** Returns the properties of an object's schema; of a union, those of all its alternatives. */
export function propertiesOf(schema: object | undefined): Readonly<Record<string, JsonSchema>> {
  const { properties, oneOf } = asJsonSchema(schema ?? {});
  return Object.assign({}, properties, ...(oneOf ?? []).map((each) => each.properties));
}

/** Returns the arguments for an object of the contract, without some of its properties. */
export function inputArguments(schema: object, omitted: readonly string[]): ObjectSchema {
  const { properties = {}, required = [] } = asJsonSchema(schema);
  const kept = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  return argumentsSchema(
    mapValues(Object.fromEntries(kept), argumentSchema),
    required.filter((name) => !omitted.includes(name)),
  );
}

/** Creates the schema of an object with these arguments. */
export function argumentsSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Returns the arguments of the operation: its path, query and body as one object. */
export function operationArguments(operation: Operation): ObjectSchema {
  const parts = partsOf(operation);
  const properties = Object.assign({}, ...parts.map(({ properties: own }) => own)) as Record<
    string,
    JsonSchema
  >;
  const simple = mapValues(properties, argumentSchema);
  if (simple.limit !== undefined) simple.limit = limitSchema;
  const required = parts
    .flatMap((part) => part.required ?? [])
    .filter((name) => properties[name]?.default === undefined);
  return argumentsSchema(simple, required);
}

/** Selects the properties of an object's schema. @throws TypeError for a name that the schema does not have */
export function selectProperties(schema: JsonSchema, names: readonly string[]): ObjectSchema {
  const selected = names.map((name) => {
    const property = schema.properties?.[name];
    if (property === undefined) throw new TypeError(`the schema has no property ${name}`);
    return [name, property] as const;
  });
  return { type: 'object', properties: Object.fromEntries(selected), required: names };
}

/** Selects the properties of a value. */
export function selectFields(value: unknown, names: readonly string[]): Record<string, unknown> {
  const source = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.filter((name) => name in source).map((name) => [name, source[name]]));
}
