/** The commands of tests of test clocks: what a practice and its payer do in a project whose time is simulated. */
import type { ProjectClient } from './services-in-process';

const DAY_MS = 24 * 3_600_000;
const SERVICE = 'psy-session-50';

export const later = (instant: string, days: number) =>
  new Date(Date.parse(instant) + days * DAY_MS).toISOString();

export async function created(project: ProjectClient, path: string, body: unknown) {
  const answer = await project.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export async function read(project: ProjectClient, path: string) {
  const answer = await project.get(path);
  if (answer.status >= 300) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the time in the ID of a resource, which is that of its creation. */
export function creationOf({ id }: { readonly id: string }): string {
  const [, hexadecimal = ''] = id.split('_');
  return new Date(Number.parseInt(hexadecimal.slice(0, 12), 16)).toISOString();
}

/** Advances the clock and returns it when the advance has ended. */
export async function advance(project: ProjectClient, to: string) {
  let { status, body } = await project.post('/test_clock/advance', { to, wait_seconds: 10 });
  if (status !== 202) throw new Error(`POST /test_clock/advance: ${status} ${JSON.stringify(body)}`);
  while (body.status === 'advancing') ({ body } = await project.get('/test_clock'));
  return body;
}

export const nowOf = async (project: ProjectClient): Promise<string> =>
  (await project.get('/test_clock')).body.now;

/** Books a covered session that starts at least `days` days after the start of the project, and requests its pre-authorization. */
export async function requestPreauthorization(project: ProjectClient, days: number, start: string) {
  const member_reference = `member-${crypto.randomUUID()}`;
  await created(project, '/coverages', {
    source_contract_reference: 'contract:1',
    external_coverage_reference: `policy-${crypto.randomUUID()}`,
    source_version: '1',
    tenant_reference: 'payer:one',
    member_reference,
    service_code: SERVICE,
    plan_name: 'Plan',
    status: 'active',
    currency: 'KES',
    amount_limit: 500_000,
    remaining_sessions: 10,
    authorization_required: true,
    coordination_priority: 1,
    valid_from: later(start, -30),
    valid_until: later(start, 30_000),
    observed_at: start,
    evidence_references: ['registry:1'],
  });
  const practitioners = await read(project, '/practitioners?limit=1');
  const [{ id }] = practitioners.data;
  const period = `from=${later(start, days)}&to=${later(start, days + 25)}`;
  const slots = await read(
    project,
    `/practitioners/${id}/slots?${period}&duration_minutes=50&format=online&limit=1`,
  );
  const [{ practitioner_id, starts_at, ends_at, format }] = slots.data;
  const booking = await created(project, '/bookings', {
    practitioner_id,
    starts_at,
    ends_at,
    format,
    payment_source: 'covered',
  });
  const check = await created(project, '/eligibility_checks', {
    member_reference,
    service_code: SERVICE,
    scheduled_at: starts_at,
    amount: 400_000,
    currency: 'KES',
  });
  const preauthorization = await created(project, '/preauthorizations', {
    eligibility_check_id: check.id,
    booking_id: booking.id,
  });
  return { booking, check, preauthorization };
}

export type Requested = Awaited<ReturnType<typeof requestPreauthorization>>;

export async function approve(project: ProjectClient, { preauthorization }: Requested, valid_until: string) {
  return created(project, `/preauthorizations/${preauthorization.id}/decisions`, {
    outcome: 'approved',
    approved_amount: 400_000,
    valid_until,
    reason_codes: ['necessary'],
    policy_reference: 'policy:one',
    policy_version: '1',
    evidence_references: ['letter:1'],
  });
}

export async function submit(project: ProjectClient, { booking, check }: Requested) {
  return created(project, '/claims', {
    eligibility_check_id: check.id,
    session_id: booking.session_id,
    provider_claim_reference: `INV-${crypto.randomUUID()}`,
    lines: [{ code_system: 'CPT', service_code: SERVICE, units: 1, amount: 300_000 }],
  });
}

/** Adjudicates a claim, and records its remittance. */
export async function remit(project: ProjectClient, claimId: string) {
  await created(project, `/claims/${claimId}/adjudications`, {
    policy_reference: 'policy:one',
    policy_version: '1',
    reason_codes: ['fee_schedule'],
    lines: [
      {
        line_number: 1,
        amount: {
          billed: 300_000,
          allowed: 300_000,
          payer: 300_000,
          patient_responsibility: 0,
          adjustment: 0,
        },
        reason_codes: ['fee_schedule'],
      },
    ],
  });
  return created(project, '/remittances', {
    payer_reference: `ADVICE-${crypto.randomUUID()}`,
    currency: 'KES',
    received_at: await nowOf(project),
    allocations: [{ claim_id: claimId, paid_amount: 300_000 }],
  });
}
