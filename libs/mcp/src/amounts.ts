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

function objectSchema(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
}

/**
 * Returns the value with the text of each amount in `<name>_text` beside it.
 *
 * @param schema the contract's schema of the value
 * @example addAmountTexts({ currency: 'KES', paid: 300000 }, schema) // { currency: 'KES', paid: 300000, paid_text: '3,000.00 KES' }
 */
export function addAmountTexts(value: unknown, schema: JsonSchema, around: string | null = null): unknown {
  const { items, properties } = objectSchema(schema);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => addAmountTexts(item, items, around));
  if (!isFields(value) || properties === undefined) return value;
  const currency = currencyOf(value, around);
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const property = properties[name];
    fields[name] = property === undefined ? field : addAmountTexts(field, property, currency);
    if (property !== undefined && typeof field === 'number' && currency !== null && isAmountSchema(property))
      fields[`${name}_text`] = formatAmount(field, currency);
  }
  return fields;
}
