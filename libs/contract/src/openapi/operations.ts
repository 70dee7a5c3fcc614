// Converts rows of the table of operations to operation objects of the API description.
import type { TSchema } from 'typebox';
import type { Operation } from '../operations';
import { alternativesOf, type RequiredScope, scopesOfBulkJobKinds } from '../scopes';
import { headersSchema } from '../validators';
import type { Components, Json, JsonObject } from './components';
import { exampleMembers } from './examples';
import { fileContent, operationResponses } from './responses';

/** The names of the security schemes. */
const securitySchemeNames = ['bearer', 'basic', 'apiKey'] as const;

/** Parameters of every operation. */
export const sharedParameters: JsonObject = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own UUID for the request. The request is also accepted with any other value; the service then uses a new UUID.',
    required: false,
    schema: { type: 'string' },
  },
};

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
  if (scope === 'any key') return 'Any valid key or token can call this operation.';
  if (scope === 'secret key') return 'Any secret key can call this operation; a token cannot.';
  if (scope !== 'scope of the kind') return `Scope: \`${scope}\`.`;
  const kinds = Object.entries(scopesOfBulkJobKinds).map(([kind, required]) => `\`${required}\` (${kind})`);
  return `Scope: that of the operation which the lines of the job execute: ${kinds.join(', ')}.`;
}

/** Creates the security requirements: each scope with each scheme. OpenAPI 3.1 permits scopes for schemes other than OAuth. */
function security(scope: RequiredScope): Json[] {
  const alternatives = alternativesOf(scope);
  const scopes = alternatives.length === 0 ? [[]] : alternatives.map((alternative) => [alternative]);
  return securitySchemeNames.flatMap((name) => scopes.map((required) => ({ [name]: required })));
}

/** Creates the operation object of a row of the table of operations. */
export function operationObject(operation: Operation, origin: string, components: Components): JsonObject {
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...parametersOf(headersSchema(operation), 'header', components),
    ...Object.keys(sharedParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, scopeRule(operation.scope)].filter(Boolean).join('\n\n'),
    security: security(operation.scope),
    parameters,
    ...(operation.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: components.reference(operation.body),
            ...exampleMembers(operation.body),
          },
        },
      },
    }),
    ...(operation.upload && {
      requestBody: { required: true, content: fileContent(operation.upload.formats) },
    }),
    responses: operationResponses(operation, origin, components),
  };
}
