/** Replaces care in tests of benefits: confirms bookings and withdraws confirmations in memory, by the rules of care. */
import { ApiError, unavailable } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';

export class TestCare implements StepHandlers<CareForPreauthorizations> {
  /** IDs of confirmed bookings; those with a withdrawn confirmation are in `withdrawn`. */
  readonly confirmed: string[] = [];
  readonly withdrawn: string[] = [];
  readonly cancelledBookings = new Set<string>();
  /** Whether every call fails as if care did not respond. */
  isAway = false;
  /** Called before a booking is confirmed. */
  beforeConfirming: (bookingId: string) => Promise<void> = async () => undefined;
  /** Called after a booking was confirmed. */
  afterConfirming: (bookingId: string) => Promise<void> = async () => undefined;
  /** Called after a confirmation was withdrawn. */
  afterWithdrawing: (bookingId: string) => Promise<void> = async () => undefined;
  private readonly confirmedApprovals = new Set<string>();
  private readonly withdrawnApprovals = new Set<string>();

  /** Ends what a test has set, except the state of bookings. */
  reset(): void {
    this.isAway = false;
    this.beforeConfirming = this.afterConfirming = this.afterWithdrawing = async () => undefined;
  }

  readonly confirmBooking: StepHandlers<CareForPreauthorizations>['confirmBooking'] = async (approval) => {
    const { bookingId, approvalId } = approval;
    await this.beforeConfirming(bookingId);
    this.requireAvailable();
    if (this.cancelledBookings.has(bookingId) || this.withdrawnApprovals.has(approvalId)) {
      throw new ApiError('invalid_state', 'The booking was cancelled, or this approval was withdrawn.');
    }
    if (!this.confirmedApprovals.has(approvalId)) {
      this.confirmedApprovals.add(approvalId);
      this.confirmed.push(bookingId);
    }
    await this.afterConfirming(bookingId);
  };

  readonly withdrawConfirmation: StepHandlers<CareForPreauthorizations>['withdrawConfirmation'] = async (
    approval,
  ) => {
    const { bookingId, approvalId } = approval;
    this.requireAvailable();
    this.withdrawnApprovals.add(approvalId);
    this.withdrawn.push(bookingId);
    if (this.confirmedApprovals.delete(approvalId))
      this.confirmed.splice(this.confirmed.indexOf(bookingId), 1);
    await this.afterWithdrawing(bookingId);
  };

  private requireAvailable(): void {
    if (this.isAway) throw unavailable('The care service');
  }
}
