// Functions that create the contract's schemas, so that objects, amounts, instants and nullable fields are the same everywhere.

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { MAX_AMOUNT } from './limits';
import { currencies } from './money';
import { OUTPUT_INSTANT_PATTERN } from './time';

/**
 * Creates a named schema of an object that has the given fields and no others. The title becomes the component's name in the
 * API description.
 *
 * @example closedObject('Api', 'The API.', { object: objectName('api') }, { object: 'api' })
 */
export function closedObject<P extends TProperties>(
  title: string,
  description: string,
  properties: P,
  example: Record<string, unknown>,
) {
  return Type.Object(properties, { additionalProperties: false, title, description, examples: [example] });
}

/** Creates a schema without a name, of an object that has the given fields and no others. */
export function inlineObject<P extends TProperties>(description: string, properties: P) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/**
 * Creates the schema of a string with a fixed set of values. The name is the component's name in the API description, so that each
 * concept has one type in every generated client. `openapi/enumerations.ts` describes each name.
 *
 * @example stringEnum('ClaimStatus', claimStatuses, "The claim's status.")
 */
export function stringEnum<const V extends readonly string[]>(name: string, values: V, description: string) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], title: name, description });
}

interface PlainSchema {
  type?: string;
  enum?: unknown[];
  title?: string;
  description?: string;
}

/**
 * Creates the schema of a scalar that can be null. `null` means that the field is known to have no value.
 *
 * @throws TypeError if the schema is an object
 */
export function nullable<S extends TSchema>(schema: S) {
  const { title, description, ...plain }: PlainSchema = schema;
  if (plain.type === undefined || plain.type === 'object') throw new TypeError('nullable is for scalars');
  const fieldDescription = description === undefined ? {} : { description };
  const either =
    plain.enum === undefined
      ? { ...plain, ...fieldDescription, type: [plain.type, 'null'] }
      : Type.Union([{ ...plain, title } as TSchema, Type.Null()], fieldDescription);
  return Type.Unsafe<Static<S> | null>(either as TSchema);
}

/** Creates the schema of an object that can be null. */
export function nullableObject<S extends TSchema>(schema: S, description: string) {
  return Type.Unsafe<Static<S> | null>(Type.Union([schema, Type.Null()], { description }));
}

/** Creates the schema of a string with a length in characters and optionally a pattern. */
export function boundedString(
  min: number,
  max: number,
  description: string,
  options: { pattern?: string } = {},
) {
  return Type.String({ minLength: min, maxLength: max, description, ...options });
}

/** Creates the schema of a string in a response. */
export function outputString(description: string) {
  return Type.String({ description });
}

/** The last sentence in the description of every amount of money. */
const IN_MINOR_UNITS = 'In minor units.';

/** Creates the schema of an amount of money in the minor unit of its currency. */
export function moneyAmount(description: string, min = 0) {
  return boundedInteger(min, MAX_AMOUNT, `${description} ${IN_MINOR_UNITS}`);
}

/** Creates the schema of the difference of two amounts of money, which can be negative. */
export function amountDifference(description: string) {
  return boundedInteger(-MAX_AMOUNT, MAX_AMOUNT, `${description} ${IN_MINOR_UNITS}`);
}

/** Returns whether a schema is that of an amount of money, as {@link moneyAmount} creates it. */
export function isMoneyAmount(schema: object | undefined): boolean {
  return String(Reflect.get(schema ?? {}, 'description')).endsWith(IN_MINOR_UNITS);
}

const MAX_INT32 = 2 ** 31 - 1;

/** Creates the schema of an integer with bounds. A generator of clients uses 32 bits unless the format says 64. */
export function boundedInteger(min: number, max: number, description: string) {
  const format = max > MAX_INT32 ? { format: 'int64' } : {};
  return Type.Integer({ ...format, minimum: min, maximum: max, description });
}

/**
 * The smallest positive double, in place of `exclusiveMinimum: 0`: several generators of clients can't read the numeric form of that keyword.
 * Both accept the same numbers, because the JSON reader rejects a smaller number, which a double would change to 0.
 */
export const SMALLEST_POSITIVE = Number.MIN_VALUE;

/** Creates the schema of a number above 0, not necessarily an integer. */
export function positiveNumber(max: number, description: string) {
  return Type.Number({ format: 'double', minimum: SMALLEST_POSITIVE, maximum: max, description });
}

/** Creates the schema of a count, number or version, up to the largest safe integer. */
export function safeInteger(description: string, min = 0) {
  return boundedInteger(min, MAX_AMOUNT, description);
}

/** Creates the schema of a currency in a request. */
export function inputCurrency(description = 'ISO 4217 code of the currency.') {
  return stringEnum('Currency', currencies, description);
}

/** Creates the schema of a currency in a response. */
export function outputCurrency(description = 'ISO 4217 code of the currency.') {
  return Type.String({ pattern: '^[A-Z]{3}$', description });
}

/** Creates the schema of an instant in a request: RFC 3339 with an offset. */
export function inputInstant(description: string, example?: string) {
  return Type.String({
    format: 'date-time',
    ...(example !== undefined && { examples: [example] }),
    description: `${description} RFC 3339 with an offset, without a leap second (:60); floored to milliseconds.`,
  });
}

/** Creates the schema of an instant in a response: UTC with milliseconds. */
export function outputInstant(description: string) {
  return Type.String({
    format: 'date-time',
    pattern: OUTPUT_INSTANT_PATTERN,
    description: `${description} UTC, in milliseconds.`,
  });
}

/** Creates the schema of a list with bounds of its length. */
export function boundedArray<S extends TSchema>(item: S, min: number, max: number, description: string) {
  return Type.Array(item, { minItems: min, maxItems: max, description });
}

/** Creates the schema of a list in a response. */
export function outputArray<S extends TSchema>(item: S, description: string) {
  return Type.Array(item, { description });
}

/** Creates the schema of an `object` field: a constant with the name of the resource's type. */
export function objectName<const N extends string>(name: N) {
  return Type.Literal(name, { description: `Always \`${name}\`.` });
}

/** Returns the name (title) of a schema. @throws TypeError if it has none */
export function schemaName(schema: TSchema): string {
  const title: unknown = Reflect.get(schema, 'title');
  if (typeof title !== 'string') throw new TypeError('the schema has no name');
  return title;
}

/** Creates the schema of one page of a list of resources. */
export function listOf<S extends TSchema>(item: S) {
  const examples: unknown = Reflect.get(item, 'examples');
  return closedObject(
    `${schemaName(item)}List`,
    'One page of a list, newest first.',
    {
      object: objectName('list'),
      data: outputArray(item, 'The items of this page.'),
      has_more: Type.Boolean({
        description:
          'Whether there are more items. Get them with `starting_after` set to the last id of this page. A page of large items can have fewer of them than `limit`.',
      }),
    },
    { object: 'list', data: Array.isArray(examples) ? examples : [], has_more: false },
  );
}
