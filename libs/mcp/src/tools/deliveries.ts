/** The tool that says whether webhooks were delivered, and why not. It returns no URL of an endpoint, because it can contain a secret. */
import { operations } from '@carecover/contract';
import { callOperation, type OperationCaller, type ToolArguments } from '../operation-call';
import { argumentsSchema, operationArguments } from '../schema';
import { compact, type DirectTool } from './definition';

const ENDPOINT = 'webhook_endpoint_id';
const ENDPOINT_FIELDS = ['id', 'status', 'events', 'created_at', 'disabled_at'];
const DELIVERY_FIELDS = ['id', 'type', 'status', 'attempts', 'response_status', 'next_attempt_at', 'history'];
/** The number of endpoints and of attempts per delivery in a result. */
const SHOWN_ENDPOINTS = 5;
const SHOWN_ATTEMPTS = 3;

interface Attempt {
  readonly at: string;
  readonly response_status: number | null;
  readonly error: string | null;
}

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly history: readonly Attempt[];
}

const ENDS: Readonly<Record<string, string>> = {
  delivered: 'The receiver accepted it.',
  failed: 'No attempt remains: it can be sent again with the API or the console.',
};

/** Says in words why the delivery has its status. */
function explain({ status, attempts, next_attempt_at: next, history }: Delivery): string {
  const last = history.at(-1);
  const count = `${attempts} attempt${attempts === 1 ? '' : 's'}.`;
  const outcome =
    last === undefined
      ? ''
      : last.response_status === null
        ? ` The last, at ${last.at}, got no response (${last.error ?? 'unknown error'}).`
        : ` The last, at ${last.at}, got HTTP status ${last.response_status}.`;
  const end = ENDS[status] ?? (next === null ? '' : `The next attempt is at ${next}.`);
  return `${count}${outcome} ${end}`.trim();
}

async function readDeliveries(caller: OperationCaller, endpoint: unknown, given: ToolArguments) {
  const found = await callOperation(caller, 'listWebhookDeliveries', { ...given, [ENDPOINT]: endpoint });
  const deliveries = found.data as (Delivery & Record<string, unknown>)[];
  const explained = deliveries.map((delivery) => ({
    explanation: explain(delivery),
    ...delivery,
    history: delivery.history.slice(-SHOWN_ATTEMPTS),
  }));
  return compact({ data: explained, has_more: found.has_more }, ['explanation', ...DELIVERY_FIELDS]);
}

async function listDeliveries(caller: OperationCaller, given: ToolArguments) {
  if (given[ENDPOINT] !== undefined) return readDeliveries(caller, given[ENDPOINT], given);
  const found = await callOperation(caller, 'listWebhookEndpoints', { limit: SHOWN_ENDPOINTS });
  const { data, has_more } = compact(found, ENDPOINT_FIELDS);
  const endpoints: unknown[] = [];
  for (const endpoint of data as { id: string }[]) {
    endpoints.push({ ...endpoint, deliveries: await readDeliveries(caller, endpoint.id, given) });
  }
  return { endpoints, has_more_endpoints: has_more };
}

const { properties } = operationArguments(operations.listWebhookDeliveries);

export const deliveriesTool: DirectTool = {
  name: 'list_deliveries',
  title: operations.listWebhookDeliveries.summary,
  description: `Says whether events were delivered to webhook endpoints, and why not. Each delivery has a sentence (explanation), its status (pending: attempts remain; delivered; failed: none remain), and its newest ${SHOWN_ATTEMPTS} attempts with the receiver's status, the error and the start of the receiver's response. Use status=failed for "why was this webhook not delivered". Leave webhook_endpoint_id (whe_…) out to get the ${SHOWN_ENDPOINTS} newest endpoints, each with its deliveries; a disabled endpoint receives nothing. It returns neither the endpoint's URL nor its secret. response_excerpt is text of the receiver.`,
  operations: ['listWebhookEndpoints', 'listWebhookDeliveries'],
  inputSchema: argumentsSchema(properties, []),
  outputSchema: undefined,
  run: listDeliveries,
};
