/**
 * A plain model of the deadlines in a project whose time is simulated, and the execution of a random script in a project. After each advance
 * the project is compared with the model.
 */
import { fc } from '@carecover/testing';
import {
  advance,
  approve,
  created,
  creationOf,
  later,
  nowOf,
  type Requested,
  read,
  remit,
  requestPreauthorization,
  submit,
} from './clock-commands';
import type { ProjectClient } from './services-in-process';

/** One step of a script. `pick` chooses among the cases that the step can change; without one, the step changes nothing. */
export type Step =
  | { readonly do: 'request'; readonly days: number }
  | { readonly do: 'approve'; readonly pick: number; readonly days: number }
  | { readonly do: 'submit'; readonly pick: number }
  | { readonly do: 'question'; readonly pick: number; readonly days: number }
  | { readonly do: 'answer' | 'remit' | 'settle'; readonly pick: number }
  | { readonly do: 'advance'; readonly hours: number };

const pick = fc.nat(20);
const few = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('request' as const), days: few }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      pick,
      days: fc.integer({ min: 0, max: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('submit' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('question' as const), pick, days: few }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'remit' as const, 'remit' as const, 'settle' as const),
      pick,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 400 }) }),
  },
);

/**
 * Scripts of `length` random steps, between a fixed start (requests, approvals, a claim, a question) and an advance beyond all deadlines.
 */
export const scripts = (length: number): fc.Arbitrary<Step[]> =>
  fc
    .array(step, { minLength: length, maxLength: length })
    .map((steps) => [
      ...[1, 2, 3, 5].map((days): Step => ({ do: 'request', days })),
      ...[0, 1, 2].map((first): Step => ({ do: 'approve', pick: first, days: 10 * first })),
      { do: 'advance', hours: 60 },
      { do: 'submit', pick: 0 },
      { do: 'question', pick: 0, days: 3 },
      ...steps,
      { do: 'advance', hours: 24 * 60 },
    ]);

type Status =
  | 'pending'
  | 'approved'
  | 'expired'
  | 'submitted'
  | 'queried'
  | 'received'
  | 'reconciled'
  | 'exception';

/** One case: a pre-authorization, then its claim, then its remittance. */
interface Case {
  readonly requested: Requested;
  status: Status;
  /** When the case changes unless a command changes it before, and to which status. */
  deadline: { readonly at: string; readonly to: Status } | null;
  claimId: string | null;
  questionId: string | null;
  remittanceId: string | null;
}

/** How a project is moved to an instant: in one advance, or in several. @returns the number of executed items */
export type Move = (project: ProjectClient, to: string) => Promise<number>;

export const inOneJump: Move = async (project, to) => (await advance(project, to)).completed;

/** Moves to each next due item, and in equal parts. */
export const inSmallJumps =
  (parts: number): Move =>
  async (project, to) => {
    const startMs = Date.parse(await nowOf(project));
    const partMs = (Date.parse(to) - startMs) / parts;
    let completed = 0;
    for (let part = 1; part <= parts; part++) {
      const until = part === parts ? to : new Date(startMs + Math.floor(part * partMs)).toISOString();
      let { next_due } = await read(project, '/test_clock');
      while (part % 2 === 0 && next_due !== null && next_due.at <= until) {
        const clock = await advance(project, 'next');
        completed += clock.completed;
        next_due = clock.next_due;
      }
      completed += (await advance(project, until)).completed;
    }
    return completed;
  };

/** The project under test, with its model. */
export class Subject {
  readonly cases: Case[] = [];
  /** What the advances should have executed: the instant, the case and its status after it. */
  readonly executed: string[] = [];

  constructor(
    readonly project: ProjectClient,
    private readonly move: Move,
  ) {}

  async run(script: readonly Step[]): Promise<void> {
    for (const next of script) await this.take(next);
  }

  private choose(picked: number, ...statuses: readonly Status[]): Case | undefined {
    const eligible = this.cases.filter(({ status }) => statuses.includes(status));
    return eligible[picked % Math.max(1, eligible.length)];
  }

  private async take(next: Step): Promise<void> {
    const { project } = this;
    const now = await nowOf(project);
    switch (next.do) {
      case 'advance':
        return this.advance(new Date(Date.parse(now) + next.hours * 3_600_000).toISOString());
      case 'request': {
        const requested = await requestPreauthorization(project, next.days, now);
        const decideBy = later(creationOf(requested.preauthorization), 14);
        const { starts_at } = requested.booking;
        const at = decideBy < starts_at ? decideBy : starts_at;
        this.cases.push({
          ...{ requested, status: 'pending', deadline: { at, to: 'expired' } },
          ...{ claimId: null, questionId: null, remittanceId: null },
        });
        return;
      }
      case 'approve': {
        const found = this.choose(next.pick, 'pending');
        if (found === undefined) return;
        const validUntil = later(found.requested.booking.ends_at, next.days + 0.5);
        await approve(project, found.requested, validUntil);
        Object.assign(found, { status: 'approved', deadline: { at: validUntil, to: 'expired' } });
        return;
      }
      case 'submit': {
        const found = this.cases.filter(
          ({ status, requested }) => status === 'approved' && requested.booking.ends_at <= now,
        )[0];
        if (found === undefined) return;
        const claim = await submit(project, found.requested);
        Object.assign(found, { status: 'submitted', deadline: null, claimId: claim.id });
        return;
      }
      case 'question': {
        const found = this.choose(next.pick, 'submitted');
        if (found === undefined) return;
        const due_at = later(now, next.days);
        const claim = await created(project, `/claims/${found.claimId}/information_requests`, {
          ...{ reason_code: 'notes_missing', requested_evidence_types: ['notes'], due_at },
        });
        const question = claim.information_requests.at(-1);
        Object.assign(found, {
          ...{ status: 'queried', deadline: { at: due_at, to: 'submitted' }, questionId: question.id },
        });
        return;
      }
      case 'answer': {
        const found = this.choose(next.pick, 'queried');
        if (found === undefined) return;
        await created(project, `/claims/${found.claimId}/evidence`, {
          ...{ information_request_id: found.questionId, evidence_refs: ['notes:1'] },
        });
        Object.assign(found, { status: 'submitted', deadline: null });
        return;
      }
      case 'remit': {
        const found = this.choose(next.pick, 'submitted');
        if (found?.claimId == null) return;
        const remittance = await remit(project, found.claimId);
        const at = later(creationOf(remittance), 30);
        Object.assign(found, {
          status: 'received',
          deadline: { at, to: 'exception' },
          remittanceId: remittance.id,
        });
        return;
      }
      case 'settle': {
        const found = this.choose(next.pick, 'received');
        if (found === undefined) return;
        await created(project, '/settlements', {
          ...{ remittance_id: found.remittanceId, source_reference: `bank:${crypto.randomUUID()}` },
          ...{ currency: 'KES', amount: 300_000, observed_at: now },
        });
        Object.assign(found, { status: 'reconciled', deadline: null });
        return;
      }
    }
  }

  private async advance(to: string): Promise<void> {
    const due = this.cases
      .flatMap((each, index) =>
        each.deadline !== null && each.deadline.at <= to ? [{ each, index, ...each.deadline }] : [],
      )
      .sort((a, b) => a.at.localeCompare(b.at));
    for (const { each, index, at, to: status } of due) {
      Object.assign(each, { status, deadline: null });
      this.executed.push(`${at} ${index} ${status}`);
    }
    expect(await this.move(this.project, to)).toBe(due.length);
    const clock = await read(this.project, '/test_clock');
    expect(clock).toMatchObject({ now: to, status: 'ready', advanced_to: to, remaining: 0 });
    const [next = null] = this.cases.flatMap(({ deadline }) => deadline?.at ?? []).sort();
    const isSession = clock.next_due?.what.startsWith('session.');
    if (!isSession) expect(clock.next_due?.at ?? null).toBe(next);
    else if (next !== null) expect(clock.next_due.at <= next).toBe(true);
    expect(await this.statuses()).toEqual(this.cases.map(({ status }) => status));
  }

  private statuses(): Promise<Status[]> {
    return Promise.all(this.cases.map(async (each) => (await this.resource(each)).status));
  }

  private resource({ requested, claimId, remittanceId }: Case) {
    if (remittanceId !== null) return read(this.project, `/remittances/${remittanceId}`);
    if (claimId !== null) return read(this.project, `/claims/${claimId}`);
    return read(this.project, `/preauthorizations/${requested.preauthorization.id}`);
  }

  /** Returns what the advances have executed, by the facts of the project: the instant, the case and its status after it. */
  async recorded(): Promise<string[]> {
    const recorded: string[] = [];
    const events = await this.events();
    const now = await nowOf(this.project);
    for (const [index, { requested, claimId, remittanceId }] of this.cases.entries()) {
      const of = (id: string | null, type: string) =>
        events
          .filter((event) => event.data.id === id && event.type === type)
          .map(({ created_at }) => created_at);
      for (const at of of(requested.preauthorization.id, 'preauthorization.expired'))
        recorded.push(`${at} ${index} expired`);
      for (const at of of(remittanceId, 'remittance.exception')) recorded.push(`${at} ${index} exception`);
      if (claimId === null) continue;
      const valuation = await read(this.project, `/claims/${claimId}/valuation?valuation_at=${now}`);
      for (const { recorded_at, reason_code } of valuation.events) {
        if (reason_code === 'information_request_lapsed') recorded.push(`${recorded_at} ${index} submitted`);
      }
    }
    return recorded.sort();
  }

  /** Reads the published events, oldest first. */
  async events() {
    return listAll(this.project, '/events');
  }

  /** Returns the bodies of all resources and events, with numbers in place of IDs and random references. */
  async bodies(): Promise<string[]> {
    const now = await nowOf(this.project);
    const texts: string[] = [];
    const add = (body: unknown) => texts.push(JSON.stringify(body));
    for (const { requested, claimId, remittanceId } of this.cases) {
      add(await read(this.project, `/bookings/${requested.booking.id}`));
      add(await read(this.project, `/eligibility_checks/${requested.check.id}`));
      add(await read(this.project, `/preauthorizations/${requested.preauthorization.id}`));
      if (claimId !== null) {
        add(await read(this.project, `/claims/${claimId}`));
        add(await read(this.project, `/claims/${claimId}/valuation?valuation_at=${now}`));
      }
      if (remittanceId !== null) add(await read(this.project, `/remittances/${remittanceId}`));
    }
    for (const event of await this.events()) add(event);
    return withoutIds(texts);
  }
}

/** Reads all pages of a list, oldest first. */
async function listAll(project: ProjectClient, path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the fields of many events
  const all: any[] = [];
  for (let after = ''; ; ) {
    const { data, has_more } = await read(project, `${path}?limit=100${after}`);
    all.push(...data);
    if (!has_more) return all.reverse();
    after = `&starting_after=${data.at(-1).id}`;
  }
}

/** Replaces each ID and each random reference by its number, in the order of their first use. */
function withoutIds(texts: readonly string[]): string[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: string) => numbers.get(id) ?? numbers.set(id, numbers.size + 1).size;
  return texts.map((text) =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => `#${numberOf(id)}`)
      .replaceAll(/\b([a-z]{2,8})_[0-9a-f]{20,40}(_sim)?/g, (id, prefix) => `${prefix}_#${numberOf(id)}`),
  );
}
