/**
 * Twenty questions of integrators, operators and finance staff, answered with the tools of the MCP endpoint alone. The steps are those of a
 * reader who had only the list of tools: an ID comes from the question or from an earlier result, and no answer takes more than four calls.
 */
import type { Claim, Remittance, WebhookEndpointId } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fetch as undiciFetch } from 'undici';
import { running } from './world';

const MAX_CALLS = 4;
/** The cutoff of a question that asks for the present. */
const now = () => new Date().toISOString();

let client: Client;
let calls = 0;
let settled: Claim;
let adjudicated: Claim;
let queried: Claim;
let denied: Claim;
let partly: Remittance;
let exceeded: Remittance;
let pending: string;
let beforeDecision: string;
let failingEndpoint: WebhookEndpointId;

/** Calls a tool and returns what a model reads: the text of the result. */
async function use(name: string, given: Record<string, unknown> = {}) {
  calls += 1;
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as readonly { readonly text: string }[];
  expect([name, isError ?? false, first?.text]).toEqual([name, false, expect.any(String)]);
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the result is what the test reads.
  return JSON.parse(first?.text ?? '') as any;
}

beforeAll(async () => {
  const { world, stack, clients } = running;
  const api = world.client;
  failingEndpoint = (await world.createEndpoint('https://127.0.0.1:1/unreachable')).id;

  const first = await world.createSubmittedClaim();
  beforeDecision = now();
  adjudicated = await api.claims.adjudicate(first.id, world.adjudicationInput());
  const paid = await world.createAdjudicatedClaim();
  const remittance = await api.remittances.create(
    world.remittanceInput([{ claim_id: paid.id, paid_amount: 300_000 }]),
  );
  await api.settlements.create(world.settlementInput(remittance.id));
  settled = await eventually('the claim is settled', async () => {
    const claim = await api.claims.retrieve(paid.id);
    return claim.status === 'settled' ? claim : undefined;
  });
  queried = await world.createQueriedClaim();
  const toDeny = await world.createSubmittedClaim();
  denied = await api.claims.adjudicate(toDeny.id, {
    ...world.adjudicationInput(0, 0),
    reason_codes: ['not_covered'],
  });
  partly = await world.createRemittance();
  await api.settlements.create(world.settlementInput(partly.id, 100_000));
  exceeded = await world.createRemittance();
  await api.settlements.create(world.settlementInput(exceeded.id, 300_001));
  pending = (await world.createPendingPreauthorization()).preauthorization.id;

  client = new Client({ name: 'questions', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL(`${stack.file.base_url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${stack.file.secret_key}` } },
    fetch: ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher: clients.agent })) as never,
  });
  await client.connect(transport);
}, 180_000);
beforeEach(() => {
  calls = 0;
});
afterEach(() => expect(calls).toBeLessThanOrEqual(MAX_CALLS));
afterAll(async () => {
  await client?.close();
  await running.world.client.webhookEndpoints.disable(failingEndpoint);
});

const idOf = (reference: string | null) =>
  use('list_claims', { provider_claim_reference: reference }).then(({ data }) => data[0].id as string);

describe('integrators', () => {
  test('which claim has the reference …?', async () => {
    expect(await idOf(settled.provider_claim_reference)).toBe(settled.id);
  });

  test('what is the status of the claim with the reference …, and how much was approved?', async () => {
    const claim = await use('get_claim', { claim_id: await idOf(adjudicated.provider_claim_reference) });
    expect(claim).toMatchObject({ status: 'partially_approved', amount: { approved_text: '3,000.00 KES' } });
  });

  test('why was the claim … denied?', async () => {
    const { adjudication } = await use('get_claim', { claim_id: denied.id });
    expect(adjudication).toMatchObject({ decision: 'denied', reason_codes: ['not_covered'] });
  });

  test('what does the claim … wait for, and until when?', async () => {
    const { status, information_requests } = await use('get_claim', { claim_id: queried.id });
    expect([status, information_requests[0].status]).toEqual(['queried', 'open']);
    expect(information_requests[0].requested_evidence_types).toEqual(
      queried.information_requests[0]?.requested_evidence_types,
    );
  });

  test('which booking and practitioner does the claim … belong to, and when was the session?', async () => {
    const { booking_id, practitioner_id } = await use('get_claim_links', { claim_id: settled.id });
    const booking = await use('get_booking', { booking_id });
    expect([booking.practitioner_id, booking.starts_at]).toEqual([
      practitioner_id,
      settled.service_period.starts_at,
    ]);
  });

  test('when can I book the first practitioner online next week?', async () => {
    const { data } = await use('list_practitioners', { limit: 1 });
    const day = 86_400_000;
    const found = await use('find_slots', {
      practitioner_id: data[0].id,
      from: new Date(Date.now() + day).toISOString(),
      to: new Date(Date.now() + 15 * day).toISOString(),
      duration_minutes: 50,
      format: 'online',
    });
    expect(found).toMatchObject({ data: expect.any(Array), has_more: expect.any(Boolean) });
  });

  test('are our webhooks delivered? if not, why?', async () => {
    const { endpoints } = await eventually('an attempt failed', async () => {
      calls = 0;
      const found = await use('list_deliveries');
      const endpoint = found.endpoints.find(({ id }: { id: string }) => id === failingEndpoint);
      return endpoint?.deliveries.data[0]?.attempts > 0 ? found : undefined;
    });
    const { deliveries } = endpoints.find(({ id }: { id: string }) => id === failingEndpoint);
    expect(deliveries.data[0].explanation).toMatch(/^\d+ attempts?\. The last, at .+ got no response/);
  });
});

describe('operators', () => {
  test('what waits for me today?', async () => {
    const lists = await use('what_waits', { limit: 20 });
    const ids = (name: string) => lists[name].items.map(({ id }: { id: string }) => id);
    expect(ids('claims_to_answer')).toContain(queried.id);
    expect(ids('preauthorizations_to_decide')).toContain(pending);
    expect(ids('remittances_in_exception')).toContain(exceeded.id);
    expect(ids('remittances_without_all_funds')).toContain(partly.id);
  });

  test('which pre-authorizations wait for a decision, and for how much?', async () => {
    const { data } = await use('list_preauthorizations', { status: 'pending', limit: 20 });
    const found = data.find(({ id }: { id: string }) => id === pending);
    expect(found.amount).toMatchObject({ requested_text: expect.stringMatching(/ KES$/), approved: null });
  });

  test('for which booking is the pre-authorization …?', async () => {
    const { booking_id, decision } = await use('get_preauthorization', { preauthorization_id: pending });
    expect(decision).toBeNull();
    expect((await use('get_booking', { booking_id })).payment_source).toBe('covered');
  });

  test('which claims have an open question that is due in the next 60 days?', async () => {
    const due = new Date(Date.now() + 60 * 86_400_000).toISOString();
    const { data } = await use('list_claims', { due_before: due, limit: 20 });
    const expected = queried.information_requests[0]?.due_at === null ? [] : [queried.id];
    expect(data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(expected));
  });

  test('what happened to the claim …, in order?', async () => {
    const { events } = await use('value_claim', { claim_id: settled.id, valuation_at: now() });
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining([
        'created',
        'submitted',
        'partially_approved',
        'remittance_recorded',
        'settled',
      ]),
    );
  });

  test('did we know of the decision on the claim … at …?', async () => {
    const { status, amount } = await use('value_claim', {
      claim_id: adjudicated.id,
      valuation_at: beforeDecision,
    });
    expect([status, amount.payer_liability]).toEqual(['submitted', null]);
  });

  test('what changed on the claim … since …?', async () => {
    const compared = await use('compare_valuations', {
      claim_id: adjudicated.id,
      first_at: beforeDecision,
      second_at: now(),
    });
    expect(compared).toMatchObject({
      earlier: { status: 'submitted' },
      later: { status: 'partially_approved' },
    });
    expect(compared.new_facts.map(({ type }: { type: string }) => type)).toEqual(['partially_approved']);
  });
});

describe('finance', () => {
  test('how much do payers owe us now, and how old is it?', async () => {
    const { currencies } = await use('get_receivables', { at: now() });
    const kes = currencies.find(({ currency }: { currency: string }) => currency === 'KES');
    expect(kes.outstanding.total).toBeGreaterThanOrEqual(300_000);
    expect(kes.outstanding).toMatchObject({ total_text: expect.stringMatching(/ KES$/), days_over_90: 0 });
  });

  test('why is the remittance with the reference … in exception, and what do we have to do?', async () => {
    const { data } = await use('list_remittances', { payer_reference: exceeded.payer_reference });
    const report = await use('explain_remittance', { remittance_id: data[0].id });
    expect(report).toMatchObject({
      status: 'exception',
      reason: 'amount_exceeds_advice',
      difference_text: '0.01 KES',
      next_steps: [{ operation: 'reverseSettlement' }],
    });
  });

  test('how much is missing on the remittance …?', async () => {
    const report = await use('explain_remittance', { remittance_id: partly.id });
    expect(report).toMatchObject({ reason: 'partial_funds', difference_text: '-2,000.00 KES' });
  });

  test('which bank entry paid the claim …?', async () => {
    const { settlements } = await use('get_claim_links', { claim_id: settled.id });
    const settlement = await use('get_settlement', { settlement_id: settlements[0].id });
    expect(settlement).toMatchObject({ status: 'matched', amount: { observed_text: '3,000.00 KES' } });
    expect(settlement.source_reference).toEqual(expect.any(String));
  });

  test('which remittance paid the claim with the reference …?', async () => {
    const { data } = await use('list_remittances', {
      claim_id: await idOf(settled.provider_claim_reference),
    });
    expect(data).toMatchObject([{ status: 'reconciled', amount: { paid_text: '3,000.00 KES' } }]);
  });

  test('what are our sums by status now?', async () => {
    const started = await use('start_valuation_run', {
      valuation_at: now(),
      kind: 'totals',
      group_by: ['status'],
      idempotency_key: `questions-${Date.now()}`,
    });
    const run = await eventually('the run is ready', async () => {
      calls = 1;
      const found = await use('get_valuation_run', { valuation_run_id: started.id });
      return found.status === 'ready' ? found : undefined;
    });
    const statuses = run.groups.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(expect.arrayContaining(['settled', 'denied', 'queried']));
    expect(run.totals[0].amount.outstanding_text).toMatch(/ KES$/);
  });
});
