/**
 * Carries commands out as the workflow does, but at once and without its turns: what holds here holds by the database alone.
 * For races and for sequences too many for an engine.
 */
import { ApiError, type Sql, type TemporalCommands } from '@carecover/platform';
import type { CommandStep, PreauthorizationWorkflowInput } from '@carecover/workflow-preauthorization';
import { preauthorizationSteps } from '../activities/preauthorization-steps';
import { TestCare } from './test-care';

export function directTemporal(sql: Sql, care = new TestCare()): Pick<TemporalCommands, 'command'> {
  const steps = preauthorizationSteps(sql);

  async function decide(step: CommandStep): Promise<void> {
    const begun = await steps.beginDecision(step);
    const confirmation = begun && {
      tenant: step.tenant,
      bookingId: begun.bookingId,
      preauthorizationId: step.resourceId,
      approvalId: step.commandId,
    };
    try {
      if (confirmation !== null) await care.confirmBooking(confirmation);
      await steps.commitDecision(step);
    } catch (error) {
      if (error instanceof ApiError) {
        if (confirmation !== null) await care.withdrawConfirmation(confirmation);
        await steps.abandonDecision(step);
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
    async command(_resourceId, workflow, update, { commandId }) {
      const [input] = workflow.args as [PreauthorizationWorkflowInput];
      await commands[update]?.({ ...input, commandId });
    },
  };
}
