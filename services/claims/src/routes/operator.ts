/**
 * Routes for operators. For one claim they return: the newest adjudications (the API shows only the current one), the timeline of both
 * times, the state of the workflow, and the rejected commands. Other routes list the claims that have waited longest for an adjudication or evidence, the
 * rejected commands of the project, the claims of a sum of receivables or of a group of a valuation run, and the rejected lines of a bulk job
 * by error code.
 */

import { listRejectedCommands } from '@carecover/commands';
import {
  ageBands,
  currencies,
  isIdentifier,
  tryParseInstant,
  valuationDimensions,
} from '@carecover/contract';
import { ApiError, type Caller, notFound, requireOneOf } from '@carecover/domain';
import { type OperatorRoute, oldestRoutes, searchRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { TemporalRuns } from '@carecover/temporal';
import { claimResource } from '../resources';
import { newestAdjudications } from '../store/claims';
import { CLAIMS_IN_FULL } from '../store/claims-in-full';
import { readParties, searchClaims } from '../store/search';
import { requireClaim } from '../use-cases/claim-command';
import { listOutstandingClaims, type ReceivableSum } from '../use-cases/list-outstanding-claims';
import { readRejections } from '../use-cases/read-bulk-job';
import { readTimeline } from '../use-cases/read-timeline';
import { listGroupClaims, type RunGroup } from '../use-cases/read-valuation-run';
import type { ReadPayers } from '../use-cases/sum-receivables';

/** The maximum number of adjudications that the console shows side by side. */
const SHOWN_ADJUDICATIONS = 6;
const MAX_PARTIES = 200;

/**
 * Checks the claim ID in a route's path, because the gateway does not check the paths of operators' routes. @throws ApiError
 * resource_not_found
 */
async function requireClaimOfPath(sql: Sql, caller: Caller, id: string): Promise<void> {
  if (!isIdentifier('claim', id)) throw notFound();
  await requireClaim(sql, caller, id);
}

/** Reads which sum of receivables an operator opens. @throws ApiError validation_failed */
function readSum(body: unknown): ReceivableSum {
  const { at, currency, age, payer_id, practitioner_id } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const instant = typeof at === 'string' ? tryParseInstant(at) : undefined;
  if (instant === undefined)
    throw new ApiError('validation_failed', '/at must be an RFC 3339 date-time with an offset.');
  return {
    at: instant,
    currency: requireOneOf(currencies, currency, '/currency'),
    age: ageBands.find((each) => each === age) ?? null,
    payerId: typeof payer_id === 'string' ? payer_id : null,
    practitionerId: typeof practitioner_id === 'string' ? practitioner_id : null,
  };
}

/** Reads which group of a valuation run an operator opens. A dimension without a text can have any value. @throws ApiError validation_failed */
function readGroup(body: unknown): RunGroup {
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  const currency = textOf('currency');
  if (currency === undefined) throw new ApiError('validation_failed', '/currency must be present.');
  const [first, last] = [textOf('service_from'), textOf('service_until')];
  return {
    currency,
    values: Object.fromEntries(valuationDimensions.map((name) => [name, textOf(name)])),
    service: first === undefined || last === undefined ? null : [first, last],
  };
}

export function operatorRoutes(
  sql: Sql,
  temporal: Pick<TemporalRuns, 'describeRun'>,
  readPayersFor: (caller: Caller) => ReadPayers,
): OperatorRoute[] {
  return [
    ...oldestRoutes(sql, 'claims', CLAIMS_IN_FULL, ['submitted', 'queried'], claimResource),
    {
      method: 'GET',
      path: '/claims/:claim/adjudications',
      async handle(caller, { claim = '' }) {
        await requireClaimOfPath(sql, caller, claim);
        const newest = await newestAdjudications(sql, caller.tenant, claim, SHOWN_ADJUDICATIONS + 1);
        return {
          data: newest.slice(0, SHOWN_ADJUDICATIONS),
          has_more: newest.length > SHOWN_ADJUDICATIONS,
        };
      },
    },
    {
      method: 'GET',
      path: '/claims/:claim/timeline',
      async handle(caller, { claim = '' }) {
        await requireClaimOfPath(sql, caller, claim);
        return readTimeline(sql, caller.tenant, claim);
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
        return { data: await listRejectedCommands(sql, caller.tenant, [claim]) };
      },
    },
    searchRoute((tenant, search) => searchClaims(sql, tenant, search)),
    {
      method: 'POST',
      path: '/claims/parties',
      async handle({ tenant }, _params, body) {
        const { ids } = body as { readonly ids: readonly string[] };
        return { data: await readParties(sql, tenant, ids.slice(0, MAX_PARTIES)) };
      },
    },
    {
      method: 'POST',
      path: '/outstanding_claims',
      handle: ({ tenant }, _params, body) => listOutstandingClaims(sql, tenant, readSum(body)),
    },
    {
      method: 'POST',
      path: '/valuation_runs/:run/claims',
      async handle(caller, { run = '' }, body) {
        if (!isIdentifier('valuationRun', run)) throw notFound();
        return listGroupClaims(sql, readPayersFor(caller), caller, run, readGroup(body));
      },
    },
    {
      method: 'GET',
      path: '/bulk_jobs/:job/rejections',
      async handle(caller, { job = '' }) {
        if (!isIdentifier('bulkJob', job)) throw notFound();
        return { data: await readRejections(sql, caller, job) };
      },
    },
    {
      method: 'GET',
      path: '/rejected_commands',
      handle: async (caller) => ({ data: await listRejectedCommands(sql, caller.tenant, null) }),
    },
  ];
}
