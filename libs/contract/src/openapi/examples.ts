// Copies the examples of schemas to the media type objects, where documentation tools read them.
import type { TSchema } from 'typebox';
import type { Json, JsonObject } from './components';

/** Returns a schema's example, or those of its alternatives, with the names of the schemas. */
function namedExamples(schema: TSchema): [string, Json][] {
  const { title, examples, oneOf }: { title?: string; examples?: Json[]; oneOf?: TSchema[] } = schema;
  if (examples?.[0] !== undefined) return [[title ?? 'example', examples[0]]];
  return (oneOf ?? []).flatMap(namedExamples);
}

/** Creates the `example` member of a media type, or `examples` if the body has several alternatives. */
export function exampleMembers(schema: TSchema): JsonObject {
  const found = namedExamples(schema);
  const [only] = found;
  if (only === undefined) return {};
  if (found.length === 1) return { example: only[1] };
  return { examples: Object.fromEntries(found.map(([name, value]) => [name, { value }])) };
}
