/**
 * Plays some years of a small payer and its practitioners in a project whose time is simulated, by the public API alone. The story has seasons,
 * delays, authorizations that expire, questions that lapse, late corrections, takebacks, and remittances that are settled late. The same seed
 * and start give the same story.
 */
import {
  type Carecover,
  type Claim,
  type ClaimId,
  hasCode,
  type PaymentAdvice,
  type Practitioner,
  type Slot,
} from '@carecover/client';
import { formatInstant } from '@carecover/contract';
import { Random } from './random';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SERVICE = 'psy.individual.50';
const CURRENCY = 'KES';
const PAYERS = ['Umoja Health', 'Savanna Mutual'] as const;
const MEMBERS = 30;
const PRACTITIONERS = 3;
/** Sessions per month and practitioner, from January to December. */
const SEASON = [4, 3, 3, 2, 3, 3, 2, 2, 3, 4, 4, 2] as const;
const FEES = [300_000, 350_000, 400_000] as const;
/** Days of the week with work on claims: Monday and Thursday. */
const WORKDAYS: readonly number[] = [1, 4];
const POLICY = { policy_reference: 'policy:outpatient', policy_version: '1' } as const;

/** What the story contains. */
export interface StoryCounts {
  readonly bookings: number;
  readonly claims: number;
  readonly advices: number;
  readonly settlements: number;
  readonly valuation_runs: number;
}

interface Step {
  readonly at: number;
  readonly execute: () => Promise<void>;
}

interface Payable {
  readonly claim: ClaimId;
  readonly payer: string;
  readonly amount: number;
}

export interface StoryOptions {
  readonly startMs: number;
  readonly endMs: number;
  readonly seed: number;
  /** Is called with each instant to which the clock was moved, in epoch milliseconds. */
  readonly onProgress: (atMs: number) => void;
}

/** Returns 09:00 UTC of the first workday that begins at an instant or later. */
function workdayFrom(atMs: number): number {
  let day = Math.ceil((atMs - 9 * HOUR_MS) / DAY_MS) * DAY_MS;
  while (!WORKDAYS.includes(new Date(day).getUTCDay())) day += DAY_MS;
  return day + 9 * HOUR_MS;
}

class Story {
  private readonly random: Random;
  private readonly steps: Step[] = [];
  private readonly payable: Payable[] = [];
  private readonly paid: Payable[] = [];
  private readonly counts = { bookings: 0, claims: 0, advices: 0, settlements: 0, valuation_runs: 0 };
  private practitioners: readonly Practitioner[] = [];
  private nowMs: number;

  constructor(
    private readonly client: Carecover,
    private readonly options: StoryOptions,
  ) {
    this.random = new Random(options.seed);
    this.nowMs = options.startMs;
  }

  async play(): Promise<StoryCounts> {
    const { client } = this;
    const { startMs, endMs, onProgress } = this.options;
    const { data } = await client.practitioners.list({ limit: 100 });
    this.practitioners = [...data].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, PRACTITIONERS);
    const first = new Date(startMs);
    for (let month = 0; ; month += 1) {
      const at = Math.max(startMs, Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1));
      if (at >= endMs) break;
      this.plan(at, () => this.playMonth());
    }
    await this.recordCoverages();
    for (;;) {
      this.steps.sort((a, b) => a.at - b.at);
      const step = this.steps.shift();
      if (step === undefined || step.at >= endMs) break;
      await this.moveTo(step.at);
      onProgress(step.at);
      await step.execute();
    }
    await this.moveTo(endMs);
    onProgress(endMs);
    await this.requestTriangle();
    return this.counts;
  }

  private async moveTo(at: number): Promise<void> {
    if (at <= this.nowMs) return;
    await this.client.testClock.advanceAndWait({ to: formatInstant(at) });
    this.nowMs = at;
  }

  /** Plans a step for the first workday from an instant on. */
  private plan(at: number, execute: () => Promise<void>): void {
    this.steps.push({ at: workdayFrom(at), execute });
  }

  /** Plans a step some days from now on. */
  private after(minDays: number, maxDays: number, execute: () => Promise<void>): void {
    this.plan(this.nowMs + this.random.integer(minDays, maxDays) * DAY_MS, execute);
  }

  private reference(prefix: string, number: number): string {
    return `${prefix}-${String(number).padStart(4, '0')}`;
  }

  /** The coverage of every member for the whole story: one of the two payers. */
  private async recordCoverages(): Promise<void> {
    const { startMs, endMs } = this.options;
    for (let member = 0; member < MEMBERS; member += 1) {
      await this.client.coverages.record({
        source_contract_reference: `contract:${member % PAYERS.length}`,
        external_coverage_reference: this.reference('coverage', member),
        source_version: '1',
        tenant_reference: `payer:${member % PAYERS.length}`,
        member_reference: this.reference('member:demo', member),
        service_code: SERVICE,
        plan_name: 'Outpatient',
        status: 'active',
        currency: CURRENCY,
        amount_limit: 500_000,
        remaining_sessions: 1_000,
        authorization_required: true,
        coordination_priority: 1,
        valid_from: formatInstant(startMs - DAY_MS),
        valid_until: formatInstant(endMs + 400 * DAY_MS),
        observed_at: formatInstant(startMs),
        evidence_references: ['registry:1'],
      });
    }
  }

  /** Plans the bookings of a month, pays what was decided, and values the claims at the end of the month before. */
  private async playMonth(): Promise<void> {
    const month = new Date(this.nowMs).getUTCMonth();
    for (const practitioner of this.practitioners) {
      const { data } = await this.client.practitioners.slots(practitioner.id, {
        from: formatInstant(this.nowMs + 4 * DAY_MS),
        to: formatInstant(this.nowMs + 30 * DAY_MS),
        duration_minutes: 50,
        format: 'online',
        limit: 100,
      });
      const free = [...data];
      for (let count = SEASON[month] ?? 0; count > 0; count -= 1) {
        const slot = this.random.take(free);
        if (slot === undefined) break;
        const lead = this.random.integer(4, 14) * DAY_MS;
        this.plan(Math.max(this.nowMs, Date.parse(slot.starts_at) - lead), () => this.book(slot));
      }
    }
    for (const payer of PAYERS) this.after(20, 26, () => this.advise(payer));
    if (month % 3 === 0) {
      const valuation_at = formatInstant(this.nowMs - 9 * HOUR_MS);
      if (Date.parse(valuation_at) >= this.options.startMs) {
        await this.client.valuationRuns.create({ valuation_at, kind: 'totals', group_by: ['status'] });
        this.counts.valuation_runs += 1;
      }
    }
  }

  private async book(slot: Slot): Promise<void> {
    const { client, random } = this;
    const member = random.integer(0, MEMBERS - 1);
    const amount = FEES[random.integer(0, FEES.length - 1)] ?? 0;
    const booking = await client.bookings
      .create({ ...slot, payment_source: 'covered' })
      .catch((error: unknown) => {
        // Two planned slots can overlap.
        if (hasCode(error, 'slot_unavailable')) return null;
        throw error;
      });
    if (booking === null) return;
    this.counts.bookings += 1;
    const check = await client.eligibilityChecks.create({
      member_reference: this.reference('member:demo', member),
      service_code: SERVICE,
      scheduled_at: slot.starts_at,
      amount,
      currency: CURRENCY,
    });
    const { id } = await client.preauthorizations.create({
      eligibility_check_id: check.id,
      booking_id: booking.id,
    });
    // One in thirty is never decided, and expires.
    if (random.happens(1 / 30)) return;
    const reasons = { ...POLICY, evidence_references: ['referral:1'] };
    if (random.happens(0.05)) {
      await client.preauthorizations.decide(id, {
        ...{ outcome: 'denied', reason_codes: ['not_covered'] },
        ...reasons,
      });
      return;
    }
    const endsMs = Date.parse(slot.ends_at);
    await client.preauthorizations.decide(id, {
      ...{ outcome: 'approved', reason_codes: ['within_policy'] },
      ...reasons,
      approved_amount: amount,
      valid_until: formatInstant(endsMs + 60 * DAY_MS),
    });
    // One in twenty-five is never claimed: its authorization expires.
    if (random.happens(0.04)) return;
    const payer = PAYERS[member % PAYERS.length] ?? '';
    this.plan(endsMs + random.integer(1, 21) * DAY_MS, async () => {
      this.counts.claims += 1;
      const claim = await client.claims.submit({
        eligibility_check_id: check.id,
        session_id: booking.session_id,
        preauthorization_id: id,
        provider_claim_reference: this.reference('INV', this.counts.claims),
        lines: [{ code_system: 'CPT', service_code: SERVICE, units: 1, amount }],
      });
      this.planDecision(claim, payer, amount);
    });
  }

  /** Plans the decision on a claim. The payer asks a question about one in eight; two in five of these lapse. */
  private planDecision(claim: Claim, payer: string, billed: number): void {
    const { client, random } = this;
    const decide = () => this.adjudicate(claim.id, payer, billed);
    // Payers are slower in December and January.
    const isSlow = [0, 11].includes(new Date(this.nowMs).getUTCMonth());
    if (!random.happens(1 / 8)) {
      this.after(5, isSlow ? 45 : 25, decide);
      return;
    }
    this.after(3, 7, async () => {
      const due_at = formatInstant(this.nowMs + 21 * DAY_MS);
      const queried = await client.claims.requestInformation(claim.id, {
        reason_code: 'notes_missing',
        requested_evidence_types: ['session_notes'],
        due_at,
      });
      const information_request_id = queried.information_requests.at(-1)?.id;
      if (information_request_id === undefined || random.happens(0.4)) {
        this.after(25, 40, decide);
        return;
      }
      this.after(4, 14, async () => {
        await client.claims.submitEvidence(claim.id, { information_request_id, evidence_refs: ['notes:1'] });
        this.after(5, 20, decide);
      });
    });
  }

  private async adjudicate(id: ClaimId, payer: string, billed: number): Promise<void> {
    const { random } = this;
    const decide = (allowed: number, reason: string) => {
      const patient_responsibility = Math.round(allowed / 10);
      const amounts = {
        ...{ billed, allowed, payer: allowed - patient_responsibility },
        ...{ patient_responsibility, adjustment: billed - allowed },
      };
      return this.client.claims
        .adjudicate(id, {
          ...POLICY,
          reason_codes: [reason],
          lines: [{ line_number: 1, amount: amounts, reason_codes: [reason] }],
        })
        .then(() => amounts.payer);
    };
    if (random.happens(0.08)) {
      await decide(0, 'not_covered');
      // A third of the denied claims are decided again, weeks later.
      if (random.happens(1 / 3))
        this.after(20, 50, async () => {
          this.payable.push({ claim: id, payer, amount: await decide(billed, 'corrected') });
        });
      return;
    }
    const allowed = random.happens(0.2) ? billed - 60_000 : billed;
    this.payable.push({ claim: id, payer, amount: await decide(allowed, 'fee_schedule') });
  }

  /** Records the advice of a payer on what it has decided, less what it takes back of earlier payments. */
  private async advise(payer: string): Promise<void> {
    const { client, random } = this;
    const allocated = this.payable.filter((each) => each.payer === payer).slice(0, 50);
    if (allocated.length === 0) return;
    for (const each of allocated) this.payable.splice(this.payable.indexOf(each), 1);
    const earlier = this.paid.filter((each) => each.payer === payer);
    const overpaid = allocated.length > 1 && random.happens(0.25) ? random.take(earlier) : undefined;
    if (overpaid !== undefined) this.paid.splice(this.paid.indexOf(overpaid), 1);
    const recovered = overpaid === undefined ? 0 : Math.round(overpaid.amount / 5);
    this.counts.advices += 1;
    const advice = await client.paymentAdvices.create({
      payer_reference: this.reference('ERA', this.counts.advices),
      payer,
      currency: CURRENCY,
      received_at: formatInstant(this.nowMs - HOUR_MS),
      allocations: allocated.map(({ claim, amount }) => ({ claim_id: claim, paid_amount: amount })),
      recoveries:
        overpaid === undefined
          ? []
          : [{ claim_id: overpaid.claim, amount: recovered, reason_codes: ['overpaid'] }],
      net: allocated.reduce((sum, { amount }) => sum + amount, -recovered),
    });
    this.paid.push(...allocated);
    // The first payer does not pay its advice of some weeks before the end, which is in exception then.
    const days = (this.options.endMs - this.nowMs) / DAY_MS;
    if (payer === PAYERS[0] && days > 31 && days < 66) return;
    // One in eight is paid after its deadline of 30 days, and is in exception until then.
    if (this.counts.advices % 8 === 1) this.after(40, 70, () => this.settle(advice));
    else this.after(3, 12, () => this.settle(advice));
  }

  private async settle({ payer_reference, remittance_id, net }: PaymentAdvice): Promise<void> {
    await this.client.settlements.create({
      remittance_id,
      source_reference: `bank:${payer_reference}`,
      currency: CURRENCY,
      amount: net,
      observed_at: formatInstant(this.nowMs - HOUR_MS),
    });
    this.counts.settlements += 1;
  }

  private async requestTriangle(): Promise<void> {
    await this.client.valuationRuns.create({
      valuation_at: formatInstant(this.options.endMs),
      kind: 'development',
      development: { origin: 'service_month', step: 'month', measures: ['billed', 'outstanding'] },
    });
    this.counts.valuation_runs += 1;
  }
}

/**
 * Plays the story in the client's project, whose clock stands at the start.
 *
 * @throws CarecoverError, CarecoverConnectionError, CarecoverAdvanceError
 */
export function playStory(client: Carecover, options: StoryOptions): Promise<StoryCounts> {
  return new Story(client, options).play();
}
