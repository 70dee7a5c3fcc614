/** Routes of operators: every adjudication of a claim, which the API shows only one at a time, and the state of its workflow. */
import { isIdentifier } from '@carecover/contract';
import {
  notFound,
  type OperatorRoute,
  type Sql,
  type TemporalCommands,
  type Tenant,
} from '@carecover/platform';
import { adjudicationsOf, claimExists } from '../store/claims';

/** @throws ApiError resource_not_found */
async function requireClaim(sql: Sql, tenant: Tenant, id: string): Promise<void> {
  if (!isIdentifier('claim', id) || !(await claimExists(sql, tenant, id))) throw notFound();
}

export function operatorRoutes(sql: Sql, temporal: Pick<TemporalCommands, 'describeRun'>): OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/claims/:claim/adjudications',
      async handle({ tenant }, { claim = '' }) {
        await requireClaim(sql, tenant, claim);
        return { data: await adjudicationsOf(sql, tenant, claim) };
      },
    },
    {
      method: 'GET',
      path: '/claims/:claim/workflow',
      async handle({ tenant }, { claim = '' }) {
        await requireClaim(sql, tenant, claim);
        return { run: await temporal.describeRun(claim) };
      },
    },
  ];
}
