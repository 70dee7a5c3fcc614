/** Adds a text for readers beside each amount of a response: a model that reads 350000 does not know the currency's minor unit. */
import { formatAmount } from '@carecover/contract';
import type { JsonSchema } from './schema';

/** The contract ends the description of each amount with these words. */
const MINOR_UNITS = 'In minor units.';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the currency of an object's amounts: its own, that of its `amount`, or that of the object around it. */
function currencyOf(value: Fields, around: string | null): string | null {
  if (typeof value.currency === 'string') return value.currency;
  const { amount } = value;
  return isFields(amount) && typeof amount.currency === 'string' ? amount.currency : around;
}

function isAmountSchema({ type, description }: JsonSchema): boolean {
  const types: unknown[] = Array.isArray(type) ? [...type] : [type];
  return types.includes('integer') && description?.endsWith(MINOR_UNITS) === true;
}

/** What a schema says about the amounts in its values. */
interface Shape {
  readonly items: JsonSchema | undefined;
  readonly properties: JsonSchema['properties'];
  /** The names of the properties that are amounts. */
  readonly amounts: ReadonlySet<string>;
}

/** The shapes of the contract's schemas, which are constants of the process: each call of a tool needs them. */
const shapes = new WeakMap<JsonSchema, Shape>();

function shapeOf(schema: JsonSchema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const { items, properties } = schema.anyOf?.find((each) => each.properties !== undefined) ?? schema;
  const amounts = Object.entries(properties ?? {}).filter(([, property]) => isAmountSchema(property));
  const shape = { items, properties, amounts: new Set(amounts.map(([name]) => name)) };
  shapes.set(schema, shape);
  return shape;
}

/**
 * Returns the value with the text of each amount in `<name>_text` beside it.
 *
 * @param schema the contract's schema of the value
 * @example addAmountTexts({ currency: 'KES', paid: 300000 }, schema) // { currency: 'KES', paid: 300000, paid_text: '3,000.00 KES' }
 */
export function addAmountTexts(value: unknown, schema: JsonSchema, around: string | null = null): unknown {
  const { items, properties, amounts } = shapeOf(schema);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => addAmountTexts(item, items, around));
  if (!isFields(value) || properties === undefined) return value;
  const currency = currencyOf(value, around);
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const property = properties[name];
    fields[name] = property === undefined ? field : addAmountTexts(field, property, currency);
    if (typeof field === 'number' && currency !== null && amounts.has(name))
      fields[`${name}_text`] = formatAmount(field, currency);
  }
  return fields;
}
