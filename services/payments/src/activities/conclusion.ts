/** The two steps around every other: looking at a remittance by the clock, and answering once claims has recorded it all. */
import { type Answer, type Command, commitCommand, type Sql, type Tx } from '@carecover/platform';
import type { RemittanceSteps } from '@carecover/workflow-remittance';
import { setTold } from '../store/claims-records';
import { findRemittance, remittanceResource } from '../store/remittances';
import { findSettlement, settlementResource } from '../store/settlements';
import { hold, reconcile } from './reconciling';
import { findState, stateOf } from './remittance-state';

async function answerOf(tx: Tx, { operation, resourceId, caller }: Command): Promise<Answer> {
  if (operation === 'createRemittance') {
    const row = await findRemittance(tx, caller.tenant, resourceId);
    if (row !== undefined) return { status: 201, body: remittanceResource(row) };
  } else {
    const row = await findSettlement(tx, caller.tenant, resourceId);
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
        const held = await hold(tx, remittanceId);
        if (held !== undefined && held.now >= held.remittance.deadline) await reconcile(tx, held, null);
        return stateOf(tx, remittanceId);
      });
    },

    async conclude({ remittanceId, commandId, toldCauses }) {
      if (commandId === null) {
        await sql.begin((tx) => setTold(tx, toldCauses));
      } else {
        await commitCommand(sql, commandId, async (tx, command) => {
          await setTold(tx, toldCauses);
          return answerOf(tx, command);
        });
      }
      return stateOf(sql, remittanceId);
    },
  };
}
