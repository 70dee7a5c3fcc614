// Each row of the table as an operation object of the API description.
import type { TSchema } from 'typebox';
import type { Operation } from '../operations';
import type { RequiredScope } from '../scopes';
import { headersSchema } from '../validators';
import type { Components, Json, JsonObject } from './components';
import { operationResponses } from './responses';

/** The name of each way to authenticate. */
export const securitySchemeNames = ['bearer', 'apiKey'] as const;

function parametersOf(
  schema: TSchema,
  location: 'path' | 'query' | 'header',
  components: Components,
): Json[] {
  const properties: Record<string, TSchema & { description?: string; default?: unknown }> = Reflect.get(
    schema,
    'properties',
  );
  const required: string[] = Reflect.get(schema, 'required') ?? [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    description: property.description ?? name,
    required: required.includes(name) && property.default === undefined,
    schema: components.reference(property),
  }));
}

function scopeRule(scope: RequiredScope): string {
  if (scope === 'any key') return 'Any valid key or token may.';
  if (scope === 'secret key') return 'Any secret key may; a token may not.';
  return `Scope: \`${scope}\`.`;
}

/** Scopes stand beside the scheme, as OpenAPI 3.1 allows for schemes other than OAuth. */
function security(scope: RequiredScope): Json[] {
  const scopes = scope === 'any key' || scope === 'secret key' ? [] : [scope];
  return securitySchemeNames.map((name) => ({ [name]: scopes }));
}

/** The operation object of a row. */
export function operationObject(operation: Operation, origin: string, components: Components): JsonObject {
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...parametersOf(headersSchema(operation), 'header', components),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, scopeRule(operation.scope)].filter(Boolean).join('\n\n'),
    security: security(operation.scope),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.reference(operation.body) } },
      },
    }),
    responses: operationResponses(operation, origin, components),
  };
}
