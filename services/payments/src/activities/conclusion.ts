/** The two steps around every other: looking at a remittance by the clock, and answering once claims has recorded it all. */
import { type Answer, CommandGone, failpoint, type Sql } from '@carecover/platform';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { type CommandToAnswer, findCommandToAnswer, remittanceResource } from '../store/remittances';
import { settlementResource } from '../store/settlements';
import { hold, reconcile } from './reconciling';
import { concludeAndRead, findState, stateOf } from './remittance-state';

function answerOf({ operation, resourceId, remittance, settlement }: CommandToAnswer): Answer {
  if (remittance !== null) return { status: 201, body: remittanceResource(remittance) };
  if (settlement === null) throw new Error(`${operation} left no ${resourceId}`);
  return { status: operation === 'createSettlement' ? 201 : 200, body: settlementResource(settlement) };
}

export function conclusionActivities(sql: Sql): Pick<RemittanceSteps, 'review' | 'conclude'> {
  return {
    async review({ remittanceId }) {
      const state = await findState(sql, remittanceId);
      if (state?.status !== 'received') return state;
      return sql.begin(async (tx) => {
        const held = await hold(tx, tx`${remittanceId}`);
        const isOverdue = held !== undefined && held.now >= held.remittance.deadline;
        return isOverdue ? reconcile(tx, held) : stateOf(tx, remittanceId);
      });
    },

    /** Nothing can be rejected any more, so there is no lock: of two that answer, the second changes nothing. */
    async conclude({ remittanceId, commandId, toldCauses }) {
      if (commandId === null) return concludeAndRead(sql, remittanceId, toldCauses, null);
      const command = await findCommandToAnswer(sql, commandId);
      if (command === null) throw new CommandGone(`command ${commandId} is gone`);
      if (command.isAnswered) return concludeAndRead(sql, remittanceId, toldCauses, null);
      const { operation } = command;
      failpoint('command.deciding', operation);
      const answer = answerOf(command);
      failpoint('command.before-commit', operation);
      const state = await concludeAndRead(sql, remittanceId, toldCauses, { id: commandId, answer });
      failpoint('command.after-commit', operation);
      return state;
    },
  };
}
