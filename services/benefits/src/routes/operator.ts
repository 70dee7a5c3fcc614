/** Route of operators: the member's reference of a pre-authorization, which no operation of the API returns. */
import { isIdentifier } from '@carecover/contract';
import { notFound, type OperatorRoute, type Sql } from '@carecover/platform';
import { memberOfPreauthorization } from '../store/members';

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
  ];
}
