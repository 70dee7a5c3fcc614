/** Pages of the console with the responses of services that the tests choose. */
import { type OperationId, operations } from '@carecover/contract';
import { ConsoleFixture, PROJECT } from './testing/console-fixture';

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
  fixture.responses.set('/v1/claims/clm_1/links', [200, exampleOf('getClaimLinks')]);
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

/** Returns the hidden fields of the form of an act on a page. */
function hiddenFields(html: string, path: string): Record<string, string> {
  const form = html.slice(html.indexOf(`method="post" action="${path}"`)).split('</form>')[0] ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const unescaped = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  return Object.fromEntries(fields.map(([, name = '', value]) => [name, unescaped(value)]));
}

/** Sends a form whose effect is shown first, and confirms the effect. */
async function confirm(path: string, fields: Readonly<Record<string, string>>) {
  const shown = await post(path, fields);
  expect([path, shown.status]).toEqual([path, 200]);
  const { csrf: _, ...confirmed } = hiddenFields(shown.html, path);
  return { shown, confirmed, ...(await post(path, confirmed)) };
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
    const { status, html } = await confirm(`${PAGE}/reversals`, { reversal_reason: 'duplicate' });
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

  test('shows days in the time zone of the project', async () => {
    expect((await viewAt('at=2026-02-14T23:59:59.999Z')).html).toContain('A: 14 Feb 2026, end of day');
    expect((await viewAt('at=2026-02-14T20:59:59.999Z')).html).toContain('A: 14 Feb 2026, 20:59');
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
    const { status, html } = await confirm(`${PAGE}/reversals`, {
      key: 'the-key-of-the-form',
      reversal_reason: 'duplicate',
      note: 'a "note"',
    });
    expect(status).toBe(503);
    expect(html).toContain('It is not known whether the change was made.');
    const start = html.indexOf(`<form method="post" action="${PAGE}/reversals">`);
    const form = html.slice(start, html.indexOf('</form>', start));
    const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    expect(fields.map(([, name, value]) => [name, value])).toEqual([
      ['csrf', expect.any(String)],
      ['key', 'the-key-of-the-form'],
      ['reversal_reason', 'duplicate'],
      ['note', 'a &quot;note&quot;'],
      ['confirmed', expect.stringContaining('clm_1')],
    ]);
  });

  test('has texts of the cutoff for screen readers', async () => {
    const { status, html } = await read(`${PAGE}?at=2026-02-11T00:00:00Z`);
    expect(status).toBe(200);
    expect(html).toMatch(/id="slider-a"[^>]* aria-valuetext="11 Feb 2026, 00:00"/);
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
  const { status, html } = await post(`${page}/recover`, { since: 'last week', until: 'today' });
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
  const sections = [...html.matchAll(/<h2>([^<]+)<\/h2><p class="none">([^<]+)</g)];
  expect(sections.map(([, title, shown]) => [title, shown])).toEqual(
    [
      'Failing webhook endpoints',
      'Dead-lettered events',
      'Webhook endpoints that were disabled after failures',
    ].map((title) => [title, 'Not available now. Reload the page later.']),
  );
  // The lists in which nothing waits are folded, and each is a link.
  const folded = html.slice(html.indexOf('<details class="empty">'));
  expect(folded).toContain('Nothing waits in 7 lists');
  expect(folded.split('</details>')[0]?.match(/<li><a href=/g)).toHaveLength(7);
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
      ...PROJECT,
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
    ...{ agent_writes: 'off', locale: 'en', time_zone: 'UTC' },
    allowed_origins: 'https://a.example\r\nhttps://b.example\r\n',
  };
  expect((await post('/projects/prj_1/settings', { ...shown, ...fields })).status).toBe(303);
  const sent = () => fixture.received.filter((request) => request.path === path).map(({ body }) => body);
  expect(sent()).toEqual([{ rate_limit_per_minute: 200 }]);
  await post('/projects/prj_1/settings', { ...shown, ...fields, key: 'l', allowed_origins: '' });
  expect(sent()[1]).toEqual({ rate_limit_per_minute: 200, allowed_origins: [] });
});

describe('amounts of money', () => {
  const REMITTANCE = '/projects/prj_1/remittances/rem_1';
  const report = (observed: number) => ({
    ...exampleOf('getRemittanceReconciliation'),
    ...{ remittance_id: 'rem_1', status: 'received', reason: 'partial_funds', currency: 'KES' },
    ...{ expected: 768_900, observed, difference: observed - 768_900, settlements: [] },
    next_steps: [
      { operation: 'createSettlement', settlement_id: null, amount: 768_900 - observed, description: '' },
    ],
  });
  const read_report = '/v1/remittances/rem_1/reconciliation';
  const settlement = (amount: string) => ({ source_reference: 'BANK-1', amount, observed_at: '7 Feb 2026' });

  beforeEach(() => {
    const remittance = { ...exampleOf('getRemittance'), id: 'rem_1', payer_reference: 'ADVICE-1' };
    fixture.responses.set('/v1/remittances/rem_1', [200, remittance]);
    fixture.responses.set(read_report, [200, report(481_900)]);
    fixture.responses.set('/v1/settlements', [201, exampleOf('createSettlement')]);
  });
  const sent = () =>
    fixture.received.filter(({ method, path }) => method === 'POST' && path === '/v1/settlements');

  test('are typed as they are shown, and the effect is shown before anything is sent', async () => {
    const page = await read(REMITTANCE);
    expect(page.html).toMatch(/<input id="amount"[^>]* value="2,870\.00"/);
    expect(page.html).not.toMatch(/minor unit|287000/);
    const path = `${REMITTANCE}/settlements`;
    const shown = await post(path, settlement('2,870'));
    expect([shown.status, sent()]).toEqual([200, []]);
    expect(shown.html).toContain('Record 2,870.00 KES?');
    expect(shown.html).toContain('The remittance will be reconciled: it will lack nothing.');
    expect(shown.html).toMatch(/<section class="effect" tabindex="-1" autofocus/);
    const { status } = await confirm(path, settlement('2,870'));
    expect(status).toBe(303);
    expect(sent().map(({ body }) => body)).toEqual([
      expect.objectContaining({ amount: 287_000, currency: 'KES', observed_at: '2026-02-07T23:59:59.999Z' }),
    ]);
    const audit = fixture.received.findLast(({ path: each }) => each === '/operator/audit_entries');
    expect(audit?.body).toMatchObject({ details: { amount: '2,870.00 KES' } });
  });

  test('that exceed the remittance are said to make it an exception', async () => {
    const { html } = await post(`${REMITTANCE}/settlements`, settlement('12,384.00'));
    expect(html).toContain(
      'The funds will exceed the remittance by 9,514.00 KES. It will be an exception until a settlement is reversed.',
    );
  });

  test('whose effect has changed since it was shown are shown again', async () => {
    const path = `${REMITTANCE}/settlements`;
    const { csrf: _, ...confirmed } = hiddenFields((await post(path, settlement('1,000'))).html, path);
    fixture.responses.set(read_report, [200, report(700_000)]);
    const again = await post(path, confirmed);
    expect([again.status, sent()]).toEqual([200, []]);
    expect(again.html).toContain('Something has changed since you saw the effect.');
    const { csrf: __, ...newly } = hiddenFields(again.html, path);
    expect((await post(path, newly)).status).toBe(303);
  });

  test('in a hundred forms that people type are recorded as what they mean, or the form is rejected', async () => {
    const forms = [1, 28.7, 2_870, 3_000.5, 12_384, 1_234_567.89, 0.05, 99.99, 1_000, 250_000].flatMap(
      (value) =>
        ['en', 'de', 'fr', 'de-CH', 'en-IN'].flatMap((locale) =>
          [0, 2].map((minimumFractionDigits) => ({
            text: new Intl.NumberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 2 }).format(
              value,
            ),
            minor: Math.round(value * 100),
          })),
        ),
    );
    expect(forms).toHaveLength(100);
    let rejected = 0;
    for (const { text, minor } of forms) {
      const path = `${REMITTANCE}/settlements`;
      const { status, html } = await post(path, { ...settlement(text), key: text });
      const echo = `${new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(minor / 100)} KES`;
      if (status === 200) expect([text, html.includes(`Record ${echo}?`)]).toEqual([text, true]);
      else {
        rejected += 1;
        expect([text, status, /<a href="#amount">Amount<\/a> can mean /.test(html)]).toEqual([
          text,
          400,
          true,
        ]);
      }
    }
    // Only numbers of thousands without decimals, as German writes them, have two meanings.
    expect(rejected).toBeLessThanOrEqual(8);
  });

  test('that are rejected keep what was typed, with a summary that has the focus and links to the fields', async () => {
    const typed = { source_reference: 'BANK-9', amount: '3.000', observed_at: '31 Feb 2026' };
    const { status, html } = await post(`${REMITTANCE}/settlements`, typed);
    expect(status).toBe(400);
    expect(html).toMatch(/<h1>[^<]*<\/h1><section class="rejection" role="alert" tabindex="-1" autofocus/);
    expect(html).toContain(
      '<a href="#amount">Amount</a> can mean 3,000.00 KES or 3.000 KES: write it with 2 decimals, or without marks',
    );
    expect(html).toContain('<a href="#observed_at">When the funds moved</a> must be a date that exists');
    for (const [name, value] of Object.entries(typed))
      expect(html).toMatch(new RegExp(`<input id="${name}"[^>]* value="${value}"`));
    expect(html).toMatch(
      /<input id="amount"[^>]* aria-invalid="true" aria-describedby="amount-problem amount-hint"/,
    );
    expect(sent()).toEqual([]);
  });

  test('that a service rejects name the fields of the form', async () => {
    const message = '/observed_at is in the future.';
    fixture.responses.set('/v1/settlements', [400, { error: { code: 'future_timestamp', message } }]);
    const { status, html } = await confirm(`${REMITTANCE}/settlements`, settlement('1'));
    expect(status).toBe(422);
    expect(html).toContain('<a href="#observed_at">When the funds moved</a> is in the future');
  });

  test('a form that is sent twice has one effect, and the answer to both says what happened', async () => {
    const path = `${REMITTANCE}/settlements`;
    const { csrf: _, ...confirmed } = hiddenFields((await post(path, settlement('1,000'))).html, path);
    const answers = await Promise.all([post(path, confirmed), post(path, confirmed)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(sent()).toHaveLength(1);
    const { html } = await read(REMITTANCE);
    expect(html).toMatch(
      /<p class="done" role="status" tabindex="-1" autofocus>The settlement BANK-1 of 1,000.00 KES was recorded/,
    );
    expect((await read(REMITTANCE)).html).not.toContain('class="done"');
    // The same form for another remittance is another act: its effect is shown.
    const other = { ...exampleOf('getRemittance'), id: 'rem_2' };
    fixture.responses.set('/v1/remittances/rem_2', [200, other]);
    fixture.responses.set('/v1/remittances/rem_2/reconciliation', [
      200,
      { ...report(0), remittance_id: 'rem_2' },
    ]);
    expect((await post(path.replace('rem_1', 'rem_2'), confirmed)).status).toBe(200);
    expect(sent()).toHaveLength(1);
    // An edited form with the same key is another one: its effect is shown.
    expect((await post(path, { ...confirmed, amount: '10' })).status).toBe(200);
  });

  test('a person who changes the form again finds what was typed', async () => {
    const { status, html } = await post(`${REMITTANCE}/settlements`, {
      ...settlement('1,000'),
      change: 'yes',
    });
    expect(status).toBe(200);
    expect(html).toMatch(/<input id="amount"[^>]* value="1,000"/);
    expect(html).not.toContain('class="rejection"');
  });
});

test('pages show what was known by the time of the services, whatever the clock of the console says', async () => {
  const receivables = { ...exampleOf('getReceivables'), at: PROJECT.now, currencies: [] };
  fixture.responses.set('/v1/receivables', [200, receivables]);
  expect((await read('/projects/prj_1/receivables')).status).toBe(200);
  const [{ path = '' } = {}] = fixture.received.filter((request) =>
    request.path?.startsWith('/v1/receivables'),
  );
  expect(new URL(path, 'http://x').searchParams.get('at')).toBe(PROJECT.now);
});

test('error pages of a project keep its head and its menu', async () => {
  fixture.responses.set('/v1/claims', UNAVAILABLE);
  for (const [path, expected] of [
    ['/projects/prj_1/claims', 503],
    ['/projects/prj_1/claims/clm_unknown', 404],
    ['/projects/prj_1/unknown/page', 404],
  ] as const) {
    const { status, html } = await read(path);
    expect([path, status, html.includes('One'), html.includes('<nav aria-label="Pages">')]).toEqual([
      path,
      expected,
      true,
      true,
    ]);
  }
});

test('a key is rotated and revoked only after a confirmation', async () => {
  const key = {
    ...{ id: 'key_1', name: 'Reports', prefix: 'sk_test_x', scopes: ['claims:read'] },
    ...{ created_at: PROJECT.now, rotated_at: null, revoked_at: null, last_used_at: PROJECT.now },
  };
  fixture.responses.set('/operator/projects/prj_1/keys/key_1', [200, key]);
  for (const [act, word, status] of [
    ['rotations', 'Rotate the key', 200],
    ['revocations', 'Revoke the key', 303],
  ] as const) {
    const route = `/operator/projects/prj_1/keys/key_1/${act}`;
    fixture.responses.set(route, [200, { key_id: 'key_1', secret_key: 'sk_test_new' }]);
    const path = `/projects/prj_1/keys/key_1/${act}`;
    const shown = await post(path, { key: act });
    expect([shown.status, shown.html.includes(word), shown.html.includes('Reports')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(fixture.received.filter((request) => request.path === route)).toEqual([]);
    const { csrf: _, ...confirmed } = hiddenFields(shown.html, path);
    const done = await post(path, confirmed);
    expect(done.status).toBe(status);
    if (act === 'rotations') expect(done.html).toMatch(/data-copy="sk_test_new"[^>]*>/);
    expect(fixture.received.filter((request) => request.path === route)).toHaveLength(1);
  }
});

test('Today shows the list that waits longest first, with its money, and whose turn it is', async () => {
  const empty = [200, { data: [], has_more: false }] as const;
  for (const path of [
    '/oldest_claims/queried',
    '/oldest_preauthorizations/pending',
    '/preauthorizations_next_to_expire',
    '/oldest_remittances/exception',
    '/oldest_settlements/unmatched',
    '/endpoints_disabled_by_service',
    '/failing_endpoints',
    '/dead_lettered_events',
  ])
    fixture.responses.set(`/operator${path}`, empty);
  fixture.responses.set('/operator/dead_lettered_messages', [200, { count: 0, oldest_at: null }]);
  const claim = { ...exampleOf('getClaim'), updated_at: '2026-02-10T00:00:00.000Z' };
  const claims = [claim, { ...claim, id: 'clm_2', updated_at: '2026-02-09T00:00:00.000Z' }];
  fixture.responses.set('/operator/oldest_claims/submitted', [200, { data: claims, has_more: false }]);
  const row = {
    ...{ row: 7, source_reference: 'BANK-7', payer_reference: null, currency: 'KES', amount: 5 },
    ...{ observed_at: '2026-01-01T00:00:00.000Z', file: 'a.csv', line: 2 },
  };
  fixture.responses.set('/operator/unmatched_rows', [200, { data: [row], has_more: false }]);
  const { html } = await read('/projects/prj_1/today');
  const shown = [...html.matchAll(/<h2><a href="([^"]+)">([^<]+)<.*?<p class="hint">(.*?)<\/p>/g)];
  expect(shown.map(([, href, title, hint]) => [href, title, hint?.replaceAll(/<[^>]+>/g, '')])).toEqual([
    [
      '/projects/prj_1/unmatched-rows',
      'Unmatched rows of settlement files',
      'Your turn · 0.05 KES · first 42 days ago',
    ],
    [
      '/projects/prj_1/adjudications',
      'Claims that wait for adjudication',
      'Your turn · 7,000.00 KES · first 3 days ago',
    ],
  ]);
});
describe('the page of an unmatched row', () => {
  const PAGE = '/projects/prj_1/unmatched-rows/7';
  const REMITTANCE = `rem_${'0'.repeat(32)}`;
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
    fixture.responses.set('/operator/unmatched_rows/7/candidates', [200, { data: [], has_more: false }]);
    fixture.responses.set('/v1/remittances', [200, { ...exampleOf('listRemittances'), data: [] }]);
    const found = { ...exampleOf('getRemittance'), id: REMITTANCE };
    fixture.responses.set(`/v1/remittances/${REMITTANCE}`, [200, found]);
    fixture.responses.set(`/v1/remittances/${REMITTANCE}/reconciliation`, [
      200,
      { ...exampleOf('getRemittanceReconciliation'), currency: 'KES' },
    ]);
  });

  test('shows what is open and why it is in doubt, and assigns the part that a person types', async () => {
    const { html } = await read(PAGE);
    expect(html).toContain('2,000.00 KES');
    expect(html).toContain('it can be row 3 again');
    fixture.responses.set('/operator/unmatched_rows/7/assignments', [200, {}]);
    const fields = (part: string) => ({ remittance: REMITTANCE, part });
    const sent = () =>
      fixture.received.filter(({ path }) => path === '/operator/unmatched_rows/7/assignments');
    const assignments = `${PAGE}/assignments`;
    expect((await post(assignments, fields('3.000'))).html).toContain('can mean 3,000.00 KES or 3.000 KES');
    expect((await post(assignments, fields('2,000.01'))).html).toContain('must be at most 2,000.00 KES');
    const { shown } = await confirm(assignments, fields('1,000.00'));
    expect(shown.html).toContain('of the row stay open');
    await confirm(assignments, fields(''));
    expect(sent().map(({ body }) => body)).toEqual([
      { remittance_id: REMITTANCE, amount: 100_000 },
      { remittance_id: REMITTANCE, amount: 200_000 },
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
    await confirm(`${PAGE}/takebacks`, {});
    expect(fixture.received).toContainEqual(
      expect.objectContaining({ method: 'POST', path: '/operator/unmatched_rows/7/takebacks' }),
    );
  });
});
