/** Deliveries as the API shows them, and sending them again. */
import type { EventType, WebhookDelivery, WebhookDeliveryRecord } from '@carecover/contract';
import { type Db, notifyOnCommit, type Tx } from '@carecover/platform';

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: EventType;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: Date | null;
}

/** Where a delivery that was made due is told, with its endpoint, to dispatchers of other processes. */
export const DUE_CHANNEL = 'webhooks_due';

export function toDelivery(
  row: Pick<DeliveryRow, 'id' | 'status' | 'attempts' | 'response_status'>,
): WebhookDelivery {
  return {
    id: row.id,
    object: 'webhook_delivery',
    delivered: row.status === 'delivered',
    attempts: row.attempts,
    response_status: row.response_status,
  };
}

interface AttemptRow {
  event_id: string;
  started_at: Date;
  response_status: number | null;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

/** The rows, of one endpoint, with their tries. */
export async function withHistory(
  db: Db,
  endpointId: string,
  rows: readonly DeliveryRow[],
): Promise<WebhookDeliveryRecord[]> {
  const attempts = await db<AttemptRow[]>`
    select event_id, started_at, response_status, duration_ms, error, response_excerpt from attempts
    where endpoint_id = ${endpointId} and event_id = any(${rows.map((row) => row.id)}::text[])
    order by seq`;
  return rows.map((row) => ({
    ...toDelivery(row),
    endpoint_id: row.endpoint_id,
    type: row.type,
    status: row.status,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    history: attempts
      .filter((attempt) => attempt.event_id === row.id)
      .map(({ started_at, response_status, duration_ms, error, response_excerpt }) => ({
        at: started_at.toISOString(),
        response_status,
        duration_ms,
        error,
        response_excerpt,
      })),
  }));
}

/** Begins a new round of tries of one delivery, now; null where the endpoint has no delivery of that event. */
export async function redeliver(tx: Tx, endpointId: string, eventId: string): Promise<DeliveryRow | null> {
  const [row] = await tx<DeliveryRow[]>`
    update deliveries d set status = 'pending', round = d.round + 1, round_attempts = 0, next_attempt_at = clock.at, due_at = clock.at
    from (select platform.now() as at) clock
    where d.endpoint_id = ${endpointId} and d.id = ${eventId}
    returning d.*`;
  if (row === undefined) return null;
  await notifyOnCommit(tx, DUE_CHANNEL, endpointId);
  return row;
}
