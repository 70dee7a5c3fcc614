/**
 * The shapes of the resources that clients were released with. A client that rejects unknown fields and values out of bounds reads every
 * response, because no shape changes. `WRITE_GOLDEN=1` writes missing files; it never replaces one.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationId, operations } from '.';
import { outputSchemas } from './outputs';

const FOLDER = join(__dirname, '../golden');
const READS = ['getClaim', 'getClaimLinks', 'getClaimValuation', 'getRemittance', 'getSettlement'] as const;

/** What describes a shape to people and does not restrict it. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'examples']);

/** Returns a schema without texts. The names of fields are not texts, even if they are words such as `title`. */
function shapeOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(TEXTS.has(name) && (typeof value === 'string' || Array.isArray(value))))
      .map(([name, value]) => [name, shapeOf(value)]),
  );
}

const textOf = (operation: OperationId) =>
  `${JSON.stringify(outputSchemas(operations[operation], 200).map(shapeOf), null, 1)}\n`;

test.each(READS)('the response of %s has the released shape', (operation) => {
  const path = join(FOLDER, `${operation}.json`);
  if (process.env.WRITE_GOLDEN === '1' && !existsSync(path)) writeFileSync(path, textOf(operation));
  expect(JSON.parse(textOf(operation))).toEqual(JSON.parse(readFileSync(path, 'utf8')));
});
