/**
 * Executes the advances of simulated projects. An advance executes every due item in the order of its due time: the service executes the items
 * of one instant at that instant, and then the clock moves to it. So every process that reads the clock has a time at which all earlier
 * items are done.
 *
 * Failure policy: an item that is rejected, and a service that does not respond for several seconds, end the advance as failed; the clock stays
 * at the last completed instant. A process that is killed leaves a lease; when it has ended, the next read of the clock or the sweep of any gateway
 * continues. Execution is idempotent: an executed item is no longer due.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  type ClockRow,
  completeStep,
  endAdvance,
  leaseAdvance,
  listInterrupted,
  releaseAdvance,
} from '../store/test-clocks';
import {
  type DueItem,
  type DueItemCalls,
  type EarliestItems,
  isRejectedItem,
  SERVICES_WITH_DEADLINES,
  SERVICES_WITH_DUE_ITEMS,
  type ServiceWithDueItems,
} from './due-items';

/** How often a call of a service is repeated while the service is unavailable, and the pause before each repetition in milliseconds. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;
/** Maximum number of interrupted advances that one sweep continues. */
const BATCH = 100;

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

export class Advances {
  private readonly running = new Map<string, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly sql: Sql,
    private readonly calls: DueItemCalls,
    private readonly log: Log,
  ) {}

  /** Starts to execute a project's advance, if no process executes it. Returns at once. */
  start(tenant: Tenant): void {
    if (this.isStopping || this.running.has(tenant)) return;
    const work = this.execute(tenant)
      .catch((error: unknown) =>
        this.log.warn({ err: error, project: tenant }, 'the advance of a clock was interrupted'),
      )
      .finally(() => this.running.delete(tenant));
    this.running.set(tenant, work);
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
    let now = clock.now;
    let known = await this.earliestUntil(tenant, authority, target, SERVICES_WITH_DEADLINES);
    let isFresh = true;
    for (;;) {
      if (this.isStopping) return false;
      const earliest = earliestOf(known);
      if (earliest === null) {
        if (isFresh) return true;
        // An executed item can have caused a due item of another service.
        known = await this.earliestUntil(tenant, authority, target, SERVICES_WITH_DEADLINES);
        isFresh = true;
        continue;
      }
      const { service, item } = earliest;
      const at = new Date(Math.max(item.at.getTime(), now.getTime()));
      failpoint('clock.before-item', item.what);
      const { completed, next } = await this.repeat(() =>
        this.calls.execute(service, tenant, authority, at, target),
      );
      failpoint('clock.after-item', item.what);
      if (!(await completeStep(this.sql, tenant, executor, at, completed))) return false;
      now = at;
      isFresh = false;
      known = { ...known, [service]: next };
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
