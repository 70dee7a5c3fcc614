/** Pages of the console with the responses of services that the tests choose. */
import { type OperationId, operations } from '@carecover/contract';
import { ConsoleFixture } from './testing/console-fixture';

let fixture: ConsoleFixture;
let session: string;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  session = await fixture.sessionOf({ sub: '17', roles: ['administrator'] });
});
afterEach(() => fixture.stop());

const UNAVAILABLE = [503, { error: { code: 'service_unavailable', message: 'It is unavailable.' } }] as const;

/** Returns the example of an operation's response in the contract. */
const exampleOf = (id: OperationId): object => Reflect.get(operations[id].success[0].schema, 'examples')[0];

async function read(path: string, init: RequestInit = {}) {
  const response = await fixture.request(path, session, init);
  return { status: response.status, html: await response.text() };
}

/** Sends a form of the page. */
async function post(path: string, fields: Readonly<Record<string, string>>) {
  const { html } = await read('/');
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return read(path, { method: 'POST', body: new URLSearchParams({ csrf, key: 'k', ...fields }) });
}

const REJECTED = [
  409,
  { error: { code: 'invalid_state', message: 'The state does not allow this.' } },
] as const;

describe('the page of a claim', () => {
  const PAGE = '/projects/prj_1/claims/clm_1';

  beforeEach(() => {
    const history = ['adjudications', 'postings', 'workflow', 'rejected_commands'];
    const paths = history.map((part) => `/operator/claims/clm_1/${part}`);
    for (const path of [...paths, '/operator/resources/clm_1/deliveries'])
      fixture.responses.set(path, UNAVAILABLE);
    const valuation = {
      ...exampleOf('getClaimValuation'),
      status: 'partially_approved',
      valuation_at: '2026-02-11T00:00:00.000Z',
      events: [
        {
          sequence: 1,
          type: 'created',
          effective_at: '2026-02-10T00:00:00.000Z',
          recorded_at: '2026-02-10T00:00:00.000Z',
          reason_code: null,
        },
      ],
    };
    fixture.responses.set('/v1/claims/clm_1', [
      200,
      { ...exampleOf('getClaim'), id: 'clm_1', status: 'settled' },
    ]);
    fixture.responses.set('/v1/claims/clm_1/valuation', [200, valuation]);
    fixture.responses.set('/v1/claims/clm_1/links', [200, exampleOf('getClaimLinks')]);
  });

  test('that is shown after a rejected form has forms and links of the page, not of the act', async () => {
    fixture.responses.set('/v1/claims/clm_1/reversals', REJECTED);
    const { status, html } = await post(`${PAGE}/reversals`, { reversal_reason: 'duplicate' });
    expect(status).toBe(409);
    expect(html).toContain('The state does not allow this.');
    expect(html).toContain(`<form class="cutoffs" method="get" action="${PAGE}" id="cutoffs">`);
    expect(html).toContain(`href="${PAGE}?at=2026-02-10T00%3A00%3A00.000Z"`);
    expect(html).not.toMatch(/href="\?|method="get"(?! action)/);
  });

  test('whose form had no answer offers to send the same fields again, with the same idempotency key', async () => {
    fixture.responses.set('/v1/claims/clm_1/reversals', UNAVAILABLE);
    const { status, html } = await post(`${PAGE}/reversals`, {
      key: 'the-key-of-the-form',
      reversal_reason: 'duplicate',
      note: 'a "note"',
    });
    expect(status).toBe(503);
    expect(html).toContain('It is not known whether the change was made.');
    const form = html.slice(html.indexOf(`<form method="post" action="${PAGE}/reversals">`));
    const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    expect(fields.map(([, name, value]) => [name, value])).toEqual([
      ['csrf', expect.any(String)],
      ['key', 'the-key-of-the-form'],
      ['reversal_reason', 'duplicate'],
      ['note', 'a &quot;note&quot;'],
    ]);
  });

  test('has texts of the cutoff for screen readers', async () => {
    const { status, html } = await read(`${PAGE}?at=2026-02-11T00:00:00Z`);
    expect(status).toBe(200);
    expect(html).toMatch(/id="slider"[^>]* aria-valuetext="2026-02-11 00:00:00\.000 UTC"/);
    expect(html).toContain('data-summary="Status partially approved at 2026-02-11 00:00:00.000 UTC."');
    expect(html).toMatch(/<p id="shown-cutoff"[^>]* role="status"><\/p>/);
  });
});

test('the page of a webhook endpoint that is shown after a rejected form has forms and links of the page', async () => {
  const page = '/projects/prj_1/webhooks/whe_1';
  const endpoint = { ...exampleOf('getWebhookEndpoint'), id: 'whe_1', status: 'active' };
  fixture.responses.set('/v1/webhook_endpoints/whe_1', [200, endpoint]);
  const deliveries = { ...exampleOf('listWebhookDeliveries'), has_more: true };
  fixture.responses.set('/v1/webhook_endpoints/whe_1/deliveries', [200, deliveries]);
  const { status, html } = await post(`${page}/recover`, { since: 'yesterday', until: 'today' });
  expect(status).toBe(400);
  expect(html).toContain(`<form class="filter" method="get" action="${page}">`);
  expect(html).toMatch(new RegExp(`href="${page}\\?after=\\w+" rel="next"`));
  expect(html).not.toMatch(/href="\?|method="get"(?! action)/);
});

test('Today shows the lists of the available services while one service is unavailable', async () => {
  const empty = [200, { data: [], has_more: false }] as const;
  const available = [
    '/oldest_claims/queried',
    '/oldest_claims/submitted',
    '/oldest_preauthorizations/pending',
    '/preauthorizations_next_to_expire',
    '/oldest_remittances/exception',
    '/oldest_settlements/unmatched',
    '/unmatched_rows',
    '/dead_lettered_events',
  ];
  const webhooks = ['/endpoints_disabled_by_service', '/failing_endpoints', '/dead_lettered_messages'];
  for (const path of available) fixture.responses.set(`/operator${path}`, empty);
  for (const path of webhooks) fixture.responses.set(`/operator${path}`, UNAVAILABLE);
  const { status, html } = await read('/projects/prj_1/today');
  expect(status).toBe(200);
  const sections = [...html.matchAll(/<h2>([^<]+?)(?: <span.*?)?<\/h2><p class="none">([^<]+)</g)];
  const titles = (text: string) => sections.filter(([, , shown]) => shown === text).map(([, title]) => title);
  expect(titles('Nothing waits.')).toHaveLength(7);
  expect(titles('Not available now. Reload the page later.')).toEqual([
    'Failing webhook endpoints',
    'Dead-lettered events',
    'Webhook endpoints that were disabled after failures',
  ]);
});

describe('rejected commands', () => {
  const rejected = (rejected_at: string, resource_id: string) => ({
    resource_id,
    operation: 'decidePreauthorization',
    actor: 'project:prj_1/key:key_1',
    request_id: 'req_1',
    code: 'invalid_state',
    message: 'The pre-authorization is <expired>.',
    rejected_at,
  });
  /** Returns the cells of the rows of the table whose first column is the time of a rejection. */
  const rowsOf = (html: string) =>
    [...html.matchAll(/<tr><td data-label="Rejected">.*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell),
    );

  test('of a project are shown newest first, with links to their resources', async () => {
    const data = [
      rejected('2026-02-10T00:00:00.000Z', 'preauth_1'),
      rejected('2026-02-11T00:00:00.000Z', 'clm_2'),
    ];
    fixture.responses.set('/operator/rejected_commands', [200, { data }]);
    const { status, html } = await read('/projects/prj_1/rejected-commands');
    expect(status).toBe(200);
    // The fixture responds for each of the three services.
    const rows = rowsOf(html);
    expect(rows.map(([, , resource]) => resource?.replace(/<\/?code>/g, ''))).toEqual([
      ...Array(3).fill('<a href="/projects/prj_1/claims/clm_2">clm_2</a>'),
      ...Array(3).fill('<a href="/projects/prj_1/preauthorizations/preauth_1">preauth_1</a>'),
    ]);
    expect(rows[0]?.slice(3)).toEqual([
      'invalid_state',
      'The pre-authorization is &lt;expired>.',
      'project:prj_1/key:key_1',
      '<code>req_1</code>',
    ]);
    expect(rows[0]?.[1]).toBe('decide preauthorization');
  });

  test('of a service that is unavailable are named as not available', async () => {
    fixture.responses.set('/operator/rejected_commands', UNAVAILABLE);
    const { status, html } = await read('/projects/prj_1/rejected-commands');
    expect(status).toBe(200);
    for (const service of ['benefits', 'claims', 'payments'])
      expect(html).toContain(`The commands of ${service} are not available now.`);
  });

  test('of a claim are shown on its page, without a column of the resource', async () => {
    for (const part of ['adjudications', 'postings', 'workflow'])
      fixture.responses.set(`/operator/claims/clm_1/${part}`, UNAVAILABLE);
    fixture.responses.set('/operator/resources/clm_1/deliveries', UNAVAILABLE);
    const data = [rejected('2026-02-10T00:00:00.000Z', 'clm_1')];
    fixture.responses.set('/operator/claims/clm_1/rejected_commands', [200, { data }]);
    fixture.responses.set('/v1/claims/clm_1', [200, { ...exampleOf('getClaim'), id: 'clm_1' }]);
    fixture.responses.set('/v1/claims/clm_1/valuation', [200, exampleOf('getClaimValuation')]);
    fixture.responses.set('/v1/claims/clm_1/links', [200, exampleOf('getClaimLinks')]);
    const { html } = await read('/projects/prj_1/claims/clm_1');
    expect(rowsOf(html)).toEqual([
      [
        expect.stringContaining('2026-02-10'),
        'decide preauthorization',
        'invalid_state',
        'The pre-authorization is &lt;expired>.',
        'project:prj_1/key:key_1',
        '<code>req_1</code>',
      ],
    ]);
  });
});

test('a form for a new secret that is sent twice creates one key, and both answers have its secret', async () => {
  const path = '/operator/projects/prj_1/keys';
  fixture.responses.set(path, [201, { key_id: 'key_1', secret_key: 'sk_test_new' }]);
  const send = () => post('/projects/prj_1/keys', { name: 'A key', scope: 'claims:read' });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const { html } of answers) expect(html).toContain('sk_test_new');
  expect(fixture.received.filter((request) => request.path === path)).toHaveLength(1);
  const now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now + 120_000);
  fixture.responses.set(path, [200, { data: [], has_more: false }]);
  const later = await send();
  jest.restoreAllMocks();
  expect([later.status, later.html.includes('sk_test_new')]).toEqual([409, false]);
  const created = fixture.received.filter((request) => request.path === path && request.method === 'POST');
  expect(created).toHaveLength(1);
});

test('a form of the settings sends only what the person has changed', async () => {
  const path = '/operator/projects/prj_1/settings';
  fixture.responses.set('/operator/projects/prj_1', [
    200,
    {
      ...{ id: 'prj_1', name: 'One', environment: 'sandbox', created_at: '2026-01-01T00:00:00.000Z' },
      ...{ rate_limit_per_minute: 100, endpoint_limit: 10, consent_default: 'granted' },
      allowed_origins: ['https://a.example', 'https://b.example'],
    },
  ]);
  fixture.responses.set(path, [200, {}]);
  const { html } = await read('/projects/prj_1/settings');
  const shown = Object.fromEntries(
    [...html.matchAll(/name="(shown_[a-z_]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const fields = {
    ...{ rate_limit_per_minute: '200', endpoint_limit: '10', consent_default: 'granted' },
    allowed_origins: 'https://a.example\r\nhttps://b.example\r\n',
  };
  expect((await post('/projects/prj_1/settings', { ...shown, ...fields })).status).toBe(303);
  const sent = () => fixture.received.filter((request) => request.path === path).map(({ body }) => body);
  expect(sent()).toEqual([{ rate_limit_per_minute: 200 }]);
  await post('/projects/prj_1/settings', { ...shown, ...fields, key: 'l', allowed_origins: '' });
  expect(sent()[1]).toEqual({ rate_limit_per_minute: 200, allowed_origins: [] });
});

describe('the page of an unmatched row', () => {
  const PAGE = '/projects/prj_1/unmatched-rows/7';
  const row = {
    row: 7,
    type: 'credit',
    source_reference: 'DEP-001',
    payer_reference: null,
    currency: 'KES',
    amount: 300_000,
    open: 200_000,
    doubt: 'it can be row 3 again',
    settlements: [],
    observed_at: '2026-11-20T00:00:00.000Z',
    file: 'bank.xml',
    line: 4,
  };

  beforeEach(() => {
    fixture.responses.set('/operator/unmatched_rows/7', [200, row]);
    fixture.responses.set('/v1/remittances', [200, { ...exampleOf('listRemittances'), data: [] }]);
    fixture.responses.set('/v1/remittances/rem_1', [200, { ...exampleOf('getRemittance'), id: 'rem_1' }]);
  });

  test('shows what is open and why it is in doubt, and assigns the part that a person types', async () => {
    const { html } = await read(PAGE);
    expect(html).toContain('2,000.00 KES');
    expect(html).toContain('it can be row 3 again');
    fixture.responses.set('/operator/unmatched_rows/7/assignments', [200, {}]);
    const assign = (part: string) => post(`${PAGE}/assignments`, { remittance: 'rem_1', part });
    const sent = () =>
      fixture.received.filter(({ path }) => path === '/operator/unmatched_rows/7/assignments');
    expect((await assign('3.000')).html).toContain('can mean 3,000.00 KES or 3.000 KES');
    expect(sent()).toEqual([]);
    await assign('1,000.00');
    await assign('');
    expect(sent().map(({ body }) => body)).toEqual([
      { remittance_id: 'rem_1', amount: 100_000 },
      { remittance_id: 'rem_1', amount: null },
    ]);
  });

  test('of a takeback names the settlements, and has one act that reverses them', async () => {
    const settlements = [{ id: 'stl_9', remittance_id: 'rem_1' }];
    fixture.responses.set('/operator/unmatched_rows/7', [
      200,
      { ...row, type: 'takeback', doubt: null, settlements },
    ]);
    const { html } = await read(PAGE);
    expect(html).toMatch(/stl_9.*rem_1/s);
    expect(html).not.toContain('/assignments"');
    fixture.responses.set('/operator/unmatched_rows/7/takebacks', [200, { data: [] }]);
    await post(`${PAGE}/takebacks`, {});
    expect(fixture.received).toContainEqual(
      expect.objectContaining({ method: 'POST', path: '/operator/unmatched_rows/7/takebacks' }),
    );
  });
});
