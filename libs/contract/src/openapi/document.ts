// The OpenAPI 3.1 document, generated from the table of operations and the catalogue of events.

import { eventSchemas } from '../events/event';
import { eventCatalogue, eventTypes } from '../events/types';
import { operationTags } from '../operation';
import { commonErrors, exceptionalErrors, operationList } from '../operations';
import { Components, type JsonObject } from './components';
import { responseHeaders } from './headers';
import { operationObject } from './operations';
import { sharedResponses } from './responses';

export interface OpenApiOptions {
  /** Where the API is served, with its version segment: `https://api.example.com/v1`. */
  readonly serverUrl: string;
}

/** The parts of the document that its readers in this project look at. */
export interface OpenApiDocument extends JsonObject {
  openapi: string;
  paths: { [path: string]: { [method: string]: JsonObject } };
  webhooks: JsonObject;
  components: {
    schemas: JsonObject;
    headers: JsonObject;
    responses: JsonObject;
    securitySchemes: JsonObject;
  };
}

const securitySchemes: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (`sk_test_…`, `sk_live_…`) or a scoped token (`pt_test_…`, `pt_live_…`).',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same, for clients that cannot set Authorization.',
  },
};

/** Headers that every delivery of an event carries, by the Standard Webhooks specification. */
const webhookHeaders = {
  'webhook-id': "The event's identifier, the same on every try.",
  'webhook-timestamp': 'When this try was signed, as a Unix timestamp in seconds.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of id.timestamp.body; one for each valid secret, by spaces.',
};

function paths(origin: string, components: Components): OpenApiDocument['paths'] {
  const result: OpenApiDocument['paths'] = {};
  for (const operation of operationList) {
    const methods = result[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = operationObject(operation, origin, components);
    result[operation.path] = methods;
  }
  return result;
}

function webhooks(components: Components): JsonObject {
  const parameters = Object.entries(webhookHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: true,
    schema: { type: 'string' },
  }));
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          tags: ['Webhooks and events'],
          summary: eventCatalogue[type].meaning,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: components.reference(eventSchemas[type]) } },
          },
          responses: { '2XX': { description: 'Accepted. Anything else is tried again.' } },
        },
      },
    ]),
  );
}

/** The API description for a service at an address. */
export function openApiDocument({ serverUrl }: OpenApiOptions): OpenApiDocument {
  const { origin } = new URL(serverUrl);
  const components = new Components();
  const described = { paths: paths(origin, components), webhooks: webhooks(components) };
  const responses = sharedResponses([...commonErrors, ...exceptionalErrors], origin, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carecover API',
      version: 'v1',
      description: 'Care, insurance cover and payment: bookings, benefits, claims, remittances and webhooks.',
    },
    servers: [{ url: serverUrl }],
    tags: operationTags.map((name) => ({ name })),
    ...described,
    components: {
      schemas: components.schemas(),
      headers: responseHeaders,
      responses,
      securitySchemes,
    },
  };
}
