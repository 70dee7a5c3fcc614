// Tests that the OpenAPI document is valid and describes exactly the operations and events of the contract.
import { Validator } from '@seriousme/openapi-schema-validator';
import { compileSchema } from './ajv';
import { errorStatus } from './errors';
import { eventTypes } from './events/types';
import { openApiDocument } from './openapi';
import type { Json } from './openapi/components';
import { type OperationId, operationErrors, operationList } from './operations';
import { validateParams } from './validators';

const document = openApiDocument({ serverUrl: 'https://api.example.com/v1' });

/** Yields a value and every value inside it, with JSON pointers. */
function* walk(value: Json | undefined, pointer = ''): Generator<[string, Json]> {
  if (value === undefined) return;
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${pointer}/${name}`);
}

function resolve(ref: string): Json | undefined {
  return ref
    .slice(2)
    .split('/')
    .reduce<Json | undefined>(
      (at, step) => (typeof at === 'object' && at !== null && !Array.isArray(at) ? at[step] : undefined),
      document,
    );
}

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result).toEqual({ valid: true });
});

test('every reference has a target', () => {
  const references = [...walk(document)].filter(([pointer]) => pointer.endsWith('/$ref'));
  expect(references.length).toBeGreaterThan(100);
  for (const [, target] of references) expect(resolve(String(target))).toBeDefined();
});

test('every operation is at its path and method, with every documented status', () => {
  for (const operation of operationList) {
    const object = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const statuses = [
      ...operation.success.map((success) => success.status),
      ...(operation.failures ?? []).map((failure) => failure.status),
      ...operationErrors(operation).map(errorStatus),
    ];
    expect(object).toMatchObject({ operationId: operation.id });
    expect(Object.keys(object?.responses ?? {}).map(Number)).toEqual(
      [...new Set(statuses)].sort((a, b) => a - b),
    );
  }
});

test('no other operations are described', () => {
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(described).toHaveLength(operationList.length);
});

test('a parameter with a default is optional, and a path parameter is required', () => {
  const parameters = document.paths['/claims']?.get?.parameters;
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'limit', required: false }));
  const read = document.paths['/claims/{claim_id}']?.get?.parameters;
  expect(read).toContainEqual(expect.objectContaining({ name: 'claim_id', in: 'path', required: true }));
});

test('the Idempotency-Key is a parameter of the operations that read it, required or optional as in the table', () => {
  for (const operation of operationList) {
    const parameters = document.paths[operation.path]?.[operation.method.toLowerCase()]?.parameters;
    const key = Array.isArray(parameters)
      ? parameters.find((parameter) => Reflect.get(Object(parameter), 'name') === 'Idempotency-Key')
      : undefined;
    const expected = { required: true, optional: false, none: undefined, ignored: undefined };
    expect(key && Reflect.get(Object(key), 'required')).toBe(expected[operation.idempotencyKey]);
  }
});

test('every creation links to the operations that take its ID, and each link resolves in the example of the response', () => {
  const linked: Record<string, string[]> = {};
  for (const { id, path, method } of operationList) {
    for (const response of Object.values(Object(document.paths[path]?.[method.toLowerCase()]?.responses))) {
      const { links = {}, content } = Object(response);
      const media = Object(content)['application/json'];
      const examples =
        media?.example === undefined
          ? Object.values(Object(media?.examples)).map((each) => Object(each).value)
          : [media.example];
      for (const [name, link] of Object.entries<{
        operationId: OperationId;
        parameters: Record<string, string>;
      }>(links)) {
        expect(link.operationId).toBe(name);
        for (const example of examples) {
          const params = Object.fromEntries(
            Object.entries(link.parameters).map(([parameter, expression]) => [
              parameter,
              example[expression.replace('$response.body#/', '')],
            ]),
          );
          expect([name, validateParams(link.operationId, params)]).toEqual([
            name,
            { ok: true, value: params },
          ]);
        }
        linked[name] = [...new Set([...(linked[name] ?? []), id])];
      }
    }
  }
  // No operation creates practitioners or events, so no response links to their operations.
  const withoutCreation = operationList
    .filter(({ path }) => path.includes('{') && !/\{(practitioner|event)_id\}/.test(path))
    .filter(({ id }) => linked[id] === undefined);
  expect(withoutCreation).toEqual([]);
  expect(linked).toMatchObject({
    getBooking: ['createBooking', 'createPreauthorization'],
    deliverSession: ['createBooking', 'createSession'],
    getSession: ['createBooking', 'createSession'],
    getClaimValuation: ['createClaim', 'requestClaimInformation'],
    getCoverage: ['createCoverage'],
    rotateWebhookSecret: ['createWebhookEndpoint'],
  });
});

test('an X-Request-Id that is not a UUID is a valid request', () => {
  expect(document.components.parameters['X-Request-Id']).toMatchObject({ schema: { type: 'string' } });
  expect(JSON.stringify(document.components.parameters['X-Request-Id'])).not.toContain('"format"');
});

test('every event type is described as a webhook', () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypes);
});

test('the examples of every component satisfy its schema', () => {
  const names = Object.keys(document.components.schemas);
  const bundle = JSON.parse(
    JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  );
  // The test removes the mapping of each discriminator: OpenAPI requires the mapping, but ajv does not accept it.
  for (const [, value] of walk(bundle)) {
    const discriminator = Reflect.get(Object(value), 'discriminator');
    if (discriminator?.mapping) delete discriminator.mapping;
  }
  for (const name of names) {
    const validate = compileSchema({ $ref: `#/$defs/${name}`, $defs: bundle });
    for (const example of bundle[name].examples ?? []) {
      expect([name, validate(example), validate.errors ?? []]).toEqual([name, true, []]);
    }
  }
});

test('error examples contain the code and a link to its explanation', () => {
  const unauthorized = resolve('#/components/responses/Error401');
  expect(unauthorized).toMatchObject({
    content: {
      'application/json': {
        examples: {
          api_key_missing: {
            value: {
              error: {
                code: 'api_key_missing',
                docs: 'https://api.example.com/docs/errors#api_key_missing',
              },
            },
          },
        },
      },
    },
  });
});
