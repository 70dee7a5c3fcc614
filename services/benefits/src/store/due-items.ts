/** The deadlines of pre-authorizations of a simulated project, which an advance of its clock executes. */
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';

/**
 * Returns the SQL of the tenant's due items until an instant (null: no limit), as columns `at`, `resource` and `what`. An approval in progress
 * ends by its command; until then the pre-authorization has no deadline.
 */
export function dueItems(db: Db, tenant: Tenant, until: Date | null): Fragment {
  return db`
    select decide_by as at, id as resource, 'preauthorization.decide_by' as what from preauthorizations p
    where project_id = ${tenant} and platform.is_simulated(project_id) and status = 'pending'
      and (${until}::timestamptz is null or decide_by <= ${until})
      and not exists (select 1 from pending_commands c where c.id = p.pending_command_id)
    union all
    select valid_until, id, 'preauthorization.valid_until' from preauthorizations
    where project_id = ${tenant} and status = 'approved' and used_by_claim_id is null
      and (${until}::timestamptz is null or valid_until <= ${until})`;
}
