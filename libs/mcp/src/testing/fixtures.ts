/**
 * The tools, resources and prompts with fixed names (`test_…`, `test://…`) that the protocol's conformance suite calls. A test build serves
 * them from the handler of the product, instead of the product's own. No product has them.
 */
import {
  type CallToolResult,
  type ContentBlock,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** A picture of one pixel, and a sound without samples. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const PROGRESS_STEPS = [0, 50, 100];
const PROGRESS_DELAY_MS = 10;
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The state of a question that goes through the client. It is signed, as the product's is. */
const states = createRequestStateCodec<string>({ key: 'a key of a test build, which protects nothing' });

type ToolResult = CallToolResult | InputRequiredResult;

const picture: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

function resource(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

function result(...content: readonly (ContentBlock | string)[]): CallToolResult {
  return {
    content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  };
}

/** A question with one field. */
function question(
  message: string,
  field: string,
  type: { type: 'string' } | { type: 'boolean' } = { type: 'string' },
) {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: type }, required: [field] },
  });
}

function sampling(text: string) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
}

function isAnswered({ mcpReq }: ServerContext, key: string): boolean {
  return inputResponse(mcpReq.inputResponses, key).kind !== 'missing';
}

/** Asks until the answer with this key is there. */
function asking(key: string, request: ReturnType<typeof question>, answered: string) {
  return (ctx: ServerContext): ToolResult =>
    isAnswered(ctx, key) ? result(answered) : inputRequired({ inputRequests: { [key]: request } });
}

/** Returns the verified state of a question; undefined if there is none. @throws ProtocolError if it was changed */
async function stateOf(ctx: ServerContext): Promise<string | undefined> {
  const state = ctx.mcpReq.requestState();
  if (state === undefined) return undefined;
  try {
    return await states.verify(String(state), ctx);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state of the question is not valid.');
  }
}

/** Asks a person to confirm, and accepts the answer only with the state of the question. */
async function confirmed(ctx: ServerContext): Promise<ToolResult> {
  if ((await stateOf(ctx)) === 'confirm' && isAnswered(ctx, 'confirm')) return result('state-ok');
  return inputRequired({
    inputRequests: { confirm: question('Please confirm', 'ok', { type: 'boolean' }) },
    requestState: await states.mint('confirm'),
  });
}

async function askInRounds(ctx: ServerContext): Promise<ToolResult> {
  const state = await stateOf(ctx);
  if (state === 'second' && isAnswered(ctx, 'step2')) return result('Both steps were answered.');
  if (state === 'first' && isAnswered(ctx, 'step1'))
    return inputRequired({
      inputRequests: { step2: question('Step 2: What is your favorite color?', 'color') },
      requestState: await states.mint('second'),
    });
  return inputRequired({
    inputRequests: { step1: question('Step 1: What is your name?', 'name') },
    requestState: await states.mint('first'),
  });
}

async function askMany(ctx: ServerContext): Promise<ToolResult> {
  const keys = ['user_name', 'greeting', 'client_roots'];
  if ((await stateOf(ctx)) === 'many' && keys.every((key) => isAnswered(ctx, key)))
    return result('All were answered.');
  return inputRequired({
    inputRequests: {
      user_name: question('What is your name?', 'name'),
      greeting: sampling('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await states.mint('many'),
  });
}

/** Asks only what the client declares that it can answer. */
function askByCapabilities({ mcpReq }: ServerContext): ToolResult {
  const { [CAPABILITIES]: declared = {} } = (mcpReq.envelope ?? {}) as Readonly<Record<string, object>>;
  return inputRequired({
    inputRequests: {
      ...('elicitation' in declared && { user_name: question('What is your name?', 'name') }),
      ...('sampling' in declared && { greeting: sampling('Generate a greeting') }),
    },
  });
}

async function reportProgress({ mcpReq }: ServerContext): Promise<ToolResult> {
  const { _meta: meta, notify } = mcpReq;
  const { progressToken } = (meta ?? {}) as { progressToken?: string | number };
  for (const progress of PROGRESS_STEPS) {
    if (progressToken !== undefined)
      await notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_DELAY_MS));
  }
  return result('The progress was reported.');
}

async function writeLog({ mcpReq }: ServerContext): Promise<ToolResult> {
  for (const step of ['started', 'processing data', 'completed'])
    await mcpReq.log('info', `Tool execution ${step}`);
  return result('The log was written.');
}

const tools: Readonly<Record<string, (ctx: ServerContext) => ToolResult | Promise<ToolResult>>> = {
  test_simple_text: () => result('This is a simple text response for testing.'),
  test_image_content: () => result(picture),
  test_audio_content: () => result({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    result(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    result(
      'Multiple content types test:',
      picture,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({
    ...result('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_tool_with_progress: reportProgress,
  test_tool_with_logging: writeLog,
  test_logging_tool: writeLog,
  // A client that declares no sampling is rejected before it is asked.
  test_missing_capability: asking('answer', sampling('What is one plus one?'), 'The client can sample.'),
  test_streaming_elicitation: asking('user_name', question('What is your name?', 'name'), 'Hello.'),
  test_input_required_result_elicitation: asking(
    'user_name',
    question('What is your name?', 'name'),
    'Hello.',
  ),
  test_input_required_result_sampling: asking(
    'capital_question',
    sampling('What is the capital of France?'),
    'The client answered.',
  ),
  test_input_required_result_list_roots: asking(
    'client_roots',
    inputRequired.listRoots(),
    'The client has roots.',
  ),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multi_round: askInRounds,
  test_input_required_result_multiple_inputs: askMany,
  test_input_required_result_capabilities: askByCapabilities,
};

const TEXT = 'test://static-text';
const BINARY = 'test://static-binary';
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function readResource(uri: string) {
  if (uri === TEXT)
    return {
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    };
  if (uri === BINARY) return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}

interface Prompt {
  readonly arguments: readonly string[];
  readonly get: (
    given: Readonly<Record<string, string>>,
    ctx: ServerContext,
  ) => GetPromptResult | InputRequiredResult;
}

function messages(...contents: readonly (ContentBlock | string)[]): GetPromptResult {
  return { messages: result(...contents).content.map((content) => ({ role: 'user', content })) };
}

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { arguments: [], get: () => messages('This is a simple prompt for testing.') },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => messages(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      messages(
        resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        'Please process the embedded resource above.',
      ),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () => messages(picture, 'Please analyze the image above.'),
  },
  test_input_required_result_prompt: {
    arguments: [],
    get: (_given, ctx) =>
      isAnswered(ctx, 'user_context')
        ? messages('The prompt has its context.')
        : inputRequired({
            inputRequests: {
              user_context: question('What context should the prompt use?', 'context'),
            },
          }),
  },
};

function unknown(what: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} with the name ${name}.`);
}

/** Replaces the tools, resources and prompts of the product's server by those of the conformance suite. */
export function serveFixtures(server: Server): void {
  server.registerCapabilities({ completions: {}, logging: {} });
  server.setRequestHandler('tools/list', async () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `The tool ${name} of the conformance suite.`,
      inputSchema: { type: 'object' as const, properties: {} },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, ctx) => {
    const tool = tools[name];
    if (tool === undefined) throw unknown('tool', name);
    return tool(ctx);
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: [
      { uri: TEXT, name: 'static-text', mimeType: 'text/plain' },
      { uri: BINARY, name: 'static-binary', mimeType: 'image/png' },
    ],
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => readResource(uri));
  server.setRequestHandler('prompts/list', async () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: given }]) => ({
      name,
      description: `The prompt ${name} of the conformance suite.`,
      arguments: given.map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }, ctx) => {
    const prompt = prompts[name];
    if (prompt === undefined) throw unknown('prompt', name);
    return prompt.get(given, ctx);
  });
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}
