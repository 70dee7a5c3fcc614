// The few building blocks from which every schema of the contract is made, so that closed objects, amounts, instants and
// nullable fields read and validate alike everywhere.
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { MAX_AMOUNT } from './limits';
import { currencies } from './money';
import { OUTPUT_INSTANT_PATTERN } from './time';

/** A named schema: an object with the given fields and no others. Its name is the component's name in the API description. */
export function closedObject<P extends TProperties>(
  title: string,
  description: string,
  properties: P,
  example: Record<string, unknown>,
) {
  return Type.Object(properties, { additionalProperties: false, title, description, examples: [example] });
}

/** An object with the given fields and no others, that has no name of its own. */
export function part<P extends TProperties>(description: string, properties: P) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** One of a few words. */
export function oneOf<const V extends readonly string[]>(values: V, description: string) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description });
}

interface PlainSchema {
  type?: string;
  enum?: unknown[];
  title?: string;
}

/** The schema or null, for a scalar: `null` says that there is known to be no value now. */
export function nullable<S extends TSchema>(schema: S) {
  const { title: _title, ...plain }: PlainSchema = schema;
  if (plain.type === undefined || plain.type === 'object') throw new TypeError('nullable is for scalars');
  return Type.Unsafe<Static<S> | null>({
    ...plain,
    type: [plain.type, 'null'],
    ...(plain.enum && { enum: [...plain.enum, null] }),
  } as TSchema);
}

/** The object or null. */
export function nullableObject<S extends TSchema>(schema: S, description: string) {
  return Type.Unsafe<Static<S> | null>(Type.Union([schema, Type.Null()], { description }));
}

/** Text of a length in characters, with any other rule given as options. */
export function text(min: number, max: number, description: string, options: { pattern?: string } = {}) {
  return Type.String({ minLength: min, maxLength: max, description, ...options });
}

/** Text that the service writes. */
export function outputText(description: string) {
  return Type.String({ description });
}

/** An amount of money in the minor unit of its currency. */
export function amount(description: string, min = 0) {
  return Type.Integer({ minimum: min, maximum: MAX_AMOUNT, description: `${description} In minor units.` });
}

/** An integer, by default with no upper limit but the largest safe one. */
export function integer(min: number, max: number, description: string) {
  return Type.Integer({ minimum: min, maximum: max, description });
}

/** A count or version in an answer. */
export function count(description: string, min = 0) {
  return integer(min, MAX_AMOUNT, description);
}

/** A currency that can be sent. */
export function inputCurrency(description = 'ISO 4217 code of the currency.') {
  return oneOf(currencies, description);
}

/** A currency in an answer. */
export function outputCurrency(description = 'ISO 4217 code of the currency.') {
  return Type.String({ pattern: '^[A-Z]{3}$', description });
}

/** An instant that is sent: RFC 3339 with an offset. */
export function inputInstant(description: string) {
  return Type.String({
    format: 'date-time',
    description: `${description} RFC 3339 with an offset; floored to milliseconds.`,
  });
}

/** An instant in an answer: UTC with milliseconds. */
export function outputInstant(description: string) {
  return Type.String({
    format: 'date-time',
    pattern: OUTPUT_INSTANT_PATTERN,
    description: `${description} UTC, in milliseconds.`,
  });
}

/** A list of items within bounds. */
export function items<S extends TSchema>(item: S, min: number, max: number, description: string) {
  return Type.Array(item, { minItems: min, maxItems: max, description });
}

/** A list in an answer. */
export function outputItems<S extends TSchema>(item: S, description: string) {
  return Type.Array(item, { description });
}

/** The `object` field: the constant that names a resource's type. */
export function objectName<const N extends string>(name: N) {
  return Type.Literal(name, { description: `Always \`${name}\`.` });
}

/** The name of a schema made by closedObject (or given a title otherwise). Throws TypeError if it has none. */
export function schemaName(schema: TSchema): string {
  const title: unknown = Reflect.get(schema, 'title');
  if (typeof title !== 'string') throw new TypeError('the schema has no name');
  return title;
}

/** One page of a list of resources. */
export function listOf<S extends TSchema>(item: S) {
  const examples: unknown = Reflect.get(item, 'examples');
  return closedObject(
    `${schemaName(item)}List`,
    'One page of a list, newest first.',
    {
      object: objectName('list'),
      data: outputItems(item, 'The page.'),
      has_more: Type.Boolean({
        description: 'Whether more follow: ask again with `starting_after` set to the last id.',
      }),
    },
    { object: 'list', data: Array.isArray(examples) ? examples : [], has_more: false },
  );
}
