/**
 * SQL of the retries in a project with simulated time. They wait for an advance of the project's clock, which releases each at its instant to
 * the dispatcher. See docs/decisions/0062-test-clocks.md.
 */
import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, notifyOnCommit, type Tx } from '@carecover/postgres';
import { DUE_CHANNEL } from './due-deliveries';

/** Returns the SQL of the tenant's due retries until an instant (null: no limit), as columns `at`, `resource` and `what`. */
export function dueItems(db: Db, tenant: Tenant, until: Date | null): Fragment {
  return db`
    select next_attempt_at as at, id as resource, 'webhook.retry' as what from deliveries_in_full
    where project_id = ${tenant} and platform.is_simulated(project_id) and status = 'pending' and simulated_at is null
      and not has_ended and (${until}::timestamptz is null or next_attempt_at <= ${until})`;
}

/** Releases the due retries of an event to the dispatcher, which attempts them at the time of this transaction. */
export async function releaseRetries(tx: Tx, tenant: Tenant, eventId: string): Promise<void> {
  const released = await tx<{ endpoint_id: string }[]>`
    update deliveries d set simulated_at = clock.at from (select platform.now() as at) clock
    where d.project_id = ${tenant} and platform.is_simulated(d.project_id) and d.id = ${eventId} and d.status = 'pending'
      and d.simulated_at is null and d.next_attempt_at <= clock.at
    returning d.endpoint_id`;
  for (const { endpoint_id } of released) await notifyOnCommit(tx, DUE_CHANNEL, endpoint_id);
}

/** What an advance waits for before the next due item. */
export interface Unfinished {
  /** Whether the project has an active endpoint. Without one, an advance waits for nothing. */
  readonly hasReceivers: boolean;
  /** The number of given events that have not arrived, and of attempts that are not recorded. */
  readonly unfinished: number;
  /** Whether all that is unfinished are attempts that no process has started, because others precede them. */
  readonly isQueued: boolean;
}

/** Counts what is unfinished. @param events IDs of events that other services have committed */
export async function countUnfinished(
  db: Db,
  tenant: Tenant,
  events: readonly string[],
): Promise<Unfinished> {
  const [row] = await db<{ has_receivers: boolean; missing: number; attempts: number; started: number }[]>`
    select exists (select from endpoints where project_id = ${tenant} and status = 'active') as has_receivers,
      (select count(*) from unnest(${[...events]}::text[]) as sent (id)
       where not exists (select from events e where e.id = sent.id)) as missing,
      attempts, started
    from (
      select count(*) as attempts, count(*) filter (where leased_until > platform.real_now()) as started from deliveries_in_full
      where project_id = ${tenant} and simulated_at is not null and not has_ended) open`;
  const { has_receivers = false, missing = 0, attempts = 0, started = 0 } = row ?? {};
  return {
    hasReceivers: has_receivers,
    unfinished: missing + attempts,
    isQueued: missing === 0 && started === 0 && attempts > 0,
  };
}
