/** HTTP routes of consents: a member's permission to share data. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { consentResource } from '../resources';
import { findConsent } from '../store/consents';
import { recordConsent } from '../use-cases/record-consent';

export function consentHandlers(sql: Sql): Pick<Handlers, 'recordConsent' | 'getConsent'> {
  return {
    recordConsent: (call) => recordConsent(sql, call),

    async getConsent({ caller, params }) {
      const id = params.consent_id;
      const row = requireResource(caller, id, await findConsent(sql, caller.tenant, id));
      return { status: 200, body: consentResource(row) };
    },
  };
}
