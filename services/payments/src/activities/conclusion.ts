/** The two steps around every other: looking at a remittance by the clock, and answering once claims has recorded it all. */
import {
  type Answer,
  CommandGone,
  failpoint,
  type KnownCommand,
  readCommand,
  type Sql,
} from '@carecover/platform';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { findRemittance, remittanceResource } from '../store/remittances';
import { findSettlement, settlementResource } from '../store/settlements';
import { hold, reconcile } from './reconciling';
import { concludeAndRead, findState, stateOf } from './remittance-state';

async function answerOf(sql: Sql, { operation, resourceId, caller }: KnownCommand): Promise<Answer> {
  if (operation === 'createRemittance') {
    const row = await findRemittance(sql, caller.tenant, resourceId);
    if (row !== undefined) return { status: 201, body: remittanceResource(row) };
  } else {
    const row = await findSettlement(sql, caller.tenant, resourceId);
    if (row !== undefined)
      return { status: operation === 'createSettlement' ? 201 : 200, body: settlementResource(row) };
  }
  throw new Error(`${operation} left no ${resourceId}`);
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
      const command = commandId === null ? null : await readCommand(sql, commandId);
      if (commandId !== null && command === null) throw new CommandGone(`command ${commandId} is gone`);
      if (command === null || command.answered) return concludeAndRead(sql, remittanceId, toldCauses, null);
      const { id, operation } = command;
      failpoint('command.deciding', operation);
      const answer = await answerOf(sql, command);
      failpoint('command.before-commit', operation);
      const state = await concludeAndRead(sql, remittanceId, toldCauses, { id, answer });
      failpoint('command.after-commit', operation);
      return state;
    },
  };
}
