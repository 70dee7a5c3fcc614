/**
 * One script, the whole life of some claims, in two projects with simulated time that start at the same instant. One of them pauses between its
 * requests. All responses have the same bytes, except identifiers and what follows from them, secrets, and how long an attempt of a webhook took.
 */
import type {
  BulkJobId,
  Carecover,
  ClaimId,
  EligibilityCheckId,
  RemittanceId,
  SessionId,
  SimulatedProject,
  UploadedFile,
  ValuationRunId,
} from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { visitAs } from '@carecover/testing/stack';
import { fetch as undiciFetch } from 'undici';
import { running } from './world';

const START = '2023-11-01T00:00:00.000Z';
const SERVICE = 'psy.individual.50';
const DAY_MS = 24 * 3_600_000;

const day = (days: number) => new Date(Date.parse(START) + days * DAY_MS).toISOString();

/** A response, as the client received it. */
interface Received {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

/** A client of a new project, with what it has received. */
class Player {
  readonly received: Received[] = [];
  readonly client: Carecover;

  constructor(
    private readonly key: string,
    private readonly pauseMs: number,
  ) {
    this.client = running.clients.create(key, { fetch: this.send as unknown as typeof fetch });
  }

  private readonly send = async (url: string, init: Parameters<typeof undiciFetch>[1]) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * this.pauseMs));
    const response = await undiciFetch(url, { ...init, dispatcher: running.clients.agent });
    const { status } = response;
    const text = await response.text();
    const request = `${init?.method ?? 'GET'} ${url.slice(running.stack.file.base_url.length)}`;
    this.received.push({ request, status, text });
    return new Response(status === 204 ? null : text, { status, headers: [...response.headers] });
  };

  /** Reads a file of the API. */
  async file(path: string, accept: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.key}`, accept };
    await this.send(`${running.stack.file.base_url}${path}`, { headers });
  }

  /** Returns a rejected request's error code. */
  async rejected(call: Promise<unknown>): Promise<unknown> {
    return call.then(
      () => null,
      (error: { code?: string }) => error.code,
    );
  }
}

const ndjson = (lines: readonly object[]): UploadedFile => ({
  content: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  mediaType: 'application/x-ndjson',
});

const adjudication = (payer: number) => ({
  policy_reference: 'policy:one',
  policy_version: '1',
  reason_codes: ['fee_schedule'],
  lines: [
    {
      line_number: 1,
      amount: {
        billed: 350_000,
        allowed: payer,
        payer,
        patient_responsibility: 0,
        adjustment: 350_000 - payer,
      },
      reason_codes: ['fee_schedule'],
    },
  ],
});

const lines = [{ code_system: 'CPT', service_code: SERVICE, units: 1, amount: 350_000 }];

async function jobEnded({ client }: Player, id: BulkJobId): Promise<void> {
  await eventually(
    'the job has ended',
    async () => (await client.bulkJobs.retrieve(id)).completed_at !== null,
  );
  await client.bulkJobs.results(id);
}

async function runEnded({ client }: Player, id: ValuationRunId): Promise<void> {
  await eventually(
    'the run has ended',
    async () => (await client.valuationRuns.retrieve(id)).status !== 'pending',
  );
}

/** Records the coverages, and books a session per name, with its eligibility check and pre-authorization. */
async function book(player: Player, count: number) {
  const { client } = player;
  const coverage = (name: string) => ({
    tenant_reference: 'group/one',
    member_reference: `member:${name}`,
    service_code: SERVICE,
    plan_name: 'Outpatient',
    status: 'active' as const,
    currency: 'KES' as const,
    amount_limit: 400_000,
    remaining_sessions: 60,
    authorization_required: true,
    coordination_priority: 1,
    valid_from: day(-700),
    valid_until: day(2_000),
  });
  await client.coverages.record({
    ...{
      source_contract_reference: 'contract/1',
      external_coverage_reference: 'coverage/1',
      source_version: '1',
    },
    ...{ ...coverage('one'), observed_at: day(-1), evidence_references: ['registry/1'] },
  });
  await client.coverages.recordBatch('batch/1', {
    ...{ contract_version: '2026-08-01' as const },
    ...{ batch_reference: 'batch/1', source_contract_reference: 'contract/1', batch_version: '1' },
    generated_at: day(-1),
    records: ['two', 'three', 'four'].map((name) => ({
      ...coverage(name),
      ...{ coverage_reference: `coverage/${name}`, record_version: '1', authorization_required: false },
    })),
  });
  await client.consents.record({ member_reference: 'member:one', status: 'granted' });
  const { data: practitioners } = await client.practitioners.list({ limit: 100 });
  const practitionerId = practitioners[0]?.id ?? 'prc_';
  const period = { from: day(2), to: day(30), duration_minutes: 50, format: 'online' as const };
  const { data: slots } = await client.practitioners.slots(practitionerId, { ...period, limit: count });
  const booked = [];
  for (const { practitioner_id, starts_at, ends_at, format } of slots) {
    const slot = { practitioner_id, starts_at, ends_at, format };
    const booking = await client.bookings.create({ ...slot, payment_source: 'covered' });
    const check = await client.eligibilityChecks.create({
      ...{ member_reference: 'member:one', service_code: SERVICE, scheduled_at: starts_at },
      ...{ amount: 350_000, currency: 'KES' },
    });
    const preauthorization = await client.preauthorizations.create({
      eligibility_check_id: check.id,
      booking_id: booking.id,
    });
    booked.push({ booking, check, preauthorization });
  }
  return { practitionerId, booked };
}

const decision = {
  reason_codes: ['necessary'],
  policy_reference: 'policy:one',
  policy_version: '1',
  evidence_references: ['letter:1'],
};

/** Plays the script, and returns the client with what it has received. */
async function play(key: string, pauseMs: number): Promise<Player> {
  const player = new Player(key, pauseMs);
  const { client } = player;
  await client.api.retrieve();
  await client.testClock.retrieve();
  const accepting = await client.webhookEndpoints.create({
    url: running.world.receivers.accepting,
    events: [
      'claim.submitted',
      'claim.information_requested',
      'claim.settled',
      'preauthorization.expired',
      'remittance.exception',
    ],
  });
  const rejecting = await client.webhookEndpoints.create({
    url: running.world.receivers.rejecting,
    events: ['preauthorization.denied', 'preauthorization.approved'],
  });

  // Before the sessions: one pre-authorization is never decided, one expires, one is denied, one is cancelled with its booking.
  const { practitionerId, booked } = await book(player, 7);
  const [, expiring, denied, cancelled, ...used] = booked;
  if (expiring === undefined || denied === undefined || cancelled === undefined) throw new Error('no slots');
  const approve = (id: typeof expiring.preauthorization.id, valid_until: string) =>
    client.preauthorizations.decide(id, {
      ...decision,
      ...{ outcome: 'approved', approved_amount: 350_000, valid_until },
    });
  await approve(expiring.preauthorization.id, day(20));
  await client.preauthorizations.decide(denied.preauthorization.id, { ...decision, outcome: 'denied' });
  await approve(cancelled.preauthorization.id, day(90));
  await client.bookings.cancel(cancelled.booking.id, { reason_code: 'person_unavailable' });
  for (const { preauthorization } of used) await approve(preauthorization.id, day(90));
  await client.testClock.advanceAndWait({ to: 'next' });
  await client.testClock.advanceAndWait({ to: day(40) });
  await client.webhookEndpoints.retrieve(rejecting.id);

  // Claims: one is asked about and answers, one is asked about and lapses.
  const claims: ClaimId[] = [];
  for (const [index, { booking, check, preauthorization }] of used.entries()) {
    const { id } = await client.claims.submit({
      ...{ eligibility_check_id: check.id, session_id: booking.session_id },
      ...{ preauthorization_id: preauthorization.id, provider_claim_reference: `INV-${index}`, lines },
    });
    claims.push(id);
  }
  const [first, second, third] = claims;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no claims');
  const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'], due_at: day(50) };
  const asked = await client.claims.requestInformation(first, question);
  await client.claims.requestInformation(second, question);
  await client.claims.submitEvidence(first, {
    information_request_id: asked.information_requests[0]?.id ?? 'cir_',
    evidence_refs: ['note:1'],
  });
  await client.testClock.advanceAndWait({ to: day(52) });

  // Money: a remittance that is settled in part, then late, and an advice that takes some of it back.
  for (const id of claims) await client.claims.adjudicate(id, adjudication(300_000));
  const remittance = await client.remittances.create({
    ...{ payer_reference: 'ERA-1', currency: 'KES', received_at: day(51) },
    allocations: [first, second].map((claim_id) => ({ claim_id, paid_amount: 300_000 })),
  });
  const settle = (remittance_id: RemittanceId, source_reference: string, amount: number, at: string) =>
    client.settlements.create({
      ...{ remittance_id, source_reference, currency: 'KES', amount, observed_at: at },
    });
  const settled = await settle(remittance.id, 'bank:1', 200_000, day(51.5));
  await client.testClock.advanceAndWait({ to: day(90) });
  await settle(remittance.id, 'bank:2', 400_000, day(89));
  const advice = await client.paymentAdvices.create({
    ...{ payer_reference: 'ERA-2', payer: 'payer-one', currency: 'KES', received_at: day(89) },
    allocations: [{ claim_id: third, paid_amount: 300_000 }],
    recoveries: [{ claim_id: first, amount: 20_000, reason_codes: ['overpaid'] }],
    adjustments: [{ kind: 'fee', amount: -1_000 }],
    net: 279_000,
  });
  await settle(advice.remittance_id, 'bank:3', 279_000, day(89.5));
  await client.settlements.reverse(settled.id, { reason_code: 'recorded_in_error' });
  // The next advice deducts the balance of this one, and its deposit settles both.
  await client.paymentAdvices.create({
    ...{ payer_reference: 'ERA-3', payer: 'payer-one', currency: 'KES', received_at: day(89) },
    recoveries: [{ claim_id: third, amount: 50_000 }],
    net: -50_000,
  });
  const deducting = await client.paymentAdvices.create({
    ...{ payer_reference: 'ERA-4', payer: 'payer-one', currency: 'KES', received_at: day(89) },
    allocations: [{ claim_id: third, paid_amount: 50_000 }],
    adjustments: [
      { kind: 'forwarded_balance', amount: -50_000 },
      { kind: 'interest', amount: 7_000 },
    ],
    net: 7_000,
  });
  await settle(deducting.remittance_id, 'bank:4', 7_000, day(89.6));
  await client.claims.retrieve(third);
  await client.claims.reverse(second, { reason_code: 'recorded_in_error' }).catch(() => undefined);
  await client.claims.adjudicate(second, adjudication(250_000)).catch(() => undefined);

  // Past care in bulk.
  const past = Array.from({ length: 12 }, (_, index) => ({
    session: {
      practitioner_id: practitionerId,
      ...{ starts_at: day(60 + index / 10), ends_at: day(60 + index / 10 + 1 / 30) },
      ...{ format: 'in_person', payment_source: 'covered' },
    },
    eligibility_check: {
      member_reference: `member:${['two', 'three', 'four', 'unknown'][index % 4]}`,
      ...{ service_code: SERVICE, amount: 350_000, currency: 'KES' },
    },
    ...{ provider_claim_reference: `BULK-${index}`, lines },
  }));
  const submitted = await client.bulkJobs.create({ kind: 'claims' }, ndjson(past));
  await jobEnded(player, submitted.id);
  const sessions = past.map(({ session }, index) => ({
    ...session,
    external_reference: `encounter-${index}`,
  }));
  const recorded = await client.bulkJobs.create({ kind: 'sessions' }, ndjson(sessions));
  await jobEnded(player, recorded.id);
  const decided = await client.bulkJobs.create(
    { kind: 'adjudications' },
    ndjson(
      past.map((line) => ({
        ...line,
        ...adjudication(300_000),
        session: undefined,
        eligibility_check: undefined,
      })),
    ),
  );
  await jobEnded(player, decided.id);

  // Rejected requests.
  await player.rejected(client.claims.cancel(first, { reason_code: 'entered_in_error' }));
  await player.rejected(settle(remittance.id, 'bank:1', 1, day(80)));
  await player.rejected(client.claims.retrieve('clm_unknown'));
  await player.rejected(client.testClock.advance({ to: START }));

  // Valuations.
  const { now } = await client.testClock.advanceAndWait({ to: day(120) });
  for (const at of [45, 52, 60, 91, 120])
    for (const id of claims) await client.claims.valuation(id, { valuation_at: day(at) });
  await client.claims.valuation(first, { valuation_at: now, effective_through: day(89) });
  await client.receivables.retrieve({ at: day(95) });
  await client.receivables.retrieve({ at: now, currency: 'KES' });
  const totals = await client.valuationRuns.create({
    ...{ valuation_at: day(110), kind: 'totals', group_by: ['status', 'payer_reference'] },
  });
  const triangle = await client.valuationRuns.create({
    ...{ valuation_at: now, kind: 'development' },
    development: { origin: 'service_month', step: 'month', measures: ['claim_count', 'settled'] },
  });
  await client.bookings.list();
  await runEnded(player, totals.id);
  await runEnded(player, triangle.id);
  await client.valuationRuns.claims(totals.id);
  for (const type of ['text/csv', 'application/x-ndjson'])
    await player.file(`/valuation_runs/${totals.id}/claims`, type);

  // Everything once more.
  for (const id of claims) {
    await client.claims.retrieve(id);
    await client.claims.links(id);
  }
  const all = { limit: 100 };
  await client.sessions.list(all);
  await client.bookings.list(all);
  await client.preauthorizations.list(all);
  await client.claims.list(all);
  await client.remittances.list(all);
  await client.remittances.reconciliation(remittance.id);
  await client.paymentAdvices.list(all);
  await client.paymentAdvices.balances();
  await client.settlements.list(all);
  await client.bulkJobs.list(all);
  await client.valuationRuns.list(all);
  for (const { booking, check, preauthorization } of booked) {
    await client.sessions.retrieve(booking.session_id as SessionId);
    await client.eligibilityChecks.retrieve(check.id as EligibilityCheckId);
    await client.preauthorizations.retrieve(preauthorization.id);
  }
  await client.webhookEndpoints.list(all);
  await client.events.list(all);
  await client.webhookEndpoints.deliveries(accepting.id);
  await client.webhookEndpoints.deliveries(rejecting.id);
  return player;
}

/** The fields whose values are real, or secret, or follow from internal identifiers. */
const OTHER = /"(duration_ms|signing_secret|result_sha256)":("[^"]*"|\d+)/g;
const ID = /\b[a-z]+_[0-9a-f]{32}(_sim)?\b/g;

/** Returns the responses with identifiers in the order of their first appearance, without those of a client that waits. */
function canonical({ received }: Player): string[] {
  const names = new Map<string, string>();
  const named = (id: string) => {
    if (!names.has(id)) names.set(id, `${id.split('_')[0]}_${names.size + 1}`);
    return names.get(id) ?? id;
  };
  const isClock = ({ request }: Received) => / \/test_clock(\/advance)?$/.test(request);
  const answered = received.filter(
    (each) =>
      each.status < 500 && each.status !== 429 && !(isClock(each) && each.text.includes('"advancing"')),
  );
  return answered
    .filter((each, index) => {
      const next = answered[index + 1];
      return isClock(each) || !(each.request.startsWith('GET') && next?.request === each.request);
    })
    .map((each) => {
      const request = isClock(each) ? 'clock' : `${each.request} ${each.status}`;
      return `${request} ${each.text}`.replaceAll(OTHER, '"$1":0').replaceAll(ID, named);
    });
}

let created: readonly SimulatedProject[];

beforeAll(async () => {
  const { testClocks } = running.world.client;
  created = await Promise.all(['First', 'Second'].map((name) => testClocks.create({ name, now: START })));
});

test('the same script has the same responses in two projects with simulated time, however fast it is', async () => {
  const [first, second] = await Promise.all(
    created.map(({ secret_key }, index) => play(secret_key, index * 60)),
  );
  if (first === undefined || second === undefined) throw new Error('no players');
  const [one, two] = [canonical(first), canonical(second)];
  expect(two).toEqual(one);
}, 300_000);

test('a change in the console moves the clock of the project', async () => {
  const [{ project_id = '', secret_key = '' } = {}] = created;
  const { testClock, valuationRuns } = running.clients.create(secret_key);
  const before = Date.parse((await testClock.retrieve()).now);
  const { visitor, shown } = await visitAs(running.stack.file.console_url, 'finance');
  const fields = { key: crypto.randomUUID(), kind: 'totals', valuation_at: day(100) };
  const { status, html } = await visitor.post(`/projects/${project_id}/valuation-runs`, {
    ...fields,
    csrf: visitor.tokenOf(shown),
  });
  expect([status, html.includes('The run was requested')]).toEqual([200, true]);
  expect((await valuationRuns.list({ limit: 1 })).data[0]).toMatchObject({ valuation_at: day(100) });
  expect(Date.parse((await testClock.retrieve()).now)).toBe(before + 10);
});
