/** Tests of the fixtures without the conformance suite, which needs Node 22: the handler of the product serves them, on both revisions. */
import { createMcpEndpoint } from '../server';
import { serveFixtures } from './fixtures';

const endpoint = createMcpEndpoint({
  version: 'test',
  pages: [],
  readApp: () => '',
  extend: serveFixtures,
  onError: () => undefined,
});

interface Message {
  readonly method?: string;
  readonly error?: { readonly code: number; readonly data?: object };
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
    readonly requestState?: string;
  };
}

const ALL = { elicitation: {}, sampling: {}, roots: {} };

/** Sends a request, and returns the messages of the response, of which the last one is the answer. */
async function send(
  method: string,
  { _meta: given, ...params }: Record<string, unknown>,
  capabilities: object = ALL,
) {
  const meta = {
    ...(given as object | undefined),
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  });
  const name = params.name ?? params.uri;
  if (typeof name === 'string') headers.set('mcp-name', name);
  const response = await endpoint({
    url: 'https://localhost/v1/mcp',
    headers,
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } },
    caller: { scopes: [], writes: null, call: async () => ({ status: 500, body: null }) },
    signal: new AbortController().signal,
  });
  const text = await response.text();
  const lines = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => data)
    : [text];
  const all = lines.map((line) => JSON.parse(line) as Message);
  return { status: response.status, all, answer: all.at(-1) ?? {} };
}

const call = (name: string, others: object = {}, capabilities?: object) =>
  send('tools/call', { name, arguments: {}, ...others }, capabilities);

const accept = (content: object) => ({ action: 'accept', content });

test('every tool is listed and answers, and no tool of the product is listed', async () => {
  const { result } = (await send('tools/list', {})).answer;
  const { tools } = result as unknown as { tools: { name: string }[] };
  expect(tools.length).toBeGreaterThan(15);
  for (const { name } of tools) expect(name).toMatch(/^test_/);
  for (const { name } of tools) expect((await call(name)).answer).toHaveProperty('result.resultType');
});

test('progress is sent before the result', async () => {
  const { all } = await call('test_tool_with_progress', { _meta: { progressToken: 'p' } });
  expect(all.map(({ method }) => method)).toEqual([
    ...Array.from({ length: 3 }, () => 'notifications/progress'),
    undefined,
  ]);
});

test('a capability that the client lacks is the error of the protocol, with its HTTP status', async () => {
  const { status, answer } = await call('test_missing_capability', {}, {});
  expect([status, answer.error]).toMatchObject([
    400,
    { code: -32_021, data: { requiredCapabilities: { sampling: {} } } },
  ]);
});

test('a client without a log level receives no log message', async () => {
  expect((await call('test_logging_tool')).all).toHaveLength(1);
});

test('only what the client can answer is asked', async () => {
  const { answer } = await call('test_input_required_result_capabilities', {}, { sampling: {} });
  expect(Object.values(answer.result?.inputRequests ?? {})).toMatchObject([
    { method: 'sampling/createMessage' },
  ]);
});

test('the rounds of a question end, and a state that was changed is rejected', async () => {
  const name = 'test_input_required_result_multi_round';
  const first = (await call(name)).answer.result;
  const second = (
    await call(name, {
      inputResponses: { step1: accept({ name: 'A' }) },
      requestState: first?.requestState,
    })
  ).answer.result;
  expect(second?.requestState).not.toBe(first?.requestState);
  const last = await call(name, {
    inputResponses: { step2: accept({ color: 'blue' }) },
    requestState: second?.requestState,
  });
  expect(last.answer.result?.resultType).toBe('complete');
  const changed = await call(name, {
    inputResponses: { step2: accept({ color: 'blue' }) },
    requestState: `${second?.requestState}-TAMPERED`,
  });
  expect(changed.answer.error?.code).toBe(-32_602);
});

test('resources, templates, prompts and completions are served', async () => {
  const read = (uri: string) => send('resources/read', { uri });
  expect((await read('test://static-text')).answer.result).toHaveProperty('contents');
  expect(JSON.stringify((await read('test://template/123/data')).answer)).toContain('123');
  expect((await read('test://nothing')).answer.error?.code).toBeLessThan(0);
  const prompt = await send('prompts/get', {
    name: 'test_prompt_with_arguments',
    arguments: { arg1: 'one', arg2: 'two' },
  });
  expect(JSON.stringify(prompt.answer)).toContain("arg1='one', arg2='two'");
  const asked = await send('prompts/get', { name: 'test_input_required_result_prompt' });
  expect(asked.answer.result?.resultType).toBe('input_required');
  const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  const completion = await send('completion/complete', { ref, argument: { name: 'arg1', value: 'o' } });
  expect(completion.answer.result).toMatchObject({ completion: { values: [] } });
});
