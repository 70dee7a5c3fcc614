import {
  isErrorCode,
  isPlainText,
  type Operation,
  operationErrors,
  operationList,
  validateOutput,
} from '@carecover/contract';
import { fc } from '@carecover/local/properties';
import { testSize } from '@carecover/local/testing';
import { setProject } from './operator/projects';
import { type Answer, codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const RUNS = testSize({ ci: 15, soak: 300 });

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  const project = await fixture.project();
  await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute: 1_000_000 });
  key = project.secret_key;
});
afterAll(() => fixture.stop());

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '..',
    '%00',
    '__proto__',
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '{{7*7}}',
    'a'.repeat(300),
  ),
);

/** A path's parameter: an id as it should be, or anything. */
const parameter = fc.oneof(
  fc.constantFrom('clm_1', 'bkg_1', 'prc_1', 'preauth_1', 'whe_1', 'evt_1', 'rem_1', 'stl_1'),
  hostileText.map(encodeURIComponentLeniently),
);

function encodeURIComponentLeniently(text: string): string {
  return isPlainText(text) ? encodeURIComponent(text) : '%00%ed%a0%80';
}

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim());

/** An example of the contract with some fields changed, taken away or added. */
function mutated(example: Record<string, unknown>) {
  const name = fc.constantFrom(...Object.keys(example), '__proto__', 'constructor', 'more');
  return fc
    .array(fc.tuple(name, fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 3 })
    .map((changes) =>
      JSON.stringify(Object.assign(Object.create(null), example, Object.fromEntries(changes))),
    );
}

function bodyOf(operation: Operation) {
  const { examples } = (operation.body ?? {}) as { examples?: Record<string, unknown>[] };
  return fc.oneof(
    mutated(examples?.[0] ?? {}),
    fc.json(),
    hostileText.filter((text) => text !== '' && isPlainText(text)),
    fc.constantFrom('{"a":1,"a":2}', '['.repeat(5_000), '{"__proto__":1}', '1e999', '"\\ud800"'),
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
}

function request(operation: Operation) {
  const count = operation.path.match(/\{/g)?.length ?? 0;
  return fc.record({
    parameters: fc.array(parameter, { minLength: count, maxLength: count }),
    query: fc.oneof(
      fc.constant(''),
      fc
        .dictionary(
          hostileText.filter((text) => isPlainText(text)),
          hostileText.filter((text) => isPlainText(text)),
          { maxKeys: 3 },
        )
        .map((pairs) => new URLSearchParams(Object.entries(pairs)).toString()),
      fc.constantFrom(
        'limit=0',
        'limit=1&limit=2',
        'status=nothing',
        'created_after=yesterday',
        '%ff=%ff',
        '&&&=&',
      ),
    ),
    headers: fc.record(
      {
        'idempotency-key': headerText,
        'x-artifact-reference': headerText,
        'x-request-id': headerText,
        'content-type': fc.oneof(fc.constant('application/json'), headerText),
        traceparent: headerText,
      },
      { requiredKeys: [] },
    ),
    body:
      operation.method === 'GET' ? fc.constant(undefined) : fc.option(bodyOf(operation), { nil: undefined }),
  });
}

function expectDocumented(operation: Operation, answer: Answer): void {
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/i);
  expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000');
  if (answer.status < 400) {
    // What the small service answers; only what the gateway says itself is looked at here.
    if (operation.service === 'gateway') {
      expect(validateOutput(operation.id, answer.status, answer.body)).toBeUndefined();
    }
    return;
  }
  const code = codeOf(answer) ?? 'none';
  expect([400, 404, 405, 413, 415]).toContain(answer.status);
  expect(isErrorCode(code)).toBe(true);
  // Hostile text in a path may lead to another path of the table, or to none.
  if (![404, 405].includes(answer.status)) {
    expect(validateOutput(operation.id, answer.status, answer.body)).toBeUndefined();
    expect(operationErrors(operation)).toContain(code);
  }
}

test.each(operationList.map((operation) => [operation.id, operation] as const))(
  'whatever is sent to %s, the answer is one that the contract documents, and never a fault of ours',
  async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(request(operation), async ({ parameters, query, headers, body }) => {
        const left = [...parameters];
        const path = operation.path.replaceAll(/\{\w+\}/g, () => left.shift() || 'x');
        const answer = await gateway.request(`/v1${path}${query === '' ? '' : `?${query}`}`, {
          key,
          method: operation.method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        expectDocumented(operation, answer);
      }),
      { numRuns: RUNS },
    );
  },
  120_000,
);
