/** Lists practitioners. A sandbox project without practitioners gets the synthetic directory. */
import type { Practitioner } from '@carecover/contract';
import type { Call } from '@carecover/http';
import { atProjectTime, type ListResult, type Sql } from '@carecover/postgres';
import { syntheticDirectory } from '../directory/synthetic-directory';
import { practitionerResource } from '../resources';
import { listPractitioners as readPractitioners, seedPractitioners } from '../store/practitioners';

/**
 * Returns one page of the project's practitioners, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no practitioner of this list
 */
export async function listPractitioners(
  sql: Sql,
  { caller, query }: Call<'listPractitioners'>,
): Promise<ListResult<Practitioner>> {
  const readPage = () => readPractitioners(sql, caller, query, practitionerResource);
  const page = await readPage();
  if (page.data.length > 0 || caller.environment === 'production') return page;
  // A project gets the directory once, so the IDs can follow from the seed of a project with simulated time.
  const { tenant } = caller;
  await atProjectTime(
    sql,
    tenant,
    () => seedPractitioners(sql, tenant, syntheticDirectory()),
    null,
    'practitioners',
  );
  return readPage();
}
