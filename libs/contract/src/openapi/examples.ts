// Examples of bodies: those that the schemas carry, put where readers and tools look for them.
import type { TSchema } from 'typebox';
import type { Json, JsonObject } from './components';

/** A schema's own example, or one of each of its alternatives, by schema name. */
function namedExamples(schema: TSchema): [string, Json][] {
  const { title, examples, oneOf }: { title?: string; examples?: Json[]; oneOf?: TSchema[] } = schema;
  if (examples?.[0] !== undefined) return [[title ?? 'example', examples[0]]];
  return (oneOf ?? []).flatMap(namedExamples);
}

/** The `example` of a body, or its `examples` by name where it has several shapes. */
export function exampleMembers(schemas: readonly TSchema[]): JsonObject {
  const found = schemas.flatMap(namedExamples);
  const [only] = found;
  if (only === undefined) return {};
  if (found.length === 1) return { example: only[1] };
  return { examples: Object.fromEntries(found.map(([name, value]) => [name, { value }])) };
}
