/** The reconciliation deadlines of a simulated project, which an advance of its clock executes. */
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';

/** Returns the SQL of the tenant's due items until an instant (null: no limit), as columns `at`, `resource` and `what`. */
export function dueItems(db: Db, tenant: Tenant, until: Date | null): Fragment {
  return db`
    select deadline as at, id as resource, 'remittance.deadline' as what from remittances
    where project_id = ${tenant} and platform.is_simulated(project_id) and status = 'received'
      and (${until}::timestamptz is null or deadline <= ${until})`;
}
