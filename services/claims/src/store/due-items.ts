/** The deadlines of information requests of a simulated project, which an advance of its clock executes. */
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';

/** Returns the SQL of the tenant's due items until an instant (null: no limit), as columns `at`, `resource` and `what`. */
export function dueItems(db: Db, tenant: Tenant, until: Date | null): Fragment {
  return db`
    select due_at as at, claim_id as resource, 'claim.information_due' as what from information_requests
    where project_id = ${tenant} and status = 'open' and due_at is not null
      and (${until}::timestamptz is null or due_at <= ${until})`;
}
