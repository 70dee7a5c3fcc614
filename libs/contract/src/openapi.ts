// The OpenAPI 3.1 document, generated from the table of operations and the catalogue of events.

import { DOCS_PATH, ERROR_DOCS_PATH } from './errors';
import { eventSchemas } from './events/event';
import { eventCatalogue, eventTypes } from './events/types';
import { Components, type JsonObject } from './openapi/components';
import { exampleMembers } from './openapi/examples';
import { responseHeaders } from './openapi/headers';
import { operationObject, sharedParameters } from './openapi/operations';
import { sharedResponses } from './openapi/responses';
import { EVENT_TAG, openApiTags } from './openapi/tags';
import { commonErrors, exceptionalErrors, operationList } from './operations';
import { schemaName } from './schema';
import { parseUrl } from './text';

export { enumerationDescription } from './openapi/enumerations';

export interface OpenApiOptions {
  /**
   * The URL of the API with its version segment, such as `https://api.example.com/v1`, or only a path if the document's own
   * host serves the API.
   */
  readonly serverUrl: string;
}

/** An OpenAPI document, with types for the parts that Carecover's code reads. */
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
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The same credentials as the user name, with an empty password: `curl -u <key>:`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same credentials, for clients that cannot set the Authorization header.',
  },
};

/** The headers of every delivery (Standard Webhooks specification), and those of some. */
const webhookHeaders = {
  'webhook-id': "The event's identifier, the same for every attempt.",
  'webhook-timestamp': 'When this attempt was signed, as a Unix timestamp in seconds.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of id.timestamp.body: one for each valid secret, separated by spaces.',
};
const optionalWebhookHeaders = {
  'webhook-simulated-at':
    'In a project with simulated time: the instant of this attempt. The other headers have the real time, by which a receiver checks the signature.',
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
  const parametersOf = (headers: Readonly<Record<string, string>>, required: boolean) =>
    Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      required,
      schema: { type: 'string' },
    }));
  const parameters = [...parametersOf(webhookHeaders, true), ...parametersOf(optionalWebhookHeaders, false)];
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          // A generator of clients writes one file per tag, and that of the events would replace that of the operations.
          tags: [EVENT_TAG],
          operationId: `receive${schemaName(eventSchemas[type])}`,
          summary: eventCatalogue[type].meaning,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: components.reference(eventSchemas[type]),
                ...exampleMembers(eventSchemas[type]),
              },
            },
          },
          responses: {
            '2XX': {
              description:
                'Accepted within 15 seconds. After any other response or none, the delivery is attempted again.',
            },
            '410': { description: 'Rejected permanently: the endpoint is disabled at once.' },
          },
        },
      },
    ]),
  );
}

/** The rule of compatibility within a version. The page versioning.md contains the same sentences. */
export const COMPATIBILITY =
  "Operations, optional fields of requests, event types, error codes and values of enumerations, except of a resource's status, are added without notice. Responses and events get no new fields within v1. A client therefore accepts event types, error codes and values of enumerations that it does not know, also in lists.";

/** Creates the document's introduction: the rules that apply to every operation. */
function introduction(origin: string): string {
  const guide = (label: string, name: string) => `[${label}](${origin}${DOCS_PATH}/${name})`;
  return [
    'Bookings, benefits, claims, remittances and webhooks as JSON over HTTPS.',
    '',
    `- **Amounts** are integers in the currency's minor unit: 350000 in KES is 3,500.00 shillings (${guide('money', 'money')}).`,
    '- **Numbers** keep all digits: those of a decimal of at most 15 digits, and of a double as JSON.stringify writes it (at most 17 digits). Another number is rejected.',
    '- **Times** are RFC 3339: requests can use any offset and are floored to milliseconds; responses are in UTC with milliseconds. A leap second (`23:59:60`) is rejected.',
    `- **Writes** have an \`Idempotency-Key\` and can be repeated safely under it (${guide('idempotency and retries', 'idempotency-and-retries')}).`,
    `- **Errors** have one envelope and a stable code ([all codes](${origin}${ERROR_DOCS_PATH})).`,
    '- **null** means that the field is known to have no value. Responses always contain every documented field, except `signing_secret` in a repeated response to the creation of a webhook endpoint.',
    `- **Compatibility.** ${COMPATIBILITY} (${guide('what can change', 'versioning')}).`,
  ].join('\n');
}

/**
 * Creates the OpenAPI 3.1 document of the API at a URL.
 *
 * @example openApiDocument({ serverUrl: 'https://api.example.com/v1' }).paths['/claims']?.post
 */
export function openApiDocument({ serverUrl }: OpenApiOptions): OpenApiDocument {
  const origin = parseUrl(serverUrl)?.origin ?? '';
  // The `docs` of an error example must be an absolute URL.
  const errorOrigin = origin === '' ? 'https://api.example.com' : origin;
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
    tags: openApiTags,
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
