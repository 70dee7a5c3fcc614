/** Cancels a pre-authorization for a client. */

import type { JsonResponse } from '@carecover/commands';
import type { Call } from '@carecover/http';
import { checkEnd } from '../rules/preauthorization-expiry';
import { stateOf } from '../store/preauthorizations';
import { changePreauthorization, type PreauthorizationCommandDeps } from './preauthorization-command';
import { recordChange } from './record-changes';

/**
 * Cancels a pre-authorization, and releases the session that it reserved.
 *
 * @throws ApiError resource_not_found; invalid_state if the pre-authorization has ended or a claim uses it
 */
export function cancelPreauthorization(
  deps: PreauthorizationCommandDeps,
  call: Call<'cancelPreauthorization'>,
): Promise<JsonResponse> {
  return changePreauthorization(deps, call, (tx, row, context) => {
    checkEnd(stateOf(row), context.at, 'cancelled');
    return recordChange(tx, row, { type: 'cancelled', reasonCode: call.body.reason_code }, context);
  });
}
