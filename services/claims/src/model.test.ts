/**
 * Executes random commands on a claim, and compares the result with an independent model: the claim, its facts, its events, its workflow and
 * its valuation at random cutoffs. During some commands the process ends, another service fails, or the workflow's run is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, ClaimValuation } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { CLAIM_STATUS } from '@carecover/setup/search-attributes';
import { fc } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import { type Answered, useKillPoints } from '@carecover/testing/services';
import { BILLED_TOTAL, Model, SOME, type Step } from './testing/model';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';

const HOUR = 3_600_000;

let claims: TestClaims;
const setKillPoint = useKillPoints();
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
}, 120_000);
afterAll(() => claims.stop());

const handle = (claimId: string) => claims.environment.client.workflow.getHandle(claimId);

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

/** Terminates the run of the claim's workflow, if there is one, as if Temporal had been restored from an older backup. */
async function lose(claimId: string): Promise<void> {
  await handle(claimId)
    .terminate('lost')
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
    });
}

/** A claim under test, with its model and the last command that was accepted. */
class Subject {
  readonly model = new Model();
  private last: {
    operation: Parameters<Provider['ask']>[0];
    body: unknown;
    key: string;
    text: string;
  } | null = null;
  /** When the workflow's run is terminated, in milliseconds after the next command is sent; null if the run is not terminated. */
  private loseAfterMs: number | null = null;
  /** The failpoint at which the process ends that executes the next command; null if it does not end. */
  private killPoint: string | null = null;

  constructor(
    private readonly provider: Provider,
    readonly id: string,
  ) {}

  /**
   * Sends a command until the response is not 5xx, as a client does. If `loseAfterMs` is not null, the workflow's run is terminated
   * meanwhile.
   */
  private async ask(operation: Parameters<Provider['ask']>[0], body: unknown, expected: string | null) {
    const key = newId('key_');
    let answer: Answered;
    const losing = this.loseAfterMs === null ? null : sleep(this.loseAfterMs).then(() => lose(this.id));
    const killing = this.killPoint === null ? null : setKillPoint(this.killPoint);
    [this.loseAfterMs, this.killPoint] = [null, null];
    do answer = await this.provider.ask(operation, this.id, body, key);
    while (answer.status >= 500);
    killing?.clear();
    await losing;
    expect([operation, answer.code ?? null]).toEqual([operation, expected]);
    if (expected !== null) return;
    expect(answer.body.status).toBe(this.model.status);
    this.last = { operation, body, key, text: answer.text };
  }

  private async openRequest(): Promise<string | undefined> {
    return (await this.provider.read(this.id)).information_requests.at(-1)?.id;
  }

  async take(step: Step): Promise<void> {
    const { model, provider, id } = this;
    switch (step.kind) {
      case 'query': {
        const due_at = step.hasDeadline ? new Date((await databaseTime()) + HOUR).toISOString() : null;
        const body = { reason_code: 'referral_missing', requested_evidence_types: ['letter'], due_at };
        return this.ask('requestClaimInformation', body, model.query(step.hasDeadline));
      }
      case 'answer': {
        const known = step.isKnown ? await this.openRequest() : undefined;
        const body = { information_request_id: known ?? newId('cir_'), evidence_refs: ['referral:1'] };
        return this.ask('submitClaimEvidence', body, model.answer(step.isKnown));
      }
      case 'adjudicate': {
        const shares = { all: [SOME, BILLED_TOTAL - SOME], some: [SOME, 0], none: [0, 0] } as const;
        const [first, second] = shares[step.payer];
        return this.ask('adjudicateClaim', adjudication(first, second), model.adjudicate(first + second));
      }
      case 'unbalanced': {
        const body = adjudication(1, 1);
        const lines = body.lines.map((line) => ({ ...line, amount: { ...line.amount, payer: 2 } }));
        return this.ask('adjudicateClaim', { ...body, lines }, model.unbalanced());
      }
      case 'cancel':
        return this.ask('cancelClaim', { reason_code: 'aa' }, model.cancel());
      case 'reverse':
        return this.ask('reverseClaim', { reason_code: 'aa' }, model.reverse());
      case 'lose':
        this.loseAfterMs = step.afterMs;
        return;
      case 'kill':
        this.killPoint = step.at;
        return;
      case 'fail':
        for (const call of ['openLiability', 'reverseLiability', 'releaseFromClaim'] as const)
          claims.others.outages.set(`${call} ${id}`, step.times);
        return;
      case 'replay': {
        if (this.last === null) return;
        const { operation, body, key, text } = this.last;
        const answer = await provider.ask(operation, id, body, key);
        expect([answer.replayed, answer.text]).toEqual([true, text]);
        return;
      }
      case 'wait':
        await claims.pass(2 * HOUR);
        if (model.wait()) {
          for (const sweep of claims.sweeps) if (sweep.name.includes('deadline')) await sweep.run();
          await eventually('it is submitted', async () => (await provider.read(id)).status === 'submitted');
        }
        return;
      case 'remit': {
        if (model.remittable <= 0) return;
        const amount = Math.max(1, Math.floor(model.remittable * step.share));
        model.remit(amount);
        await provider.remit(id, amount, { adjudicationVersion: model.adjudications });
        return;
      }
      case 'settle': {
        if (model.settleable <= 0) return;
        const amount = Math.max(1, Math.floor(model.settleable * step.share));
        const observedAt = new Date((await databaseTime()) - Math.floor(step.share * HOUR)).toISOString();
        model.settle(await provider.settle(id, amount, { observedAt }), amount);
        return;
      }
      case 'take_back': {
        const observation = model.observations.at(Math.floor(step.share * model.observations.length));
        if (observation === undefined) return;
        model.takeBack(observation.id);
        await provider.settle(id, -observation.amount, { settlementId: observation.id });
      }
    }
  }
}

interface FactRow {
  type: string;
  effective_at: Date;
  recorded_at: Date;
  next_status: string;
  detail: { billed?: number; payer?: number; amount?: number } | null;
}

/** Computes the expected valuation from the rows of the facts, independently of the service's rules. */
function expectedValue(rows: readonly FactRow[], cutoff: number) {
  const known = rows.filter(
    (row) => row.effective_at.getTime() <= cutoff && row.recorded_at.getTime() <= cutoff,
  );
  const sum = (type: string) =>
    known.filter((row) => row.type === type).reduce((total, row) => total + (row.detail?.amount ?? 0), 0);
  const stands = known.some((row) => row.type === 'reversed')
    ? undefined
    : known.findLast((row) => ['approved', 'partially_approved', 'denied'].includes(row.type));
  const settled = sum('settled');
  const liability = stands?.detail?.payer ?? null;
  return {
    status: known.at(-1)?.next_status,
    events: known.map((row) => row.type),
    remitted: sum('remittance_recorded'),
    settled,
    payer_liability: liability,
    outstanding: liability === null ? null : liability - settled,
  };
}

/**
 * A randomly drawn cutoff; `share` is a fraction from 0 to 1. If `offFactMs` is null, the cutoff is between the first fact (`share` is 0)
 * and now (1). Otherwise `share` selects a fact by its position in the list of facts, and the cutoff is `offFactMs` milliseconds after its
 * recorded_at.
 */
interface Moment {
  readonly share: number;
  readonly offFactMs: number | null;
}

function cutoffAt({ share, offFactMs }: Moment, facts: readonly FactRow[], now: number): number {
  const first = facts[0]?.recorded_at.getTime() ?? 0;
  if (offFactMs === null) return first + Math.floor(share * (now - first));
  return (facts[Math.floor(share * facts.length)]?.recorded_at.getTime() ?? first) + offFactMs;
}

async function agree({ model, id }: Subject, provider: Provider, moments: readonly Moment[]): Promise<void> {
  const claim: Claim = await provider.read(id);
  expect(claim).toMatchObject({
    status: model.status,
    submission_version: model.submissionVersion,
    amount: {
      approved: model.approved,
      remitted: model.remitted === 0 ? null : model.remitted,
      settled: model.facts.includes('settled') ? model.settled : null,
    },
  });
  expect(claim.adjudication?.decision ?? null).toBe(model.decision);

  const rows = await claims.sql<FactRow[]>`select * from facts where claim_id = ${id} order by sequence`;
  expect(rows.map((row) => row.type)).toEqual(model.facts);
  const events = await claims.sql`select type from outbox where resource_id = ${id} order by seq`;
  expect(events.map((row) => row.type)).toEqual(model.events);
  const [pending] = await claims.sql`
    select count(*)::int as n from commands join pending_commands using (id) where resource_id = ${id}`;
  expect(pending?.n).toBe(0);

  // An outage that is left over ends here: a sweep in this test fails with it, which the sweeper would repeat.
  claims.others.outages.clear();
  await claims.signalsSent();
  await claims.pass(20_000);
  // A sweep starts the run of an open claim whose run was lost. The run of an ended claim that was lost is not started again.
  await eventually(`its run is ${model.isOpen ? 'running' : 'ended'}`, async () => {
    await claims.sweep();
    return ((await claims.runStatus(id)) === 'running') === model.isOpen;
  });
  if (model.isOpen)
    await eventually('its run shows the status', async () => {
      const { typedSearchAttributes } = await handle(id).describe();
      return typedSearchAttributes.get(CLAIM_STATUS) === model.status;
    });
  expect(claims.others.uses.has(id)).toBe(model.status !== 'cancelled' && model.status !== 'reversed');

  const first = rows[0]?.recorded_at.getTime() ?? 0;
  const now = await databaseTime();
  for (const moment of moments) {
    const cutoff = cutoffAt(moment, rows, now);
    if (cutoff > now) continue;
    const answer = await provider.value(id, cutoff);
    if (cutoff < first) {
      expect(answer.status).toBe(404);
      continue;
    }
    const value: ClaimValuation = answer.body;
    expect({
      status: value.status,
      events: value.events.map((event) => event.type),
      remitted: value.amount.remitted,
      settled: value.amount.settled,
      payer_liability: value.amount.payer_liability,
      outstanding: value.amount.outstanding,
    }).toEqual(expectedValue(rows, cutoff));
    expect((await provider.value(id, cutoff)).text).toBe(answer.text);
  }
}

const moment: fc.Arbitrary<Moment> = fc.record({
  share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  offFactMs: fc.option(fc.integer({ min: -2, max: 2 }), { freq: 2 }),
});
const losing = fc.record({ kind: fc.constant('lose' as const), afterMs: fc.integer({ min: 0, max: 30 }) });
const failing = fc.record({ kind: fc.constant('fail' as const), times: fc.integer({ min: 1, max: 3 }) });
const killing = fc.record({
  kind: fc.constant('kill' as const),
  at: fc.constantFrom(
    ...['command.accepted', 'command.prepared', 'command.deciding', 'command.before-commit'],
    ...['command.after-commit', 'command.before-response', 'write.before-commit', 'write.after-commit'],
    ...['step.before-call', 'step.after-call'],
  ),
});
const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('query' as const), hasDeadline: fc.boolean() }),
  fc.record({ kind: fc.constant('answer' as const), isKnown: fc.boolean() }),
  fc.record({
    kind: fc.constant('adjudicate' as const),
    payer: fc.constantFrom('all' as const, 'some' as const, 'none' as const),
  }),
  fc.record({
    kind: fc.constantFrom('unbalanced' as const, 'wait' as const, 'replay' as const, 'reverse' as const),
  }),
  // A cancellation is drawn rarely, because few commands have an effect after it.
  fc.oneof(
    { arbitrary: fc.constant({ kind: 'cancel' as const }), weight: 1 },
    { arbitrary: losing, weight: 1 },
    { arbitrary: failing, weight: 1 },
    { arbitrary: killing, weight: 3 },
  ),
  fc.record({ kind: fc.constantFrom('remit' as const, 'settle' as const, 'take_back' as const), share }),
  fc.record({ kind: fc.constantFrom('remit' as const, 'settle' as const), share: fc.constant(1) }),
);

const exactly = <T>(length: number, of: fc.Arbitrary<T>) =>
  fc.array(of, { minLength: length, maxLength: length });

test(
  'for any commands in any order and any interruptions, the claim equals the model',
  async () => {
    const sequences = testSize({ ci: 5, soak: 200 });
    const length = testSize({ ci: 20, soak: 30 });
    const cutoffs = testSize({ ci: 15, soak: 100 });
    await fc.assert(
      fc.asyncProperty(exactly(length, step), exactly(cutoffs, moment), async (steps, moments) => {
        const provider = new Provider(claims);
        const subject = new Subject(provider, (await provider.submitted()).id);
        for (const next of steps) await subject.take(next);
        await agree(subject, provider, moments);
      }),
      { numRuns: sequences, endOnFailure: true },
    );
  },
  testSize({ ci: 120_000, soak: 3_600_000 }),
);
