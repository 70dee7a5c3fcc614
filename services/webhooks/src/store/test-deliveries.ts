/** SQL of the deliveries of test events. */
import { TEST_EVENT_TYPE } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db, Tx } from '@carecover/postgres';
import type { TestAttempt } from '../rules/attempt-outcome';
import type { DeliveryRow } from './deliveries';
import type { EndpointRow } from './endpoints';

/**
 * Records the attempts of a test event, and returns its delivery. If the test is repeated after a crash, the attempts are added to the
 * earlier ones. A success clears the endpoint's first_failure_at; a failure does not set it.
 */
export async function recordTestAttempts(
  tx: Tx,
  endpoint: EndpointRow,
  eventId: string,
  at: Date,
  attempts: readonly TestAttempt[],
): Promise<DeliveryRow> {
  const last = attempts.at(-1)?.outcome;
  const accepted = last?.accepted === true;
  if (accepted) {
    await tx`update endpoints set first_failure_at = null 
      where project_id = ${endpoint.project_id} and id = ${endpoint.id} and first_failure_at is not null`;
  }
  const [row] = await tx<DeliveryRow[]>`
    insert into deliveries as d (id, endpoint_id, project_id, type, created_at, status, attempts, response_status)
    values (${eventId}, ${endpoint.id}, ${endpoint.project_id}, ${TEST_EVENT_TYPE}, ${at},
            ${accepted ? 'delivered' : 'failed'}, ${attempts.length}, ${last?.responseStatus ?? null})
    on conflict (endpoint_id, id) do update set
      status = excluded.status, attempts = d.attempts + excluded.attempts, response_status = excluded.response_status,
      next_attempt_at = null, leased_until = null, simulated_at = null
    returning *`;
  for (const { afterMs, outcome } of attempts) {
    await tx`
      insert into attempts (endpoint_id, event_id, started_at, response_status, duration_ms, error, response_excerpt)
      values (${endpoint.id}, ${eventId}, ${new Date(at.getTime() + afterMs)}, ${outcome.responseStatus},
              ${outcome.durationMs}, ${outcome.error}, ${outcome.excerpt})`;
  }
  if (row === undefined) throw new Error('the delivery was not returned');
  return row;
}

/**
 * Reads whether the command of a test has a response, and whether it is older than `abandonedAfterMs`, so that the process that executed it
 * must have stopped. Returns undefined if the command is deleted.
 */
export async function testCommandState(
  db: Db,
  tenant: Tenant,
  commandId: string,
  abandonedAfterMs: number,
): Promise<{ readonly answered: boolean; readonly abandoned: boolean } | undefined> {
  const [state] = await db<{ answered: boolean; abandoned: boolean }[]>`
    select response_status is not null as answered,
           coalesce(created_at < platform.real_now() - ${abandonedAfterMs} * interval '1 millisecond', false) as abandoned
    from commands left join pending_commands using (id) where commands.id = ${commandId} and project_id = ${tenant}`;
  return state;
}
