/** Records a member's statement of consent; the latest one applies. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { consentResource } from '../resources';
import { writeConsent } from '../store/consents';
import { findOrCreateMember, lockMembers } from '../store/members';

/** Records a member's statement of consent, and creates the member if the reference is new. @throws ApiError idempotency_conflict */
export function recordConsent(sql: Sql, call: Call<'recordConsent'>): Promise<JsonResponse> {
  const { caller, body } = call;
  const { tenant, authority } = caller;
  const effect = async (tx: Tx, at: Date) => {
    const memberId = await findOrCreateMember(tx, tenant, body.member_reference);
    const consent = await writeConsent(tx, tenant, memberId, body.status, { at, authority });
    return { status: 200, body: consentResource(consent), resourceId: consent.id };
  };
  return writeOnce(sql, call, call.replayStatus, effect, (tx) => lockMembers(tx, tenant));
}
