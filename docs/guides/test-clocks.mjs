/**
 * A year in a minute: two bookings in a project whose time is simulated, and what became of them. The story is the same on every run, so it is
 * compared with a golden file. CARECOVER_URL (ending in /v1) and CARECOVER_KEY (sk_test_…) name the service; docs/guides/test-clocks.md
 * explains the steps.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Carecover } from '@carecover/client';

const GOLDEN = new URL('test-clocks.golden.txt', import.meta.url);
const { CARECOVER_URL: baseUrl = '', CARECOVER_KEY: apiKey = '', UPDATE_GOLDEN } = process.env;

const sandbox = new Carecover({ baseUrl, apiKey });
const { secret_key } = await sandbox.testClocks.create({ name: 'A year', now: '2025-01-01T00:00:00Z' });
const carecover = new Carecover({ baseUrl, apiKey: secret_key });

const story = ['A year of two bookings'];

async function advance(to = 'next') {
  const { now, completed } = await carecover.testClock.advanceAndWait({ to });
  story.push(`${now} the clock has executed ${completed}`);
}

// A coverage, and the first two free slots of a practitioner.
await carecover.coverages.record({
  source_contract_reference: 'contract/year',
  external_coverage_reference: 'coverage/year',
  source_version: '1',
  tenant_reference: 'group/year',
  member_reference: 'member:year',
  service_code: 'psy.individual.50',
  plan_name: 'Outpatient',
  status: 'active',
  currency: 'KES',
  amount_limit: 400_000,
  remaining_sessions: 6,
  authorization_required: true,
  coordination_priority: 1,
  valid_from: '2025-01-01T00:00:00Z',
  valid_until: '2026-01-01T00:00:00Z',
  observed_at: '2025-01-01T00:00:00Z',
  evidence_references: ['registry/year'],
});
const {
  data: [practitioner],
} = await carecover.practitioners.list({ limit: 1 });
if (practitioner === undefined) throw new Error('The project has no practitioner.');
const { data: slots } = await carecover.practitioners.slots(practitioner.id, {
  from: '2025-01-06T00:00:00Z',
  to: '2025-01-20T00:00:00Z',
  duration_minutes: 50,
  format: 'online',
  limit: 2,
});

// Each is booked, checked and approved, until the end of February.
const approved = [];
for (const slot of slots) {
  const { id: booking_id, session_id } = await carecover.bookings.create({
    ...slot,
    payment_source: 'covered',
  });
  const { id: eligibility_check_id } = await carecover.eligibilityChecks.create({
    member_reference: 'member:year',
    service_code: 'psy.individual.50',
    scheduled_at: slot.starts_at,
    amount: 350_000,
    currency: 'KES',
  });
  const { id } = await carecover.preauthorizations.create({ eligibility_check_id, booking_id });
  await carecover.preauthorizations.decide(id, {
    outcome: 'approved',
    approved_amount: 350_000,
    valid_until: '2025-03-01T00:00:00Z',
    reason_codes: ['within_policy'],
    policy_reference: 'policy:outpatient',
    policy_version: '2025.1',
    evidence_references: ['referral:8812'],
  });
  approved.push({ eligibility_check_id, session_id, preauthorization_id: id });
}
const [claimed, unused] = approved;
if (claimed === undefined || unused === undefined) throw new Error('The practitioner has no free time.');

// The sessions take place. One is claimed; the payer asks a question, which the provider does not answer. The authorization of the other one expires.
await advance('2025-02-01T00:00:00Z');
const claim = await carecover.claims.submit({
  ...claimed,
  provider_claim_reference: 'INV-2025-0001',
  lines: [{ code_system: 'CPT', service_code: 'psy.individual.50', units: 1, amount: 350_000 }],
});
await carecover.claims.requestInformation(claim.id, {
  reason_code: 'notes_missing',
  requested_evidence_types: ['session_notes'],
  due_at: '2025-03-10T00:00:00Z',
});
await advance('2025-03-15T00:00:00Z');
const { status: expired } = await carecover.preauthorizations.retrieve(unused.preauthorization_id);
story.push(`the unused pre-authorization is ${expired}`);

// The payer decides, and advises a payment that does not arrive: after 31 days the remittance is an exception. It is settled late.
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
  payer_reference: 'ERA-2025-0001',
  currency: 'KES',
  received_at: '2025-03-15T00:00:00Z',
  allocations: [{ claim_id: claim.id, paid_amount: 300_000 }],
});
await advance('2025-04-15T00:00:00Z');
const { status: late } = await carecover.remittances.retrieve(remittance.id);
story.push(`the remittance is in ${late}`);
await advance('2025-06-20T00:00:00Z');
await carecover.settlements.create({
  remittance_id: remittance.id,
  source_reference: 'bank:0001',
  currency: 'KES',
  amount: 300_000,
  observed_at: '2025-06-18T00:00:00Z',
});

// The year ends. The claim is valued at the end of every month, and once more with all its facts.
await advance('2026-01-01T00:00:00Z');
for (let month = 2; month <= 12; month += 1) {
  const valuation_at = new Date(Date.UTC(2025, month, 1) - 1).toISOString();
  const { status, amount } = await carecover.claims.valuation(claim.id, { valuation_at });
  story.push(
    `${valuation_at} ${status}: remitted ${amount.remitted}, settled ${amount.settled}, outstanding ${amount.outstanding ?? 'not decided'}`,
  );
}
const { events } = await carecover.claims.valuation(claim.id, { valuation_at: '2026-01-01T00:00:00Z' });
for (const { type, effective_at, recorded_at, reason_code } of events)
  story.push(
    `${effective_at} ${type}, recorded ${recorded_at}${reason_code === null ? '' : `, ${reason_code}`}`,
  );

const text = `${story.join('\n')}\n`;
if (UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, text);
const isSame = readFileSync(GOLDEN, 'utf8') === text;
console.log(text + (isSame ? 'the same as the golden file' : 'another story than that of the golden file'));
process.exitCode = isSame ? 0 : 1;
