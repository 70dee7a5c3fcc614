// Creates the responses of an operation: each status with its body, its headers and, for errors, its codes.
import { type ErrorCode, errorCodes, errorDocs, errorStatus } from '../errors';
import { type Operation, operationErrors } from '../operations';
import type { FileFormat, Success } from '../operations/definition';
import { ErrorEnvelope } from '../resources/error';
import type { Components, Json, JsonObject } from './components';
import { exampleMembers } from './examples';
import { errorHeaders, successHeaders } from './headers';
import { responseLinks } from './links';

/** The statuses whose error response has the same codes and headers for every operation. These responses are shared components. */
const sharedStatuses = [401, 405, 413, 415, 429, 500, 503];

const statusNames: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  400: 'Invalid request.',
  401: 'Not authenticated.',
  403: 'Not permitted.',
  404: 'Not found.',
  405: 'Method not allowed.',
  406: 'Not acceptable.',
  409: "Conflict with the resource's state.",
  413: 'Body too large.',
  415: 'Not JSON.',
  422: 'Valid, but not possible.',
  429: 'Rate limited.',
  500: 'Internal error.',
  502: 'The receiver accepted no attempt.',
  503: 'Unavailable or overloaded.',
};

function statusName(status: number): string {
  const name = statusNames[status];
  if (name === undefined) throw new RangeError(`status ${status} has no description`);
  return name;
}

function jsonContent(schema: Json, examples: JsonObject): JsonObject {
  return { 'application/json': { schema, ...examples } };
}

/** Creates the media types of files. Their content is not described by a JSON Schema. */
export function fileContent(formats: readonly FileFormat[]): JsonObject {
  return Object.fromEntries(
    formats.map(({ mediaType, description }) => [mediaType, { schema: { description } }]),
  );
}

/** Creates an error response with its codes. */
function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  origin: string,
  components: Components,
): JsonObject {
  const examples = codes.map((code): [string, JsonObject] => [
    code,
    { value: { error: { code, message: errorCodes[code].explanation, docs: errorDocs(origin, code) } } },
  ]);
  return {
    description: `${statusName(status)} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: errorHeaders(status),
    content: jsonContent(components.reference(ErrorEnvelope), { examples: Object.fromEntries(examples) }),
  };
}

function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of codes) grouped.set(errorStatus(code), [...(grouped.get(errorStatus(code)) ?? []), code]);
  return grouped;
}

function successResponse(
  operation: Operation,
  { status, schema, example, replay }: Success,
  components: Components,
): JsonObject {
  const links = responseLinks(operation, schema);
  return {
    description: replay ? 'The response to an earlier, equal request.' : statusName(status),
    headers: successHeaders(operation),
    content: {
      ...jsonContent(
        components.reference(schema),
        example === undefined ? exampleMembers(schema) : { example: { ...example } },
      ),
      ...fileContent(operation.files ?? []),
    },
    ...(Object.keys(links).length > 0 && { links }),
  };
}

/** Creates the error responses that all operations share, by component name. */
export function sharedResponses(
  codes: readonly ErrorCode[],
  origin: string,
  components: Components,
): JsonObject {
  const shared = [...codesByStatus(codes)].filter(([status]) => sharedStatuses.includes(status));
  return Object.fromEntries(
    shared.map(([status, own]) => [`Error${status}`, errorResponse(status, own, origin, components)]),
  );
}

/** Creates every response of an operation, by status. */
export function operationResponses(operation: Operation, origin: string, components: Components): JsonObject {
  const documented = [...operation.success, ...(operation.failures ?? [])];
  const bodies = documented.map((response): [number, Json] => [
    response.status,
    successResponse(operation, response, components),
  ]);
  const errors = [...codesByStatus(operationErrors(operation))].map(([status, codes]): [number, Json] => [
    status,
    sharedStatuses.includes(status)
      ? { $ref: `#/components/responses/Error${status}` }
      : errorResponse(status, codes, origin, components),
  ]);
  return Object.fromEntries([...bodies, ...errors].sort(([a], [b]) => a - b));
}
