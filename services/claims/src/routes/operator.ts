/**
 * Routes of operators: every adjudication of a claim, which the API shows only one at a time, the state of its workflow, and the commands
 * that were rejected.
 */
import { isIdentifier } from '@carecover/contract';
import {
  type Caller,
  notFound,
  type OperatorRoute,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import { adjudicationsOf } from '../store/claims';
import { requireClaim } from '../use-cases/claim-command';

/** Checks the claim in a route's path, which the gateway did not validate. @throws ApiError resource_not_found */
async function requireClaimOfPath(sql: Sql, caller: Caller, id: string): Promise<void> {
  if (!isIdentifier('claim', id)) throw notFound();
  await requireClaim(sql, caller, id);
}

export function operatorRoutes(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'describeRun' | 'rejectedCommands'>,
): OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/claims/:claim/adjudications',
      async handle(caller, { claim = '' }) {
        await requireClaimOfPath(sql, caller, claim);
        return { data: await adjudicationsOf(sql, caller.tenant, claim) };
      },
    },
    {
      method: 'GET',
      path: '/claims/:claim/workflow',
      async handle(caller, { claim = '' }) {
        await requireClaimOfPath(sql, caller, claim);
        return { run: await temporal.describeRun(claim) };
      },
    },
    {
      method: 'GET',
      path: '/claims/:claim/rejected_commands',
      async handle(caller, { claim = '' }) {
        await requireClaimOfPath(sql, caller, claim);
        return { data: await temporal.rejectedCommands(claim) };
      },
    },
  ];
}
