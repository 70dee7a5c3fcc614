/** The steps that commit the cancellation of a pre-authorization by a client, or because its booking was cancelled. */
import { databaseNow, type Sql } from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { checkEnd, isOpen } from '../rules/preauthorization-expiry';
import { stateOf } from '../store/preauthorizations';
import { commitAfterExpiry, type PreauthorizationCommand } from './commit-command';
import { recordChange } from './record-change';

/**
 * Commits the cancellation of a pre-authorization by a client. @throws ApiError invalid_state if the pre-authorization has ended or a claim
 * uses it
 */
export function cancelPreauthorization(
  sql: Sql,
  step: PreauthorizationCommand,
): Promise<PreauthorizationReport> {
  return commitAfterExpiry(sql, step, async (tx, row, { body, caller }) => {
    const at = await databaseNow(tx);
    checkEnd(stateOf(row), at, 'cancelled');
    const { reason_code: reasonCode } = body as { reason_code: string };
    return recordChange(tx, row, { type: 'cancelled', reasonCode }, { at, authority: caller.authority });
  });
}

/** Cancels a pre-authorization because its booking was cancelled, unless the pre-authorization has ended or a claim uses it. */
export function cancelForBooking(sql: Sql, step: PreauthorizationCommand): Promise<PreauthorizationReport> {
  return commitAfterExpiry(sql, step, async (tx, row, { caller }) => {
    const at = await databaseNow(tx);
    if (!isOpen(stateOf(row), at) || row.used_by_claim_id !== null) return row;
    const change = { type: 'cancelled', reasonCode: 'booking_cancelled' } as const;
    return recordChange(tx, row, change, { at, authority: caller.authority });
  });
}
