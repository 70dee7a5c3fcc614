/** Replaces care in tests of the pre-authorization workflow: confirms bookings and withdraws confirmations in memory. */
import { ApiError, type StepHandlers } from '@carecover/platform';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';

export class TestCare implements StepHandlers<CareForPreauthorizations> {
  /** IDs of confirmed bookings; those with a withdrawn confirmation are in `withdrawn`. */
  readonly confirmed: string[] = [];
  readonly withdrawn: string[] = [];
  readonly cancelledBookings = new Set<string>();
  private readonly withdrawnApprovals = new Set<string>();

  /**
   * Creates the replacement of care.
   * @param beforeConfirming called before a booking is confirmed
   */
  constructor(public beforeConfirming: () => Promise<void> = async () => undefined) {}

  readonly confirmBooking: StepHandlers<CareForPreauthorizations>['confirmBooking'] = async (approval) => {
    const { bookingId, approvalId } = approval;
    await this.beforeConfirming();
    if (this.cancelledBookings.has(bookingId) || this.withdrawnApprovals.has(approvalId)) {
      throw new ApiError('invalid_state', 'The booking was cancelled, or this approval was withdrawn.');
    }
    if (!this.confirmed.includes(bookingId)) this.confirmed.push(bookingId);
  };

  readonly withdrawConfirmation: StepHandlers<CareForPreauthorizations>['withdrawConfirmation'] = async (
    approval,
  ) => {
    const { bookingId, approvalId } = approval;
    this.withdrawnApprovals.add(approvalId);
    this.withdrawn.push(bookingId);
    const index = this.confirmed.indexOf(bookingId);
    if (index >= 0) this.confirmed.splice(index, 1);
  };
}
