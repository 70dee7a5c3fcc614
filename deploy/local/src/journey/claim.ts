/** The second half of the journey (an example through the API): a claim from the delivered session to its settlement, with valuations. */
import type {
  Carecover,
  Claim,
  ClaimId,
  ClaimValuation,
  Preauthorization,
  Remittance,
} from '@carecover/client';
import { type Booked, CURRENCY, SERVICE } from './cover';
import { expect, type Narrator } from './narrator';

const PAYER_SHARE = 350_000;

const ADJUDICATED_LINES = [
  {
    line_number: 1,
    amount: {
      billed: 400_000,
      allowed: 380_000,
      payer: PAYER_SHARE,
      patient_responsibility: 30_000,
      adjustment: 20_000,
    },
    reason_codes: ['fee_schedule_applied'],
  },
  {
    line_number: 2,
    amount: { billed: 50_000, allowed: 0, payer: 0, patient_responsibility: 0, adjustment: 50_000 },
    reason_codes: ['not_a_covered_service'],
  },
];

/** Marks the booked session as delivered, submits a claim for it, and requests information until `dueAt`, by default without a deadline. */
export async function submitQueriedClaim(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
  preauthorization: Preauthorization,
  dueAt: string | null = null,
): Promise<{ readonly submitted: Claim; readonly queried: Claim }> {
  await narrator.step('the session is delivered (test helper)', () =>
    client.testHelpers.deliverSession(booking.session_id),
  );
  const submitted = await narrator.step('the claim is submitted', () =>
    client.claims.submit({
      eligibility_check_id: check.id,
      session_id: booking.session_id,
      preauthorization_id: preauthorization.id,
      provider_claim_reference: `INV-${crypto.randomUUID()}`,
      lines: [
        { code_system: 'carecover-services', service_code: SERVICE, units: 1, amount: 400_000 },
        { code_system: 'carecover-services', service_code: 'session-report', units: 1, amount: 50_000 },
      ],
      evidence_refs: ['note:session-summary'],
    }),
  );
  expect(submitted.status === 'submitted', `a new claim that is ${submitted.status}`);
  const queried = await narrator.step(
    `the payer requests information${dueAt === null ? '' : ` until ${dueAt}`}`,
    () =>
      client.claims.requestInformation(submitted.id, {
        reason_code: 'clinical_justification_missing',
        requested_evidence_types: ['clinical_summary'],
        due_at: dueAt,
      }),
  );
  expect(queried.status === 'queried', `a claim with an information request that is ${queried.status}`);
  return { submitted, queried };
}

/** Answers the claim's information request with evidence, which resubmits the claim. */
export async function answerRequest(client: Carecover, narrator: Narrator, queried: Claim): Promise<void> {
  const request = queried.information_requests.find((each) => each.status === 'open');
  expect(request !== undefined, 'no open information request');
  const resubmitted = await narrator.step('evidence is added and the claim resubmitted', () =>
    client.claims.submitEvidence(queried.id, {
      information_request_id: request.id,
      evidence_refs: ['document:clinical-summary'],
    }),
  );
  expect(resubmitted.submission_version === 2, `submission version ${resubmitted.submission_version}`);
}

/** Adjudicates the claim, and creates a remittance for it and the remittance's settlement. */
export async function settleClaim(
  client: Carecover,
  narrator: Narrator,
  claimId: ClaimId,
): Promise<{ readonly claim: Claim; readonly remittance: Remittance; readonly cutoffs: string[] }> {
  const adjudicated = await narrator.step('the payer adjudicates line by line', () =>
    client.claims.adjudicate(claimId, {
      policy_reference: 'policy:outpatient-mental-health',
      policy_version: '2026.2',
      reason_codes: ['fee_schedule_applied'],
      lines: ADJUDICATED_LINES,
    }),
  );
  expect(adjudicated.status === 'partially_approved', `an adjudicated claim that is ${adjudicated.status}`);
  const advised = await narrator.step('a remittance allocates the payer amount', () =>
    client.remittances.create({
      payer_reference: `ADVICE-${crypto.randomUUID()}`,
      currency: CURRENCY,
      received_at: adjudicated.updated_at,
      allocations: [{ claim_id: claimId, paid_amount: PAYER_SHARE }],
    }),
  );
  const settlement = await narrator.step('a settlement observation matches', () =>
    client.settlements.create({
      remittance_id: advised.id,
      source_reference: `BANK-${crypto.randomUUID()}`,
      currency: CURRENCY,
      amount: PAYER_SHARE,
      observed_at: adjudicated.updated_at,
    }),
  );
  expect(settlement.status === 'matched', `a settlement that is ${settlement.status}`);
  const remittance = await narrator.step('the remittance is reconciled', () =>
    client.remittances.retrieve(advised.id),
  );
  expect(remittance.status === 'reconciled', `a remittance that is ${remittance.status}`);
  const claim = await narrator.step('the claim is settled', () => client.claims.retrieve(claimId));
  expect(claim.status === 'settled', `a claim that is ${claim.status}`);
  return { claim, remittance, cutoffs: [adjudicated.updated_at, claim.updated_at] };
}

/**
 * Requests the claim's valuation at each cutoff twice, and checks that both responses have the same bytes. Returns the valuation at the
 * last cutoff.
 */
export async function valueClaim(
  client: Carecover,
  narrator: Narrator,
  claimId: ClaimId,
  cutoffs: readonly string[],
): Promise<ClaimValuation> {
  let latest: ClaimValuation | null = null;
  for (const cutoff of cutoffs) {
    const input = { params: { claim_id: claimId }, query: { valuation_at: cutoff } };
    const [first, second] = await narrator.step(`valued as known at ${cutoff}, twice`, async () => [
      await client.transport.raw('getClaimValuation', input),
      await client.transport.raw('getClaimValuation', input),
    ]);
    expect(first !== undefined && first.text === second?.text, 'two different valuations for one cutoff');
    const valuation: ClaimValuation = JSON.parse(first.text);
    narrator.note(`${valuation.status}: ${formatAmounts(valuation)}, ${valuation.events.length} facts`);
    latest = valuation;
  }
  expect(latest !== null, 'no cutoff');
  return latest;
}

function formatAmounts({ amount }: ClaimValuation): string {
  return Object.entries(amount)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
