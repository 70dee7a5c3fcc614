/**
 * HTTP routes of sessions. A session is made by its booking, or recorded outside the calendar. Its status follows from its booking and the
 * clock; only the sandbox can record an early delivery.
 */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { databaseNow, type Sql } from '@carecover/postgres';
import { sessionResource } from '../resources';
import { findSessionNow, listSessions } from '../store/sessions';
import { createSession } from '../use-cases/create-session';
import { deliverSession } from '../use-cases/deliver-session';

export function sessionHandlers(
  sql: Sql,
): Pick<Handlers, 'listSessions' | 'createSession' | 'getSession' | 'deliverSession'> {
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

    createSession: (call) => createSession(sql, call),

    deliverSession: (call) => deliverSession(sql, call),
  };
}
