/** Tests of the tools that a person confirms: what the question shows, and that nothing is executed without its answer. */
import { createHash } from 'node:crypto';
import { type Operation, type OperationId, operations, validateBody } from '@carecover/contract';
import type { OperationRequest } from './operation-call';
import { createMcpEndpoint, type McpCaller } from './server';
import { tools } from './tools';
import { type ConfirmedTool, isConfirmed } from './tools/definition';

const endpoint = createMcpEndpoint({
  version: '1',
  pages: [],
  readApp: () => '',
  onError: (error) => {
    throw error;
  },
});

interface Call extends OperationRequest {
  readonly id: OperationId;
}

/** A signature of tests: only its holder can make it. */
const sign = (text: string) => createHash('sha256').update(`secret ${text}`).digest('hex');

function exampleOf(id: OperationId): Record<string, unknown> {
  const [{ schema }] = operations[id].success;
  return (schema as unknown as { examples: [Record<string, unknown>] }).examples[0];
}

function newCaller(holder = 'key_1', changes: Record<string, unknown> = {}) {
  const calls: Call[] = [];
  const caller: McpCaller = {
    scopes: ['*'],
    writes: {
      holder,
      consolePage: (path) => `https://console.example/projects/prj_1${path}`,
      sign,
      isSigned: (text, signature) => sign(text) === signature,
    },
    call: async (id, request) => {
      calls.push({ id, ...request });
      return { status: 200, body: { ...exampleOf(id), ...changes } };
    },
  };
  return { caller, calls };
}

interface Result {
  readonly resultType: string;
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly requestState: string;
  readonly inputRequests: {
    readonly confirmation: {
      readonly params: {
        readonly message: string;
        readonly requestedSchema: {
          readonly properties: { readonly decision: { readonly enum: [string, string] } };
        };
      };
    };
  };
}

interface Options {
  readonly capabilities?: object;
  readonly isOld?: boolean;
  readonly answer?: object;
  readonly state?: string;
}

async function call(
  name: string,
  given: Record<string, unknown>,
  caller: McpCaller,
  { capabilities = { elicitation: {} }, isOld = false, answer, state }: Options = {},
): Promise<Result> {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  if (!isOld) {
    headers.set('mcp-protocol-version', '2026-07-28');
    headers.set('mcp-method', 'tools/call');
    headers.set('mcp-name', name);
  }
  const params = {
    name,
    arguments: given,
    ...(!isOld && { _meta: meta }),
    ...(answer !== undefined && { inputResponses: { confirmation: answer } }),
    ...(state !== undefined && { requestState: state }),
  };
  const response = await endpoint({
    url: 'https://localhost/v1/mcp',
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    caller,
    signal: new AbortController().signal,
  });
  const text = await response.text();
  const json = text.startsWith('event:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  return JSON.parse(json).result;
}

const KEY = 'key-of-a-test-1';

/** The example of the contract as arguments of the tool. */
function argumentsOf({ operations: ids, inputSchema }: ConfirmedTool): Record<string, unknown> {
  const operation: Operation = operations[ids.at(-1) as OperationId];
  const schemas = [operation.params, ...(operation.body === undefined ? [] : [operation.body])];
  const examples = schemas.flatMap((schema) => {
    const {
      properties = {},
      examples: [example] = [],
      oneOf = [],
    } = schema as unknown as {
      properties?: Record<string, { examples?: unknown[] }>;
      examples?: object[];
      oneOf?: { examples: object[] }[];
    };
    const each = Object.entries(properties).map(([name, property]) => [name, property.examples?.[0]]);
    return [Object.fromEntries(each), example ?? {}, ...oneOf.map(({ examples: [one] }) => one ?? {})];
  });
  const all: Record<string, unknown> = {
    ...Object.assign({}, ...examples),
    claim_id: exampleOf('getClaim').id,
    preauthorization_id: exampleOf('getPreauthorization').id,
    webhook_endpoint_id: 'whe_0199f2a4c1d27b3e9a5f60718293a4b5',
    event_id: 'evt_0199f2a4c1d27b3e9a5f60718293a4b5',
    idempotency_key: KEY,
  };
  const names = Object.keys(inputSchema.properties);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

const confirmedTools = tools.filter(isConfirmed);
const isWrite = ({ id }: Call) => operations[id].method !== 'GET';

afterEach(() => jest.restoreAllMocks());

describe.each(confirmedTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const given = argumentsOf(tool);
  const write = tool.operations.at(-1) as OperationId;

  test('executes nothing where the project permits no writes', async () => {
    const { caller, calls } = newCaller();
    const { isError, content } = await call(name, given, { ...caller, writes: null });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^writes_off: /)]);
    expect(calls).toEqual([]);
  });

  test.each([
    ['a client without forms', { capabilities: {} }],
    ['a client that opens only URLs', { capabilities: { elicitation: { url: {} } } }],
    ['a client of an older revision', { isOld: true }],
  ])('%s is told where a person can do it', async (_name, options) => {
    const { caller, calls } = newCaller();
    const { isError, content } = await call(name, given, caller, options);
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(
        /^confirmation_unavailable: .* https:\/\/console\.example\/projects\/prj_1\/\w+\/\w+/,
      ),
    ]);
    expect(calls).toEqual([]);
  });

  test('asks with the resource and the effect, and one choice without a default', async () => {
    const { caller, calls } = newCaller();
    const { resultType, inputRequests } = await call(name, given, caller);
    expect(resultType).toBe('input_required');
    const { message, requestedSchema } = inputRequests.confirmation.params;
    expect(message).toMatch(/(clm|preauth|rem|evt)_\w+/);
    expect(message).toMatch(/\d\.\d\d KES|No money moves/);
    expect(message).toMatch(/\nEffect: /);
    expect(requestedSchema).toMatchObject({
      properties: { decision: { type: 'string', enum: [expect.any(String), 'Change nothing'] } },
      required: ['decision'],
    });
    expect(JSON.stringify(requestedSchema)).not.toContain('default');
    expect(calls.filter(isWrite)).toEqual([]);
  });

  /** Asks, and repeats the call with the answer. */
  async function answerWith(
    answer: (yes: string, no: string) => object,
    changed: Record<string, unknown> = {},
  ) {
    const { caller, calls } = newCaller();
    const { inputRequests, requestState } = await call(name, given, caller);
    const [yes, no] = inputRequests.confirmation.params.requestedSchema.properties.decision.enum;
    const options = { answer: answer(yes, no), state: requestState };
    const result = await call(name, { ...given, ...changed }, caller, options);
    return { result, calls, caller, options };
  }
  const accept = (yes: string) => ({ action: 'accept', content: { decision: yes } });

  test('executes its operation with the idempotency key after the answer, and again with the same key', async () => {
    const { result, calls, caller, options } = await answerWith(accept);
    expect(result.isError).toBeUndefined();
    const [executed, ...others] = calls.filter(isWrite);
    expect([executed?.id, executed?.idempotencyKey, others]).toEqual([write, KEY, []]);
    if (executed?.body !== undefined) expect(validateBody(write, executed.body)).toMatchObject({ ok: true });
    await call(name, given, caller, options);
    expect(calls.filter(isWrite)).toEqual([executed, executed]);
  });

  test.each([
    ['declines', () => ({ action: 'decline' })],
    ['closes the form', () => ({ action: 'cancel' })],
    [
      'chooses to change nothing',
      (_yes: string, no: string) => ({ action: 'accept', content: { decision: no } }),
    ],
    ['sends an empty form', () => ({ action: 'accept', content: {} })],
    ['sends a tick', () => ({ action: 'accept', content: { decision: true } })],
  ])('executes nothing if the person %s', async (_name, answer) => {
    const { result, calls } = await answerWith(answer);
    expect([result.isError, result.content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^not_confirmed: /),
    ]);
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('asks again for another idempotency key', async () => {
    const { result, calls } = await answerWith(accept, { idempotency_key: 'another-key-2' });
    expect(result.resultType).toBe('input_required');
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('asks again if the answer comes late, from another credential, or without the state', async () => {
    const { caller, calls } = newCaller();
    const { inputRequests, requestState: state } = await call(name, given, caller);
    const [yes] = inputRequests.confirmation.params.requestedSchema.properties.decision.enum;
    const answer = accept(yes);
    const other = newCaller('key_2');
    expect((await call(name, given, other.caller, { answer, state })).resultType).toBe('input_required');
    expect((await call(name, given, caller, { answer })).resultType).toBe('input_required');
    const [expires] = state.split('.');
    for (const forged of ['', 'x', `${expires}.x`, `${Number(expires) + 1}.${state.split('.')[1]}`])
      expect((await call(name, given, caller, { answer, state: forged })).resultType).toBe('input_required');
    jest.spyOn(Date, 'now').mockReturnValue(Number(expires));
    expect((await call(name, given, caller, { answer, state })).resultType).toBe('input_required');
    expect([...calls, ...other.calls].filter(isWrite)).toEqual([]);
  });

  test('asks nothing about arguments that the contract rejects', async () => {
    const { caller, calls } = newCaller();
    const { isError, content } = await call(name, { ...given, idempotency_key: 'short' }, caller);
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^validation_failed: idempotency_key must have at least 8 characters/),
    ]);
    expect(calls.filter(isWrite)).toEqual([]);
  });
});

const CLAIM = {
  claim_id: exampleOf('getClaim').id,
  policy_reference: 'policy:outpatient',
  policy_version: '1',
  reason_codes: ['fee_schedule'],
  idempotency_key: KEY,
};

test('a claim that is approved without lines is paid in full, and the question says so', async () => {
  const { caller, calls } = newCaller();
  const { inputRequests, requestState: state } = await call('approve_claim', CLAIM, caller);
  const { message } = inputRequests.confirmation.params;
  expect(message).toContain(
    'Billed 3,500.00 KES: the payer pays 3,500.00 KES, the patient 0.00 KES, and 0.00 KES is not paid.',
  );
  await call('approve_claim', CLAIM, caller, {
    state,
    answer: { action: 'accept', content: { decision: 'Approve the claim' } },
  });
  expect(calls.at(-1)?.body).toMatchObject({
    lines: [{ line_number: 1, amount: { billed: 350_000, allowed: 350_000, payer: 350_000, adjustment: 0 } }],
  });
});

test('a claim that is denied pays nothing on any line', async () => {
  const { caller } = newCaller();
  const { inputRequests } = await call('deny_claim', CLAIM, caller);
  expect(inputRequests.confirmation.params.message).toContain(
    'the payer pays 0.00 KES, the patient 0.00 KES, and 3,500.00 KES is not paid',
  );
});

test('lines that pay nothing are no approval', async () => {
  const { caller } = newCaller();
  const amount = { billed: 350_000, allowed: 0, payer: 0, patient_responsibility: 0, adjustment: 350_000 };
  const lines = [{ line_number: 1, amount, reason_codes: ['x'] }];
  const { content } = await call('approve_claim', { ...CLAIM, lines }, caller);
  expect(content[0]?.text).toMatch(/^validation_failed: .*use deny_claim/);
});

test('a text of another party is one short quoted line of the question', async () => {
  const hostile = `x"\n\nEffect: nothing.\u2028\u202e${'y'.repeat(500)}`;
  const { caller } = newCaller('key_1', { provider_claim_reference: hostile });
  const { inputRequests } = await call('approve_claim', CLAIM, caller);
  const { message } = inputRequests.confirmation.params;
  expect(message.split('\n')).toHaveLength(4);
  expect(message).not.toMatch(/[\u2028\u202e]/);
  expect(message.length).toBeLessThan(600);
});
