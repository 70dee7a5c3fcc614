/**
 * Converts JavaScript values to parameters of statements, and results to JavaScript values: a bigint is a number (an error above 2^53 -
 * 1), a timestamp with time zone is a Date; other types are text unless this file has a parser for them.
 */
import { types } from 'pg';
import { parse as parseArray } from 'postgres-array';

/** Values that the driver sends without a conversion by Carecover. A JavaScript array becomes a PostgreSQL array. */
export type Parameter = string | number | boolean | bigint | Buffer | null | readonly Parameter[];

/**
 * Returns the value in the form that the driver serializes.
 *
 * @throws TypeError for undefined, and for an object that was not converted with `jsonb`; RangeError for an invalid Date
 */
export function toParameter(value: unknown): Parameter {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value;
    case 'object':
      if (value === null || Buffer.isBuffer(value)) return value;
      if (value instanceof Date) return value.toISOString();
      if (Array.isArray(value)) return value.map(toParameter);
      throw new TypeError('an object can be a parameter only as jsonb');
    default:
      throw new TypeError(`${typeof value} can't be a parameter`);
  }
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer in the database exceeds 2^53 - 1');
  return value;
}

/** Parses PostgreSQL's text of an instant in UTC. `new Date(text)` alone would read the year 0050 as 1950. */
function instant(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const { builtins } = types;

const SCALARS: readonly (readonly [oid: number, arrayOid: number, parse: Parse])[] = [
  [builtins.BOOL, 1000, (text) => text === 't'],
  [builtins.BYTEA, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [builtins.INT8, 1016, safeInteger],
  [builtins.INT2, 1005, Number],
  [builtins.INT4, 1007, Number],
  [builtins.OID, 1028, Number],
  [builtins.FLOAT4, 1021, Number],
  [builtins.FLOAT8, 1022, Number],
  [builtins.JSON, 199, JSON.parse as Parse],
  [builtins.JSONB, 3807, JSON.parse as Parse],
  [builtins.TIMESTAMPTZ, 1185, instant],
  [builtins.TEXT, 1009, asText],
  [builtins.VARCHAR, 1015, asText],
  [builtins.UUID, 2951, asText],
  [builtins.DATE, 1182, asText],
  [18, 1002, asText],
  [19, 1003, asText],
];

const parsers = new Map<number, Parse>();
for (const [oid, arrayOid, parse] of SCALARS) {
  parsers.set(oid, parse);
  parsers.set(arrayOid, (text) => parseArray(text, parse));
}

/** The parsers for the values in results, in the form that the driver requires. */
export const resultTypes = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? asText,
};
