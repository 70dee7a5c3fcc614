/** Reads the valuation runs of any project for the commands of the CLI. */
import type { ValuationRun } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import { atProjectTime, findOfAnyProject, type Sql } from '@carecover/postgres';
import { type CommandContext, withServiceDatabase } from './command-context';
import { asOperator, operatorCaller } from './operator-calls';

/** Reads a valuation run in the form in which GET /valuation_runs/{valuation_run_id} returns it. */
export async function readRun(
  context: CommandContext,
  sql: Sql,
  caller: Caller,
  id: string,
): Promise<ValuationRun> {
  const { getValuationRun } = await import('@carecover/claims');
  const { findPayerReferences } = await import('@carecover/benefits');
  const readPayers = (payerIds: readonly string[]) =>
    withServiceDatabase(context, 'benefits', caller.tenant, (benefits) =>
      findPayerReferences(benefits, caller.tenant, payerIds),
    );
  return asOperator(() => getValuationRun(sql, readPayers, caller, id));
}

/**
 * Runs work about a valuation run of any project, with the operator as a caller of the run's project and at the project's time.
 *
 * @throws OperatorError if no project has a run with this ID
 */
export function withRunOf<T>(
  context: CommandContext,
  id: string,
  work: (sql: Sql, caller: Caller) => Promise<T>,
): Promise<T> {
  return withServiceDatabase(context, 'claims', null, async (sql) => {
    const found = await findOfAnyProject(sql, { table: 'valuation_runs' }, id);
    if (found === undefined) throw new OperatorError(`There is no valuation run ${id}.`);
    const caller = await operatorCaller(context, found.tenant);
    return atProjectTime(sql, caller.tenant, () => work(sql, caller));
  });
}
