/** Reads the valuation runs of any project for the commands of the CLI. */
import type { ValuationRun } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import { findOfAnyProject, type Sql } from '@carecover/postgres';
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
    withServiceDatabase(context, 'benefits', (benefits) =>
      findPayerReferences(benefits, caller.tenant, payerIds),
    );
  return asOperator(() => getValuationRun(sql, readPayers, caller, id));
}

/**
 * Returns the operator as a caller of the project that owns the valuation run. @throws OperatorError if no project has a run with this ID
 */
export async function findRunOwner(context: CommandContext, sql: Sql, id: string): Promise<Caller> {
  const found = await findOfAnyProject(sql, { table: 'valuation_runs' }, id);
  if (found === undefined) throw new OperatorError(`There is no valuation run ${id}.`);
  return operatorCaller(context, found.tenant);
}
