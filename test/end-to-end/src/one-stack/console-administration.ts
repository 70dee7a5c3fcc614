/**
 * Tests over HTTP the console's pages of webhooks, settings, keys and the audit log: what each role can see and do, and what each form
 * changes. Also tests the console's process: its rate limit per person, health, metrics and traces.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WebhookEndpoint } from '@carecover/client';
import { connectPostgres } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { keyIn, type Role, type Visitor, visitAs } from '@carecover/testing/stack';
import { collector, running } from './world';

const ROLES: readonly Role[] = ['viewer', 'operator', 'finance', 'administrator'];

let project: string;
let foreign: string;
let endpoint: WebhookEndpoint;
let eventId: string;
let keyId: string;
beforeAll(async () => {
  const { operator, stack, world } = running;
  project = `/projects/${stack.file.project_id}`;
  const delivered = await world.createDeliveredEvent();
  eventId = delivered.eventId;
  endpoint = await world.client.webhookEndpoints.retrieve(delivered.endpointId);
  const { project_id } = await operator<{ project_id: string }>(
    'projects',
    'create',
    'Another',
    '--environment',
    'sandbox',
  );
  foreign = `/projects/${project_id}`;
  ({ key_id: keyId } = await createKey());
});

function createKey(): Promise<{ key_id: string; secret_key: string }> {
  const { operator, stack } = running;
  return operator('keys', 'create', '--project', stack.file.project_id, '--scopes', 'claims:read');
}

async function asRole(role: Role): Promise<Visitor> {
  return (await visitAs(running.stack.file.console_url, role)).visitor;
}

const entriesOf = async (subject: string) => {
  const entries = await running.operator<{ actor: string; action: string; subject: string }[]>(
    'audit',
    'list',
    '--limit',
    '1000',
  );
  return entries.flatMap(({ actor, action, subject: of }) => (of === subject ? [{ actor, action }] : []));
};

/** Sends a request to the API with the secret key `secret`, and returns the HTTP status. */
async function statusOf(secret: string): Promise<number> {
  const client = running.clients.create(secret, { maxRetries: 0 });
  try {
    await client.claims.list({ limit: 1 });
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

const forEveryone = () => [
  '/webhooks',
  `/webhooks/${endpoint.id}`,
  `/webhooks/${endpoint.id}/deliveries/${eventId}`,
];
const forAdministrators = () => ['/settings', '/keys', `/keys/${keyId}`, '/audit-log'];

const actsOnWebhooks = () => [
  `/webhooks/${endpoint.id}/test`,
  `/webhooks/${endpoint.id}/recover`,
  `/webhooks/${endpoint.id}/deliveries/${eventId}/redeliver`,
];
const actsOfAdministrators = () => [
  '/settings',
  '/keys',
  `/keys/${keyId}/rotations`,
  `/keys/${keyId}/revocations`,
];

test.each(ROLES)('a %s sees the pages of the role, and every other page and act is unknown', async (role) => {
  const visitor = await asRole(role);
  const isAdministrator = role === 'administrator';
  for (const path of forEveryone())
    expect([path, (await visitor.get(project + path)).status]).toEqual([path, 200]);
  for (const path of forAdministrators())
    expect([path, (await visitor.get(project + path)).status]).toEqual([path, isAdministrator ? 200 : 404]);
  const permitted = role === 'operator' || isAdministrator ? actsOnWebhooks() : [];
  const csrf = visitor.tokenOf(await visitor.get('/'));
  for (const path of [...actsOnWebhooks(), ...(isAdministrator ? [] : actsOfAdministrators())]) {
    const { status } = await visitor.post(project + path, { csrf, key: randomUUID() });
    expect([path, status === 404]).toEqual([path, !permitted.includes(path)]);
  }
  const actors = (await entriesOf(endpoint.id)).map(({ actor }) => actor);
  expect(actors.includes(`demo-${role}`)).toBe(permitted.length > 0);
  const { html } = await visitor.get(`${project}/webhooks/${endpoint.id}`);
  expect(html.includes('Send a test event')).toBe(permitted.length > 0);
});

test('IDs of another project, unknown and malformed ones, answer alike', async () => {
  const visitor = await asRole('administrator');
  const bodies = new Set<string>();
  const unknown = endpoint.id.replace(/.{6}$/, '000000');
  const csrf = visitor.tokenOf(await visitor.get('/'));
  const pages = [
    ...[...forEveryone().slice(1), `/keys/${keyId}`].map((path) => foreign + path),
    `${project}/webhooks/${unknown}`,
    `${project}/webhooks/none`,
    `${project}/webhooks/${endpoint.id}/deliveries/evt_none`,
    `${project}/keys/none`,
    `${project}/keys/%00`,
    `${foreign}/nothing`,
  ];
  for (const path of pages) {
    const { status, html } = await visitor.get(path);
    expect([path, status]).toEqual([path, 404]);
    bodies.add(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html);
  }
  for (const path of [...actsOnWebhooks(), ...actsOfAdministrators().slice(2)]) {
    const form = { csrf, key: randomUUID(), since: '2027-01-01T00:00:00Z', until: '2027-01-02T00:00:00Z' };
    const { status, html } = await visitor.post(foreign + path, form);
    expect([path, status]).toEqual([path, 404]);
    bodies.add(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html);
  }
  expect(bodies.size).toBe(1);
});

test('a delivery is shown with the request, the response of each attempt and the next attempt', async () => {
  const { world } = running;
  const visitor = await asRole('viewer');
  const { html } = await visitor.get(`${project}/webhooks/${endpoint.id}/deliveries/${eventId}`);
  for (const expected of [`&quot;id&quot;: &quot;${eventId}&quot;`, endpoint.url, '>204<'])
    expect(html).toContain(expected);
  const rejecting = await world.createEndpoint(world.receivers.rejecting);
  await world.createSubmittedClaim();
  await eventually('the page shows a next attempt', async () => {
    const list = await visitor.get(`${project}/webhooks/${rejecting.id}?status=pending`);
    return list.html.includes('<time') && list.html.includes('>500<') ? true : undefined;
  });
  expect((await visitor.get(`${project}/webhooks`)).html).toMatch(/\d+ <span class="status pending">/);
  await world.client.webhookEndpoints.disable(rejecting.id);
});

test('an operator sends a test event and an event again, and recovers a period; the audit log names the person', async () => {
  const visitor = await asRole('operator');
  const page = `${project}/webhooks/${endpoint.id}`;
  const attempts = async () => {
    const { data } = await running.world.client.webhookEndpoints.deliveries(endpoint.id);
    return data.find(({ id }) => id === eventId)?.attempts ?? 0;
  };
  const before = await attempts();
  const tested = await visitor.submit(page, `${page}/test`);
  expect([tested.status, tested.html.includes('sandbox.ping')]).toEqual([200, true]);
  expect(tested.url.pathname).toMatch(/\/deliveries\/evt_/);
  const again = await visitor.submit(
    `${page}/deliveries/${eventId}`,
    `${page}/deliveries/${eventId}/redeliver`,
  );
  expect(again.status).toBe(200);
  await eventually('the event has a further attempt', async () =>
    (await attempts()) > before ? true : undefined,
  );
  const [since, until] = [-86_400_000, 0].map((ms) => new Date(Date.now() + ms).toISOString()) as [
    string,
    string,
  ];
  expect((await visitor.submit(page, `${page}/recover`, { since, until: 'soon' })).status).toBe(400);
  expect((await visitor.submit(page, `${page}/recover`, { since, until })).status).toBe(200);
  const actor = 'demo-operator';
  expect(await entriesOf(endpoint.id)).toEqual(
    expect.arrayContaining([
      { actor, action: 'webhook.test' },
      { actor, action: 'webhook.recover' },
    ]),
  );
  expect(await entriesOf(eventId)).toContainEqual({ actor, action: 'webhook.redeliver' });
});

test('a test event that no receiver accepts is shown with its attempts', async () => {
  const { world } = running;
  const rejecting = await world.createEndpoint(world.receivers.rejecting);
  const visitor = await asRole('operator');
  const page = `${project}/webhooks/${rejecting.id}`;
  const tested = await visitor.submit(page, `${page}/test`);
  expect([tested.status, tested.html.split('>500<').length - 1]).toEqual([200, 3]);
  await world.client.webhookEndpoints.disable(rejecting.id);
  expect((await visitor.get(page)).html).not.toContain('Send a test event');
});

test('an administrator creates, rotates and revokes a key; a form sent twice creates one, and no page shows its secret', async () => {
  const visitor = await asRole('administrator');
  const page = await visitor.get(`${project}/keys`);
  const form = { csrf: visitor.tokenOf(page), key: keyIn(page), name: 'Reports', scope: 'claims:read' };
  const created = await visitor.post(`${project}/keys`, form);
  const secretIn = ({ html }: { html: string }) => /sk_\w+/.exec(html)?.[0] ?? '';
  const secret = secretIn(created);
  const [, id = ''] = /(key_\w+)/.exec(created.html) ?? [];
  expect([created.status, await statusOf(secret)]).toEqual([200, 200]);
  expect(secretIn(await visitor.post(`${project}/keys`, form))).toBe(secret);
  for (const path of ['/keys', `/keys/${id}`, '/audit-log']) {
    const { html } = await visitor.get(project + path);
    expect([path, html.includes(id), html.includes(secret)]).toEqual([path, true, false]);
  }
  const rotated = secretIn(await visitor.submit(`${project}/keys/${id}`, `${project}/keys/${id}/rotations`));
  expect([await statusOf(secret), await statusOf(rotated)]).toEqual([401, 200]);
  await visitor.submit(`${project}/keys/${id}`, `${project}/keys/${id}/revocations`);
  expect(await statusOf(rotated)).toBe(401);
  const actor = 'demo-administrator';
  expect(await entriesOf(id)).toEqual(
    ['key.revoke', 'key.rotate', 'key.create'].map((action) => ({ actor, action })),
  );
});

test('a key without a name or scope, and with an unknown scope, is rejected', async () => {
  const visitor = await asRole('administrator');
  const path = `${project}/keys`;
  for (const fields of [
    { name: 'Reports' },
    { name: 'Reports', scope: 'everything' },
    { name: '', scope: 'claims:read' },
    { name: 'a\0b', scope: 'claims:read' },
  ] as Record<string, string>[]) {
    const { status, html } = await visitor.submit(path, path, fields);
    expect([fields, status, html.includes('role="alert"')]).toEqual([fields, 400, true]);
  }
});

test('an administrator changes the settings of a project; a rejected form keeps its values', async () => {
  const visitor = await asRole('administrator');
  const path = `${foreign}/settings`;
  const form = {
    rate_limit_per_minute: '123',
    endpoint_limit: '7',
    consent_default: 'withdrawn',
    allowed_origins: 'https://app.example.com\nhttps://www.example.com',
  };
  for (const wrong of [{ rate_limit_per_minute: '0' }, { allowed_origins: 'example' }]) {
    const { status, html } = await visitor.submit(path, path, { ...form, ...wrong });
    expect([status, html.includes('role="alert"'), html.includes('value="7"')]).toEqual([400, true, true]);
  }
  expect((await visitor.submit(path, path, form)).status).toBe(200);
  const projects = await running.operator<object[]>('projects', 'list');
  expect(projects).toContainEqual(
    expect.objectContaining({
      id: foreign.split('/').at(-1),
      rate_limit_per_minute: 123,
      endpoint_limit: 7,
      consent_default: 'withdrawn',
      allowed_origins: ['https://app.example.com', 'https://www.example.com'],
    }),
  );
});

test('the audit log is shown in pages, with every entry once', async () => {
  const { stack, operator } = running;
  const admin = connectPostgres(stack.file.database_url, 1, 'test');
  await admin`
    insert into gateway.audit_log (actor, action, subject) select 'test', 'test', n from generate_series(1, 60) as n`;
  await admin.end();
  const visitor = await asRole('administrator');
  const seen: string[] = [];
  let path: string | null = `${project}/audit-log?sign_ins=yes`;
  while (path !== null) {
    const { html }: { html: string } = await visitor.get(path);
    const rows: string[] = html.split('<tbody>')[1]?.split('<tr>').slice(1) ?? [];
    expect(rows.length).toBeLessThanOrEqual(50);
    seen.push(...rows);
    path = /href="([^"]+after=\d+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;
  }
  expect(new Set(seen).size).toBe(seen.length);
  const entries = await operator<object[]>('audit', 'list', '--limit', '1000');
  expect(seen).toHaveLength(entries.length);
});

/** Returns the URL of a path on the private port of the console. */
function privateAddress(path: string): string {
  const ports = join(dirname(running.stack.file.ca_certificate), '../ports.json');
  return `http://127.0.0.1:${JSON.parse(readFileSync(ports, 'utf8'))['console-health']}${path}`;
}

test('a page is one trace from the console to the services, and an observation in the metrics', async () => {
  const visitor = await asRole('viewer');
  await visitor.get(`${project}/webhooks/${endpoint.id}`);
  const route = 'GET /projects/:project/webhooks/:endpoint';
  const [page, read] = await eventually('the trace was exported', async () => {
    const { spans } = collector;
    return spans
      .filter(({ service, name }) => service === 'console' && name === route)
      .flatMap((root) =>
        spans
          .filter(({ service, parentSpanId }) => service === 'webhooks' && parentSpanId === root.spanId)
          .map((child) => [root, child] as const),
      )
      .at(0);
  });
  expect(read.traceId).toBe(page.traceId);
  const metrics = await (await fetch(privateAddress('/metrics'))).text();
  expect(metrics).toContain(`service="console",operation="${route}",status="200"`);
});

test('health and metrics are on the private port alone', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    expect([path, (await fetch(privateAddress(path))).status]).toEqual([path, 200]);
    const shown = await (await asRole('administrator')).get(path);
    expect([path, shown.status]).toEqual([path, 404]);
  }
});

test('a person has a number of requests per minute, in all sessions, and others are not affected', async () => {
  const one = await asRole('finance');
  const other = await asRole('finance');
  // The console counts requests per minute of the clock. If a minute ends between the requests of the first session and the request of the
  // second, the test sends the requests of both sessions again.
  const limited = await eventually('requests of both sessions are rejected', async () => {
    const shown = await Promise.all(Array.from({ length: 100 }, () => one.get('/')));
    const rejected = shown.find(({ status }) => status === 429);
    return (await other.get('/')).status === 429 ? rejected : undefined;
  });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await (await asRole('viewer')).get('/')).status).toBe(200);
});

test('the console is not ready while the gateway is unavailable, and shows why it has no page', async () => {
  const visitor = await asRole('viewer');
  const gateway = running.stack.process('gateway');
  await gateway.stop();
  expect((await fetch(privateAddress('/health/ready'))).status).toBe(503);
  expect((await fetch(privateAddress('/health/live'))).status).toBe(200);
  const shown = await visitor.get('/');
  expect([shown.status, shown.html.includes('The gateway service')]).toEqual([503, true]);
  await gateway.start();
  expect((await fetch(privateAddress('/health/ready'))).status).toBe(200);
});
