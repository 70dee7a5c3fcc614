/**
 * Routes of operators: the postings of a claim, the rows of settlement files that matched no remittance, and the remittances and settlements
 * that wait for a person, and the rejected commands.
 */

import { listRejectedCommands } from '@carecover/commands';
import { isAmount, isIdentifier } from '@carecover/contract';
import { ApiError, notFound } from '@carecover/domain';
import { type OperatorRoute, oldestRoutes, searchRoute } from '@carecover/http';
import { remittanceResource, settlementResource } from '../resources';
import { listOpenEntries } from '../store/bank-entries';
import { findCandidates } from '../store/candidates';
import { postingsOfClaim } from '../store/postings';
import { REMITTANCES } from '../store/remittances';
import { searchFunds } from '../store/search';
import { SETTLEMENTS } from '../store/settlements';
import { assignUnmatchedRow } from '../use-cases/assign-unmatched-row';
import { deliverNotifications, type RemittanceDeps } from '../use-cases/deliver-notifications';
import { takeBackCredit } from '../use-cases/take-back-credit';
import { bankDayRoutes } from './bank-days';
import { requireRow } from './unmatched-row';

const MAX_ROWS = 100;
const MAX_POSTINGS = 200;

export function operatorRoutes(deps: RemittanceDeps): OperatorRoute[] {
  const { sql } = deps;
  return [
    ...oldestRoutes(sql, 'remittances', REMITTANCES, ['exception'], remittanceResource),
    ...oldestRoutes(sql, 'settlements', SETTLEMENTS, ['unmatched'], settlementResource),
    {
      method: 'GET',
      path: '/claims/:claim/postings',
      async handle({ tenant }, { claim = '' }) {
        if (!isIdentifier('claim', claim)) throw notFound();
        const data = await postingsOfClaim(sql, tenant, claim, MAX_POSTINGS + 1);
        return { data: data.slice(-MAX_POSTINGS), has_more: data.length > MAX_POSTINGS };
      },
    },
    searchRoute((tenant, search) => searchFunds(sql, tenant, search)),
    {
      method: 'GET',
      path: '/unmatched_rows',
      async handle({ tenant }) {
        const data = await listOpenEntries(sql, tenant, MAX_ROWS + 1);
        return { data: data.slice(0, MAX_ROWS), has_more: data.length > MAX_ROWS };
      },
    },
    {
      method: 'GET',
      path: '/unmatched_rows/:row',
      handle: ({ tenant }, { row }) => requireRow(sql, tenant, row),
    },
    {
      method: 'GET',
      path: '/unmatched_rows/:row/candidates',
      async handle({ tenant }, params) {
        const row = await requireRow(sql, tenant, params.row);
        return findCandidates(sql, tenant, row);
      },
    },
    {
      method: 'POST',
      path: '/unmatched_rows/:row/assignments',
      async handle(author, params, body) {
        const { row } = await requireRow(sql, author.tenant, params.row);
        const { remittance_id: remittanceId, amount = null } = (body ?? {}) as Partial<
          Record<'remittance_id' | 'amount', unknown>
        >;
        if (typeof remittanceId !== 'string' || !isIdentifier('remittance', remittanceId))
          throw new ApiError('validation_failed', '/remittance_id must be the ID of a remittance, rem_….');
        if (amount !== null && (!isAmount(amount) || amount === 0))
          throw new ApiError('validation_failed', '/amount must be an integer of minor units, at least 1.');
        const settlement = await assignUnmatchedRow({ sql, author }, row, remittanceId, amount);
        if (settlement === null) throw notFound();
        deps.notifySignals();
        await deliverNotifications(deps, author.tenant, remittanceId, author.requestId);
        return settlement;
      },
    },
    {
      method: 'POST',
      path: '/unmatched_rows/:row/takebacks',
      async handle(author, params) {
        const { row } = await requireRow(sql, author.tenant, params.row);
        const reversed = await takeBackCredit(sql, author, row);
        if (reversed === null) throw notFound();
        deps.notifySignals();
        for (const { remittance_id } of reversed)
          await deliverNotifications(deps, author.tenant, remittance_id, author.requestId);
        return { data: reversed };
      },
    },
    ...bankDayRoutes(deps),
    {
      method: 'GET',
      path: '/rejected_commands',
      handle: async ({ tenant }) => ({ data: await listRejectedCommands(sql, tenant, null) }),
    },
  ];
}
