/**
 * Routes of operators: the member's reference of a pre-authorization, which no operation of the API returns, and the pre-authorizations that
 * wait for a decision or for their use, and the rejected commands.
 */

import { listRejectedCommands } from '@carecover/commands';
import { isIdentifier } from '@carecover/contract';
import { notFound } from '@carecover/domain';
import { type OperatorRoute, oldestRoutes } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { preauthorizationResource } from '../resources';
import { memberOfPreauthorization } from '../store/members';
import { findPayerReferences, searchPayers } from '../store/payer-contracts';
import { listNextToExpire, PREAUTHORIZATIONS } from '../store/preauthorizations';

const MAX_EXPIRING = 100;
const MAX_NAMES = 200;
const MAX_FOUND = 10;

export function operatorRoutes(sql: Sql): OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/preauthorizations/:preauthorization/member',
      async handle({ tenant }, { preauthorization: id = '' }) {
        const member = isIdentifier('preauthorization', id)
          ? await memberOfPreauthorization(sql, tenant, id)
          : undefined;
        if (member === undefined) throw notFound();
        return member;
      },
    },
    {
      method: 'GET',
      path: '/preauthorizations_next_to_expire',
      async handle({ tenant }) {
        const rows = await listNextToExpire(sql, tenant, MAX_EXPIRING + 1);
        return {
          data: rows.slice(0, MAX_EXPIRING).map(preauthorizationResource),
          has_more: rows.length > MAX_EXPIRING,
        };
      },
    },
    {
      method: 'POST',
      path: '/payers/names',
      async handle({ tenant }, _params, body) {
        const { ids } = body as { readonly ids: readonly string[] };
        const references = await findPayerReferences(sql, tenant, ids.slice(0, MAX_NAMES));
        return { data: Object.entries(references).map(([id, name]) => ({ id, name })) };
      },
    },
    {
      method: 'POST',
      path: '/search',
      async handle({ tenant }, _params, body) {
        const { text } = body as { readonly text: string };
        return { data: await searchPayers(sql, tenant, text, MAX_FOUND) };
      },
    },
    ...oldestRoutes(sql, 'preauthorizations', PREAUTHORIZATIONS, ['pending'], preauthorizationResource),
    {
      method: 'GET',
      path: '/rejected_commands',
      handle: async ({ tenant }) => ({ data: await listRejectedCommands(sql, tenant, null) }),
    },
  ];
}
