import { type BodyBounds, bodyBounds } from './body-bounds';
import { operationList, operations } from './operations';

/** Measures a value in the units of BodyBounds. */
function measure(value: unknown): BodyBounds {
  const scalar = { depth: 0, fields: 0, items: 0, values: 1, characters: 0 };
  if (typeof value === 'string') return { ...scalar, characters: value.length };
  if (typeof value !== 'object' || value === null) return scalar;
  const members = Object.values(value).map(measure);
  const largest = (name: keyof BodyBounds) => Math.max(0, ...members.map((member) => member[name]));
  const length = members.length;
  return {
    depth: 1 + largest('depth'),
    fields: Math.max(largest('fields'), Array.isArray(value) ? 0 : length),
    items: Math.max(largest('items'), Array.isArray(value) ? length : 0),
    values: 1 + members.reduce((sum, { values }) => sum + values, 0),
    characters: Math.max(largest('characters'), ...Object.keys(value).map(({ length }) => length)),
  };
}

test.each(operationList.map((operation) => [operation.id, operation] as const))(
  '%s: the examples of its body are within the bounds',
  (_, operation) => {
    const alternatives: object[] = Reflect.get(operation.body ?? {}, 'oneOf') ?? [operation.body ?? {}];
    const bounds = bodyBounds(operation);
    for (const example of alternatives.flatMap((schema) => Reflect.get(schema, 'examples') ?? [])) {
      const measured = measure(example);
      for (const name of Object.keys(bounds) as (keyof BodyBounds)[]) {
        expect([name, measured[name] <= bounds[name]]).toEqual([name, true]);
      }
    }
  },
);

test('the bounds equal the maximum that the schema accepts', () => {
  expect(bodyBounds(operations.createCoverageBatch)).toEqual({
    depth: 3,
    fields: 14,
    items: 500,
    values: 1 + 5 + 1 + 500 * 15,
    characters: 256,
  });
  expect(bodyBounds(operations.decidePreauthorization)).toMatchObject({ depth: 2, fields: 7, items: 32 });
  expect(bodyBounds(operations.rotateWebhookSecret)).toMatchObject({
    depth: 1,
    fields: 0,
    items: 0,
    values: 1,
  });
  expect(bodyBounds(operations.createWebhookEndpoint).characters).toBe(2048);
  // An advice has up to 1,000 lines in one of four lists; their common limit and that of the bytes are checked afterwards.
  for (const operation of operationList)
    expect(bodyBounds(operation).values).toBeLessThan(
      ['createPaymentAdvice', 'replacePaymentAdvice'].includes(operation.id) ? 80_000 : 10_000,
    );
});

/** Matches the regular expressions that consist of literals, classes and groups of literals, with at most one quantifier each, not nested. */
const LINEAR_PATTERN =
  /^\^(?:(?:[A-Za-z0-9_:.T-]|\\[d.]|\[[^\]]+\]|\((?:\?:)?[A-Za-z0-9_|:[\]\\d-]+\))(?:\+|\*|\?|\{\d+(?:,\d+)?\})?)*\$?$/;

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  );
}

test('no pattern of a request nests quantifiers, so none backtracks in more than linear time', () => {
  const patterns = new Set(
    operationList.flatMap(({ body, params, query, headers }) => patternsIn([body, params, query, headers])),
  );
  expect(patterns.size).toBeGreaterThan(10);
  for (const pattern of patterns) {
    expect(pattern).toMatch(LINEAR_PATTERN);
    // Two unbounded quantifiers for the same characters can take quadratic time.
    expect(pattern.match(/[+*]/g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
});
