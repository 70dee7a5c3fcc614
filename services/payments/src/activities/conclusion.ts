/** Reviews a remittance against its deadline, and stores a command's response after claims has recorded every notification. */
import { type Answer, CommandGone, failpoint, type Sql } from '@carecover/platform';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { type CommandToAnswer, findCommandToAnswer, remittanceResource } from '../store/remittances';
import { settlementResource } from '../store/settlements';
import { lockWithAccounts, reconcile } from './reconciling';
import { concludeAndRead, findState, requireState } from './remittance-state';

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
        const locked = await lockWithAccounts(tx, tx`${remittanceId}`);
        const isOverdue = locked !== undefined && locked.now >= locked.remittance.deadline;
        return isOverdue ? reconcile(tx, locked) : requireState(tx, remittanceId);
      });
    },

    /** Takes no lock, because the command can't be rejected any more; a second call changes nothing. */
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
