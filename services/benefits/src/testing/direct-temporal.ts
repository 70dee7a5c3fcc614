/**
 * Executes commands with the steps of the pre-authorization workflow, but without Temporal and without the workflow's mutex, so that only
 * database locks order concurrent commands. For tests of concurrent requests and of many sequences of commands.
 */
import { ApiError, type Sql, type TemporalCommands } from '@carecover/platform';
import type { CommandStep } from '@carecover/workflow-preauthorization';
import { preauthorizationSteps } from '../activities';
import { TestCare } from './test-care';

/** Creates an object that replaces Temporal in tests of benefits. */
export function directTemporal(sql: Sql, care = new TestCare()): Pick<TemporalCommands, 'command'> {
  const steps = preauthorizationSteps(sql);

  async function decide(step: CommandStep): Promise<void> {
    const booking = await steps.beginDecision(step);
    const confirmation = booking && {
      tenant: step.tenant,
      bookingId: booking.bookingId,
      preauthorizationId: step.resourceId,
      approvalId: step.commandId,
    };
    try {
      if (confirmation !== null) await care.confirmBooking(confirmation);
      await steps.commitDecision(step);
    } catch (error) {
      if (error instanceof ApiError) {
        if (confirmation !== null) await care.withdrawConfirmation(confirmation);
        if (await steps.abandonDecision(step)) return;
      }
      throw error;
    }
  }

  const commands: Record<string, (step: CommandStep) => Promise<unknown>> = {
    decide,
    cancel: steps.cancel,
    cancelForBooking: steps.cancelForBooking,
    expire: steps.expireNow,
  };
  return {
    async command(_workflow, { id: commandId, resourceId, update, caller: { tenant, environment } }) {
      await commands[update ?? '']?.({ resourceId, tenant, environment, commandId });
    },
  };
}
