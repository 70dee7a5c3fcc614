/**
 * The quick start as a program: from a coverage to a settled claim, a received webhook and two valuations.
 * CARECOVER_URL (ending in /v1) and CARECOVER_KEY (sk_test_…) name the service; docs/guides/quick-start.md explains the steps.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Carecover, verifyWebhook } from '@carecover/client';

const { CARECOVER_URL: baseUrl = '', CARECOVER_KEY: apiKey = '' } = process.env;
const carecover = new Carecover({ baseUrl, apiKey });

// A webhook receiver.
let signingSecret = '';
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const event = await verifyWebhook(body, request.headers, signingSecret);
  if ('id' in event.data) receiver.emit(event.data.id, event);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const listening = receiver.address();
if (listening === null || typeof listening === 'string') throw new Error('The receiver has no port.');
const endpoint = await carecover.webhookEndpoints.create({
  url: `http://127.0.0.1:${listening.port}/carecover`,
  events: ['claim.settled'],
});
// Only the first response to the creation of an endpoint contains its signing secret. If that response was lost, the client repeats the
// request, and the second response has no secret. The program then creates a new secret.
signingSecret =
  endpoint.signing_secret ?? (await carecover.webhookEndpoints.rotateSecret(endpoint.id)).signing_secret;

// The coverage, as the payer states it.
const member = `member:${crypto.randomUUID()}`;
await carecover.coverages.record({
  source_contract_reference: 'contract/quick-start',
  external_coverage_reference: `coverage/${crypto.randomUUID()}`,
  source_version: '1',
  tenant_reference: 'group/quick-start',
  member_reference: member,
  service_code: 'psy.individual.50',
  plan_name: 'Outpatient',
  status: 'active',
  currency: 'KES',
  amount_limit: 400_000,
  remaining_sessions: 6,
  authorization_required: true,
  coordination_priority: 1,
  valid_from: '2026-01-01T00:00:00Z',
  valid_until: '2030-01-01T00:00:00Z',
  observed_at: new Date(Date.now() - 60_000).toISOString(),
  evidence_references: ['registry/quick-start'],
});

// Books a session that the coverage pays: the first free slot of a practitioner from tomorrow on.
const { data: practitioners } = await carecover.practitioners.list({ limit: 1 });
const [practitioner] = practitioners;
if (practitioner === undefined) throw new Error('The project has no practitioner.');
const { data: slots } = await carecover.practitioners.slots(practitioner.id, {
  from: new Date(Date.now() + 86_400_000).toISOString(),
  to: new Date(Date.now() + 14 * 86_400_000).toISOString(),
  duration_minutes: 50,
  format: 'online',
});
const [slot] = slots;
if (slot === undefined) throw new Error('The practitioner has no free time.');
const booking = await carecover.bookings.create({ ...slot, payment_source: 'covered' });

// The eligibility check and the pre-authorization.
const check = await carecover.eligibilityChecks.create({
  member_reference: member,
  service_code: 'psy.individual.50',
  scheduled_at: booking.starts_at,
  amount: 350_000,
  currency: 'KES',
});
console.log(check.status, check.reason_codes, check.remaining_sessions, 'sessions remain');

const request = await carecover.preauthorizations.create({
  eligibility_check_id: check.id,
  booking_id: booking.id,
});
const preauthorization = await carecover.preauthorizations.decide(request.id, {
  outcome: 'approved',
  approved_amount: 350_000,
  valid_until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  reason_codes: ['within_policy'],
  policy_reference: 'policy:outpatient',
  policy_version: '2025.1',
  evidence_references: ['referral:8812'],
});
console.log('pre-authorization', preauthorization.status);

// The session is delivered (in the sandbox, at once), and a claim bills it.
await carecover.testHelpers.deliverSession(booking.session_id);
const claim = await carecover.claims.submit({
  eligibility_check_id: check.id,
  session_id: booking.session_id,
  preauthorization_id: preauthorization.id,
  provider_claim_reference: `INV-${crypto.randomUUID()}`,
  lines: [{ code_system: 'CPT', service_code: 'psy.individual.50', units: 1, amount: 350_000 }],
});
console.log('claim', claim.id, claim.status);

// Other programs can settle claims in this project too, so this program waits only for the event of its own claim.
const settlementEvent = once(receiver, claim.id);

// The payer adjudicates the claim and advises payment; the bank's statement proves the payment.
await carecover.claims.adjudicate(claim.id, {
  policy_reference: 'policy:outpatient',
  policy_version: '2025.1',
  reason_codes: ['fee_schedule'],
  lines: [
    {
      line_number: 1,
      amount: {
        billed: 350_000,
        allowed: 320_000,
        payer: 300_000,
        patient_responsibility: 20_000,
        adjustment: 30_000,
      },
      reason_codes: ['fee_schedule'],
    },
  ],
});
const remittance = await carecover.remittances.create({
  payer_reference: `ERA-${crypto.randomUUID()}`,
  currency: 'KES',
  received_at: new Date(Date.now() - 60_000).toISOString(),
  allocations: [{ claim_id: claim.id, paid_amount: 300_000 }],
});
await carecover.settlements.create({
  remittance_id: remittance.id,
  source_reference: `bank:${crypto.randomUUID()}`,
  currency: 'KES',
  amount: 300_000,
  observed_at: new Date(Date.now() - 1_000).toISOString(),
});

const [event] = await settlementEvent;
console.log('received', event.type, event.data.amount);

// Values the claim now, and at the time when its adjudication was recorded. The payer's advice had been received by then, but it was recorded
// later, so the earlier valuation does not contain it.
const now = await carecover.claims.valuation(claim.id, { valuation_at: new Date().toISOString() });
const decision = now.events.find(({ type }) => type === 'partially_approved');
if (decision === undefined) throw new Error('The claim has no decision.');
const before = await carecover.claims.valuation(claim.id, { valuation_at: decision.recorded_at });
for (const { valuation_at, status, amount } of [before, now]) {
  const { remitted, settled, outstanding } = amount;
  console.log('valued at', valuation_at, status, { remitted, settled, outstanding });
}
await carecover.webhookEndpoints.disable(endpoint.id);
receiver.close();
