/** Sessions are read; what changes them is their booking, the clock, and in the sandbox the helper that delivers one at once. */
import type { Session } from '@carecover/contract';
import {
  ApiError,
  databaseNow,
  type Fragment,
  type Handlers,
  listPage,
  notFound,
  type Sql,
  writeOnce,
} from '@carecover/platform';
import { mayDeliver } from '../rules/booking-steps';
import { sessionStatus } from '../rules/session-status';
import { deliverLocked, lockBookingOfSession, sessionStateOf } from '../store/bookings';
import { findSessionNow, type SessionRow, stateOf, withStatus } from '../store/sessions';

function sessionResource(row: SessionRow, now: Date): Session {
  return {
    id: row.id,
    object: 'session',
    practitioner_id: row.practitioner_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    timezone: row.timezone,
    format: row.format,
    status: sessionStatus(stateOf(row), now),
    payment_source: row.payment_source,
  };
}

export function sessionHandlers(sql: Sql): Pick<Handlers, 'listSessions' | 'getSession' | 'deliverSession'> {
  return {
    async listSessions({ caller, query }) {
      const now = await databaseNow(sql);
      const filter: Fragment = query.status === undefined ? sql`` : withStatus(sql, query.status, now);
      const toResource = (row: SessionRow) => sessionResource(row, now);
      return { status: 200, body: await listPage(sql, caller, 'sessions', query, filter, toResource) };
    },

    async getSession({ caller, params }) {
      const row = await findSessionNow(sql, caller.tenant, params.session_id);
      if (row === undefined) throw notFound();
      return { status: 200, body: sessionResource(row, row.now) };
    },

    async deliverSession(call) {
      const { caller, params } = call;
      if (caller.environment !== 'sandbox') throw notFound();
      return writeOnce(sql, call, call.replayStatus, async (tx) => {
        const booking = await lockBookingOfSession(tx, caller.tenant, params.session_id);
        if (booking === undefined) throw notFound();
        const now = await databaseNow(tx);
        if (!mayDeliver(sessionStateOf(booking), now)) {
          throw new ApiError(
            'invalid_state',
            'A session that is cancelled or delivered already is not delivered.',
          );
        }
        await deliverLocked(tx, booking.id, now);
        const row = await findSessionNow(tx, caller.tenant, params.session_id);
        if (row === undefined) throw new Error(`the locked session ${params.session_id} is gone`);
        return { status: 200, body: sessionResource(row, row.now), resourceId: row.id };
      });
    },
  };
}
