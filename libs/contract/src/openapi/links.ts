// Creates OpenAPI links from the creation of a resource to the operations whose paths have the resource's ID.
import type { TSchema } from 'typebox';
import { type Operation, operationList } from '../operations';
import type { Json, JsonObject } from './components';

/** Returns the patterns of an object schema's string properties by name, except those that can be null. */
function patternsOf(schema: TSchema): [string, string][] {
  const properties: Record<string, { type?: unknown; pattern?: string }> =
    Reflect.get(schema, 'properties') ?? {};
  return Object.entries(properties).flatMap(([name, { type, pattern }]): [string, string][] =>
    type !== 'string' || pattern === undefined ? [] : [[name, pattern]],
  );
}

/** Returns the field of the response that has the value of a path parameter: the field of the same name, or the resource's own ID. */
function fieldFor(response: TSchema, parameter: string, pattern: string): string | undefined {
  const fields = patternsOf(response).filter(([, each]) => each === pattern);
  return fields.find(([name]) => name === parameter || name === 'id')?.[0];
}

function linkTo(target: Operation, response: TSchema): JsonObject | undefined {
  const parameters: JsonObject = {};
  for (const [name, pattern] of patternsOf(target.params)) {
    const field = fieldFor(response, name, pattern);
    if (field === undefined) return undefined;
    parameters[name] = `$response.body#/${field}`;
  }
  return Object.keys(parameters).length === 0 ? undefined : { operationId: target.id, parameters };
}

/** Creates the links of a response to a creation, one to each operation whose path parameters are all fields of the response. */
export function responseLinks(operation: Operation, response: TSchema): JsonObject {
  const creates = operation.creates === true || operation.success.some(({ status }) => status === 201);
  if (!creates) return {};
  return Object.fromEntries(
    operationList.flatMap((target): [string, Json][] => {
      const link = linkTo(target, response);
      return link === undefined ? [] : [[target.id, link]];
    }),
  );
}
