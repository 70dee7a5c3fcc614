/** HTTP routes of sessions. A session's status follows from its booking and the clock; only the sandbox can record an early delivery. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { databaseNow, type Sql } from '@carecover/postgres';
import { sessionResource } from '../resources';
import { findSessionNow, listSessions } from '../store/sessions';
import { deliverSession } from '../use-cases/deliver-session';

export function sessionHandlers(sql: Sql): Pick<Handlers, 'listSessions' | 'getSession' | 'deliverSession'> {
  return {
    async listSessions({ caller, query }) {
      const now = await databaseNow(sql);
      const body = await listSessions(sql, caller, query, now, (row) => sessionResource(row, now));
      return { status: 200, body };
    },

    async getSession({ caller, params }) {
      const id = params.session_id;
      const row = requireResource(caller, id, await findSessionNow(sql, caller.tenant, id));
      return { status: 200, body: sessionResource(row, row.now) };
    },

    deliverSession: (call) => deliverSession(sql, call),
  };
}
