/**
 * How benefits hears that a covered booking was cancelled, so that its pre-authorization is cancelled too. The cancelled row is
 * the notification: it stays pending until benefits has answered. Failure policy: benefits is told right after the commit, for at most
 * two seconds; where it is away or slow, the cancellation stands and the sweep tells it again until it has heard.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Caller,
  type Log,
  type ServiceClient,
  type Sql,
  serviceCaller,
  storedTenant,
} from '@carecover/platform';
import { isPending, markTold, pendingCancellations } from './store/bookings';

const WAIT_MS = 2_000;
const SWEPT_AT_ONCE = 100;
const TOLD_TOGETHER = 10;

export class CancellationNotification {
  constructor(
    private readonly sql: Sql,
    private readonly benefits: ServiceClient,
    private readonly environment: Caller['environment'],
    private readonly log: Log,
  ) {}

  /** Tells benefits about one booking if there is something to tell. Never fails: what doesn't work now, the sweep does. */
  async notifyNow(caller: Caller, bookingId: string): Promise<void> {
    const telling = isPending(this.sql, bookingId)
      .then((pending) => (pending ? this.tell(caller.tenant, bookingId, caller.requestId) : undefined))
      .catch((error: unknown) => this.logPending(error, bookingId));
    await Promise.race([telling, sleep(WAIT_MS, undefined, { ref: false })]);
  }

  /** Tells benefits whatever it has not heard yet; stops where it hears nothing of a whole handful, for it is away then. */
  async sweep(): Promise<void> {
    const pending = await pendingCancellations(this.sql, SWEPT_AT_ONCE);
    while (pending.length > 0) {
      const handful = pending.splice(0, TOLD_TOGETHER);
      const told = await Promise.allSettled(
        handful.map(({ id, project_id }) => this.tell(project_id, id, `sweep-${id}`)),
      );
      const failed = told.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [{ error: outcome.reason, id: handful[index]?.id }] : [],
      );
      const [first] = failed;
      if (first !== undefined) this.logPending(first.error, first.id);
      if (failed.length === handful.length) return;
    }
  }

  private async tell(projectId: string, bookingId: string, requestId: string): Promise<void> {
    const caller = serviceCaller(storedTenant(projectId), this.environment, 'care', requestId);
    await this.benefits.post(caller, `/bookings/${bookingId}/cancelled`, {});
    await markTold(this.sql, bookingId);
  }

  private logPending(error: unknown, bookingId: string | undefined): void {
    this.log.warn(
      { err: error, booking: bookingId },
      'benefits has not heard of a cancellation, told again later',
    );
  }
}
