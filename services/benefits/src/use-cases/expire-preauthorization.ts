/** The sandbox operation that expires a pre-authorization before its deadline, for tests of integrators. */

import type { JsonResponse } from '@carecover/commands';
import type { Environment } from '@carecover/contract';
import { notFound } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { checkEnd } from '../rules/preauthorization-expiry';
import { stateOf } from '../store/preauthorizations';
import { changePreauthorization, type PreauthorizationCommandDeps } from './preauthorization-command';
import { recordChange } from './record-changes';

/**
 * Expires a pre-authorization before its deadline. The idempotency key is optional.
 *
 * @throws ApiError resource_not_found, also outside of the sandbox; invalid_state if the pre-authorization has ended or a claim uses it
 */
export async function expirePreauthorization(
  deps: PreauthorizationCommandDeps & { readonly environment: Environment },
  call: Call<'expirePreauthorization'>,
): Promise<JsonResponse> {
  if (deps.environment !== 'sandbox') throw notFound();
  return changePreauthorization(deps, call, (tx, row, context) => {
    checkEnd(stateOf(row), context.at, 'expired');
    return recordChange(tx, row, { type: 'expired' }, context);
  });
}
