/** Writes of an agent on real services: a person confirms each, and a call that is sent twice has one effect. */
import type { BulkJobId } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fetch as undiciFetch } from 'undici';
import { running } from './world';

let client: Client;
let answer: 'yes' | 'no';
let question: string;
/** What another person does while the next question is open. */
let meanwhile: (() => Promise<unknown>) | null = null;
let lastKey = 0;

/** Returns a new idempotency key. */
function newKey(): string {
  lastKey += 1;
  return `agent-writes-${lastKey}-${Date.now()}`;
}

beforeAll(async () => {
  const { stack, clients, operator } = running;
  await operator('projects', 'set', stack.file.project_id, '--agent-writes', 'confirmed');
  const info = { name: 'writes', version: '1' };
  client = new Client(info, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { message, requestedSchema } = params as unknown as {
      message: string;
      requestedSchema: { properties: { decision: { enum: [string, string] } } };
    };
    const [yes, no] = requestedSchema.properties.decision.enum;
    question = message;
    const act = meanwhile;
    meanwhile = null;
    await act?.();
    return { action: 'accept', content: { decision: answer === 'yes' ? yes : no } };
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${stack.file.base_url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${stack.file.secret_key}` } },
    fetch: ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: clients.agent })) as never,
  });
  await client.connect(transport);
}, 60_000);
beforeEach(() => {
  answer = 'yes';
});
afterAll(async () => {
  await client?.close();
  await running.operator('projects', 'set', running.stack.file.project_id, '--agent-writes', 'off');
});

async function use(name: string, given: Record<string, unknown>) {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: given });
  const [first] = content as readonly { readonly text: string }[];
  return {
    isError: isError ?? false,
    text: first?.text ?? '',
    found: structuredContent as Record<string, unknown>,
  };
}

const policy = { policy_reference: 'policy:one', policy_version: '1', reason_codes: ['fee_schedule'] };

test('a claim is approved in full, and the repeated call changes nothing', async () => {
  const { id } = await running.world.createSubmittedClaim();
  const given = { claim_id: id, ...policy, idempotency_key: newKey() };
  const results = [await use('approve_claim', given), await use('approve_claim', given)];
  expect(question).toContain('the payer pays 4,000.00 KES');
  expect(results.map(({ isError }) => isError)).toEqual([false, false]);
  const { status, amount, adjudication } = await running.world.client.claims.retrieve(id);
  expect([status, amount.approved, adjudication?.version]).toEqual(['approved', 400_000, 1]);
});

test('a claim is approved in part, and denied', async () => {
  const [partly, denied] = [
    await running.world.createSubmittedClaim(),
    await running.world.createSubmittedClaim(),
  ];
  const { lines } = running.world.adjudicationInput();
  await use('approve_claim', { claim_id: partly.id, ...policy, lines, idempotency_key: newKey() });
  expect(question).toContain('Billed 4,000.00 KES: the payer pays 3,000.00 KES');
  await use('deny_claim', { claim_id: denied.id, ...policy, idempotency_key: newKey() });
  expect((await running.world.client.claims.retrieve(partly.id)).status).toBe('partially_approved');
  expect((await running.world.client.claims.retrieve(denied.id)).status).toBe('denied');
});

test('a decision that another person makes while the question is open is shown before it is replaced', async () => {
  const { id } = await running.world.createSubmittedClaim();
  const given = { claim_id: id, ...policy, idempotency_key: newKey() };
  meanwhile = () => running.world.client.claims.adjudicate(id, running.world.adjudicationInput());
  const { found } = await use('deny_claim', given);
  expect(question).toContain(
    'Replaces the decision: partially approved, the payer pays 3,000.00 KES (version 1',
  );
  expect([found.status, found.adjudication]).toMatchObject(['denied', { version: 2 }]);
});

test('a claim stays as it is if the person changes nothing', async () => {
  const { id } = await running.world.createSubmittedClaim();
  answer = 'no';
  const { isError, text } = await use('deny_claim', { claim_id: id, ...policy, idempotency_key: newKey() });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^not_confirmed/)]);
  expect((await running.world.client.claims.retrieve(id)).status).toBe('submitted');
});

test('a question to the provider is asked and answered', async () => {
  const { id } = await running.world.createSubmittedClaim();
  const asked = await use('request_claim_information', {
    claim_id: id,
    reason_code: 'notes_missing',
    requested_evidence_types: ['notes'],
    idempotency_key: newKey(),
  });
  const [request] = asked.found.information_requests as [{ id: string; status: string }];
  expect(request.status).toBe('open');
  const answered = await use('submit_claim_evidence', {
    claim_id: id,
    information_request_id: request.id,
    evidence_refs: ['notes:1'],
    idempotency_key: newKey(),
  });
  expect([answered.isError, answered.found.status]).toEqual([false, 'submitted']);
});

test('pre-authorizations are approved and denied', async () => {
  const decision = { ...policy, evidence_references: ['notes:1'] };
  const [first, second] = [
    (await running.world.createPendingPreauthorization()).preauthorization,
    (await running.world.createPendingPreauthorization()).preauthorization,
  ];
  const approved = await use('approve_preauthorization', {
    preauthorization_id: first.id,
    approved_amount: first.amount.requested,
    valid_until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    ...decision,
    idempotency_key: newKey(),
  });
  const denied = await use('deny_preauthorization', {
    preauthorization_id: second.id,
    ...decision,
    idempotency_key: newKey(),
  });
  expect([approved.found.status, denied.found.status]).toEqual(['approved', 'denied']);
});

test('a row of a bank statement reconciles a remittance once', async () => {
  const { id, amount } = await running.world.createRemittance();
  const given = {
    ...running.world.settlementInput(id),
    idempotency_key: newKey(),
  };
  const results = [await use('match_bank_row', given), await use('match_bank_row', given)];
  expect(question).toContain(`for remittance ${id}`);
  expect(question).toContain('The row is recorded already: stl_');
  expect(new Set(results.map(({ found }) => found.id)).size).toBe(1);
  const { observed, status } = await running.world.client.remittances.reconciliation(id);
  expect([observed, status]).toEqual([amount.paid, 'reconciled']);
});

test('an error of the API after the answer is shown, and can be repeated with the same key', async () => {
  const { id } = await running.world.createSubmittedClaim();
  await running.world.client.claims.cancel(id, { reason_code: 'not_wanted' });
  const { isError, text } = await use('approve_claim', {
    claim_id: id,
    ...policy,
    idempotency_key: newKey(),
  });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^invalid_state: /)]);
});

test('decisions of a bulk job are tried first, executed once, and replace no decision that another person makes meanwhile', async () => {
  const { world } = running;
  const claims = [await world.createSubmittedClaim(), await world.createSubmittedClaim()] as const;
  const unknown = { claim_id: 'clm_0000000000000000000000000000000a' };
  const lines = [...claims.map(({ id }) => ({ claim_id: id })), unknown].map((named) => ({
    ...named,
    ...world.adjudicationInput(),
    expected_adjudication_version: 0,
  }));
  const given = { kind: 'adjudications', lines, idempotency_key: newKey() };
  meanwhile = () => world.client.claims.adjudicate(claims[1].id, world.adjudicationInput());
  const { found } = await use('start_bulk_job', given);
  expect(question).toMatch(/2 of 3 lines would be executed, .* 1 would be rejected/);
  expect(question).toContain('Rejected: 1 for resource_not_found (line 3).');
  expect(question).toContain('The payer pays 6,000.00 KES.');
  const again = await use('start_bulk_job', given);
  expect(again.found.id).toBe(found.id);
  const ended = await eventually('the job has ended', async () => {
    const read = await world.client.bulkJobs.retrieve(found.id as BulkJobId);
    return read.status === 'completed' ? read : undefined;
  });
  expect(ended.counts).toMatchObject({ total: 3, succeeded: 1, rejected: 2 });
  const versions = await Promise.all(claims.map(({ id }) => world.client.claims.retrieve(id)));
  expect(versions.map(({ adjudication }) => adjudication?.version)).toEqual([1, 1]);
  const { found: job } = await use('list_bulk_jobs', { bulk_job_id: found.id });
  expect(job.rejected_lines).toMatchObject([{ line: 2 }, { line: 3 }]);
});
