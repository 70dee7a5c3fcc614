/**
 * Notifies benefits that a covered booking was cancelled, so that benefits cancels the booking's pre-authorization. The notification is
 * pending until the row of the cancelled booking has `benefits_notified_at`.
 *
 * Failure policy: care calls benefits after the commit and waits at most two seconds. If benefits is unavailable or slow, the booking stays
 * cancelled, and a sweep repeats the call until benefits confirms the notification.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, Tenant } from '@carecover/domain';
import { type ServiceClient, serviceCaller } from '@carecover/http';
import { atProjectTime, type Sql } from '@carecover/postgres';
import type { Log } from '@carecover/telemetry';
import { isNotificationPending, pendingCancellations, recordNotified } from '../store/bookings';

const WAIT_MS = 2_000;
const SWEEP_LIMIT = 100;
const SWEEP_CONCURRENCY = 10;

export class CancellationNotification {
  constructor(
    private readonly sql: Sql,
    private readonly benefits: Pick<ServiceClient, 'post'>,
    private readonly environment: Caller['environment'],
    private readonly log: Log,
  ) {}

  /** Sends the notification of one booking if it is pending. Never throws: if the call fails, the sweep repeats it. */
  async notifyNow(caller: Caller, bookingId: string): Promise<void> {
    const { tenant, requestId } = caller;
    const notification = isNotificationPending(this.sql, tenant, bookingId)
      .then((isPending) => (isPending ? this.send(tenant, bookingId, requestId) : undefined))
      .catch((error: unknown) => this.logPending(error, bookingId));
    await Promise.race([notification, sleep(WAIT_MS, undefined, { ref: false })]);
  }

  /** Sends pending notifications. Stops after a batch in which every call failed, because benefits is then unavailable. */
  async sweep(): Promise<void> {
    const pending = await pendingCancellations(this.sql, SWEEP_LIMIT);
    while (pending.length > 0) {
      const batch = pending.splice(0, SWEEP_CONCURRENCY);
      const results = await Promise.allSettled(
        batch.map(({ id, project_id }) =>
          atProjectTime(this.sql, project_id, () => this.send(project_id, id, `sweep-${id}`)),
        ),
      );
      const failed = results.flatMap((result, index) =>
        result.status === 'rejected' ? [{ error: result.reason, id: batch[index]?.id }] : [],
      );
      const [first] = failed;
      if (first !== undefined) this.logPending(first.error, first.id);
      if (failed.length === batch.length) return;
    }
  }

  private async send(tenant: Tenant, bookingId: string, requestId: string): Promise<void> {
    const caller = serviceCaller(tenant, this.environment, 'care', requestId);
    await this.benefits.post(caller, `/bookings/${bookingId}/cancelled`, {});
    await recordNotified(this.sql, tenant, bookingId);
  }

  private logPending(error: unknown, bookingId: string | undefined): void {
    this.log.warn(
      { err: error, booking: bookingId },
      'benefits did not confirm the notification of a cancellation; it is sent again later',
    );
  }
}
