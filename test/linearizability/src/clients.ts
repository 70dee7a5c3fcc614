/**
 * Concurrent clients of one resource each, which execute random operations until a signal. A write without a known outcome is repeated under
 * its idempotency key, as a correct client does. After the signal, a last client executes a fixed order of operations.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, ClaimId, ClaimValuation, EligibilityCheck, Preauthorization } from '@carecover/client';
import { type Covered, REQUESTED, SERVICE, type World } from '@carecover/test-support';
import type { Call, History, Intention, Outcome, Seen } from './history';

/** For how long a write is repeated, in milliseconds. */
const PATIENCE_MS = 90_000;
/** How far in the future the cutoff of a valuation is when it is sent, so that it lies between request and response. */
const CUTOFF_AHEAD_MS = 20;
const BILLED = 400_000;

const newKey = () => crypto.randomUUID() as string;
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const pause = () => sleep(50 + 250 * Math.random());

interface Recording {
  readonly world: World;
  readonly history: History;
  /** Returns whether the clients continue. */
  readonly isRunning: () => boolean;
}

let clients = 0;

/** A client of one resource, which sends one request at a time. */
class Client {
  private readonly number = clients++;

  constructor(
    private readonly recording: Recording,
    private readonly resource: Pick<Intention, 'model' | 'resource'>,
  ) {}

  once(
    intention: Omit<Intention, 'model' | 'resource' | 'client'>,
    call: Call,
  ): Promise<Outcome | undefined> {
    const { history, world } = this.recording;
    return history.record(
      world.client.transport,
      { ...this.resource, client: this.number, ...intention },
      call,
    );
  }

  /** Repeats a request under its key until its outcome is known. @throws Error after {@link PATIENCE_MS} */
  async repeat(...request: Parameters<Client['once']>): Promise<Outcome> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const outcome = await this.once(...request);
      if (outcome !== undefined) return outcome;
      if (Date.now() > deadline)
        throw new Error(`no known outcome of ${request[0].op} within ${PATIENCE_MS} ms`);
      await sleep(100 + 200 * Math.random());
    }
  }
}

const seenOfClaim = (claim: Claim): Seen => ({
  id: claim.id,
  status: claim.status,
  approved: claim.amount.approved,
  remitted: claim.amount.remitted,
  version: claim.adjudication?.version ?? 0,
});

const seenOfValuation = (valuation: ClaimValuation): Seen => ({
  status: valuation.status,
  facts: valuation.events.length,
  remitted: valuation.amount.remitted,
});

const seenOfResource = ({ id, status }: { readonly id: string; readonly status: string }): Seen => ({
  id,
  status,
});

/** The claims of one session: at most one of them is neither cancelled nor reversed. */
class ClaimClient {
  private readonly client: Client;
  /** The cutoffs of earlier valuations, each with the claim's ID. */
  private readonly cutoffs: { readonly id: ClaimId; readonly cutoff: string }[] = [];

  constructor(
    private readonly recording: Recording,
    private readonly covered: Covered,
    /** The claim that the clients of this session use. */
    private readonly shared: { id?: ClaimId },
  ) {
    this.client = new Client(recording, { model: 'claim', resource: covered.sessionId });
  }

  async submit(): Promise<void> {
    const body = this.recording.world.claimInput(this.covered);
    const { seen } = await this.client.repeat(
      { op: 'submit', key: newKey() },
      { operation: 'createClaim', input: { body }, read: seenOfClaim },
    );
    if (seen.id !== undefined) this.shared.id = seen.id as ClaimId;
  }

  /** Repeats a command on the shared claim until its outcome is known. Some commands are sent twice at once under the same key. */
  private command(op: string, operation: Call['operation'], body: object, amount?: number): Promise<unknown> {
    const id = this.shared.id as ClaimId;
    const isRemittance = op === 'remit';
    const request: Parameters<Client['once']> = [
      { op, id, key: newKey(), billed: BILLED, ...(amount === undefined ? {} : { amount }) },
      {
        operation,
        input: isRemittance ? { body: body as never } : { params: { claim_id: id }, body: body as never },
        read: isRemittance ? seenOfResource : seenOfClaim,
      },
    ];
    const copies = Math.random() < 0.2 ? 2 : 1;
    return Promise.all(Array.from({ length: copies }, () => this.client.repeat(...request)));
  }

  adjudicate(first: number, second: number): Promise<unknown> {
    const body = this.recording.world.adjudicationInput(first, second);
    return this.command('adjudicate', 'adjudicateClaim', body, first + second);
  }

  remit(amount = 50_000): Promise<unknown> {
    const allocations = [{ claim_id: this.shared.id as ClaimId, paid_amount: amount }];
    return this.command(
      'remit',
      'createRemittance',
      this.recording.world.remittanceInput(allocations),
      amount,
    );
  }

  cancel(): Promise<unknown> {
    return this.command('cancel', 'cancelClaim', { reason_code: 'not_wanted' });
  }

  reverse(): Promise<unknown> {
    return this.command('reverse', 'reverseClaim', { reason_code: 'paid_twice' });
  }

  read(): Promise<unknown> {
    const id = this.shared.id as ClaimId;
    return this.client.once(
      { op: 'read', id },
      { operation: 'getClaim', input: { params: { claim_id: id } }, read: seenOfClaim },
    );
  }

  async value(): Promise<void> {
    const valuation = {
      id: this.shared.id as ClaimId,
      cutoff: new Date(Date.now() + CUTOFF_AHEAD_MS).toISOString(),
    };
    await this.valueAt('value', valuation);
    this.cutoffs.push(valuation);
  }

  async revalue(): Promise<void> {
    if (this.cutoffs.length > 0) await this.valueAt('revalue', pick(this.cutoffs));
  }

  private valueAt(op: string, { id, cutoff }: { id: ClaimId; cutoff: string }): Promise<unknown> {
    const input = { params: { claim_id: id }, query: { valuation_at: cutoff } };
    return this.client.once(
      { op, id, cutoff },
      { operation: 'getClaimValuation', input, read: seenOfValuation },
    );
  }

  async run(): Promise<void> {
    while (this.recording.isRunning()) {
      await pause();
      if (this.shared.id === undefined) {
        await this.submit();
        continue;
      }
      const adjudicate = pick([
        () => this.adjudicate(250_000, 50_000),
        () => this.adjudicate(300_000, 100_000),
        () => this.adjudicate(0, 0),
      ]);
      /** The actions, each as often as its weight. */
      const actions = [
        ...Array(20).fill(() => this.read()),
        ...Array(15).fill(() => this.value()),
        ...Array(8).fill(() => this.revalue()),
        ...Array(16).fill(adjudicate),
        ...Array(14).fill(() => this.remit()),
        ...Array(4).fill(() => this.cancel()),
        ...Array(3).fill(() => this.reverse()),
        ...Array(5).fill(() => this.submit()),
      ] as readonly (() => Promise<unknown>)[];
      await pick(actions)();
    }
  }

  /** Ends the live claim, and executes each write once on a new one, each with a read and a valuation after it. */
  async runLast(): Promise<void> {
    if (this.shared.id === undefined) await this.submit();
    await this.reverse();
    await this.cancel();
    await this.submit();
    const writes = [
      () => this.adjudicate(250_000, 50_000),
      () => this.remit(),
      () => this.remit(250_000),
      () => this.remit(),
      () => this.reverse(),
    ];
    for (const write of writes) {
      await write();
      await this.read();
      await this.value();
    }
    await this.revalue();
  }
}

/** Executes operations of three clients on the claims of a session, and then of a last one. */
export async function useSession(recording: Recording, covered: Covered): Promise<void> {
  const shared: { id?: ClaimId } = {};
  const create = () => new ClaimClient(recording, covered, shared);
  await Promise.all([create().run(), create().run(), create().run()]);
  await create().runLast();
}

/** The number of sessions of the coverage of {@link useCoverage}, and of pre-authorizations that need one each. */
const LIMIT = 2;
const PREAUTHORIZATIONS = 5;

export interface LimitedCoverage {
  readonly member: string;
  readonly startsAt: string;
  readonly preauthorizations: readonly Preauthorization[];
}

/** Creates a coverage with fewer sessions than pre-authorizations. */
export async function createLimitedCoverage(world: World): Promise<LimitedCoverage> {
  const member = world.uniqueReference('member');
  await world.recordCoverage(member, { remaining_sessions: LIMIT });
  const bookings: Covered[] = [];
  for (let count = 0; count < PREAUTHORIZATIONS; count++) bookings.push(await world.createBooking(member));
  const preauthorizations = await Promise.all(
    bookings.map((booking) => world.requestPreauthorization(booking)),
  );
  return { member, startsAt: bookings[0]?.startsAt ?? '', preauthorizations };
}

class ReservationClient {
  private readonly client: Client;

  constructor(
    private readonly recording: Recording,
    private readonly coverage: LimitedCoverage,
  ) {
    this.client = new Client(recording, { model: 'reservation', resource: coverage.member });
  }

  approve(id: string): Promise<unknown> {
    return this.change('approve', 'decidePreauthorization', id, this.recording.world.approvalInput());
  }

  cancel(id: string): Promise<unknown> {
    return this.change('cancel', 'cancelPreauthorization', id, { reason_code: 'not_wanted' });
  }

  private change(op: string, operation: Call['operation'], id: string, body: object): Promise<unknown> {
    const input = { params: { preauthorization_id: id }, body: body as never };
    return this.client.repeat(
      { op, id, key: newKey(), limit: LIMIT },
      { operation, input, read: seenOfResource },
    );
  }

  read(id: string): Promise<unknown> {
    const input = { params: { preauthorization_id: id } };
    return this.client.once(
      { op: 'read', id },
      { operation: 'getPreauthorization', input, read: seenOfResource },
    );
  }

  /** Reads the sessions that remain, with a new eligibility check. */
  remaining(): Promise<unknown> {
    const body = eligibilityInput(this.coverage.member, this.coverage.startsAt);
    const read = (check: EligibilityCheck): Seen => ({ remaining: check.remaining_sessions });
    const call = { operation: 'createEligibilityCheck', input: { body }, key: newKey(), read } as const;
    return this.client.once({ op: 'remaining', limit: LIMIT }, call);
  }

  async run(): Promise<void> {
    const ids = this.coverage.preauthorizations.map(({ id }) => id);
    while (this.recording.isRunning()) {
      await pause();
      const id = pick(ids);
      const dice = Math.random();
      if (dice < 0.35) await this.remaining();
      else if (dice < 0.65) await this.read(id);
      else if (dice < 0.95) await this.approve(id);
      // Only some are cancelled: the others are more than the coverage's sessions, so the last client always exceeds the limit.
      else await this.cancel(pick(ids.slice(0, PREAUTHORIZATIONS - LIMIT - 1)));
    }
  }

  /** Approves every pre-authorization in turn, each with reads after it. The last one finds no session left. */
  async runLast(): Promise<void> {
    for (const { id } of this.coverage.preauthorizations) {
      await this.approve(id);
      await this.remaining();
      await this.read(id);
    }
  }
}

function eligibilityInput(member: string, scheduledAt: string, amount = REQUESTED) {
  return {
    member_reference: member,
    service_code: SERVICE,
    scheduled_at: scheduledAt,
    amount,
    currency: 'KES' as const,
  };
}

/** Executes operations of three clients on the pre-authorizations of a coverage, and then of a last one. */
export async function useCoverage(recording: Recording, coverage: LimitedCoverage): Promise<void> {
  const create = () => new ReservationClient(recording, coverage);
  await Promise.all([create().run(), create().run(), create().run()]);
  await create().runLast();
}

/**
 * Sends write requests under a sequence of idempotency keys. Each key has four concurrent requests, one of them with another body, and one
 * request more at the end.
 */
export async function useKeys(recording: Recording, { member, startsAt }: LimitedCoverage): Promise<void> {
  const racers = 4;
  do {
    await pause();
    const key = newKey();
    const create = () => new Client(recording, { model: 'key', resource: key });
    const send = (client: Client, amount: number) =>
      client.repeat(
        { op: 'check', key },
        {
          operation: 'createEligibilityCheck',
          input: { body: eligibilityInput(member, startsAt, amount) },
          read: seenOfResource,
        },
      );
    await Promise.all(Array.from({ length: racers }, (_, index) => send(create(), index === 0 ? 1 : 2)));
    await send(create(), 1);
    await send(create(), 2);
  } while (recording.isRunning());
}
