/** GET /remittances, POST /remittances, GET /remittances/{remittance_id}. */
import {
  executeCommand,
  type Handlers,
  listPage,
  newId,
  requireResource,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import { findRemittance, remittanceResource } from '../store/remittances';
import { updateOf, workflowOf } from '../workflow';

type Operations = 'listRemittances' | 'createRemittance' | 'getRemittance';

export function remittanceHandlers(sql: Sql, engine: TemporalCommands): Required<Pick<Handlers, Operations>> {
  return {
    async listRemittances({ caller, query }) {
      const filter = { column: 'status', value: query.status };
      const body = await listPage(
        sql,
        caller,
        { table: 'remittance_resources', kind: 'remittance' },
        query,
        filter,
        remittanceResource,
      );
      return { status: 200, body };
    },

    createRemittance(call) {
      const { authority, requestId } = call.caller;
      return executeCommand(sql, call, {
        resourceId: newId('rem_'),
        body: call.body,
        replayStatus: call.replayStatus,
        send: ({ id: commandId, resourceId, updateId }) =>
          engine.command(
            resourceId,
            workflowOf(resourceId, call.caller),
            updateOf[call.operation],
            { commandId, authority, requestId },
            updateId,
          ),
      });
    },

    async getRemittance({ caller, params }) {
      const { remittance_id } = params;
      const row = await findRemittance(sql, caller.tenant, remittance_id);
      return { status: 200, body: remittanceResource(requireResource(caller, remittance_id, row)) };
    },
  };
}
