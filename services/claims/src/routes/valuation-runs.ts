/** HTTP routes of valuation runs. */
import type { Caller, OwnedResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { runSummaryResource } from '../resources';
import { listRuns } from '../store/valuation-runs';
import { createValuationRun } from '../use-cases/create-valuation-run';
import {
  answerValuationRun,
  createRunAnswers,
  listValuationRunClaims,
  openValuationRunFile,
} from '../use-cases/read-valuation-run';
import type { ReadPayers } from '../use-cases/sum-receivables';

/**
 * Creates the handlers of all API operations of valuation runs.
 *
 * @param startWorkflow starts the workflow of a run after the commit, without waiting for Temporal
 */
export function valuationRunHandlers(
  sql: Sql,
  startWorkflow: (run: OwnedResource) => void,
  readPayersFor: (caller: Caller) => ReadPayers,
): Pick<Handlers, 'listValuationRuns' | 'createValuationRun' | 'getValuationRun' | 'listValuationRunClaims'> {
  const answers = createRunAnswers();
  return {
    async listValuationRuns({ caller, query }) {
      return { status: 200, body: await listRuns(sql, caller, query, runSummaryResource) };
    },

    createValuationRun: (call) => createValuationRun(sql, startWorkflow, call),

    async getValuationRun({ caller, params }) {
      const { valuation_run_id: id } = params;
      const text = await answerValuationRun(sql, answers, readPayersFor(caller), caller, id);
      return { status: 200, text, replayed: false };
    },

    async listValuationRunClaims(call) {
      const readPayers = readPayersFor(call.caller);
      const file = await openValuationRunFile(sql, readPayers, call, call.headers.accept);
      return file ?? { status: 200, body: await listValuationRunClaims(sql, readPayers, call) };
    },
  };
}
