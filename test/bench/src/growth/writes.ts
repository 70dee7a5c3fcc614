/** Measures the main writes without concurrency: one request at a time, and each kind of write for all claims before the next kind. */
import type {
  ClaimId,
  ClaimInformationRequestId,
  PreauthorizationId,
  RemittanceId,
  SettlementId,
} from '@carecover/client';
import type { World } from '@carecover/testing/stack';
import type { BenchStack } from '../harness/bench-stack';
import { percentile } from '../harness/measure';
import type { Figures } from './comparison';
import type { ExecutedStatement, StatementCounts } from './statements';

type Covered = Awaited<ReturnType<World['createBooking']>>;

/** A claim in progress: the resources that earlier steps created for it. */
interface Progress extends Covered {
  readonly slot: Awaited<ReturnType<World['nextSlot']>>;
  readonly preauthorizationId: PreauthorizationId;
  readonly claimId: ClaimId;
  readonly informationRequestId: ClaimInformationRequestId;
  readonly remittanceId: RemittanceId;
  readonly settlementId: SettlementId;
}

/** Executes a write for a claim, and returns the values that later steps need. */
type Step = (world: World, made: Progress) => Promise<Partial<Progress> | undefined>;

const PAID = 300_000;
const REASON = { reason_code: 'recorded_in_error' };
const QUESTION = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };

const nothing = (written: Promise<unknown>) => written.then(() => undefined);

const STEPS: Readonly<Record<string, Step>> = {
  'POST /consents': ({ client }, { member }) =>
    nothing(client.consents.record({ member_reference: member, status: 'granted' })),
  'POST /coverages': (world, { member }) => nothing(world.recordCoverage(member)),
  'POST /bookings': async ({ client }, { slot }) => {
    const booking = await client.bookings.create({ ...slot, payment_source: 'covered' });
    return { bookingId: booking.id, sessionId: booking.session_id, startsAt: booking.starts_at };
  },
  'POST /eligibility_checks': async (world, { member, startsAt }) => ({
    check: await world.createCheck(member, startsAt),
  }),
  'POST /preauthorizations': async (world, made) => ({
    preauthorizationId: (await world.requestPreauthorization(made)).id,
  }),
  'POST /preauthorizations/{preauthorization_id}/decisions': (world, { preauthorizationId }) =>
    nothing(world.client.preauthorizations.decide(preauthorizationId, world.approvalInput())),
  'POST /test_helpers/sessions/{session_id}/deliver': (world, made) => nothing(world.deliverSession(made)),
  'POST /claims': async (world, made) => ({
    claimId: (await world.client.claims.submit(world.claimInput(made))).id,
  }),
  'POST /claims/{claim_id}/information_requests': async ({ client }, { claimId }) => {
    const { information_requests } = await client.claims.requestInformation(claimId, QUESTION);
    const [request] = information_requests;
    if (request === undefined) throw new Error('the claim has no information request');
    return { informationRequestId: request.id };
  },
  'POST /claims/{claim_id}/evidence': ({ client }, { claimId, informationRequestId }) =>
    nothing(
      client.claims.submitEvidence(claimId, {
        information_request_id: informationRequestId,
        evidence_refs: ['note:1'],
      }),
    ),
  'POST /claims/{claim_id}/adjudications': (world, { claimId }) =>
    nothing(world.client.claims.adjudicate(claimId, world.adjudicationInput(200_000, 50_000))),
  'POST /claims/{claim_id}/adjudications, corrected': (world, { claimId }) =>
    nothing(world.client.claims.adjudicate(claimId, world.adjudicationInput())),
  'POST /remittances': async (world, { claimId }) => {
    const input = world.remittanceInput([{ claim_id: claimId, paid_amount: PAID }]);
    return { remittanceId: (await world.client.remittances.create(input)).id };
  },
  'POST /settlements': async (world, { remittanceId }) => ({
    settlementId: (await world.client.settlements.create(world.settlementInput(remittanceId, PAID))).id,
  }),
  'POST /settlements/{settlement_id}/reversals': ({ client }, { settlementId }) =>
    nothing(client.settlements.reverse(settlementId, REASON)),
  'POST /claims/{claim_id}/reversals': ({ client }, { claimId }) =>
    nothing(client.claims.reverse(claimId, REASON)),
};

/**
 * Returns the number of pages that one write reads, from the counts of the statements that `writes` repetitions of the write sent.
 * Temporal's statements are left out, and so are statements that were executed less often than the write. A statement that is executed
 * several times per write counts several times.
 */
function pagesPerWrite(statements: readonly ExecutedStatement[], writes: number): number {
  return statements
    .filter(({ isOfServices, calls }) => isOfServices && calls >= writes)
    .reduce((sum, { calls, pages }) => sum + (pages / calls) * Math.round(calls / writes), 0);
}

/** Sends each of the measured writes for `count` claims, and returns the figures of each write and the IDs of the claims. */
export async function measureWrites(
  { world }: BenchStack,
  statements: StatementCounts,
  count: number,
): Promise<{ readonly figures: Map<string, Figures>; readonly claimIds: readonly ClaimId[] }> {
  const all: Progress[] = [];
  while (all.length < count) {
    const made = { slot: await world.nextSlot(), member: world.uniqueReference('member') };
    all.push(made as Progress);
  }
  const figures = new Map<string, Figures>();
  for (const [name, step] of Object.entries(STEPS)) {
    const latencies: number[] = [];
    await statements.reset();
    for (const [index, made] of all.entries()) {
      const startedAt = performance.now();
      const added = await step(world, made);
      latencies.push(performance.now() - startedAt);
      all[index] = { ...made, ...added };
    }
    const sorted = latencies.sort((a, b) => a - b);
    const pages = pagesPerWrite(await statements.read(), count);
    figures.set(name, { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), pages, plan: null });
  }
  return { figures, claimIds: all.map(({ claimId }) => claimId) };
}
