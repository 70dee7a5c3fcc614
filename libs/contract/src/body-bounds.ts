// How much a body of an operation may hold at most, by its schema: what a reader may reject before it has read the rest. A
// body within its bytes can still have a million names, which cost the process far more than they cost the sender.
import type { TSchema } from 'typebox';
import type { Operation } from './operations';

export interface BodyBounds {
  /** Objects and arrays within each other. */
  readonly depth: number;
  /** Fields of one object. */
  readonly fields: number;
  /** Items of one array. */
  readonly items: number;
  /** Values of any type in the whole body, objects and arrays included. */
  readonly values: number;
  /** Characters of one string. */
  readonly characters: number;
}

/** For strings that a pattern or a format bounds: the longest of a pattern has 200, an instant's fraction has no limit of its own. */
const CHARACTERS_WITHOUT_LENGTH = 256;

const SCALAR: BodyBounds = {
  depth: 0,
  fields: 0,
  items: 0,
  values: 1,
  characters: CHARACTERS_WITHOUT_LENGTH,
};

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly items?: AnySchema;
  readonly maxItems?: number;
  readonly oneOf?: readonly AnySchema[];
  readonly anyOf?: readonly AnySchema[];
  readonly maxLength?: number;
}

/** The largest of each, but the sum of what is counted over the whole body. */
function combined(members: readonly BodyBounds[], values: number): BodyBounds {
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

function boundsOf(schema: AnySchema): BodyBounds {
  const alternatives = (schema.oneOf ?? schema.anyOf)?.map(boundsOf);
  if (alternatives !== undefined) {
    return combined(alternatives, Math.max(...alternatives.map(({ values }) => values)));
  }
  if (schema.properties !== undefined) {
    const members = Object.values(schema.properties).map(boundsOf);
    const inner = combined(members, 1 + members.reduce((sum, { values }) => sum + values, 0));
    return { ...inner, depth: inner.depth + 1, fields: Math.max(inner.fields, members.length) };
  }
  if (schema.items !== undefined) {
    const { maxItems } = schema;
    if (maxItems === undefined) throw new TypeError('an array of a body needs a maxItems');
    const item = boundsOf(schema.items);
    return {
      ...item,
      depth: item.depth + 1,
      items: Math.max(item.items, maxItems),
      values: 1 + maxItems * item.values,
    };
  }
  return { ...SCALAR, characters: schema.maxLength ?? CHARACTERS_WITHOUT_LENGTH };
}

const known = new Map<TSchema | undefined, BodyBounds>([[undefined, { ...SCALAR, depth: 1 }]]);

/**
 * The bounds of an operation's body; of an empty object where it has none.
 *
 * @throws TypeError if an array of its schema has no maxItems
 * @example bodyBounds(operations.createCoverageBatch).items // 500
 */
export function bodyBounds({ body }: Pick<Operation, 'body'>): BodyBounds {
  const made = known.get(body) ?? boundsOf(body as AnySchema);
  known.set(body, made);
  return made;
}
