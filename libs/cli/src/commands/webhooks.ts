/** `carecover webhooks …`: lists deliveries of events, explains why a delivery failed, and sends events again. */
import { type WebhookDeliveryRecord, webhookDeliveryStatuses } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { OperatorError, readNow } from '@carecover/gateway';
import type { Sql } from '@carecover/postgres';
import type { DeliveryExplanation } from '@carecover/webhooks';
import { type Command, Option } from 'commander';
import { type CommandContext, withDatabase, withServiceDatabase } from '../command-context';
import {
  asOperator,
  compareNewestFirst,
  listOfProjects,
  logChange,
  operatorCall,
  operatorCallers,
  withCreation,
} from '../operator-calls';
import { type ListOptions, limitOption, PROJECT, parseInstantOption } from '../options';
import { escapeControls, formatJson, printResult, printTable } from '../output';
import { findResource, type ShownKind } from '../resource-lookup';

type Status = WebhookDeliveryRecord['status'];

/** The kinds of resources that `webhooks why` accepts: events, and resources that have events. */
const WITH_EVENTS: readonly ShownKind[] = ['event', 'claim', 'preauthorization', 'remittance'];

async function listRows(
  context: CommandContext,
  endpointId: string | undefined,
  { project, limit, status }: ListOptions & { readonly status?: Status },
) {
  const {
    attemptsOf,
    deliveryRecordResource,
    endpointResource,
    listDeliveries,
    listEndpoints,
    readEndpoint,
  } = await import('@carecover/webhooks');
  const callers =
    endpointId === undefined
      ? await operatorCallers(context, project)
      : [(await findResource(context, endpointId, project, ['webhookEndpoint'])).caller];

  async function listOfEndpoint(sql: Sql, caller: Caller, id: string) {
    const endpoint = await readEndpoint(sql, caller, id);
    return listOfProjects(sql, [caller], limit, async (_, page) => {
      const found = await listDeliveries(sql, caller, endpoint, { ...page, ...(status && { status }) });
      const attempts = await attemptsOf(sql, found.data);
      return { ...found, data: found.data.map(withCreation((row) => deliveryRecordResource(row, attempts))) };
    });
  }

  const found = await withServiceDatabase(context, 'webhooks', null, async (sql) => {
    const endpoints =
      endpointId === undefined
        ? await listOfProjects(sql, callers, Number.MAX_SAFE_INTEGER, (caller, page) =>
            listEndpoints(sql, caller, page, endpointResource),
          )
        : callers.map(({ tenant }) => ({ id: endpointId, project_id: tenant }));
    const lists = [];
    for (const { id, project_id } of endpoints) {
      const caller = callers.find(({ tenant }) => tenant === project_id);
      if (caller !== undefined) lists.push(...(await listOfEndpoint(sql, caller, id)));
    }
    return lists;
  });
  return found
    .sort(compareNewestFirst)
    .slice(0, limit)
    .map(({ id, type, endpoint_id, status, attempts, history, next_attempt_at, project_id }) => ({
      event_id: id,
      type,
      endpoint_id,
      status,
      attempts,
      last: history.at(-1)?.response_status ?? history.at(-1)?.error ?? null,
      next_attempt_at,
      project_id,
    }));
}

/** Returns what the operator can do next about a delivery, with the CLI command if there is one; null if there is nothing to do. */
function nextStep(
  eventId: string,
  createdAt: string,
  { endpoint_id, remedy, history }: DeliveryExplanation,
): string | null {
  const recover = `carecover webhooks recover ${endpoint_id} --since ${createdAt}`;
  const redeliver = `carecover webhooks redeliver ${endpoint_id} ${eventId}`;
  switch (remedy) {
    case 'redeliver':
      return redeliver;
    case 'wait':
      return history.length === 0 ? null : `wait for the next attempt; to attempt at once: ${redeliver}`;
    case 'recover':
      return recover;
    case 'enable_and_recover':
      return `the owner enables it (PATCH /webhook_endpoints/${endpoint_id}), then ${recover}`;
    default:
      return null;
  }
}

async function explain(context: CommandContext, text: string, project: string | undefined) {
  const { eventsOfResource, explainDeliveries } = await import('@carecover/webhooks');
  const { id, kind, tenant } = await findResource(context, text, project, WITH_EVENTS);
  return withServiceDatabase(context, 'webhooks', tenant, async (sql) => {
    const eventIds = kind === 'event' ? [id] : await eventsOfResource(sql, tenant, id);
    if (eventIds.length === 0) {
      throw new OperatorError(
        `The webhooks service has no event of ${id}. "carecover dead-letters list" lists events that could not be published. Old events are deleted.`,
      );
    }
    const explained = [];
    for (const eventId of eventIds) {
      const found = await explainDeliveries(sql, tenant, eventId);
      if (found === null) continue;
      const endpoints = found.endpoints.map((endpoint) => ({
        ...endpoint,
        next_step: nextStep(eventId, found.created_at, endpoint),
      }));
      explained.push({ ...found, endpoints });
    }
    return explained;
  });
}

async function printExplanation(
  context: CommandContext,
  text: string,
  options: { project?: string; json?: true },
) {
  const { output } = context;
  const explained = await explain(context, text, options.project);
  if (options.json === true) {
    printResult(output, true, explained);
    return;
  }
  for (const { event_id, type, created_at, endpoints } of explained) {
    output.write(`${event_id}  ${type}  ${created_at}\n`);
    if (endpoints.length === 0) output.write('  The project has no endpoint.\n');
    for (const { endpoint_id, url, status, reason, history, next_step } of endpoints) {
      output.write(`  ${endpoint_id}  ${escapeControls(url)}  ${status}: ${escapeControls(reason)}\n`);
      for (const { at, response_status, duration_ms, error, response_excerpt } of history) {
        const excerpt = response_excerpt === null ? '' : ` ${formatJson(response_excerpt)}`;
        output.write(
          `    ${at}  ${response_status ?? escapeControls(error ?? 'no response')}  ${duration_ms} ms${excerpt}\n`,
        );
      }
      if (next_step !== null) output.write(`    next: ${next_step}\n`);
    }
  }
}

async function redeliver(context: CommandContext, endpointId: string, eventId: string): Promise<object> {
  const { redeliverEvent } = await import('@carecover/webhooks');
  const { caller } = await findResource(context, endpointId, undefined, ['webhookEndpoint']);
  const params = { webhook_endpoint_id: endpointId, event_id: eventId };
  const call = operatorCall('redeliverEvent', caller, { params, body: undefined });
  await logChange(context, caller.tenant, 'webhook.redeliver', eventId, { endpoint_id: endpointId });
  const { text } = await withServiceDatabase(context, 'webhooks', caller.tenant, (sql) =>
    asOperator(() => redeliverEvent(sql, call), {
      resource_not_found: `There is no delivery of ${eventId} to ${endpointId}. "carecover webhooks why ${eventId}" prints the reason.`,
    }),
  );
  return JSON.parse(text);
}

async function recover(
  context: CommandContext,
  endpointId: string,
  since: number,
  given: number | undefined,
): Promise<object> {
  const { recoverEndpoint } = await import('@carecover/webhooks');
  const { caller } = await findResource(context, endpointId, undefined, ['webhookEndpoint']);
  const until =
    given === undefined ? await withDatabase(context, (sql) => readNow(sql, caller.tenant)) : new Date(given);
  const body = { since: new Date(since).toISOString(), until: until.toISOString() };
  const params = { webhook_endpoint_id: endpointId };
  const call = operatorCall('recoverWebhookEndpoint', caller, { params, body });
  await logChange(context, caller.tenant, 'webhook.recover', endpointId, body);
  const { text } = await withServiceDatabase(context, 'webhooks', caller.tenant, (sql) =>
    recoverEndpoint(sql, call),
  );
  return { count: JSON.parse(text).count };
}

export function addWebhooks(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('deliveries')
    .argument('[endpoint]', "the endpoint's ID, whe_…; all endpoints if it is omitted")
    .description('list deliveries of events to endpoints, newest first')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices(webhookDeliveryStatuses),
    )
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (endpoint: string | undefined, options: ListOptions & { status?: Status }) => {
      printTable(
        context.output,
        options.json === true,
        await asOperator(() => listRows(context, endpoint, options)),
      );
    });

  webhooks
    .command('why')
    .argument(
      '<event>',
      "an event's ID, evt_…; or the ID or reference of the claim, pre-authorization or remittance that it is about",
    )
    .description('print for each endpoint why it received an event or not, the attempts, and what to do')
    .option('--project <project>', 'look only in this project, prj_…')
    .option('--json', 'print an array of {event_id, type, created_at, endpoints}')
    .action((event: string, options: { project?: string; json?: true }) =>
      asOperator(() => printExplanation(context, event, options)),
    );

  webhooks
    .command('redeliver')
    .argument('<endpoint>', "the endpoint's ID, whe_…")
    .argument('<event>', "the event's ID, evt_…")
    .description('send an event to an endpoint again, with new attempts from now on')
    .option('--json', 'print the delivery')
    .action(async (endpoint: string, event: string, { json }: { json?: true }) => {
      printResult(context.output, json === true, await asOperator(() => redeliver(context, endpoint, event)));
      if (json !== true)
        context.output.write(
          `The next attempt follows at once: "carecover webhooks why ${event}" prints it.\n`,
        );
    });

  webhooks
    .command('recover')
    .argument('<endpoint>', "the endpoint's ID, whe_…")
    .description('send every event of a period that an endpoint missed, also while it was disabled')
    .requiredOption('--since <instant>', 'the start, at most 30 days before the end', parseInstantOption)
    .option('--until <instant>', 'the end; now if it is omitted', parseInstantOption)
    .option('--json', 'print {count}')
    .action(async (endpoint: string, options: { since: number; until?: number; json?: true }) => {
      const { since, until } = options;
      printResult(
        context.output,
        options.json === true,
        await asOperator(() => recover(context, endpoint, since, until)),
      );
    });
}
