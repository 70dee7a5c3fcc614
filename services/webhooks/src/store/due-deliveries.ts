/**
 * Deliveries whose time has come, taken by a dispatcher for the length of a lease: a dispatcher that dies gives them back
 * by doing nothing. SKIP LOCKED lets any number of dispatchers take side by side.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import type { Sql } from '@carecover/platform';
import type { Sealed } from '../signing/keyring';
import { MAX_LIVE_SECRETS } from './signing-secrets';

/** Long enough for a try and for writing down what became of it. */
export const LEASE_MS = 4 * WEBHOOK_TIMEOUT_MS;

/** A delivery that this process is to try now. */
export interface DueDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly round: number;
  /** Tries already made in the round. */
  readonly roundAttempts: number;
  readonly startedAt: Date;
  readonly url: string;
  readonly payload: string;
  readonly secrets: readonly Sealed[];
  /** Whether every try of the endpoint has failed of late. */
  readonly failing: boolean;
  /** How many of the endpoint's could have been taken now: as many as were taken means that more may wait. */
  readonly room: number;
}

export interface Capacity {
  /** Tries in flight in this process, by endpoint. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** Most tries in flight of one endpoint, and of one all of whose latest tries failed. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /** How many may be taken now in all. */
  readonly free: number;
}

interface DueRow {
  endpoint_id: string;
  id: string;
  round: number;
  round_attempts: number;
  started_at: Date;
  url: string;
  payload: string;
  secrets: readonly { key_id: string; sealed: string }[] | null;
  room: number;
  failing: boolean;
}

/**
 * Takes due deliveries of the named endpoints, or of any where `endpointIds` is null: then endpoints with something
 * pending are found by hopping over the index, so that a long queue of one costs no more than a short one.
 */
export async function takeDueDeliveries(
  sql: Sql,
  endpointIds: readonly string[] | null,
  capacity: Capacity,
): Promise<DueDelivery[]> {
  const candidates =
    endpointIds === null
      ? sql`
        (select endpoint_id from deliveries where status = 'pending' order by endpoint_id limit 1)
        union all
        select (select d.endpoint_id from deliveries d
                where d.status = 'pending' and d.endpoint_id > c.endpoint_id order by d.endpoint_id limit 1)
        from candidates c where c.endpoint_id is not null`
      : sql`select distinct unnest(${[...endpointIds]}::text[]) as endpoint_id`;
  const rows = await sql<DueRow[]>`
    with recursive candidates as (${candidates}),
    clock as materialized (select platform.now() as at),
    rooms as materialized (
      select e.id, e.url, e.first_failure_at is not null as failing,
             case when e.first_failure_at is null then ${capacity.perEndpoint}::int else ${capacity.perFailingEndpoint}::int end
             - coalesce(busy.tries, 0) as room
      from candidates c
      join endpoints e on e.id = c.endpoint_id and e.status = 'active'
      left join unnest(${[...capacity.inFlight.keys()]}::text[], ${[...capacity.inFlight.values()]}::int[])
        as busy (endpoint_id, tries) on busy.endpoint_id = e.id
      order by random()
    ), taken as materialized (
      select due.endpoint_id, due.id, rooms.url, rooms.room, rooms.failing
      from rooms cross join lateral (
        select d.endpoint_id, d.id from deliveries d
        where d.endpoint_id = rooms.id and d.status = 'pending' and d.due_at <= (select at from clock)
        order by d.due_at limit greatest(rooms.room, 0)
        for update skip locked) due
      limit ${capacity.free}
    )
    update deliveries d set due_at = clock.at + ${LEASE_MS} * interval '1 millisecond'
    from taken t, clock, events ev
    where d.endpoint_id = t.endpoint_id and d.id = t.id and ev.id = t.id
    returning d.endpoint_id, d.id, d.round, d.round_attempts, clock.at as started_at, t.url, t.room, t.failing, ev.payload,
      (select json_agg(json_build_object('key_id', s.key_id, 'sealed', encode(s.sealed, 'base64')) order by s.id desc)
       from (select * from signing_secrets
             where endpoint_id = d.endpoint_id and (expires_at is null or expires_at > clock.at)
             order by id desc limit ${MAX_LIVE_SECRETS}) s) as secrets`;
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    eventId: row.id,
    round: row.round,
    roundAttempts: row.round_attempts,
    startedAt: row.started_at,
    url: row.url,
    payload: row.payload,
    room: row.room,
    failing: row.failing,
    secrets: (row.secrets ?? []).map(({ key_id, sealed }) => ({
      keyId: key_id,
      sealed: Buffer.from(sealed, 'base64'),
    })),
  }));
}

/** Ends the lease of deliveries that were taken and not tried. */
export async function giveBackDeliveries(sql: Sql, deliveries: readonly DueDelivery[]): Promise<void> {
  const rows = deliveries.map(({ endpointId, eventId }) => ({ endpoint_id: endpointId, id: eventId }));
  await sql`
    update deliveries d set due_at = d.next_attempt_at
    from jsonb_to_recordset(${sql.json(rows)}::jsonb) as r (endpoint_id text, id text)
    where d.endpoint_id = r.endpoint_id and d.id = r.id and d.status = 'pending'`;
}
