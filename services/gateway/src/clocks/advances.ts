/**
 * Executes the advances of simulated projects. An advance executes every due item in the order of its due time: a service executes its items
 * until the next one of another service, each at its own instant, and then the clock moves to the last completed instant. So every process
 * that reads the clock has a time at which all earlier items are done.
 *
 * The events of executed items reach webhooks through the stream. If the project has an active endpoint, the advance waits after each instant
 * until they have arrived and their attempts are recorded, because a failed attempt causes a retry, which is a due item.
 *
 * Failure policy: an item that is rejected, and a service that does not respond for several seconds, end the advance as failed; the clock stays
 * at the last completed instant. A process that is killed leaves a lease; when it has ended, the next read of the clock or the sweep of any gateway
 * continues. Execution is idempotent: an executed item is no longer due.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, type Tenant, unavailable } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { FairSemaphore, FairSemaphores, failpoint } from '@carecover/process';
import { type Log, withoutCost } from '@carecover/telemetry';
import {
  type ClockRow,
  completeStep,
  endAdvance,
  findOwner,
  leaseAdvance,
  listInterrupted,
  releaseAdvance,
} from '../store/test-clocks';
import {
  type DueItem,
  type DueItemCalls,
  type EarliestItems,
  isRejectedItem,
  RejectedItem,
  SERVICES_WITH_DEADLINES,
  SERVICES_WITH_DUE_ITEMS,
  SERVICES_WITH_EVENTS,
  type ServiceWithDueItems,
  type ServiceWithEvents,
  type Unfinished,
} from './due-items';

/** How often a call of a service is repeated while the service is unavailable, and the pause before each repetition in milliseconds. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;
/**
 * How long an advance waits for the events and attempts of webhooks while none arrives or ends, in milliseconds. The time in which attempts wait
 * behind those of others does not count.
 */
const STALL_MS = 60_000;
/** How long a request waits for the events and attempts of webhooks, in milliseconds; a wait that has begun is not interrupted. */
const SETTLE_MS = 5_000;
/** For how many projects a process waits so at the same time: fewer than the permits for long requests, which real projects need too. */
const MAX_SETTLING = 6;
/** How long an advance waits for attempts that wait behind those of others, in milliseconds. */
const QUEUED_MS = 10 * 60_000;
/** Maximum number of interrupted advances that one sweep continues. */
const BATCH = 100;
/**
 * Maximum number of advances that a process executes at a time: of all projects, so that other long requests have permits, and of the clocks
 * that one project has created. Further ones wait, at most for some time in milliseconds; then a sweep starts them again.
 */
const AT_ONCE = { ofAll: 12, ofOwner: 4 } as const;
const WAITING = {
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerQueue: Number.POSITIVE_INFINITY,
  waitMs: 10 * 60_000,
  rejection: () => unavailable('Capacity for the advance of this clock'),
};

type Earliest = { readonly service: ServiceWithDueItems; readonly item: DueItem };

/** Returns the earliest due item of all services; items of one instant in the order of the services. */
export function earliestOf(known: EarliestItems): Earliest | null {
  let earliest: Earliest | null = null;
  for (const service of SERVICES_WITH_DUE_ITEMS) {
    const item = known[service];
    if (item != null && (earliest === null || item.at < earliest.item.at)) earliest = { service, item };
  }
  return earliest;
}

const later = (a: Date, b: Date) => (a < b ? b : a);

/** Returns until when a service's due items can be executed one after another: until the first one of another service. */
function endOfRun(known: EarliestItems, service: ServiceWithDueItems, from: Date, target: Date): Date {
  const order = SERVICES_WITH_DUE_ITEMS.indexOf(service);
  const ends = SERVICES_WITH_DUE_ITEMS.flatMap((other, index) => {
    const at = known[other]?.at;
    if (other === service || at === undefined) return [];
    // Items of one instant are executed in the order of the services.
    return [at.getTime() - (order < index ? 0 : 1)];
  });
  return later(new Date(Math.min(target.getTime(), ...ends)), from);
}

const NOTHING = { unfinished: 0, isQueued: false };

/** What webhooks has not finished of a project's events. */
class Arrivals {
  /** Whether the project has an active endpoint. Without one, an advance waits for nothing. */
  hasReceivers = false;
  /** The position after the events of each service that have arrived. */
  private readonly positions = new Map<ServiceWithEvents, number>();

  constructor(
    private readonly calls: DueItemCalls,
    private readonly tenant: Tenant,
    private readonly authority: string,
  ) {}

  /** Waits like {@link waitForAll}, but for nothing if the project has no active endpoint. */
  async wait(): Promise<Pick<Unfinished, 'unfinished' | 'isQueued'>> {
    if (!this.hasReceivers) {
      const { hasReceivers } = await this.calls.settle(this.tenant, this.authority, []);
      if (!hasReceivers) return NOTHING;
      this.hasReceivers = true;
    }
    return this.waitForAll();
  }

  /** Waits some seconds until all events have arrived and all attempts have ended. Returns how many have not. */
  async waitForAll(): Promise<Pick<Unfinished, 'unfinished' | 'isQueued'>> {
    const { calls, tenant, authority } = this;
    for (;;) {
      const sent = await Promise.all(
        SERVICES_WITH_EVENTS.map(async (service) => {
          const after = this.positions.get(service) ?? 0;
          return { service, ...(await calls.events(service, tenant, authority, after)) };
        }),
      );
      const state = await calls.settle(
        tenant,
        authority,
        sent.flatMap(({ ids }) => ids),
      );
      this.hasReceivers = state.hasReceivers;
      if (state.unfinished > 0) return state;
      for (const { service, through } of sent) this.positions.set(service, through);
      if (!sent.some(({ hasMore }) => hasMore)) return NOTHING;
    }
  }
}

export class Advances {
  /** The advances that are executed or wait for their turn. */
  private readonly running = new Map<string, Promise<void>>();
  /** The latest wait of each project whose requests wait for webhooks. */
  private readonly settling = new Map<string, Promise<void>>();
  private readonly permits = new FairSemaphore({ ...WAITING, permits: AT_ONCE.ofAll });
  private readonly permitsOfOwner = new FairSemaphores(() => ({ ...WAITING, permits: AT_ONCE.ofOwner }));
  private isStopping = false;

  constructor(
    private readonly sql: Sql,
    private readonly calls: DueItemCalls,
    private readonly log: Log,
  ) {}

  /**
   * Waits until the project's events have arrived at webhooks and the attempts that can be made now are recorded, so that what webhooks shows
   * does not depend on how fast they are. It waits some seconds at most, and not for a service that fails, nor while it does so for
   * {@link MAX_SETTLING} other projects: what is shown is then older. The requests of a project wait one after the other, so that their calls
   * leave permits to the project's advance.
   */
  async waitForArrivals(tenant: Tenant, authority: string): Promise<void> {
    const earlier = this.settling.get(tenant);
    if (earlier === undefined && this.settling.size >= MAX_SETTLING) return;
    const endMs = performance.now() + SETTLE_MS;
    const mine = (async () => {
      await earlier;
      const arrivals = new Arrivals(this.calls, tenant, authority);
      try {
        while (performance.now() < endMs && (await arrivals.waitForAll()).unfinished > 0);
      } catch (error) {
        if (!isUnavailable(error))
          this.log.warn({ err: error, project: tenant }, 'webhooks may show an older state of a clock');
      }
    })();
    this.settling.set(tenant, mine);
    await mine;
    if (this.settling.get(tenant) === mine) this.settling.delete(tenant);
  }

  /** Starts to execute a project's advance, if no process executes it, or puts it in a queue. Returns at once. */
  start(tenant: Tenant): void {
    if (this.isStopping || this.running.has(tenant)) return;
    // The advance goes on when the request that has started it has its response.
    const work = withoutCost(() => this.executeInTurn(tenant))
      .catch((error: unknown) =>
        this.log.warn({ err: error, project: tenant }, 'the advance of a clock was interrupted'),
      )
      .finally(() => this.running.delete(tenant));
    this.running.set(tenant, work);
  }

  /** Waits until this process has ended a project's advance, or for some milliseconds. */
  async wait(tenant: Tenant, ms: number): Promise<void> {
    const pause = new AbortController();
    const timer = sleep(ms, undefined, { signal: pause.signal }).catch(() => undefined);
    await Promise.race([this.running.get(tenant) ?? timer, timer]);
    pause.abort();
  }

  /** Continues the advances of processes that have died. */
  async sweep(): Promise<void> {
    for (const tenant of await listInterrupted(this.sql, BATCH)) this.start(tenant);
  }

  /** Waits until the steps in progress have ended. Other processes continue the advances. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running.values());
  }

  /** Reads the earliest due items of services, without a limit of time. */
  earliest(
    tenant: Tenant,
    authority: string,
    services: readonly ServiceWithDueItems[],
  ): Promise<EarliestItems> {
    return this.earliestUntil(tenant, authority, null, services);
  }

  /** Counts the due items until an instant that an advance executes. */
  async count(tenant: Tenant, authority: string, until: Date): Promise<number> {
    const counts = SERVICES_WITH_DEADLINES.map(
      async (service) => (await this.calls.read(service, tenant, authority, until)).count,
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  private async earliestUntil(
    tenant: Tenant,
    authority: string,
    until: Date | null,
    services: readonly ServiceWithDueItems[],
  ): Promise<EarliestItems> {
    const read = async (service: ServiceWithDueItems) => {
      const { next } = await this.repeat(() => this.calls.read(service, tenant, authority, until));
      return [service, next] as const;
    };
    return Object.fromEntries(await Promise.all(services.map(read)));
  }

  private async executeInTurn(tenant: Tenant): Promise<void> {
    const owner = await findOwner(this.sql, tenant);
    await this.permitsOfOwner.acquire(owner, tenant);
    try {
      await this.permits.acquire(owner);
      try {
        if (!this.isStopping) await this.execute(tenant);
      } finally {
        this.permits.release();
      }
    } finally {
      this.permitsOfOwner.release(owner);
    }
  }

  private async execute(tenant: Tenant): Promise<void> {
    const executor = randomUUID();
    const clock = await leaseAdvance(this.sql, tenant, executor);
    if (clock?.target == null) return;
    try {
      if (await this.executeItems(clock, clock.target, executor))
        await endAdvance(this.sql, tenant, executor, { target: clock.target });
      else await releaseAdvance(this.sql, tenant, executor);
    } catch (error) {
      if (!isRejectedItem(error) && !isUnavailable(error)) throw error;
      await endAdvance(this.sql, tenant, executor, { failure: error.message });
    }
  }

  /** Executes the due items until the target. Returns whether all are done; false if this process stops or has lost the lease. */
  private async executeItems(clock: ClockRow, target: Date, executor: string): Promise<boolean> {
    const { project_id: tenant } = clock;
    const authority = clock.authority ?? '';
    const arrivals = new Arrivals(this.calls, tenant, authority);
    const move = (to: Date, completed: number) => completeStep(this.sql, tenant, executor, to, completed);
    const earliest = (services: readonly ServiceWithDueItems[]) =>
      this.earliestUntil(tenant, authority, target, services);
    let { now } = clock;
    let isAtTarget = false;
    const isSettled = () => this.settle(arrivals, () => move(now, 0));
    /** Reads the earliest items of all services when the events have arrived; null if this process stops or has lost the lease. */
    const readAll = async (): Promise<EarliestItems | null> => {
      // Most projects have no endpoint, and wait for no event: then the read is not out of date.
      const [wasSettled, items] = await Promise.all([isSettled(), earliest(SERVICES_WITH_DEADLINES)]);
      if (!wasSettled) return null;
      return arrivals.hasReceivers ? { ...items, ...(await earliest(['webhooks'])) } : items;
    };
    let known = await readAll();
    let isFresh = true;
    for (;;) {
      if (this.isStopping || known === null) return false;
      const next = earliestOf(known);
      if (next === null) {
        if (isFresh && isAtTarget) return true;
        // An executed item can have caused a due item of another service. A write that read its time before the clock moved to the target can
        // have added one that is due before the target: it is executed at its own instant, before the clock is ready.
        if (isFresh && !(await move(target, 0))) return false;
        isAtTarget ||= isFresh;
        known = await readAll();
        isFresh = true;
        continue;
      }
      const { service, item } = next;
      const from = later(item.at, now);
      // The event of an executed item can cause a retry before the next item. So a project with receivers has one instant per step.
      const through = arrivals.hasReceivers ? from : endOfRun(known, service, from, target);
      failpoint('clock.before-item', item.what);
      const run = await this.repeat(() =>
        this.calls.execute(service, tenant, authority, { now, through, until: target }),
      );
      failpoint('clock.after-item', item.what);
      if (arrivals.hasReceivers && !(await isSettled())) return false;
      now = run.at ?? now;
      if (!(await move(now, run.completed))) return false;
      isFresh = false;
      known = { ...known, [service]: run.next };
      if (arrivals.hasReceivers) known = { ...known, ...(await earliest(['webhooks'])) };
    }
  }

  /**
   * Waits until the project's events have arrived at webhooks, and their attempts are recorded.
   *
   * @param extendLease extends the lease of the advance, and returns whether this process still has it
   * @returns false if this process stops or has lost the lease
   * @throws RejectedItem if nothing has arrived or ended for a minute, or for ten while the attempts wait behind those of others
   */
  private async settle(arrivals: Arrivals, extendLease: () => Promise<boolean>): Promise<boolean> {
    let unfinished = Number.POSITIVE_INFINITY;
    let changedMs = performance.now();
    let startedMs = changedMs;
    for (;;) {
      const { unfinished: left, isQueued } = await this.repeat(() => arrivals.wait());
      if (left === 0) return true;
      const nowMs = performance.now();
      if (left !== unfinished) changedMs = nowMs;
      if (left !== unfinished || isQueued) startedMs = nowMs;
      unfinished = left;
      if (nowMs - startedMs > STALL_MS)
        throw new RejectedItem(`webhooks: ${left} events or attempts were not finished in a minute`);
      if (nowMs - changedMs > QUEUED_MS)
        throw new RejectedItem(`webhooks: ${left} attempts wait behind those of others`);
      if (this.isStopping || !(await extendLease())) return false;
    }
  }

  private async repeat<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (!isUnavailable(error) || attempt === ATTEMPTS || this.isStopping) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }
}
