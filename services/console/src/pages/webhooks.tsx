/**
 * Webhook endpoints with their health, the deliveries of an endpoint, and one delivery with its request and responses. Events are sent
 * again by the operations of the API.
 */
import {
  formatInstant,
  type WebhookDeliveryRecord,
  type WebhookEndpoint,
  webhookDeliveryStatuses,
} from '@carecover/contract';
import { notFound } from '@carecover/domain';
import { readPlace, StatusFilter } from '../filters';
import { TextField } from '../forms';
import { executeInTurn } from '../in-turn';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { HiddenFields, Id, Instant, Older, OwnId, Status, Table } from '../parts';
import { permits } from '../roles';
import { captionOf } from '../words';

/**
 * The number of endpoints on a page. It is small, because the page reads the latest deliveries of each endpoint with a separate request.
 */
const ENDPOINTS = 20;
const DELIVERIES = 25;
/** The number of latest deliveries from which an endpoint's health is shown. */
const LATEST = 20;
const MAX_PAGE = 100;

interface Health {
  readonly endpoint: WebhookEndpoint;
  readonly latest: readonly WebhookDeliveryRecord[];
}

function HealthText({ latest }: Pick<Health, 'latest'>) {
  if (latest.length === 0) return <span class="none">no deliveries</span>;
  const counts = webhookDeliveryStatuses
    .map((status) => ({ status, count: latest.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0);
  return (
    <>
      {counts.map(({ status, count }, index) => (
        <span key={status}>
          {index > 0 && ', '}
          {count} <Status value={status} />
        </span>
      ))}
    </>
  );
}

/** The status of the last response, or the error of the last attempt. */
function LastResponse({ delivery: { history } }: { delivery: WebhookDeliveryRecord }) {
  const last = history.at(-1);
  if (last === undefined) return <span class="none">none</span>;
  return <>{last.response_status ?? last.error}</>;
}

export const webhooks: Page = {
  path: '/webhooks',
  menu: 'Webhooks',
  permission: 'read',
  async render({ calls, project, address, query }) {
    const after = query.get('after');
    const endpoints = await calls.execute(project, 'listWebhookEndpoints', {
      query: { limit: ENDPOINTS, ...(after === null ? {} : { starting_after: after }) },
    });
    const rows: Health[] = await Promise.all(
      endpoints.data.map(async (endpoint) => {
        const { data } = await calls.execute(project, 'listWebhookDeliveries', {
          params: { webhook_endpoint_id: endpoint.id },
          query: { limit: LATEST },
        });
        return { endpoint, latest: data };
      }),
    );
    return {
      title: 'Webhooks',
      body: (
        <>
          <Table
            name="webhook-endpoints"
            caption={`Endpoints, newest first, with their latest ${LATEST} deliveries`}
            none="The project has no endpoint."
            columns={[
              {
                label: 'Endpoint',
                cell: ({ endpoint }) => (
                  <a href={projectPath(project, `/webhooks/${endpoint.id}`)} title={endpoint.id}>
                    {endpoint.url}
                  </a>
                ),
              },
              { label: 'Status', cell: ({ endpoint }) => <Status value={endpoint.status} /> },
              { label: 'Deliveries', cell: ({ latest }) => <HealthText latest={latest} /> },
              {
                label: 'Last attempt',
                cell: ({ latest }) => <Instant at={latest.find(hasAttempt)?.history.at(-1)?.at ?? null} />,
              },
            ]}
            rows={rows}
          />
          <Older list={endpoints} address={address} query={query} items="endpoints" />
        </>
      ),
    };
  },
};

const hasAttempt = ({ history }: WebhookDeliveryRecord) => history.length > 0;

const PERIOD = { since: 'From', until: 'To' };

/** The forms of an endpoint. A disabled endpoint has only that which enables it. */
function EndpointActs({ request, endpoint }: { request: PageRequest; endpoint: WebhookEndpoint }) {
  const { session, project, rejected } = request;
  const address = (act: string) => projectPath(project, `/webhooks/${endpoint.id}/${act}`);
  if (endpoint.status === 'disabled')
    return (
      <form class="form" method="post" action={address('enable')}>
        <h3>Enable the endpoint</h3>
        <HiddenFields session={session} />
        <p class="hint">New events are sent to it again. Recover the missed ones afterwards.</p>
        <button type="submit">Show the effect</button>
      </form>
    );
  return (
    <>
      {project.environment === 'sandbox' && (
        <form class="form" method="post" action={address('test')}>
          <h3>Send a test event</h3>
          <HiddenFields session={session} />
          <p class="hint">Up to 3 attempts within 10 seconds.</p>
          <button type="submit">Send a test event</button>
        </form>
      )}
      <form class="form" method="post" action={address('recover')}>
        <h3>Recover missed events</h3>
        <HiddenFields session={session} />
        <p class="hint">
          Sends the events of a period of at most 30 days that were not delivered. Days are those of{' '}
          {project.time_zone}.
        </p>
        <TextField labels={PERIOD} name="since" rejected={rejected} hint="Such as 7 Nov 2026, or yesterday" />
        <TextField labels={PERIOD} name="until" rejected={rejected} usual="now" />
        <button type="submit">Recover</button>
      </form>
    </>
  );
}

export const webhookEndpoint: Page = {
  path: '/webhooks/:endpoint',
  permission: 'read',
  async render(request) {
    const { calls, project, params, address, query, session } = request;
    const input = { params: { webhook_endpoint_id: params.endpoint ?? '' } };
    const status = webhookDeliveryStatuses.find((each) => each === query.get('status'));
    const [endpoint, deliveries] = await Promise.all([
      calls.execute(project, 'getWebhookEndpoint', input),
      calls.execute(project, 'listWebhookDeliveries', {
        ...input,
        query: {
          limit: DELIVERIES,
          ...(status === undefined ? {} : { status }),
          ...readPlace(query),
        },
      }),
    ]);
    const failed = deliveries.data.filter((delivery) => delivery.status === 'failed');
    const canAct = permits(session.roles, 'webhooks') && endpoint.status === 'active';
    return {
      title: 'Webhook endpoint',
      scripts: ['copy.js'],
      body: (
        <>
          <dl>
            <dt>Endpoint</dt>
            <dd>
              <OwnId id={endpoint.id} />, <Status value={endpoint.status} />
            </dd>
            <dt>URL</dt>
            <dd>{endpoint.url}</dd>
            <dt>Events</dt>
            <dd>{endpoint.events.join(', ')}</dd>
            <dt>Registered</dt>
            <dd>
              <Instant at={endpoint.created_at} />
            </dd>
            {endpoint.disabled_at !== null && (
              <>
                <dt>Disabled</dt>
                <dd>
                  <Instant at={endpoint.disabled_at} />
                </dd>
              </>
            )}
          </dl>
          <h2>Deliveries</h2>
          <StatusFilter statuses={webhookDeliveryStatuses} address={address} query={query} />
          <Table
            name="deliveries"
            caption={captionOf(deliveries, 'delivery', { plural: 'deliveries' })}
            none="No deliveries."
            columns={[
              {
                label: 'Event',
                cell: ({ id, type }) => (
                  <a href={projectPath(project, `/webhooks/${endpoint.id}/deliveries/${id}`)} title={id}>
                    {type}
                  </a>
                ),
              },
              { label: 'Status', cell: (delivery) => <Status value={delivery.status} /> },
              { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
              { label: 'Last response', cell: (delivery) => <LastResponse delivery={delivery} /> },
              { label: 'Next attempt', cell: ({ next_attempt_at }) => <Instant at={next_attempt_at} /> },
            ]}
            rows={deliveries.data}
          />
          <Older list={deliveries} address={address} query={query} items="deliveries" />
          {canAct && failed.length > 0 && (
            <form
              class="form"
              method="post"
              action={projectPath(project, `/webhooks/${endpoint.id}/redeliver`)}
            >
              <HiddenFields session={session} />
              {failed.map(({ id }) => (
                <input key={id} type="hidden" name="event" value={id} />
              ))}
              <button type="submit">Send the {failed.length} failed ones of this page again</button>
            </form>
          )}
          {permits(session.roles, 'webhooks') && (
            <>
              <h2>Acts</h2>
              <EndpointActs request={request} endpoint={endpoint} />
            </>
          )}
        </>
      ),
    };
  },
};

/**
 * Finds the delivery of an event to an endpoint. The API lists an endpoint's deliveries by time, not by event, so this function reads
 * those of the millisecond in which the event was created.
 *
 * @throws ApiError resource_not_found
 */
async function readDelivery(
  { calls, project }: PageRequest,
  endpointId: string,
  eventId: string,
  at: string,
) {
  const bound = (offsetMs: number) => formatInstant(Date.parse(at) + offsetMs);
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof calls.execute<'listWebhookDeliveries'>>> = await calls.execute(
      project,
      'listWebhookDeliveries',
      {
        params: { webhook_endpoint_id: endpointId },
        query: {
          limit: MAX_PAGE,
          created_after: bound(-1),
          created_before: bound(1),
          ...(after === null ? {} : { starting_after: after }),
        },
      },
    );
    const found = page.data.find(({ id }) => id === eventId);
    if (found !== undefined) return found;
    after = page.data.at(-1)?.id ?? null;
    if (!page.has_more || after === null) throw notFound();
  }
}

export const webhookDelivery: Page = {
  path: '/webhooks/:endpoint/deliveries/:event',
  permission: 'read',
  async render(request) {
    const { calls, project, params, session } = request;
    const { endpoint: endpointId = '', event: eventId = '' } = params;
    const [endpoint, event] = await Promise.all([
      calls.execute(project, 'getWebhookEndpoint', { params: { webhook_endpoint_id: endpointId } }),
      calls.execute(project, 'getEvent', { params: { event_id: eventId } }),
    ]);
    const delivery = await readDelivery(request, endpoint.id, event.id, event.created_at);
    return {
      title: `Delivery of ${delivery.type}`,
      body: (
        <>
          <dl>
            <dt>Endpoint</dt>
            <dd>
              <Id project={project} id={endpoint.id} />
            </dd>
            <dt>Status</dt>
            <dd>
              <Status value={delivery.status} />
            </dd>
            <dt>Next attempt</dt>
            <dd>
              <Instant at={delivery.next_attempt_at} />
            </dd>
          </dl>
          <h2>Attempts and responses</h2>
          <Table
            name="attempts"
            caption="Newest attempts, oldest first"
            none="No attempt was made."
            columns={[
              { label: 'Started', cell: ({ at }) => <Instant at={at} /> },
              { label: 'Response', cell: ({ response_status, error }) => response_status ?? error },
              { label: 'Duration', isNumber: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
              {
                label: 'Start of the body',
                cell: ({ response_excerpt }) =>
                  response_excerpt === null ? (
                    <span class="none">none</span>
                  ) : (
                    <code>{response_excerpt}</code>
                  ),
              },
            ]}
            rows={delivery.history}
          />
          {permits(session.roles, 'webhooks') && endpoint.status === 'active' && (
            <form
              class="form"
              method="post"
              action={projectPath(project, `/webhooks/${endpoint.id}/deliveries/${event.id}/redeliver`)}
            >
              <h2>Acts</h2>
              <HiddenFields session={session} />
              <p class="hint">Starts new attempts now.</p>
              <button type="submit">Send again</button>
            </form>
          )}
          <h2>Request</h2>
          <dl>
            <dt>POST</dt>
            <dd>{endpoint.url}</dd>
            <dt>webhook-id</dt>
            <dd>
              <code>{event.id}</code>
            </dd>
          </dl>
          <pre>{JSON.stringify(event, null, 2)}</pre>
        </>
      ),
    };
  },
};

const deliveryPath = (endpointId: string, eventId: string) => `/webhooks/${endpointId}/deliveries/${eventId}`;

export const redeliver: Act = {
  path: '/webhooks/:endpoint/deliveries/:event/redeliver',
  permission: 'webhooks',
  action: 'webhook.redeliver',
  page: webhookDelivery,
  describe: ({ endpoint = '', event: subject = '' }) => ({ subject, details: { endpoint_id: endpoint } }),
  async execute({ calls, project, params }, form) {
    const { endpoint = '', event = '' } = params;
    const input = { params: { webhook_endpoint_id: endpoint, event_id: event } };
    await calls.execute(project, 'redeliverEvent', input, form.key);
    return { path: deliveryPath(endpoint, event), done: 'The event is sent again now.' };
  },
};

export const recover: Act = {
  path: '/webhooks/:endpoint/recover',
  permission: 'webhooks',
  action: 'webhook.recover',
  page: webhookEndpoint,
  labels: PERIOD,
  describe: ({ endpoint: subject = '' }, form) => ({
    subject,
    details: { since: form.get('since'), until: form.get('until') },
  }),
  async execute({ calls, project, params }, form) {
    const { endpoint = '' } = params;
    const since = form.instant('since', 'start', true) ?? '';
    const until = form.instant('until', 'end', true) ?? '';
    form.check();
    const input = { params: { webhook_endpoint_id: endpoint }, body: { since, until } };
    await calls.execute(project, 'recoverWebhookEndpoint', input, form.key);
    return {
      path: `/webhooks/${endpoint}`,
      done: 'The events of the period that were not delivered are sent again.',
    };
  },
};

export const testEndpoint: Act = {
  path: '/webhooks/:endpoint/test',
  permission: 'webhooks',
  action: 'webhook.test',
  page: webhookEndpoint,
  describe: ({ endpoint: subject = '' }) => ({ subject, details: {} }),
  async execute({ calls, project, params }, form) {
    const { endpoint = '' } = params;
    const input = { params: { webhook_endpoint_id: endpoint } };
    const { id } = await calls.execute(project, 'testWebhookEndpoint', input, form.key);
    return { path: deliveryPath(endpoint, id), done: 'A test event was sent.' };
  },
};

export const enableEndpoint: Act = {
  path: '/webhooks/:endpoint/enable',
  permission: 'webhooks',
  action: 'webhook.enable',
  page: webhookEndpoint,
  describe: ({ endpoint: subject = '' }) => ({ subject, details: {} }),
  async preview({ calls, project, params }) {
    const endpoint = await calls.execute(project, 'getWebhookEndpoint', {
      params: { webhook_endpoint_id: params.endpoint ?? '' },
    });
    return {
      title: 'Enable the endpoint?',
      confirm: 'Enable the endpoint',
      basis: `${endpoint.id} ${endpoint.status} ${endpoint.url}`,
      effect: (
        <p>
          New events are sent to <strong>{endpoint.url}</strong> again. It was disabled at{' '}
          <Instant at={endpoint.disabled_at} />.
        </p>
      ),
    };
  },
  async execute({ calls, project, params }, form) {
    const { endpoint = '' } = params;
    const input = { params: { webhook_endpoint_id: endpoint }, body: { status: 'active' as const } };
    await calls.execute(project, 'updateWebhookEndpoint', input, form.key);
    return { path: `/webhooks/${endpoint}`, done: 'The endpoint is active: new events are sent to it.' };
  },
};

export const redeliverMany: Act = {
  path: '/webhooks/:endpoint/redeliver',
  permission: 'webhooks',
  action: 'webhook.redeliver_many',
  page: webhookEndpoint,
  describe: ({ endpoint: subject = '' }, form) => ({
    subject,
    details: { events: form.getAll('event').length },
  }),
  async execute({ calls, project, params }, { form, key }) {
    const { endpoint = '' } = params;
    const events = [...new Set(form.getAll('event'))].slice(0, DELIVERIES);
    await calls.execute(project, 'getWebhookEndpoint', { params: { webhook_endpoint_id: endpoint } });
    const { done, failed } = await executeInTurn(events, (event) =>
      calls.execute(
        project,
        'redeliverEvent',
        { params: { webhook_endpoint_id: endpoint, event_id: event } },
        // Each event has a key of its own, so that a form that is sent again sends no event twice.
        key === undefined ? undefined : `${key}:${event}`,
      ),
    );
    const text =
      failed === null
        ? `${events.length} events are sent again now.`
        : `Only ${done.length} of ${events.length} events are sent again now. ${failed.part} was not confirmed: ${failed.message} Those after it were not sent.`;
    return { path: `/webhooks/${endpoint}`, done: text };
  },
};
