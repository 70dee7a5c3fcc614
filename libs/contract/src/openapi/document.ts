// The OpenAPI 3.1 document, generated from the table of operations and the catalogue of events.

import { DOCS_PATH, ERROR_DOCS_PATH } from '../errors';
import { eventSchemas } from '../events/event';
import { eventCatalogue, eventTypes } from '../events/types';
import { commonErrors, exceptionalErrors, operationList } from '../operations';
import { Components, type JsonObject } from './components';
import { exampleMembers } from './examples';
import { responseHeaders } from './headers';
import { operationObject, sharedParameters } from './operations';
import { sharedResponses } from './responses';
import { tags } from './tags';

export interface OpenApiOptions {
  /** Where the API is served, with its version segment: `https://api.example.com/v1`, or a path: the host that serves the document. */
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
    parameters: JsonObject;
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
            content: {
              'application/json': {
                schema: components.reference(eventSchemas[type]),
                ...exampleMembers([eventSchemas[type]]),
              },
            },
          },
          responses: {
            '2XX': { description: 'Accepted, within 15 seconds. Anything else is tried again.' },
            '410': { description: 'Rejected for good: the endpoint is disabled at once.' },
          },
        },
      },
    ]),
  );
}

/** What holds for every operation. */
function introduction(origin: string): string {
  const guide = (words: string, name: string) => `[${words}](${origin}${DOCS_PATH}/${name})`;
  return [
    'Bookings, benefits, claims, remittances and webhooks as JSON over HTTPS.',
    '',
    `- **Amounts** are integers in the currency's minor unit: 350000 in KES is 3,500.00 shillings (${guide('money', 'money')}).`,
    '- **Times** are RFC 3339: any offset is taken, and floored to milliseconds; answers are in UTC with milliseconds.',
    `- **Writes** carry an \`Idempotency-Key\`, and may be repeated under it (${guide('idempotency and retries', 'idempotency-and-retries')}).`,
    `- **Errors** have one envelope and a stable code ([all codes](${origin}${ERROR_DOCS_PATH})).`,
    '- **null** says that there is known to be no value now. Every field that is listed is always there.',
    `- Fields, operations, codes and events are added without notice (${guide('what may change', 'versioning')}).`,
  ].join('\n');
}

/** The API description for a service at an address. */
export function openApiDocument({ serverUrl }: OpenApiOptions): OpenApiDocument {
  const isAbsolute = URL.canParse(serverUrl);
  const origin = isAbsolute ? new URL(serverUrl).origin : '';
  // An error's `docs` is a whole address, in examples too.
  const errorOrigin = isAbsolute ? origin : 'https://api.example.com';
  const components = new Components();
  const described = { paths: paths(errorOrigin, components), webhooks: webhooks(components) };
  const responses = sharedResponses([...commonErrors, ...exceptionalErrors], errorOrigin, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carecover API',
      version: 'v1',
      summary: 'Care, insurance cover and payment.',
      description: introduction(origin),
    },
    externalDocs: { description: 'Guides', url: origin + DOCS_PATH },
    servers: [{ url: serverUrl }],
    tags,
    ...described,
    components: {
      schemas: components.schemas(),
      headers: responseHeaders,
      parameters: sharedParameters,
      responses,
      securitySchemes,
    },
  };
}
