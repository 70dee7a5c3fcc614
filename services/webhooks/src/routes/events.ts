/** Events as they happened, whoever was told. */
import { type Handlers, listPage, type Sql } from '@carecover/platform';
import { readEventPayload } from '../store/events';

export function eventHandlers(sql: Sql): Required<Pick<Handlers, 'listEvents' | 'getEvent'>> {
  return {
    async listEvents({ caller, query }) {
      const filter = query.type === undefined ? sql`` : sql`and type = ${query.type}`;
      const page = await listPage<{ id: string; payload: string }, unknown>(
        sql,
        caller,
        'events',
        query,
        filter,
        ({ payload }) => JSON.parse(payload),
      );
      return { status: 200, body: page };
    },

    async getEvent({ caller, params }) {
      return { status: 200, text: await readEventPayload(sql, caller, params.event_id), replayed: false };
    },
  };
}
