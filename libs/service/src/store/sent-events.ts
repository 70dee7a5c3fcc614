/** Reads the events of a simulated project that the webhooks service may not have stored. */
import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';

/** Events in the order of their commits. */
export interface SentEvents {
  readonly ids: string[];
  /** The position of the last one, from which a further call continues. */
  readonly through: number;
  /** Whether there can be more. */
  readonly hasMore: boolean;
}

/** Reads the first events after a position. Dead-lettered events are left out, because they do not arrive. */
export async function listSentEvents(
  db: Db,
  tenant: Tenant,
  after: number,
  limit: number,
): Promise<SentEvents> {
  const rows = await db<{ seq: number; event_id: string }[]>`
    (select seq, event_id from outbox
     where project_id = ${tenant} and platform.is_simulated(project_id) and seq > ${after} and dead_lettered_at is null
     order by seq limit ${limit})
    union all
    (select seq, event_id from published_events
     where project_id = ${tenant} and platform.is_simulated(project_id) and seq > ${after} order by seq limit ${limit})
    order by seq limit ${limit}`;
  return {
    ids: rows.map(({ event_id }) => event_id),
    through: rows.at(-1)?.seq ?? after,
    hasMore: rows.length === limit,
  };
}
