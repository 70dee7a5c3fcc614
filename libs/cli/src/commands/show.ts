/** `carecover show`: the history of a claim, or the state of another resource. */

import { ApiError, requireResource } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import type { Sql } from '@carecover/postgres';
import { TemporalRuns } from '@carecover/temporal';
import type { Command } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { findTemporal, findTemporalUi } from '../connection-settings';
import { asOperator } from '../operator-calls';
import { parseInstantOption } from '../options';
import { escapeControlsInLines, formatJson, printResult } from '../output';
import { type FoundResource, findResource, type ShownKind } from '../resource-lookup';
import { printReconciliation, readReconciliation } from './remittances';

type Reader = (context: CommandContext, resource: FoundResource) => Promise<object>;

/** Creates a function that reads a resource in a service's schema. The service's module is loaded when the function is called. */
function readerOf(
  service: Parameters<typeof withServiceDatabase>[1],
  read: (sql: Sql, resource: FoundResource) => Promise<object>,
): Reader {
  return (context, resource) =>
    withServiceDatabase(context, service, resource.tenant, (sql) => read(sql, resource));
}

/** The functions that read resources in the form in which the API returns them, by the kind of the resource. */
const READERS: Record<Exclude<ShownKind, 'claim' | 'remittance'>, Reader> = {
  settlement: readerOf('payments', async (sql, { caller, id }) => {
    const { findSettlement, settlementResource } = await import('@carecover/payments');
    return settlementResource(requireResource(caller, id, await findSettlement(sql, caller.tenant, id)));
  }),
  preauthorization: readerOf('benefits', async (sql, { caller, id }) => {
    const { findPreauthorization, preauthorizationResource } = await import('@carecover/benefits');
    return preauthorizationResource(
      requireResource(caller, id, await findPreauthorization(sql, caller.tenant, id)),
    );
  }),
  eligibilityCheck: readerOf('benefits', async (sql, { caller, id }) => {
    const { findEligibilityCheck, eligibilityCheckResource } = await import('@carecover/benefits');
    return eligibilityCheckResource(
      requireResource(caller, id, await findEligibilityCheck(sql, caller.tenant, id)),
    );
  }),
  booking: readerOf('care', async (sql, { caller, id }) => {
    const { bookingResource, findBooking } = await import('@carecover/care');
    return bookingResource(requireResource(caller, id, await findBooking(sql, caller.tenant, id)));
  }),
  session: readerOf('care', async (sql, { caller, id }) => {
    const { findSessionNow, sessionResource } = await import('@carecover/care');
    const row = requireResource(caller, id, await findSessionNow(sql, caller.tenant, id));
    return sessionResource(row, row.now);
  }),
  webhookEndpoint: readerOf('webhooks', async (sql, { caller, id }) => {
    const { endpointResource, readEndpoint } = await import('@carecover/webhooks');
    const row = await readEndpoint(sql, caller, id);
    return {
      ...endpointResource(row),
      disabled_reason: row.disabled_reason,
      failing_since: row.first_failure_at?.toISOString() ?? null,
    };
  }),
  event: readerOf('webhooks', async (sql, { caller, id }) => {
    const { readEventPayload } = await import('@carecover/webhooks');
    return JSON.parse(await readEventPayload(sql, caller, id));
  }),
};

/**
 * Returns the history of a claim. The history as known now ends with the state of the claim's workflow. The history as known at an instant
 * never changes.
 */
async function showClaim(
  context: CommandContext,
  resource: FoundResource,
  at: number | undefined,
): Promise<string> {
  const { id, tenant, caller } = resource;
  const { describeClaim, findWaiting } = await import('@carecover/claims');
  return withServiceDatabase(context, 'claims', tenant, async (sql) => {
    const history = await describeClaim(sql, tenant, id, at);
    if (at !== undefined) return history;
    const run = await describeRun(context, id);
    const waiting = await findWaiting(sql, [{ id, tenant, environment: caller.environment }]);
    return `${history}\n\nworkflow: ${run ?? NO_RUN[waiting.length > 0 ? 'waiting' : 'ended']}`;
  });
}

/** Why a claim has no run, by whether the claim waits for something. */
const NO_RUN = {
  waiting:
    'none yet; it starts some seconds after a change of the claim, or when Temporal and the worker of claims are available',
  ended:
    'none, because the claim waits for nothing: it ended before its first signal, or Temporal has deleted its run after the retention time',
} as const;

/**
 * Describes the newest run of a resource's workflow in one line, with its link if the address of Temporal's UI is known; null if there is
 * none. If the run cannot be read, the line says why, because the history does not depend on Temporal.
 */
async function describeRun({ env }: CommandContext, id: string): Promise<string | null> {
  let runs: TemporalRuns | null = null;
  try {
    const ui = await findTemporalUi(env);
    runs = TemporalRuns.create(await findTemporal(env));
    const run = await runs.describeRun(id);
    if (run === null) return null;
    const state = `${run.status}, since ${run.started_at}`;
    const path = `/namespaces/${run.namespace}/workflows/${id}/${run.run_id}/history`;
    return ui === null ? state : `${state}; ${ui.replace(/\/$/, '')}${path}`;
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof ApiError)) throw error;
    // A message about settings has several lines.
    return `not known: ${error.message.replaceAll(/\s+/g, ' ')}`;
  } finally {
    await runs?.close();
  }
}

export function addShow(show: Command, context: CommandContext): void {
  show
    .argument(
      '<resource>',
      'an ID (clm_…, rem_…, stl_…, preauth_…, elig_…, bkg_…, whe_…, evt_…), or the reference of a claim, remittance or settlement',
    )
    .option('--project <project>', 'look only in this project, prj_…')
    .option(
      '--at <instant>',
      'the history of a claim as it was known at this instant, such as 2027-02-20T09:00:00Z',
      parseInstantOption,
    )
    .option('--json', 'print {text} for a claim, the reconciliation for a remittance, and else the resource')
    .action(async (text: string, { project, at, json }: { project?: string; at?: number; json?: true }) => {
      const resource = await findResource(context, text, project);
      const { kind } = resource;
      if (at !== undefined && kind !== 'claim')
        throw new OperatorError(`--at needs a claim, and ${resource.id} is none.`);
      await asOperator(async () => {
        if (kind === 'claim') {
          const history = await showClaim(context, resource, at);
          context.output.write(
            json === true ? `${formatJson({ text: history })}\n` : `${escapeControlsInLines(history)}\n`,
          );
        } else if (kind === 'remittance') {
          printReconciliation(context.output, json === true, await readReconciliation(context, resource));
        } else {
          printResult(context.output, json === true, await READERS[kind](context, resource));
        }
      });
    });
}
