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

/** Sets the responses of the services about the facts of a claim: submitted on 10 February, decided on the 12th, settled on the 15th. */
function setTimeline(): void {
  const links = exampleOf('getClaimLinks') as { booking_id: string };
  fixture.responses.set('/v1/claims/clm_1/links', [200, links]);
  fixture.responses.set(`/v1/bookings/${links.booking_id}`, [200, exampleOf('getBooking')]);
  const none = { payer_liability: null, patient_responsibility: null, adjustment: null, outstanding: null };
  const submitted = { billed: 100_000, ...none, remitted: 0, settled: 0 };
  const decided = { ...submitted, payer_liability: 100_000, patient_responsibility: 0, adjustment: 0 };
  const day = (number: number) => `2026-02-${number}T09:00:00.000Z`;
  const fact = (
    sequence: number,
    type: string,
    effective: number,
    recorded: number,
    amount: number | null,
  ) => ({
    ...{ sequence, type, effective_at: day(effective), recorded_at: day(recorded), amount },
    ...{ previous_status: null, next_status: null, reason_code: '<b>fee</b>' },
    evidence_references: ['note:of-a-member'],
  });
  const steps = [
    { at: day(10), status: 'submitted', amount: submitted },
    { at: day(12), status: 'approved', amount: { ...decided, outstanding: 100_000 } },
    { at: day(15), status: 'settled', amount: { ...decided, settled: 100_000, outstanding: 0 } },
  ];
  fixture.responses.set('/operator/claims/clm_1/timeline', [
    200,
    {
      now: '2026-02-20T09:00:00.000Z',
      currency: 'KES',
      facts: [
        fact(1, 'created', 10, 10, 100_000),
        fact(2, 'approved', 12, 12, 100_000),
        fact(3, 'settled', 13, 15, 100_000),
      ],
      known_then: steps,
      known_now: [...steps.slice(0, 2), { ...steps[2], at: day(13) }],
    },
  ]);
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
    fixture.responses.set('/v1/claims/clm_1', [
      200,
      { ...exampleOf('getClaim'), id: 'clm_1', status: 'settled' },
    ]);
    setTimeline();
  });

  test('that is shown after a rejected form has forms and links of the page, not of the act', async () => {
    fixture.responses.set('/v1/claims/clm_1/reversals', REJECTED);
    const { status, html } = await post(`${PAGE}/reversals`, { reversal_reason: 'duplicate' });
    expect(status).toBe(409);
    expect(html).toContain('The state does not allow this.');
    expect(html).toContain(`<form class="tt-form" method="get" action="${PAGE}" id="cutoffs">`);
    expect(html).toContain(`href="${PAGE}?at=2026-02-10T09%3A00%3A00.000Z"`);
    expect(html).not.toMatch(/href="\?|method="get"(?! action)/);
  });

  /** Returns the sentence of the view, and the cells of the rows of its table by the name of the row. */
  const viewAt = async (query: string) => {
    const { status, html } = await read(`${PAGE}?${query}`);
    const rows = [...html.matchAll(/<tr data-name="(\w+)".*?<\/tr>/g)].map(([row, name]) => [
      name,
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell),
    ]);
    return {
      status,
      html,
      sentence: /id="sentence" role="status">(.*?)<\/p>/.exec(html)?.[1],
      table: Object.fromEntries(rows),
    };
  };

  test('says which fact and status changed where all amounts that are compared are equal or not', async () => {
    const { sentence, table } = await viewAt('at=2026-02-16T00:00:00Z&compare=2026-02-14T00:00:00Z');
    expect(sentence).toBe(
      'Between 14 Feb and 16 Feb we learned of 1 fact: settlement of 1,000.00, effective 13 Feb, 2 days late. The status changed from approved to settled.',
    );
    expect(table).toMatchObject({
      status: ['approved', 'settled', 'changed'],
      billed: ['1,000.00', '1,000.00', 'same'],
      settled: ['0.00', '1,000.00', '+1,000.00'],
      outstanding: ['1,000.00', '0.00', '−1,000.00'],
    });
  });

  test('compares with an instant before the claim existed', async () => {
    const { status, sentence, table } = await viewAt('at=2026-02-13T00:00:00Z&compare=2026-02-01T00:00:00Z');
    expect(status).toBe(200);
    expect(sentence).toContain('The claim did not exist on 1 Feb; on 13 Feb it was approved.');
    expect(table.status).toEqual(['no claim', 'approved', 'changed']);
    expect(table.billed).toEqual(['no claim', '1,000.00', '+1,000.00']);
  });

  test('shows what was known then, or what is known now about the same instant', async () => {
    const then = await viewAt('at=2026-02-14T00:00:00Z');
    const now = await viewAt('at=2026-02-14T00:00:00Z&known=now');
    expect([then.table.settled, now.table.settled]).toEqual([['0.00'], ['1,000.00']]);
    expect(then.sentence).toContain('Not known yet: settlement of 1,000.00, effective 13 Feb, 2 days late.');
    expect(then.html).not.toContain('note:of-a-member');
  });

  test('shows days in the time zone of the care, and in UTC while care is unavailable or does not have the booking', async () => {
    const end = 'at=2026-02-14T20:59:59.999Z';
    expect((await viewAt(end)).html).toContain('A: 14 Feb 2026, end of day');
    const { booking_id } = exampleOf('getClaimLinks') as { booking_id: string };
    const unknown = [404, { error: { code: 'resource_not_found', message: 'It does not exist.' } }] as const;
    for (const response of [UNAVAILABLE, unknown]) {
      fixture.responses.set(`/v1/bookings/${booking_id}`, response);
      expect((await viewAt(end)).html).toContain('A: 14 Feb 2026, 20:59');
    }
  });

  test('rejects a cutoff that is no instant or after now, and says which and what is expected', async () => {
    for (const [query, message] of [
      ['at=yesterday', 'The cutoff A (&quot;at&quot;) must be an RFC 3339 date-time with an offset.'],
      [
        'compare=2027-01-01T00:00:00Z',
        'The cutoff B (&quot;compare&quot;) must not be after now, which is 2026-02-20T09:00:00.000Z on the server.',
      ],
    ] as const) {
      const { status, html } = await viewAt(query);
      expect([status, html]).toEqual([400, expect.stringContaining(message)]);
    }
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
    expect(html).toMatch(/id="slider-a"[^>]* aria-valuetext="11 Feb 2026, 03:00"/);
    expect(html).toMatch(/id="slider-b"[^>]* aria-valuetext="no comparison"/);
    expect(html).toMatch(
      /<p class="tt-sentence" id="sentence" role="status">The claim was submitted, as known on /,
    );
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
    setTimeline();
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
