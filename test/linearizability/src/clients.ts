/**
 * Clients that send random requests about one resource concurrently until the recording is stopped. A write without a known outcome is
 * repeated under its idempotency key, as a correct client does. After the stop, a last client sends a fixed sequence of requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, ClaimId, ClaimValuation, EligibilityCheck, Preauthorization } from '@carecover/client';
import { type Covered, REQUESTED, SERVICE, type World } from '@carecover/testing/stack';
import type { Call, History, Intention, Outcome, Seen } from './history';

/** The time in milliseconds for which a client repeats a write without a known outcome. */
const PATIENCE_MS = 90_000;
/**
 * The time in milliseconds from the sending of a valuation request to its cutoff. The cutoff then lies between the request and the
 * response.
 */
const CUTOFF_AHEAD_MS = 20;
const BILLED = 400_000;

const newKey = () => crypto.randomUUID() as string;
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const pause = () => sleep(50 + 250 * Math.random());

interface Recording {
  readonly world: World;
  readonly history: History;
  /** Returns whether the recording still runs. When it returns false, the clients stop. */
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

  /** Repeats a request under its idempotency key until its outcome is known. @throws Error if it is unknown after {@link PATIENCE_MS} */
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

/**
 * A client that sends requests about the claims of one session. At any time, at most one of these claims is neither cancelled nor
 * reversed.
 */
class ClaimClient {
  private readonly client: Client;
  /** The cutoffs of the client's earlier valuations, each with the claim's ID. */
  private readonly cutoffs: { readonly id: ClaimId; readonly cutoff: string }[] = [];

  constructor(
    private readonly recording: Recording,
    private readonly covered: Covered,
    /** The ID of the session's latest claim, which all clients of the session share. */
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

  /**
   * Sends a command on the shared claim, and repeats the command until its outcome is known. Some commands are sent as two concurrent
   * requests under the same key.
   */
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
      /** The requests to choose from at random. A request that is in the list more often is chosen more often. */
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

  /**
   * Cancels or reverses the current claim, and submits a new one. Then sends a fixed sequence of writes for the new claim, each followed by
   * a read and a valuation.
   */
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

/** Runs three concurrent clients on the claims of a session until the recording is stopped, and then a last client. */
export async function useSession(recording: Recording, covered: Covered): Promise<void> {
  const shared: { id?: ClaimId } = {};
  const create = () => new ClaimClient(recording, covered, shared);
  await Promise.all([create().run(), create().run(), create().run()]);
  await create().runLast();
}

/** The number of sessions that the coverage provides, and the number of pre-authorizations, which need one session each. */
const LIMIT = 2;
const PREAUTHORIZATIONS = 5;

export interface LimitedCoverage {
  readonly member: string;
  readonly startsAt: string;
  readonly preauthorizations: readonly Preauthorization[];
}

/** Creates a coverage, and more pre-authorizations than the coverage has sessions. */
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

  /** Reads the number of remaining sessions of the coverage by a new eligibility check. */
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
      // The clients cancel only some of the pre-authorizations. The others need more sessions than the coverage has, so that the last
      // client always reaches the limit.
      else await this.cancel(pick(ids.slice(0, PREAUTHORIZATIONS - LIMIT - 1)));
    }
  }

  /**
   * Approves all pre-authorizations, one after the other, and reads the state after each approval. The coverage has no session left for the
   * last one.
   */
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

/** Runs three concurrent clients on the pre-authorizations of a coverage until the recording is stopped, and then a last client. */
export async function useCoverage(recording: Recording, coverage: LimitedCoverage): Promise<void> {
  const create = () => new ReservationClient(recording, coverage);
  await Promise.all([create().run(), create().run(), create().run()]);
  await create().runLast();
}

/**
 * Sends write requests under a sequence of idempotency keys. For each key, sends four concurrent requests, one of them with another body,
 * and a fifth request after their responses.
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
