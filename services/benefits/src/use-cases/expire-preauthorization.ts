/** The sandbox operation that expires a pre-authorization before its deadline, for tests of integrators. */
import { databaseNow, type Sql } from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { checkEnd } from '../rules/preauthorization-expiry';
import { stateOf } from '../store/preauthorizations';
import { commitAfterExpiry, type PreauthorizationCommand } from './commit-command';
import { recordChange } from './record-change';

/**
 * Commits the expiry of a pre-authorization before its deadline. @throws ApiError invalid_state if the pre-authorization has ended or a
 * claim uses it
 */
export function expirePreauthorization(
  sql: Sql,
  step: PreauthorizationCommand,
): Promise<PreauthorizationReport> {
  return commitAfterExpiry(sql, step, async (tx, row, { caller }) => {
    const at = await databaseNow(tx);
    checkEnd(stateOf(row), at, 'expired');
    return recordChange(tx, row, { type: 'expired' }, { at, authority: caller.authority });
  });
}
