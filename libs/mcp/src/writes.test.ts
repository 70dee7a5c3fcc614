/** Tests of the tools that a person confirms: what the question shows, and that nothing is executed without its answer. */
import { createHash } from 'node:crypto';
import {
  bulkLineSchemas,
  type Operation,
  type OperationId,
  operations,
  validateBody,
} from '@carecover/contract';
import type { McpCaller } from './caller';
import type { OperationRequest } from './operation-call';
import { createMcpEndpoint } from './server';
import { tools } from './tools';
import { type ConfirmedTool, isConfirmed } from './tools/definition';

// The tool of bulk jobs waits between its reads of a dry run.
jest.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

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

/** Returns the body of a response: the contract's example, with changes. */
type Respond = (call: Call) => Record<string, unknown>;

function newCaller(holder = 'key_1', respond: Respond = ({ id }) => exampleOf(id)) {
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
      const call = { id, ...request };
      calls.push(call);
      return { status: 200, body: respond(call) };
    },
  };
  return { caller, calls };
}

interface Result {
  readonly resultType: string;
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
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

const [SETTLEMENT] = (bulkLineSchemas('settlements')[0] as unknown as { examples: [Record<string, unknown>] })
  .examples;

/** The example of the contract as arguments of the tool. */
function argumentsOf({ name, operations: ids, inputSchema }: ConfirmedTool): Record<string, unknown> {
  if (name === 'start_bulk_job')
    return { kind: 'settlements', lines: [SETTLEMENT, SETTLEMENT], idempotency_key: KEY };
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
/** Whether a call changes something. A dry run does not. */
const isWrite = ({ id, query }: Call) => operations[id].method !== 'GET' && query.dry_run !== 'true';
/** The operation that a tool executes after the answer. */
const writeOf = ({ operations: ids }: ConfirmedTool) =>
  ids.find((id) => operations[id].method !== 'GET') as OperationId;

afterEach(() => jest.restoreAllMocks());

describe.each(confirmedTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const given = argumentsOf(tool);
  const write = writeOf(tool);

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
        /^confirmation_unavailable: .* https:\/\/console\.example\/projects\/prj_1\/[\w/-]+$/,
      ),
    ]);
    expect(calls).toEqual([]);
  });

  test('asks with the resource and the effect, and one choice without a default', async () => {
    const { caller, calls } = newCaller();
    const { resultType, inputRequests } = await call(name, given, caller);
    expect(resultType).toBe('input_required');
    const { message, requestedSchema } = inputRequests.confirmation.params;
    expect(message).toMatch(/(clm|preauth|rem|evt|job)_\w+/);
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

/** Calls a tool, and returns the question with the options of the call that answers it. */
async function askFor(
  name: string,
  given: Record<string, unknown>,
  caller: McpCaller,
  options: Options = {},
) {
  const { inputRequests, requestState } = await call(name, given, caller, options);
  const { message, requestedSchema } = inputRequests.confirmation.params;
  const [decision] = requestedSchema.properties.decision.enum;
  return { message, yes: { state: requestState, answer: { action: 'accept', content: { decision } } } };
}

/** The code of an API error, or `input_required` or `complete`. */
function outcomeOf({ isError, resultType, content }: Result): string {
  return isError ? (content[0]?.text.split(':')[0] ?? '') : resultType;
}

const CLAIM = {
  claim_id: exampleOf('getClaim').id,
  policy_reference: 'policy:outpatient',
  policy_version: '1',
  reason_codes: ['fee_schedule'],
  idempotency_key: KEY,
};

interface Line {
  readonly line_number: number;
  readonly amount: Readonly<Record<string, number>>;
  readonly reason_codes: readonly string[];
}

/** A claims service with one claim, which replays the response to a repeated key. */
class ClaimService {
  readonly claim: Record<string, unknown> = {
    ...exampleOf('getClaim'),
    status: 'submitted',
    adjudication: null,
  };
  /** What happens at once before the next decision. */
  beforeDecision: () => void = () => undefined;
  private version = 0;
  private readonly responses = new Map<string, Record<string, unknown>>();

  readonly respond: Respond = ({ id, body, idempotencyKey = '' }) => {
    if (id !== 'adjudicateClaim') return this.claim;
    const known = this.responses.get(idempotencyKey);
    if (known !== undefined) return known;
    this.beforeDecision();
    const { lines, reason_codes, policy_reference, policy_version } = body as {
      lines: Line[];
      reason_codes: string[];
      policy_reference: string;
      policy_version: string;
    };
    this.decide(lines, reason_codes, { reference: policy_reference, version: policy_version });
    const response = { ...this.claim };
    this.responses.set(idempotencyKey, response);
    return response;
  };

  get decisions(): number {
    return this.version;
  }

  /** Decides the claim as another person. */
  decideElsewhere(payer: number): void {
    const amount = {
      billed: 350_000,
      allowed: payer,
      payer,
      patient_responsibility: 0,
      adjustment: 350_000 - payer,
    };
    this.decide([{ line_number: 1, amount, reason_codes: ['other'] }], ['other'], {
      reference: 'policy:other',
      version: '1',
    });
  }

  private decide(lines: readonly Line[], reason_codes: readonly string[], policy: object): void {
    const sum = (part: string) => lines.reduce((all, { amount }) => all + (amount[part] ?? 0), 0);
    const [payer, billed] = [sum('payer'), sum('billed')];
    this.version += 1;
    const decision = payer === 0 ? 'denied' : payer === billed ? 'approved' : 'partially_approved';
    Object.assign(this.claim, {
      status: decision,
      adjudication: {
        ...(exampleOf('getClaim').adjudication as object),
        id: `adj_${this.version}`,
        version: this.version,
        decision,
        amount: { currency: 'KES', billed, payer, patient_responsibility: 0, adjustment: billed - payer },
        reason_codes,
        policy,
        lines,
      },
    });
  }
}

describe('a decision about a claim', () => {
  let service: ClaimService;
  let caller: McpCaller;
  beforeEach(() => {
    service = new ClaimService();
    ({ caller } = newCaller('key_1', service.respond));
  });

  test('says on which state it is based, and which decision it replaces', async () => {
    expect((await askFor('approve_claim', CLAIM, caller)).message).toContain(
      'The claim is submitted (submission 2). There is no decision yet.',
    );
    service.decideElsewhere(0);
    expect((await askFor('approve_claim', CLAIM, caller)).message).toContain(
      'The claim is denied (submission 2). Replaces the decision: denied, the payer pays 0.00 KES (version 1, adj_1).',
    );
  });

  test.each(['approve_claim', 'deny_claim'])(
    'that another person has made since the question is not replaced by %s before the person knows of it',
    async (name) => {
      const { yes } = await askFor(name, CLAIM, caller);
      service.decideElsewhere(100_000);
      const again = await askFor(name, CLAIM, caller, yes);
      expect(again.message).toMatch(
        /^The state has changed since the question was asked, so the answer changed nothing\.\n/,
      );
      expect(again.message).toContain(
        'Replaces the decision: partially approved, the payer pays 1,000.00 KES (version 1, adj_1).',
      );
      expect(service.decisions).toBe(1);
      expect(outcomeOf(await call(name, CLAIM, caller, again.yes))).toBe('complete');
      expect(service.decisions).toBe(2);
    },
  );

  test('of a claim that the provider has submitted again since the question is asked again', async () => {
    const { yes } = await askFor('approve_claim', CLAIM, caller);
    service.claim.submission_version = 3;
    expect((await askFor('approve_claim', CLAIM, caller, yes)).message).toContain('(submission 3)');
    expect(service.decisions).toBe(0);
  });

  test('that is sent again after it was executed is a replay, also when the claim is settled', async () => {
    const { yes } = await askFor('approve_claim', CLAIM, caller);
    const first = await call('approve_claim', CLAIM, caller, yes);
    service.claim.status = 'settled';
    const second = await call('approve_claim', CLAIM, caller, yes);
    expect([first, second].map(outcomeOf)).toEqual(['complete', 'complete']);
    expect(second.structuredContent.adjudication).toEqual(first.structuredContent.adjudication);
    expect(service.decisions).toBe(1);
  });

  test('that another one has replaced is not reported as the current one', async () => {
    const { yes } = await askFor('approve_claim', CLAIM, caller);
    await call('approve_claim', CLAIM, caller, yes);
    service.decideElsewhere(0);
    const again = await askFor('approve_claim', CLAIM, caller, yes);
    expect(again.message).toContain('Replaces the decision: denied');
    const { content } = await call('approve_claim', CLAIM, caller, again.yes);
    expect(content[0]?.text).toMatch(
      /^idempotency_conflict: .*version 1, which version 2 has replaced\. Nothing was changed\./,
    );
    expect(service.claim.status).toBe('denied');
  });

  test('that replaces one which was recorded in the same moment says so', async () => {
    const { yes } = await askFor('approve_claim', CLAIM, caller);
    service.beforeDecision = () => service.decideElsewhere(0);
    const { structuredContent } = await call('approve_claim', CLAIM, caller, yes);
    expect(structuredContent).toMatchObject({
      adjudication: { version: 2 },
      warning: expect.stringContaining('has replaced version 1'),
    });
  });

  test('asks again if the client changes the state that was shown', async () => {
    const { yes } = await askFor('approve_claim', CLAIM, caller);
    service.decideElsewhere(0);
    const [expires, signature] = yes.state.split('.');
    const { message } = await askFor('approve_claim', CLAIM, caller);
    const forged = Buffer.from(message.split('\n').at(-1) ?? '').toString('base64url');
    const state = `${expires}.${signature}.${forged}`;
    expect(outcomeOf(await call('approve_claim', CLAIM, caller, { ...yes, state }))).toBe('input_required');
    expect(service.decisions).toBe(1);
  });
});

test('a claim that is approved without lines is paid in full, and the question says so', async () => {
  const { caller, calls } = newCaller();
  const { message, yes } = await askFor('approve_claim', CLAIM, caller);
  expect(message).toContain(
    'Billed 3,500.00 KES: the payer pays 3,500.00 KES, the patient 0.00 KES, and 0.00 KES is not paid.',
  );
  await call('approve_claim', CLAIM, caller, yes);
  expect(calls.at(-1)?.body).toMatchObject({
    lines: [{ line_number: 1, amount: { billed: 350_000, allowed: 350_000, payer: 350_000, adjustment: 0 } }],
  });
});

test('a claim that is denied pays nothing on any line', async () => {
  const { caller } = newCaller();
  const { message } = await askFor('deny_claim', CLAIM, caller);
  expect(message).toContain('the payer pays 0.00 KES, the patient 0.00 KES, and 3,500.00 KES is not paid');
});

test('lines that pay nothing are no approval', async () => {
  const { caller } = newCaller();
  const amount = { billed: 350_000, allowed: 0, payer: 0, patient_responsibility: 0, adjustment: 350_000 };
  const lines = [{ line_number: 1, amount, reason_codes: ['x'] }];
  const { content } = await call('approve_claim', { ...CLAIM, lines }, caller);
  expect(content[0]?.text).toMatch(/^validation_failed: .*use deny_claim/);
});

/** Returns decided lines of which the payer pays all but 100.00 of each with an even number. */
function evenLinesReduced(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => {
    const adjustment = index % 2 === 1 ? 10_000 : 0;
    return {
      line_number: index + 1,
      amount: {
        billed: 50_000,
        allowed: 50_000 - adjustment,
        payer: 50_000 - adjustment,
        patient_responsibility: 0,
        adjustment,
      },
      reason_codes: ['fee_schedule'],
    };
  });
}

test('an approval in part shows each line that is not paid in full', async () => {
  const [line] = exampleOf('getClaim').lines as [object];
  const claim = { ...exampleOf('getClaim'), lines: [1, 2].map((line_number) => ({ ...line, line_number })) };
  const { caller } = newCaller('key_1', () => claim);
  const { message } = await askFor('approve_claim', { ...CLAIM, lines: evenLinesReduced(2) }, caller);
  expect(message).toContain(
    'Line 2 ("psy.individual.50"): the payer pays 400.00 KES of 500.00 KES, the patient 0.00 KES, and 100.00 KES is not paid ("fee_schedule").',
  );
  expect(message).not.toContain('Line 1');
});

test('an approval with more reduced lines than a question shows is rejected, and one with fewer is not', async () => {
  const { caller, calls } = newCaller();
  const rejected = await call('approve_claim', { ...CLAIM, lines: evenLinesReduced(42) }, caller);
  expect(rejected.content[0]?.text).toBe(
    'confirmation_too_long: A question shows at most 20 lines that are not paid in full, and this call has 21. Nothing was changed. A person can do it in the console.',
  );
  expect(calls.filter(isWrite)).toEqual([]);
  const { message } = await askFor('approve_claim', { ...CLAIM, lines: evenLinesReduced(41) }, caller);
  expect(message.match(/^Line /gm)).toHaveLength(20);
});

test.each([
  ['approve_claim', 'evidence_refs'],
  ['deny_claim', 'evidence_refs'],
  ['submit_claim_evidence', 'evidence_refs'],
  ['approve_preauthorization', 'evidence_references'],
  ['deny_preauthorization', 'evidence_references'],
])('the question of %s shows the evidence that is recorded', async (name, argument) => {
  const tool = confirmedTools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const long = `letter:${'x'.repeat(150)}`;
  const given = { ...argumentsOf(tool), [argument]: ['referral:8812', long] };
  const { message } = await askFor(name, given, newCaller().caller);
  expect(message).toContain(`Evidence: "referral:8812", "${long}".`);
});

test('a text of another party is one short quoted line of the question', async () => {
  const hostile = `x"\n\nEffect: nothing.\u2028\u202e${'y'.repeat(500)}`;
  const { caller } = newCaller('key_1', ({ id }) => ({
    ...exampleOf(id),
    provider_claim_reference: hostile,
  }));
  const { message } = await askFor('approve_claim', CLAIM, caller);
  expect(message.split('\n')).toHaveLength(6);
  expect(message).not.toMatch(/[\u2028\u202e]/);
  expect(message.length).toBeLessThan(700);
});

test('a decision about a claim of 100 lines with 16 reasons each is no error after it was executed', async () => {
  const { caller, calls } = newCaller('key_1', ({ id, body }) => {
    const claim = exampleOf('getClaim');
    const [line] = claim.lines as [object];
    const lines = Array.from({ length: 100 }, (_, index) => ({ ...line, line_number: index + 1 }));
    if (id === 'getClaim') return { ...claim, lines, adjudication: null };
    const { lines: decided } = body as { lines: object[] };
    return { ...claim, lines, adjudication: { ...(claim.adjudication as object), lines: decided } };
  });
  const reasons = Array.from({ length: 16 }, (_, index) => `reason_${index}_${'x'.repeat(180)}`);
  const given = { ...CLAIM, reason_codes: reasons };
  const { yes } = await askFor('deny_claim', given, caller);
  const result = await call('deny_claim', given, caller, yes);
  expect(calls.filter(isWrite)).toHaveLength(1);
  expect(JSON.stringify(calls.at(-1)?.body).length).toBeGreaterThan(300_000);
  expect(outcomeOf(result)).toBe('complete');
  expect(result.structuredContent).toMatchObject({
    id: CLAIM.claim_id,
    status: 'partially_approved',
    amount: { billed_text: '3,500.00 KES' },
    adjudication: { version: 1, decision: 'partially_approved', amount: { payer_text: '3,000.00 KES' } },
  });
  expect(JSON.stringify(result).length).toBeLessThan(5_000);
});

describe('a row of a bank statement', () => {
  const claim = (number: number) => `clm_${String(number).padStart(32, '0')}`;
  const row = {
    remittance_id: exampleOf('getRemittance').id,
    source_reference: 'bank:2025-04-16:77120',
    currency: 'KES',
    amount: 79_000,
    observed_at: '2025-04-16T14:00:00Z',
    idempotency_key: KEY,
  };
  const settled = { ...exampleOf('createSettlement'), id: 'stl_1', source_reference: row.source_reference };
  /** An advice that pays 1,000.00 for 4 claims, and deducts 210.00. */
  const remittance = {
    ...exampleOf('getRemittance'),
    amount: { currency: 'KES', paid: 100_000 },
    allocations: [1, 2, 3, 4].map((number) => ({
      claim_id: claim(number),
      paid_amount: 25_000,
      reason_codes: [],
    })),
  };
  let report: Record<string, unknown>;
  let caller: McpCaller;
  let calls: Call[];
  beforeEach(() => {
    report = {
      ...exampleOf('getRemittanceReconciliation'),
      expected: 79_000,
      observed: 0,
      settlements: [],
    };
    ({ caller, calls } = newCaller('key_1', ({ id }) => {
      if (id === 'getRemittance') return remittance;
      if (id === 'getRemittanceReconciliation') return report;
      return settled;
    }));
  });

  /** Records a settlement of the remittance. */
  function observe(amount: number, source_reference: string, status = 'matched'): void {
    report = {
      ...report,
      observed: Number(report.observed) + (status === 'reversed' ? 0 : amount),
      settlements: [
        {
          id: 'stl_1',
          status,
          amount: { currency: 'KES', observed: amount },
          source_reference,
          reason: null,
        },
      ],
    };
  }

  test('is compared with the net of the advice and with what was observed before', async () => {
    const { message } = await askFor('match_bank_row', row, caller);
    expect(message).toContain(
      'The bank must show 790.00 KES for the remittance. Observed before: 0.00 KES. With this row: 790.00 KES, as expected.',
    );
    expect(message).toContain(
      `The remittance pays 250.00 KES to ${claim(1)}, 250.00 KES to ${claim(2)}, 250.00 KES to ${claim(3)} and 1 more, and recoveries and adjustments are -210.00 KES. The row names no claims.`,
    );
    const gross = await askFor('match_bank_row', { ...row, amount: 100_000 }, caller);
    expect(gross.message).toContain('With this row: 1,000.00 KES, 210.00 KES more than expected.');
    observe(29_000, 'bank:other');
    const second = await askFor('match_bank_row', { ...row, amount: 40_000 }, caller);
    expect(second.message).toContain(
      'Observed before: 290.00 KES. With this row: 690.00 KES, 100.00 KES less than expected.',
    );
  });

  test('of another currency is no part of the sum', async () => {
    const { message } = await askFor('match_bank_row', { ...row, currency: 'USD' }, caller);
    expect(message).toContain('The row has another currency, so it will be an exception.');
    expect(message).not.toContain('With this row');
  });

  test('shows each of its allocations, and no claim that gets nothing', async () => {
    const allocations = [
      { claim_id: claim(7), amount: 54_000 },
      { claim_id: claim(8), amount: 25_000 },
    ];
    const { message, yes } = await askFor('match_bank_row', { ...row, allocations }, caller);
    expect(message).toContain(
      `The row pays 540.00 KES to ${claim(7)}, 250.00 KES to ${claim(8)}, and no other claim.`,
    );
    expect(message).not.toContain(claim(1));
    await call('match_bank_row', { ...row, allocations }, caller, yes);
    expect(calls.at(-1)?.body).toMatchObject({ allocations });
  });

  test('with more allocations than a question shows is rejected', async () => {
    const allocations = Array.from({ length: 21 }, (_, index) => ({ claim_id: claim(index), amount: 1 }));
    const result = await call('match_bank_row', { ...row, amount: 21, allocations }, caller);
    expect(result.content[0]?.text).toMatch(
      /^confirmation_too_long: A question shows at most 20 allocations, and this call has 21\./,
    );
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('is asked about again if another settlement was observed since the question', async () => {
    const { yes } = await askFor('match_bank_row', row, caller);
    observe(79_000, 'bank:other');
    const again = await askFor('match_bank_row', row, caller, yes);
    expect(again.message).toContain('790.00 KES more than expected');
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('that is sent again after it was recorded is a replay', async () => {
    const { yes } = await askFor('match_bank_row', row, caller);
    await call('match_bank_row', row, caller, yes);
    observe(79_000, row.source_reference);
    expect(outcomeOf(await call('match_bank_row', row, caller, yes))).toBe('complete');
    expect((await askFor('match_bank_row', row, caller)).message).toContain(
      'The row is recorded already: stl_1, matched.',
    );
  });

  test('whose settlement was reversed is not reported as recorded', async () => {
    const { yes } = await askFor('match_bank_row', row, caller);
    await call('match_bank_row', row, caller, yes);
    observe(79_000, row.source_reference, 'reversed');
    const again = await askFor('match_bank_row', row, caller, yes);
    const { content } = await call('match_bank_row', row, caller, again.yes);
    expect(content[0]?.text).toMatch(/^idempotency_conflict: .*stl_1, which was reversed/);
  });
});

describe('lines of a bulk job', () => {
  const claim = (number: number) => `clm_${String(number).padStart(32, '0')}`;
  const decision = (number: number, payer: number, version: number) => ({
    claim_id: claim(number),
    expected_adjudication_version: version,
    lines: [{ line_number: 1, amount: { payer } }],
  });
  const given = {
    kind: 'adjudications',
    lines: [decision(1, 100_000, 0), decision(2, 50_000, 2), decision(3, 7_000, 0), decision(1, 100_000, 0)],
    idempotency_key: KEY,
  };
  const result = (line: number, status: string, code: string | null = null) => ({
    ...{ object: 'bulk_job_result', line, reference: null, status, resource_id: null },
    error: code === null ? null : { code, message: 'wrong' },
  });
  let results: readonly ReturnType<typeof result>[];
  let reads: number;
  let readsToEnd: number;
  let caller: McpCaller;
  let calls: Call[];
  beforeEach(() => {
    results = [
      result(1, 'succeeded'),
      result(2, 'succeeded'),
      result(3, 'rejected', 'resource_not_found'),
      result(4, 'replayed'),
    ];
    reads = 0;
    readsToEnd = 2;
    ({ caller, calls } = newCaller('key_1', ({ id, params, query }) => {
      if (id === 'getClaim') {
        const currency = params.claim_id === claim(2) ? 'USD' : 'KES';
        return { ...exampleOf('getClaim'), amount: { currency, billed: 1 } };
      }
      if (id === 'listBulkJobResults') {
        const rest = results.filter(({ line }) => line > Number(query.after_line ?? 0));
        return { object: 'list', data: rest.slice(0, 2), has_more: rest.length > 2 };
      }
      const isDryRun = query.dry_run === 'true' || id === 'getBulkJob';
      const hasEnded = id === 'getBulkJob' && ++reads >= readsToEnd;
      const count = (status: string) => results.filter((each) => each.status === status).length;
      return {
        ...exampleOf('createBulkJob'),
        ...{ id: isDryRun ? 'job_dry' : 'job_real', kind: 'adjudications', dry_run: isDryRun },
        ...{ status: hasEnded ? 'completed' : 'pending' },
        completed_at: hasEnded ? '2025-03-11T09:00:00.000Z' : null,
        counts: {
          total: results.length,
          succeeded: count('succeeded'),
          replayed: count('replayed'),
          rejected: count('rejected'),
          waiting: 0,
        },
      };
    }));
  });

  test('are tried first, and the question has the sums of what would be executed and why lines are rejected', async () => {
    const { message } = await askFor('start_bulk_job', given, caller);
    expect(message).toBe(
      [
        'Execute 4 lines of the kind adjudications?',
        'Dry run job_dry: 2 of 4 lines would be executed, 1 repeat an earlier line, 1 would be rejected, 0 would not be executed.',
        'Rejected: 1 for resource_not_found (line 3).',
        'The payer pays 1,000.00 KES and 500.00 USD.',
        `Lines: "${claim(1)}", "${claim(2)}".`,
        'Lines that replace a decision: 1.',
        'Effect: each claim is decided. What has changed since the dry run can change the results. A later cancellation takes nothing back.',
      ].join('\n'),
    );
    expect(calls.filter(isWrite)).toEqual([]);
    expect(calls[0]).toMatchObject({
      id: 'createBulkJob',
      query: { kind: 'adjudications', dry_run: 'true' },
      idempotencyKey: expect.stringMatching(/^dry-run-[0-9a-f]{64}$/),
    });
  });

  test('are executed after the answer as they were tried, under the key of the call', async () => {
    const { yes } = await askFor('start_bulk_job', given, caller);
    const { structuredContent } = await call('start_bulk_job', given, caller, yes);
    const [real, ...others] = calls.filter(isWrite);
    expect([real?.query, real?.idempotencyKey, others]).toEqual([{ kind: 'adjudications' }, KEY, []]);
    expect(real?.file).toEqual(calls[0]?.file);
    expect(
      real?.file?.content
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(given.lines);
    expect(structuredContent).toMatchObject({
      id: 'job_real',
      explanation: expect.stringContaining('The job is pending.'),
    });
  });

  test('whose dry run has not ended are no question, and a repeated call finds it', async () => {
    readsToEnd = 9;
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { content } = await call('start_bulk_job', given, caller);
    expect(content[0]?.text).toMatch(/^dry_run_unfinished: The dry run job_dry has not ended/);
    expect((await askFor('start_bulk_job', given, caller)).message).toContain('Dry run job_dry');
    const keys = calls.filter(({ id }) => id === 'createBulkJob').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('are tried again for a later question, and an answer finds the dry run of its own question', async () => {
    const nowMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(nowMs);
    const { yes } = await askFor('start_bulk_job', given, caller);
    clock.mockReturnValue(nowMs + 3 * 60_000);
    await call('start_bulk_job', given, caller, yes);
    await askFor('start_bulk_job', given, caller);
    const dryRuns = calls.flatMap(({ idempotencyKey: key }) => (key?.startsWith('dry-run-') ? [key] : []));
    expect(dryRuns).toEqual([dryRuns[0], dryRuns[0], expect.not.stringMatching(`^${dryRuns[0]}$`)]);
  });

  test('of which none would be executed are no question', async () => {
    results = [result(1, 'rejected', 'invalid_state'), result(2, 'rejected', 'invalid_state')];
    const { content } = await call('start_bulk_job', given, caller);
    expect(content[0]?.text).toMatch(
      /^nothing_to_execute: .*\nRejected: 2 for invalid_state \(lines 1, 2\)\./,
    );
    expect(calls.filter(isWrite)).toEqual([]);
  });

  test('that decide claims without saying which decision they replace reach no service', async () => {
    const lines = [given.lines[0], { ...decision(2, 1, 0), expected_adjudication_version: undefined }];
    const { content } = await call('start_bulk_job', { ...given, lines }, caller);
    expect(content[0]?.text).toMatch(/^validation_failed: lines 2 must have expected_adjudication_version/);
    expect(calls).toEqual([]);
  });

  test.each([
    ['no list', { lines: 'x' }, /^validation_failed: lines must be a list of 1 to 50 objects/],
    ['texts', { lines: ['{}'] }, /^validation_failed: lines must be/],
    ['too many', { lines: Array.from({ length: 51 }, () => ({})) }, /^validation_failed: lines must be/],
    ['an unknown kind', { kind: 'payments' }, /^validation_failed: kind must be/],
  ])('that are %s reach no service', async (_name, wrong, text) => {
    const { content } = await call('start_bulk_job', { ...given, ...wrong }, caller);
    expect(content[0]?.text).toMatch(text);
    expect(calls).toEqual([]);
  });
});

test('every tool that writes has a short result, whatever the response contains', async () => {
  for (const tool of confirmedTools) {
    const long = Array.from({ length: 5_000 }, () => ({ x: 'y'.repeat(100), status: 'fulfilled' }));
    const { caller } = newCaller('key_1', (sent) => {
      const example = exampleOf(sent.id);
      if (!isWrite({ ...sent })) return example;
      const lists = Object.entries(example).filter(([, value]) => Array.isArray(value));
      return { ...example, ...Object.fromEntries(lists.map(([name]) => [name, long])) };
    });
    const given = argumentsOf(tool);
    const { yes } = await askFor(tool.name, given, caller);
    const result = await call(tool.name, given, caller, yes);
    expect([tool.name, outcomeOf(result)]).toEqual([tool.name, 'complete']);
    expect(JSON.stringify(result).length).toBeLessThan(5_000);
  }
});
