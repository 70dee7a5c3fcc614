/** The starts and ends of a simulated project's sessions after the time of its clock. */
import { MAX_SESSION_MS } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';

/** Returns the SQL of the tenant's due items until an instant (null: no limit), as columns `at`, `resource` and `what`. */
export function dueItems(db: Db, tenant: Tenant, until: Date | null): Fragment {
  return db`
    select starts_at as at, session_id as resource, 'session.start' as what from bookings
    where project_id = ${tenant} and status <> 'cancelled' and delivered_at is null and starts_at > (select platform.now())
      and (${until}::timestamptz is null or starts_at <= ${until})
    union all
    select ends_at, session_id, 'session.end' from bookings
    where project_id = ${tenant} and status <> 'cancelled' and delivered_at is null and ends_at > (select platform.now())
      and starts_at > (select platform.now()) - ${MAX_SESSION_MS} * interval '1 millisecond'
      and (${until}::timestamptz is null or ends_at <= ${until})`;
}
