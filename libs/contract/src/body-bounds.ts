// Limits of an operation's body, derived from its schema. The gateway's JSON reader rejects a body at the first limit that it exceeds: a
// body whose size is below the byte limit can still have a million names, which cost the process more than they cost the sender.
import type { TSchema } from 'typebox';
import type { Operation } from './operations';

export interface BodyBounds {
  /** How deep objects and arrays can be nested. */
  readonly depth: number;
  /** Maximum number of fields of one object. */
  readonly fields: number;
  /** Maximum number of items of one array. */
  readonly items: number;
  /** Maximum number of values of any type in the whole body, including objects and arrays. */
  readonly values: number;
  /** Maximum number of characters of one string. */
  readonly characters: number;
}

/** The maximum length of strings that have a pattern or a format but no maxLength: no such pattern allows more than 200 characters. */
const DEFAULT_CHARACTERS = 256;

const SCALAR: BodyBounds = {
  depth: 0,
  fields: 0,
  items: 0,
  values: 1,
  characters: DEFAULT_CHARACTERS,
};

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly items?: AnySchema;
  readonly maxItems?: number;
  readonly oneOf?: readonly AnySchema[];
  readonly anyOf?: readonly AnySchema[];
  readonly maxLength?: number;
}

/** Combines the bounds of a schema's parts: the largest of each bound, except that `values` is the bound for the whole schema. */
function combineBounds(members: readonly BodyBounds[], values: number): BodyBounds {
  const largest = (name: keyof BodyBounds) =>
    Math.max(SCALAR[name], ...members.map((member) => member[name]));
  return {
    depth: largest('depth'),
    fields: largest('fields'),
    items: largest('items'),
    values,
    characters: largest('characters'),
  };
}

function boundsOfSchema(schema: AnySchema): BodyBounds {
  const alternatives = (schema.oneOf ?? schema.anyOf)?.map(boundsOfSchema);
  if (alternatives !== undefined) {
    return combineBounds(alternatives, Math.max(...alternatives.map(({ values }) => values)));
  }
  if (schema.properties !== undefined) {
    const members = Object.values(schema.properties).map(boundsOfSchema);
    const inner = combineBounds(members, 1 + members.reduce((sum, { values }) => sum + values, 0));
    return { ...inner, depth: inner.depth + 1, fields: Math.max(inner.fields, members.length) };
  }
  if (schema.items !== undefined) {
    const { maxItems } = schema;
    if (maxItems === undefined) throw new TypeError('every array in a body schema needs maxItems');
    const item = boundsOfSchema(schema.items);
    return {
      ...item,
      depth: item.depth + 1,
      items: Math.max(item.items, maxItems),
      values: 1 + maxItems * item.values,
    };
  }
  return { ...SCALAR, characters: schema.maxLength ?? DEFAULT_CHARACTERS };
}

const cachedBounds = new Map<TSchema | undefined, BodyBounds>([[undefined, { ...SCALAR, depth: 1 }]]);

/**
 * Returns the limits of an operation's body. An operation without a body has the limits of an empty object.
 *
 * @throws TypeError if an array in the body's schema has no maxItems
 * @example bodyBounds(operations.createCoverageBatch).items // 500
 */
export function bodyBounds({ body }: Pick<Operation, 'body'>): BodyBounds {
  const bounds = cachedBounds.get(body) ?? boundsOfSchema(body as AnySchema);
  cachedBounds.set(body, bounds);
  return bounds;
}
