/** Lists practitioners. A sandbox project without practitioners gets the synthetic directory. */
import type { Practitioner } from '@carecover/contract';
import type { Call } from '@carecover/http';
import type { ListResult, Sql } from '@carecover/postgres';
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
  await seedPractitioners(sql, caller.tenant, syntheticDirectory());
  return readPage();
}
