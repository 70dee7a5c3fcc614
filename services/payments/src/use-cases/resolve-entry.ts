/** Decides that an open bank entry is expected or not ours, or undoes it. The audit log of the operator has the act; the database who decided and why. */
import { ApiError } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import { type EntryDecision, storeDecision } from '../store/entry-resolutions';
import type { ImportAuthor } from './record-entry';

/** Maximum length of a reason in characters. */
const MAX_REASON = 200;

/**
 * Records a decision about an open entry of the author's project.
 *
 * @returns false if the project has no such open entry: to be reopened, one that is expected or not ours
 * @throws ApiError validation_failed if the reason is empty or longer than 200 characters, or an entry is expected until a time that has passed
 */
export async function resolveEntry(
  sql: Sql,
  { tenant, authority }: Pick<ImportAuthor, 'tenant' | 'authority'>,
  row: number,
  decision: EntryDecision,
): Promise<boolean> {
  const { reason } = decision;
  if (reason.trim() === '' || reason.length > MAX_REASON)
    throw new ApiError('validation_failed', `/reason must have 1 to ${MAX_REASON} characters.`);
  return sql.begin(async (tx) => {
    if (decision.kind === 'expected' && decision.until <= (await databaseNow(tx)))
      throw new ApiError('validation_failed', '/until must be in the future.');
    return storeDecision(tx, tenant, row, decision, authority);
  });
}
