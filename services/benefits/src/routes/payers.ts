/** Internal HTTP route by which the claims service reads the references of payers by their surrogates. */
import type { InternalRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { findPayerReferences } from '../store/payer-contracts';

export function payersRoute(sql: Sql): InternalRoute {
  return {
    method: 'POST',
    path: '/payers',
    caller: 'claims',
    handle: (caller, _params, body) => findPayerReferences(sql, caller.tenant, body as string[]),
  };
}
