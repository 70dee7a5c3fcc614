/** POST /consents and GET /consents/{consent_id}: a member's permission to share data. */
import { type Handlers, requireResource, type Sql, writeOnce } from '@carecover/platform';
import { consentResource, findConsent, recordConsent } from '../store/consents';
import { lockMembers } from '../store/erasure';
import { findOrCreateMember } from '../store/members';

export function consentHandlers(sql: Sql): Pick<Handlers, 'recordConsent' | 'getConsent'> {
  return {
    recordConsent: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const { caller, body } = call;
        const now = await lockMembers(tx, caller.tenant);
        const member = await findOrCreateMember(tx, caller.tenant, body.member_reference);
        const consent = await recordConsent(tx, caller, member, body.status, now);
        return { status: 200, body: consentResource(consent), resourceId: consent.id };
      }),

    async getConsent(call) {
      const { consent_id } = call.params;
      const consent = await findConsent(sql, call.caller.tenant, consent_id);
      return { status: 200, body: consentResource(requireResource(call.caller, consent_id, consent)) };
    },
  };
}
