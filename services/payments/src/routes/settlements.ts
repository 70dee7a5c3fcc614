/** POST /settlements, GET /settlements/{settlement_id}, POST /settlements/{settlement_id}/reversals. */
import {
  type Call,
  type Caller,
  executeCommand,
  type Handlers,
  newId,
  notFound,
  requireResource,
  type SentCommand,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import { findRemittance } from '../store/remittances';
import { findSettlement, type SettlementRow, settlementResource } from '../store/settlements';
import { updateOf, workflowOf } from '../workflow';

type Operations = 'createSettlement' | 'getSettlement' | 'reverseSettlement';

export function settlementHandlers(sql: Sql, engine: TemporalCommands): Required<Pick<Handlers, Operations>> {
  async function read(caller: Caller, id: string): Promise<SettlementRow> {
    return requireResource(caller, id, await findSettlement(sql, caller.tenant, id));
  }

  /** Sends a settlement's command to its remittance's workflow, which executes one command at a time. */
  function send({ operation, caller }: Call<'createSettlement' | 'reverseSettlement'>, remittanceId: string) {
    const { authority, requestId } = caller;
    return ({ id: commandId, updateId }: SentCommand) =>
      engine.command(
        remittanceId,
        workflowOf(remittanceId, caller),
        updateOf[operation],
        { commandId, authority, requestId },
        updateId,
      );
  }

  return {
    createSettlement(call) {
      const { caller, body } = call;
      return executeCommand(sql, call, {
        resourceId: newId('stl_'),
        body,
        replayStatus: call.replayStatus,
        precheck: async () => {
          if ((await findRemittance(sql, caller.tenant, body.remittance_id)) === undefined) throw notFound();
        },
        send: send(call, body.remittance_id),
      });
    },

    async getSettlement({ caller, params }) {
      return { status: 200, body: settlementResource(await read(caller, params.settlement_id)) };
    },

    reverseSettlement(call) {
      const { caller, params, body } = call;
      return executeCommand(sql, call, {
        resourceId: params.settlement_id,
        body,
        replayStatus: call.replayStatus,
        precheck: async () => void (await read(caller, params.settlement_id)),
        send: async (command) => {
          const { remittance_id } = await read(caller, params.settlement_id);
          await send(call, remittance_id)(command);
        },
      });
    },
  };
}
