/** Pages of the console with the responses of services that the tests choose. */
import type { PaymentAdvice } from '@carecover/contract';
import { ConsoleFixture, PROJECT } from './testing/console-fixture';
import { exampleOf, hiddenFields, REJECTED, UNAVAILABLE, Visitor } from './testing/visitor';

const NO_ROWS = [200, { data: [], has_more: false, next: null, totals: [] }] as const;

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
});
afterEach(() => fixture.stop());

const read: Visitor['read'] = (path, init) => visitor.read(path, init);
const post: Visitor['post'] = (path, fields) => visitor.post(path, fields);
const confirm: Visitor['confirm'] = (path, fields) => visitor.confirm(path, fields);

/**
 * Sets the responses of the services about the facts of a claim: submitted on 10 February, decided on the 12th, settled on the 15th, and then
 * the facts `later`.
 */
function setTimeline(later: readonly object[] = []): void {
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
        ...later,
      ],
      known_then: steps,
      known_now: [...steps.slice(0, 2), { ...steps[2], at: day(13) }],
    },
  ]);
}

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

  test('shows what the payer took back, with the advice, in the money and in the picture', async () => {
    expect((await read(PAGE)).html).toContain('Nothing was taken back.');
    const times = { effective_at: '2026-02-16T09:00:00.000Z', recorded_at: '2026-02-18T09:00:00.000Z' };
    const statuses = { previous_status: 'settled', next_status: 'settled' };
    setTimeline([
      {
        ...{ sequence: 4, type: 'remittance_recovered', amount: -20_000, ...times, ...statuses },
        ...{ reason_code: 'overpayment', evidence_references: ['rcv_1', 'adv_1'] },
      },
    ]);
    const { html } = await read(PAGE);
    const [, table = ''] =
      /<table[^>]*><caption>Taken back by the payer<\/caption>(.*?)<\/table>/s.exec(html) ?? [];
    for (const shown of ['adv_1', '200.00', 'overpayment']) expect(table).toContain(shown);
    expect(html).toContain('recovery of −200.00');
    expect(html).toContain('remittance recovered');
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

  test('reads cutoffs as a person types them; a day means its end', async () => {
    const { html, sentence } = await viewAt('at=14+Feb+2026&compare=12+Feb+2026+09:30');
    expect(html).toContain('A: 14 Feb 2026, end of day');
    expect(sentence).toMatch(/^Between 12 Feb[^.]* and 14 Feb/);
    expect((await viewAt('at=yesterday')).html).toContain('A: 19 Feb 2026, end of day');
  });

  test('rejects a cutoff that is no instant or after now, and says which and what is expected', async () => {
    for (const [query, message] of [
      ['at=31+Feb+2026', 'The cutoff A (&quot;at&quot;) must be a date that exists.'],
      ['compare=2027-01-01T00:00:00Z', 'The cutoff B (&quot;compare&quot;) must not be in the future.'],
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

test.each([
  ['claims', '/v1/claims', 'listClaims', 'claims'],
  ['preauthorizations', '/v1/preauthorizations', 'listPreauthorizations', 'pre-authorizations'],
  ['remittances', '/v1/remittances', 'listRemittances', 'remittances'],
  ['valuation-runs', '/v1/valuation_runs', 'listValuationRuns', 'runs'],
  ['bulk-jobs', '/v1/bulk_jobs', 'listBulkJobs', 'jobs'],
] as const)(
  'the list %s is newest first, or oldest first by its address',
  async (path, api, operation, items) => {
    fixture.responses.set(api, [200, { ...(exampleOf(operation) as object), has_more: true }]);
    const page = `/projects/prj_1/${path}`;
    const asked = () =>
      fixture.received.filter((each) => each.path?.startsWith(`${api}?`)).at(-1)?.path ?? '';
    expect((await read(page)).html).toContain(`Older ${items}`);
    expect(asked()).not.toContain('order=');
    const { html } = await read(`${page}?order=asc`);
    expect(html).toContain(`Newer ${items}`);
    expect(html).toMatch(/<option value="asc" selected/);
    expect(html).toMatch(new RegExp(`href="${page}\\?order=asc&amp;after=\\w+" rel="next"`));
    expect(asked()).toContain('order=asc');
  },
);

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
    ...{ agent_writes: 'off', locale: 'en', time_zone: 'UTC', currencies: '' },
    allowed_origins: 'https://a.example\r\nhttps://b.example\r\n',
  };
  expect((await post('/projects/prj_1/settings', { ...shown, ...fields })).status).toBe(303);
  const sent = () => fixture.received.filter((request) => request.path === path).map(({ body }) => body);
  expect(sent()).toEqual([{ rate_limit_per_minute: 200 }]);
  await post('/projects/prj_1/settings', { ...shown, ...fields, key: 'l', allowed_origins: '' });
  expect(sent()[1]).toEqual({ rate_limit_per_minute: 200, allowed_origins: [] });
  await post('/projects/prj_1/settings', { ...shown, currencies: 'KES USD', key: 'm' });
  expect(sent()[2]).toMatchObject({ currencies: ['KES', 'USD'] });
});

describe('the page of an advice', () => {
  const PAGE = '/projects/prj_1/remittances/rem_1';
  const WITHDRAWALS = `${PAGE}/withdrawals`;
  const CHECK = '/operator/payment_advices/adv_1/withdrawal';
  const example = exampleOf('getPaymentAdvice') as PaymentAdvice;
  const advice = { ...example, id: 'adv_1', remittance_id: 'rem_1' };
  const report = (settlements: readonly object[], reason: string | null) => ({
    ...exampleOf('getRemittanceReconciliation'),
    ...{ remittance_id: 'rem_1', reason, settlements, currency: 'KES' },
  });
  const ofStatus = (status: string, observed: number) => ({
    ...{ id: 'stl_1', source_reference: 'B-1', status, amount: { currency: 'KES', observed } },
    ...{ observed_at: '2026-02-01T00:00:00.000Z', allocations: [], reason: null },
  });
  const shows = async (
    changed: object,
    settlements: readonly object[],
    reason: string | null = 'no_funds',
  ) => {
    fixture.responses.set('/v1/payment_advices/adv_1', [200, { ...advice, ...changed }]);
    fixture.responses.set('/v1/remittances/rem_1/reconciliation', [200, report(settlements, reason)]);
    return (await read(PAGE)).html;
  };

  beforeEach(() => {
    fixture.responses.set('/v1/remittances/rem_1', [200, { ...exampleOf('getRemittance'), id: 'rem_1' }]);
    fixture.responses.set(CHECK, [200, { is_permitted: true }]);
    fixture.responses.set('/v1/payment_advices/adv_1/withdrawals', [200, advice]);
  });
  const withdrawals = () =>
    fixture.received.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/payment_advices/adv_1/withdrawals',
    );

  test('shows its denials, takebacks and adjustments with claims, amounts and reasons', async () => {
    const html = await shows({}, []);
    for (const text of ['Denials: 1', 'not_covered', 'Takebacks: 1', '200.00', 'overpaid', '-10.00', 'fee'])
      expect(html).toContain(text);
    for (const { claim_id } of [...advice.denials, ...advice.recoveries])
      expect(html).toContain(`href="/projects/prj_1/claims/${claim_id}"`);
    const csv = await fixture.request(`${PAGE}?csv=recoveries`, visitor.session);
    expect(await csv.text()).toContain('overpaid');
    const empty = await shows({ denials: [], recoveries: [], adjustments: [] }, []);
    expect(empty).not.toMatch(/Denials|Takebacks|Adjustments/);
  });

  test('names the claims of all its lines, on the page and in the CSV file', async () => {
    const allocations = Array.from({ length: 450 }, (_, index) => ({
      ...{ claim_id: `clm_${index}`, paid_amount: 1, reason_codes: [] },
    }));
    const denials = [{ claim_id: 'clm_denied', reason_codes: ['not_covered'] }];
    fixture.respond = (path) => {
      if (path !== '/operator/claims/parties') return undefined;
      const ids = (fixture.received.at(-1)?.body?.ids ?? []) as string[];
      expect(ids.length).toBeLessThanOrEqual(200);
      return [
        200,
        {
          data: ids.map((id) => ({
            claim_id: id,
            name: `INV of ${id}`,
            practitioner_id: 'p',
            payer_id: 'p',
          })),
        },
      ];
    };
    const html = await shows({ allocations, denials }, []);
    for (const id of ['clm_449', 'clm_denied']) expect(html).toContain(`INV of ${id}<`);
    const csv = await fixture.request(`${PAGE}?csv=allocations`, visitor.session);
    expect((await csv.text()).match(/INV of clm_\d+/g)).toHaveLength(450);
  });

  test('withdraws it after its effect was shown', async () => {
    expect(await shows({}, [])).toContain(`action="${WITHDRAWALS}"`);
    const shown = await post(WITHDRAWALS, { withdrawal_reason: 'sent_in_error' });
    expect([shown.status, withdrawals()]).toEqual([200, []]);
    expect(shown.html).toContain('Withdraw the advice ERA-2025-131?');
    expect(shown.html).toContain('2,790.00 KES will no longer be expected.');
    expect((await confirm(WITHDRAWALS, { withdrawal_reason: 'sent_in_error' })).status).toBe(303);
    expect(withdrawals().map(({ body }) => body)).toEqual([{ reason_code: 'sent_in_error' }]);
    const audit = fixture.received.findLast(({ path }) => path === '/operator/audit_entries');
    expect(audit?.body).toMatchObject({ action: 'advice.withdraw', subject: 'adv_1' });
  });

  test('says why it can not be withdrawn before anything is sent', async () => {
    await shows({}, []);
    const message = 'Other advices deduct the balance of the advice.';
    fixture.responses.set(CHECK, [409, { error: { code: 'invalid_state', message } }]);
    const { status, html } = await post(WITHDRAWALS, { withdrawal_reason: 'sent_in_error' });
    expect([status, withdrawals()]).toEqual([409, []]);
    expect(html).toContain(message);
  });

  test('offers no act that must be rejected', async () => {
    const withFunds = await shows({}, [ofStatus('matched', 5)]);
    expect(withFunds).toContain('reverse its settlements first');
    expect(withFunds).not.toContain(`action="${WITHDRAWALS}"`);
    const netted = await shows({ net: 0 }, [ofStatus('matched', 0)], null);
    expect(netted).toContain(`action="${WITHDRAWALS}"`);
    expect(netted).not.toContain(`action="${PAGE}/reversals"`);
    const withdrawn = await shows(
      {
        ...{ status: 'withdrawn', withdrawn_at: '2026-02-01T00:00:00.000Z' },
        ...{ withdrawal_reason_code: 'replaced', replaced_by: 'adv_2' },
      },
      [ofStatus('reversed', 5)],
      'advice_withdrawn',
    );
    expect(withdrawn).toContain('href="/projects/prj_1/remittances/rem_2"');
    expect(withdrawn).not.toMatch(/<form[^>]*action="[^"]*\/remittances\//);
  });
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
    fixture.responses.set('/v1/payment_advices/adv_1', [200, exampleOf('getPaymentAdvice')]);
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

  test('in a currency that the project does not accept are rejected before anything is sent', async () => {
    fixture.responses.set('/operator/projects/prj_1', [200, { ...PROJECT, currencies: ['USD'] }]);
    const { status, html } = await confirm(`${REMITTANCE}/settlements`, settlement('2,870'));
    expect([status, sent()]).toEqual([400, []]);
    expect(html).toContain('must be a currency that the project accepts: USD');
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
    ...{ row: 7, source_reference: 'BANK-7', payer_reference: null, currency: 'KES', amount: 9, open: 5 },
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
    const fields = (amount: string) => ({ remittance: REMITTANCE, amount });
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

  describe('divided among remittances', () => {
    const idOf = (digit: number) => `rem_${String(digit).repeat(32)}`;
    const [first, second] = [idOf(1), idOf(2)];
    const assignments = `${PAGE}/assignments`;
    const sent = () =>
      fixture.received
        .filter(({ path }) => path === '/operator/unmatched_rows/7/assignments')
        .map(({ body }) => body);
    const recorded = () =>
      fixture.received
        .filter(({ path }) => path === '/operator/audit_entries')
        .flatMap(({ body }) => (body?.action === 'settlements.assign' ? [body] : []));

    beforeEach(() => {
      const candidates = [
        { id: first, lacking: 120_000 },
        { id: second, lacking: 90_000 },
      ].map(({ id, lacking }) => ({
        ...{ id, lacking, payer_reference: `ADVICE-${id[4]}`, status: 'received', total: lacking },
        ...{ observed: 0, received_at: '2026-11-01T00:00:00.000Z' },
      }));
      fixture.responses.set('/operator/unmatched_rows/7/candidates', [
        200,
        { data: candidates, has_more: false },
      ]);
      for (const { id, lacking, payer_reference } of candidates) {
        fixture.responses.set(`/v1/remittances/${id}`, [
          200,
          { ...exampleOf('getRemittance'), id, payer_reference },
        ]);
        const report = { ...exampleOf('getRemittanceReconciliation'), currency: 'KES', remittance_id: id };
        fixture.responses.set(`/v1/remittances/${id}/reconciliation`, [
          200,
          { ...report, expected: lacking, observed: 0 },
        ]);
      }
      fixture.responses.set('/operator/unmatched_rows/7/assignments', [200, {}]);
    });

    test('what remains is computed for each state of the form, without sending anything', async () => {
      const remaining = async (fields: Record<string, string>) => {
        const { html } = await read(`${PAGE}?${new URLSearchParams({ ...fields, part: 'result' })}`);
        return /<output id="result"[^>]*>(.*?)<\/output>/s.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
      };
      expect(await remaining({})).toBe('2,000.00 KES remain of 2,000.00 KES.');
      expect(await remaining({ [`part_${first}`]: '500' })).toBe(
        '1,500.00 KES remain of 2,000.00 KES: 500.00 KES for one remittance.',
      );
      expect(await remaining({ in_full: first, [`part_${second}`]: '800.00' })).toBe(
        'Nothing remains of 2,000.00 KES: 2,000.00 KES for 2 remittances.',
      );
      expect(await remaining({ in_full: first, [`part_${second}`]: '800.01' })).toContain(
        'must be 0.01 KES less',
      );
      expect(await remaining({ in_full: first, remittance: 'ADVICE-9' })).toContain('Nothing remains');
      expect(sent()).toEqual([]);
    });

    test('shows the effect on each before the act, and records each with its amount and entry in the audit log', async () => {
      const form = { in_full: first, [`part_${second}`]: '300', [`part_${first}`]: '' };
      const { shown, status } = await confirm(assignments, form);
      expect(shown.html).toContain('Divide 1,500.00 KES among 2 remittances?');
      expect(shown.html).toContain('500.00 KES</span> of the row stay open.');
      expect(shown.html).toContain('The remittance will be reconciled: it will lack nothing.');
      expect(shown.html).toContain('The remittance will lack still 600.00 KES of its 900.00 KES.');
      expect(status).toBe(303);
      expect(sent()).toEqual([
        { remittance_id: first, amount: 120_000 },
        { remittance_id: second, amount: 30_000 },
      ]);
      expect(recorded()).toMatchObject([
        { subject: first, details: { row: '7', amount: '1,200.00 KES' } },
        { subject: second, details: { row: '7', amount: '300.00 KES' } },
      ]);
    });

    test('is rejected as a whole if a part is wrong, and keeps what was typed', async () => {
      const form = { [`part_${first}`]: '1,500', [`part_${second}`]: '600' };
      const { status, html } = await post(assignments, form);
      expect(status).toBe(400);
      expect(html).toContain('must be 100.00 KES less: the parts exceed 2,000.00 KES, which is open');
      expect(html).toMatch(new RegExp(`id="part_${first}"[^>]* value="1,500"`));
      expect((await post(assignments, {})).html).toContain('must not be empty, or a remittance has a part');
      expect((await post(assignments, { [`part_${first}`]: '0' })).html).toContain('must be more than 0');
      const twice = { [`part_${first}`]: '1', remittance: first, amount: '1' };
      expect((await post(assignments, twice)).html).toContain('must be another one than those of the list');
      expect(sent()).toEqual([]);
    });

    test('says what was recorded if a later part is rejected', async () => {
      const form = { [`part_${first}`]: '100', [`part_${second}`]: '200' };
      const shown = await post(assignments, form);
      const { csrf: _, ...confirmed } = hiddenFields(shown.html, assignments);
      let answers = 0;
      fixture.respond = (path) => {
        if (path !== '/operator/unmatched_rows/7/assignments') return undefined;
        answers += 1;
        return answers === 1 ? [200, {}] : REJECTED;
      };
      expect((await post(assignments, confirmed)).status).toBe(303);
      const { html } = await read(PAGE);
      expect(html).toContain('Only a part of the row was assigned: 100.00 KES to ADVICE-1.');
      expect(html).toContain('The part for ADVICE-2 was not confirmed: The state does not allow this.');
    });

    test('is not recorded a second time if the confirmed form is sent again after the row has changed', async () => {
      const form = { [`part_${first}`]: '100' };
      const shown = await post(assignments, form);
      const { csrf: _, ...confirmed } = hiddenFields(shown.html, assignments);
      fixture.responses.set('/operator/unmatched_rows/7/assignments', UNAVAILABLE);
      expect((await post(assignments, confirmed)).html).toContain('Send it again');
      fixture.responses.set('/operator/unmatched_rows/7/assignments', [200, {}]);
      fixture.responses.set('/operator/unmatched_rows/7', [200, { ...row, open: 190_000 }]);
      const again = await post(assignments, confirmed);
      expect([again.status, sent()]).toEqual([409, [{ remittance_id: first, amount: 10_000 }]]);
      expect(again.html).toContain('has changed since you saw the effect');
    });
  });

  describe('of a takeback', () => {
    const TAKEBACKS = '/operator/unmatched_rows/7/takebacks';
    const planned = (digit: number, amount: number) => ({
      ...{ id: `stl_${digit}`, source_reference: `DEP-001#${digit}`, amount },
      ...{ remittance_id: `rem_${digit}`, payer_reference: `ADVICE-${digit}` },
    });
    const plan = {
      credit: { row: 3, source_reference: 'DEP-001' },
      settlements: [planned(9, 50_000)],
      open: 20_000,
    };
    const reversed = (digit: number, observed: number) => ({
      ...{ ...exampleOf('createSettlement'), id: `stl_${digit}`, remittance_id: `rem_${digit}` },
      ...{ source_reference: `DEP-001#${digit}`, status: 'reversed', amount: { observed, currency: 'KES' } },
    });
    const sent = () =>
      fixture.received
        .filter(({ method, path }) => method === 'POST' && path === TAKEBACKS)
        .map(({ body }) => body);

    beforeEach(() => {
      fixture.responses.set('/operator/unmatched_rows/7', [
        200,
        { ...row, type: 'takeback', amount: 30_000 },
      ]);
      fixture.responses.set(TAKEBACKS, [200, plan]);
    });

    /** Lets the service respond to the act, and to each reading of the plan after it. */
    const respondToAct = (response: readonly [number, object]) => {
      fixture.respond = (path) =>
        path === TAKEBACKS && fixture.received.at(-1)?.method === 'POST' ? response : undefined;
    };

    test('shows the plan of the service, executes it, and says what was really reversed', async () => {
      const { html } = await read(PAGE);
      expect(html).not.toContain('/assignments"');
      respondToAct([200, { data: [reversed(9, 50_000)], problem: null }]);
      const { shown, status } = await confirm(`${PAGE}/takebacks`, {});
      for (const text of [html, shown.html]) {
        expect(text).toMatch(/stl_9.*DEP-001#9.*500\.00 KES.*rem_9.*ADVICE-9/s);
        expect(text).toContain('200.00 KES</span> of the credit stay open');
      }
      expect([status, sent()]).toEqual([303, [{ settlements: ['stl_9'] }]]);
      fixture.responses.set('/operator/unmatched_rows', NO_ROWS);
      expect((await read('/projects/prj_1/unmatched-rows')).html).toContain(
        'Reversed: 500.00 KES of ADVICE-9 with the reference DEP-001#9. 200.00 KES of the credit stay open.',
      );
    });

    test('that the open part covers says that no settlement is reversed', async () => {
      fixture.responses.set(TAKEBACKS, [200, { ...plan, settlements: [] }]);
      respondToAct([200, { data: [], problem: null }]);
      const { shown } = await confirm(`${PAGE}/takebacks`, {});
      expect(shown.html).toContain('No settlement is reversed: the open part of the credit DEP-001 covers');
      fixture.responses.set('/operator/unmatched_rows', NO_ROWS);
      expect((await read('/projects/prj_1/unmatched-rows')).html).toContain('No settlement was reversed.');
    });

    test('whose plan has changed is shown again, before the confirmation and after an interruption', async () => {
      const shown = await post(`${PAGE}/takebacks`, {});
      const { csrf: _, ...confirmed } = hiddenFields(shown.html, `${PAGE}/takebacks`);
      const changed = [200, { ...plan, settlements: [planned(9, 50_000), planned(8, 100)] }] as const;
      fixture.responses.set(TAKEBACKS, changed);
      const again = await post(`${PAGE}/takebacks`, confirmed);
      expect(again.html).toContain('Something has changed since you saw the effect');
      expect([again.html.includes('ADVICE-8'), sent()]).toEqual([true, []]);
      const { csrf: __, ...newly } = hiddenFields(again.html, `${PAGE}/takebacks`);
      respondToAct(UNAVAILABLE);
      expect((await post(`${PAGE}/takebacks`, newly)).html).toContain('Send it again');
      fixture.responses.set(TAKEBACKS, [200, plan]);
      const repeated = await post(`${PAGE}/takebacks`, newly);
      expect([repeated.status, sent()]).toEqual([409, [{ settlements: ['stl_9', 'stl_8'] }]]);
      expect(repeated.html).toContain('<h2 id="rejection-title">Nothing more was changed</h2>');
    });

    test('of which a later reversal was rejected says what was reversed and what was not', async () => {
      fixture.responses.set(TAKEBACKS, [
        200,
        { ...plan, settlements: [planned(9, 50_000), planned(8, 100)] },
      ]);
      respondToAct([200, { data: [reversed(9, 50_000)], problem: 'The settlement is reversed already.' }]);
      expect((await confirm(`${PAGE}/takebacks`, {})).status).toBe(303);
      const { html } = await read(PAGE);
      expect(html).toContain(
        'Only a part was reversed: 500.00 KES of ADVICE-9 with the reference DEP-001#9.',
      );
      expect(html).toContain('1 of 2 settlements were not: The settlement is reversed already.');
    });

    test('without a credit has no act', async () => {
      fixture.responses.set(TAKEBACKS, [200, { credit: null, settlements: [], open: 0 }]);
      expect((await read(PAGE)).html).toMatch(/No imported credit has the references.*<\/p><\/form>/s);
      const { status, html } = await post(`${PAGE}/takebacks`, {});
      expect([status, html]).toEqual([409, expect.stringContaining('Import the file that has the credit')]);
    });
  });
});

describe('the page of bank files', () => {
  const PAGE = '/projects/prj_1/bank-files';
  const report = {
    counts: { rows: 3, matched: 1, known: 0, ignored: 0, dismissed: 0, unmatched: 2 },
    rows: [
      {
        ...{ line: 2, result: 'matched', reason: null, currency: 'KES', amount: 100_050 },
        ...{ row: null, remittance_id: 'rem_1' },
      },
      {
        ...{ line: 3, result: 'kept', reason: 'it names no <remittance>', currency: 'KES', amount: 200 },
        ...{ row: 12, remittance_id: null },
      },
      {
        ...{ line: 4, result: 'rejected', reason: 'its amount is missing', currency: null, amount: null },
        ...{ row: null, remittance_id: null },
      },
    ],
    statements: [
      { line: 1, account: '0001', statement: 'S-1', differences: ['the closing balance differs'] },
    ],
    preview: [
      {
        ...{ line: 2, type: 'credit', currency: 'KES', amount: 100_050, bookedOn: '2026-03-16' },
        ...{ bankReference: 'B-1', payerReferences: ['ERA-1'] },
      },
    ],
  };
  const sent = () => fixture.received.filter(({ path }) => path === '/operator/bank_files');

  beforeEach(() => {
    fixture.responses.set('/operator/bank_statements', [200, { data: [] }]);
    fixture.responses.set('/operator/bank_files', [200, report]);
  });

  /** Sends the form with a file, as a browser does. */
  async function upload(
    content: string | Uint8Array<ArrayBuffer>,
    fields: Readonly<Record<string, string>> = {},
  ) {
    const { html } = await read('/');
    const body = new FormData();
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const typed = { csrf, key: 'k', amounts: 'decimal-point', dates: 'iso', ...fields };
    for (const [name, value] of Object.entries(typed)) body.append(name, value);
    if (content !== '') body.append('file', new Blob([content]), 'bank.csv');
    return read(PAGE, { method: 'POST', body });
  }

  test('shows what the import would do, and imports the same bytes after the confirmation, once', async () => {
    const shown = await upload('a,b\n');
    expect(shown.status).toBe(200);
    expect(sent().map(({ body }) => body)).toEqual([
      {
        ...{ file: 'bank.csv', content: Buffer.from('a,b\n').toString('base64'), dry_run: true },
        ...{ csv: { amounts: 'decimal-point', dates: 'iso' }, time_zone: 'UTC' },
      },
    ]);
    expect(shown.html).toContain('Import bank.csv?');
    expect(shown.html).toContain('the closing balance differs');
    expect(shown.html).toContain('it names no &lt;remittance>');
    expect(shown.html).toContain('1,000.50 KES');
    const { csrf: _, ...confirmed } = hiddenFields(shown.html, PAGE);
    const done = await post(PAGE, confirmed);
    expect(done.html).toMatch(/class="done"[^>]*autofocus[^>]*>The file was imported. 1 row waits for you./);
    expect(done.html).toContain('href="/projects/prj_1/unmatched-rows/12"');
    expect(done.html).toContain('href="/projects/prj_1/remittances/rem_1"');
    await post(PAGE, confirmed);
    expect(sent().filter(({ body }) => body?.dry_run === false)).toHaveLength(1);
    expect(fixture.received).toContainEqual(
      expect.objectContaining({
        path: '/operator/audit_entries',
        body: expect.objectContaining({
          action: 'settlements.import',
          subject: 'prj_1',
          details: expect.objectContaining({
            file: 'bank.csv',
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          }),
        }),
      }),
    );
  });

  test('keeps the file while the person changes how it is written', async () => {
    const shown = await upload('a,b\n');
    const { csrf: _, ...fields } = hiddenFields(shown.html, PAGE);
    const changed = await post(PAGE, { ...fields, change: 'yes' });
    expect(changed.html).toContain('bank.csv is kept');
    const { csrf: __, ...kept } = hiddenFields(changed.html, PAGE);
    await upload('', { ...kept, amounts: 'decimal-comma' });
    expect(sent().at(-1)?.body).toMatchObject({ dry_run: true, csv: { amounts: 'decimal-comma' } });
  });

  test('asks for a file that was not chosen, is not kept, or is of another session', async () => {
    expect((await upload('')).html).toContain('must be chosen');
    const shown = await upload('a,b\n');
    const { csrf: _, ...confirmed } = hiddenFields(shown.html, PAGE);
    visitor.session = await fixture.sessionOf({ sub: '18', roles: ['finance'] });
    const other = await post(PAGE, confirmed);
    expect([other.status, other.html]).toEqual([400, expect.stringContaining('must be chosen again')]);
    expect(sent()).toHaveLength(1);
  });

  test('says why a file can’t be imported or is too long, and sends no file without the permission', async () => {
    const error = {
      code: 'validation_failed',
      message: "/file can't be imported: The heading lacks the column a.",
    };
    fixture.responses.set('/operator/bank_files', [400, { error }]);
    expect((await upload('x')).html).toContain('The heading lacks the column a');
    expect((await upload('x', { csrf: 'of another site' })).status).toBe(403);
    const { status, html } = await upload(new Uint8Array(5 * 1024 * 1024));
    expect([status, html]).toEqual([413, expect.stringContaining('of more than 4 MiB')]);
    const before = sent().length;
    visitor.session = await fixture.sessionOf({ sub: '18', roles: ['operator'] });
    expect((await upload('a,b\n')).status).toBe(404);
    expect((await read(PAGE)).html).not.toContain('type="file"');
    expect(sent()).toHaveLength(before);
  });
});

describe('lists', () => {
  const requested = () =>
    fixture.received.map(({ path }) => path ?? '').filter((path) => path.startsWith('/v1/'));

  test('are filtered by status, reference and the days of creation, in the time zone of the project', async () => {
    fixture.responses.set('/operator/projects/prj_1', [200, { ...PROJECT, time_zone: 'Africa/Nairobi' }]);
    fixture.responses.set('/v1/claims', [200, { object: 'list', data: [], has_more: false }]);
    const query = 'status=submitted&reference=INV-1&from=7+Feb+2026&until=7+Feb+2026';
    const { html } = await read(`/projects/prj_1/claims?${query}`);
    const [path = ''] = requested();
    expect(Object.fromEntries(new URL(path, 'http://claims').searchParams)).toEqual({
      ...{ limit: '50', status: 'submitted', provider_claim_reference: 'INV-1' },
      created_after: '2026-02-06T20:59:59.999Z',
      created_before: '2026-02-07T21:00:00.000Z',
    });
    expect(html).toMatch(/<input id="from"[^>]* value="7 Feb 2026"/);
  });

  test('say beside the field that a day is wrong, and are not filtered by it', async () => {
    fixture.responses.set('/v1/remittances', [200, { object: 'list', data: [], has_more: false }]);
    const { status, html } = await read('/projects/prj_1/remittances?from=31+Feb+2026');
    expect([status, requested()]).toEqual([200, ['/v1/remittances?limit=50']]);
    expect(html).toContain('<p class="problem" id="from-problem">must be a date that exists</p>');
  });

  test.each(['claims', 'remittances'])(
    'of %s say beside the field that a reference is too short or too long, and are not filtered by it',
    async (list) => {
      fixture.responses.set(`/v1/${list}`, [200, { object: 'list', data: [], has_more: false }]);
      for (const reference of ['7', '12', 'x'.repeat(201), 'a%00bc']) {
        const { status, html } = await read(`/projects/prj_1/${list}?reference=${reference}`);
        expect([status, requested().at(-1)]).toEqual([200, `/v1/${list}?limit=50`]);
        expect(html).toContain('<p class="problem" id="reference-problem">must have 3 to 200 characters</p>');
      }
      const { html } = await read(`/projects/prj_1/${list}?reference=%20INV-1`);
      expect(requested().at(-1)).toMatch(/_reference=INV-1$/);
      expect(html).not.toContain('class="problem"');
    },
  );

  test('of changes are filtered by the real day, also in a project with a simulated time', async () => {
    const clock = { now: PROJECT.now, status: 'ready', target: null };
    fixture.responses.set('/operator/projects/prj_1', [200, { ...PROJECT, clock }]);
    fixture.respond = (path) =>
      path.startsWith('/operator/audit_entries?') ? [200, { data: [], has_more: false }] : undefined;
    const { html } = await read('/projects/prj_1/audit-log?day=today');
    expect(html).not.toContain('class="problem"');
    const address = new URL(fixture.received.at(-1)?.path ?? '', 'http://gateway');
    const until = Date.parse(address.searchParams.get('until') ?? '');
    expect(Math.abs(until - Date.now())).toBeLessThan(2 * 24 * 3_600_000);
  });

  test('of unmatched rows are filtered, ordered and continued by payments, with counts and sums of all per currency', async () => {
    const row = (number: number, more: object) => ({
      ...{ row: number, type: 'credit', source_reference: `B-${number}`, payer_reference: null, doubt: null },
      ...{ currency: 'KES', amount: 100, open: 100, settlements: [], file: 'a.csv', line: number },
      ...{ observed_at: '2026-02-01T00:00:00.000Z', ...more },
    });
    const data = [
      row(1, {}),
      row(2, { open: 300 }),
      row(3, { doubt: 'it can be row 1 again' }),
      row(4, { currency: 'USD', open: 50 }),
      row(5, { type: 'takeback', payer_reference: 'ADVICE-5' }),
    ];
    const totals = [
      { currency: 'KES', count: 103, open: 10_600 },
      { currency: 'USD', count: 1, open: 50 },
    ];
    const page = { data, has_more: true, next: '5~ADVICE', totals };
    fixture.responses.set('/operator/unmatched_rows', [200, page]);
    const shown = async (query: string) => {
      const { status, html } = await read(`/projects/prj_1/unmatched-rows?${query}`);
      expect(status).toBe(200);
      const rows = [...html.matchAll(/unmatched-rows\/(\d+)"/g)].map(([, number]) => Number(number));
      const [, sums] = /role="status">(.*?)<\/p>/.exec(html) ?? [];
      return { html, rows, sums: sums?.replaceAll(/<[^>]+>/g, ''), asked: fixture.received.at(-1)?.body };
    };
    const all = { kind: null, currency: null, text: '', order: 'oldest', after: null };
    const first = await shown('');
    expect(first).toMatchObject({ rows: [1, 2, 3, 4, 5], asked: all });
    expect(first.sums).toBe('104 rows, 106.00 KES, 0.50 USD open; 5 of them are on this page.');
    expect(first.html).toContain('href="/projects/prj_1/unmatched-rows?after=5%7EADVICE" rel="next"');
    const query = 'kind=doubt&currency=KES&reference=+adv+&sort=reference&after=5%7EADVICE';
    expect((await shown(query)).asked).toEqual({
      ...{ kind: 'doubt', currency: 'KES', text: 'adv', order: 'reference', after: '5~ADVICE' },
    });
    const wrong = await shown(`kind=x&currency=x&sort=x&reference=${'x'.repeat(201)}`);
    expect(wrong.asked).toEqual(all);
    expect(wrong.html).toContain('id="reference-problem"');
    fixture.responses.set('/operator/unmatched_rows', NO_ROWS);
    expect(await shown('')).toMatchObject({ sums: '0 rows.' });
    expect((await shown('')).html).toContain('Every imported row matches a remittance.');
    expect((await shown('kind=doubt')).html).toContain('No row meets the filters.');
  });

  test('of receivables open the claims of each amount', async () => {
    fixture.responses.set('/v1/receivables', [200, exampleOf('getReceivables')]);
    const { html } = await read('/projects/prj_1/receivables');
    const links = [...html.matchAll(/href="(\/projects\/prj_1\/receivables\/claims\?[^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => href.includes('payer='));
    const address = new URL(links.at(-1) ?? '', 'http://console');
    const sum = Object.fromEntries(address.searchParams);
    const claim = { id: 'clm_1', name: 'INV-1', currency: 'KES', outstanding: 5_000 };
    const data = [{ ...claim, submitted_at: '2026-01-01T00:00:00.000Z' }];
    fixture.responses.set('/operator/outstanding_claims', [200, { data, has_more: false }]);
    fixture.responses.set('/operator/search', [200, { data: [{ id: 'payer_1', name: sum.payer }] }]);
    const opened = await read(address.pathname + address.search);
    expect(opened.html).toContain('href="/projects/prj_1/claims/clm_1"');
    expect(fixture.received).toContainEqual(
      expect.objectContaining({
        path: '/operator/outstanding_claims',
        body: {
          ...{ at: sum.at, currency: sum.currency, age: sum.age ?? null },
          ...{ payer_id: 'payer_1', practitioner_id: null },
        },
      }),
    );
  });
});

describe('the page that closes a day', () => {
  const PAGE = '/projects/prj_1/close-day';
  const none = { count: 0, credits: 0, debits: 0 };
  const row = (number: number, state: string, decided_by: string | null = null) => ({
    ...{ is_decidable: state === 'open' || decided_by !== null, remittance_id: null },
    ...{ row: number, type: 'credit', account: '0001', currency: 'KES', amount: 5_000, part: 5_000, state },
    ...{ booked_on: '2026-02-11', source_reference: `B-${number}`, payer_reference: null, decided_by },
    ...{ reason: `because ${number}`, decided_at: null, expected_until: null, file: 'day.xml', line: number },
    imported_at: '2026-02-12T00:00:00.000Z',
  });
  const DAY = {
    ...{ day: '2026-02-11', read_at: '2026-02-12T00:00:00.000Z', is_equal: false, has_more: false },
    accounts: [
      {
        ...{ account: '0001', currency: 'KES', opening: 0, closing: 15_000, statements: [] },
        states: {
          ...{ matched: { count: 1, credits: 5_000, debits: 0 }, expected: none, returned: none },
          ...{
            not_ours: { count: 1, credits: 5_000, debits: 0 },
            open: { count: 1, credits: 5_000, debits: 0 },
          },
        },
        differences: [{ kind: 'open', says: '1 row waits for a person', amount: 5_000 }],
      },
    ],
    positions: [
      {
        ...{ currency: 'KES', settled: 5_000, advised: 0, outstanding: 700, advices: 0, receivables: null },
        differences: [{ kind: 'receivables', says: 'the receivables in KES are not known', amount: null }],
      },
    ],
    rows: [row(1, 'open'), row(2, 'not_ours', 'operator:amina'), row(3, 'not_ours')],
  };

  beforeEach(() => fixture.responses.set('/operator/bank_days', [200, DAY]));

  test('shows the balances, where each row ends and why, who decided, and the differences', async () => {
    const { html } = await read(PAGE);
    for (const text of ['150.00 KES', '1 row waits for a person', 'the receivables in KES are not known'])
      expect(html).toContain(text);
    expect(html).toContain(`<a href="/projects/prj_1/unmatched-rows/1">1</a>`);
    expect(html).toContain('because 2');
    expect(html).toContain('operator:amina');
    // A row that the rules decided, such as a debit, can't be chosen.
    expect([...html.matchAll(/name="row" value="(\d+)"/g)].map(([, value]) => value)).toEqual(['1', '2']);
  });

  test('asks for the day that is typed, in the time zone of the project', async () => {
    await read(`${PAGE}?day=11+Feb+2026`);
    expect(fixture.received.filter(({ path }) => path === '/operator/bank_days')).toMatchObject([
      { body: { day: '2026-02-11', time_zone: 'UTC' } },
    ]);
    expect((await read(`${PAGE}?day=the+11th`)).html).toContain('id="day-problem"');
  });

  test('says that all is equal, and that nothing is imported', async () => {
    const equal = { ...DAY, is_equal: true, accounts: [], positions: [], rows: [] };
    fixture.responses.set('/operator/bank_days', [200, equal]);
    expect((await read(PAGE)).html).toContain('Bank, ledger, advices and receivables are equal.');
    fixture.responses.set('/operator/bank_days', [200, { ...equal, day: null }]);
    expect((await read(PAGE)).html).toContain('No bank file is imported.');
  });

  test('a row whose settlement waits unmatched leads to its remittance, and only a rest of it can be chosen', async () => {
    const waiting = { ...row(4, 'open'), is_decidable: false, remittance_id: 'rem_4' };
    const divided = { ...row(5, 'open'), remittance_id: 'rem_5' };
    fixture.responses.set('/operator/bank_days', [200, { ...DAY, rows: [waiting, divided] }]);
    const { html } = await read(PAGE);
    expect(html).toContain('<a href="/projects/prj_1/remittances/rem_4">4</a>');
    expect(html).not.toContain('unmatched-rows/4"');
    expect(html).toContain('<a href="/projects/prj_1/unmatched-rows/5">5</a>');
    expect(html).toContain('<a href="/projects/prj_1/remittances/rem_5">the remittance</a>');
    expect([...html.matchAll(/name="row" value="(\d+)"/g)].map(([, value]) => value)).toEqual(['5']);
  });

  describe('decides about several rows', () => {
    const path = (number: number) => `/operator/unmatched_rows/${number}/expectations`;
    const send = (fields: Record<string, string | string[]>) =>
      post(`${PAGE}/decisions`, {
        day: '2026-02-11',
        decision: 'expected',
        reason: 'the advice follows',
        ...fields,
      });
    const until = '2026-02-25';
    const done = async () =>
      /class="done"[^>]*>(.*?)<\/p>/.exec((await read(`${PAGE}?day=2026-02-11`)).html)?.[1];

    test('of which one must be chosen, and expected ones need a day', async () => {
      expect((await send({})).html).toContain('must have at least one chosen row');
      const { html } = await send({ row: '1' });
      expect(html).toContain('id="until-problem"');
      expect([...html.matchAll(/name="row" value="(\d+)" checked/g)].map(([, value]) => value)).toEqual([
        '1',
      ]);
    });

    test('and says which were left as they are', async () => {
      fixture.responses.set(path(1), [200, row(1, 'open')]);
      expect((await send({ row: ['1', '2'], until })).status).toBe(303);
      expect(fixture.received).toContainEqual(
        expect.objectContaining({
          path: path(1),
          body: { reason: 'the advice follows', until: '2026-02-25T23:59:59.999Z' },
        }),
      );
      expect(await done()).toBe(
        '1 row is expected now. 1 were left as they are: that was decided already, or they have changed meanwhile.',
      );
    });

    test('with one entry of the audit log per row, however many there are, before it is decided', async () => {
      const rows = Array.from({ length: 120 }, (_, index) => String(1_000_000 + index));
      for (const each of rows) fixture.responses.set(path(Number(each)), [200, row(1, 'open')]);
      await send({ row: rows, until });
      const steps = fixture.received.flatMap(({ path: each, body }) => {
        if (each === '/operator/audit_entries' && body?.action === 'settlements.decide')
          return [body.subject];
        return each?.endsWith('/expectations') ? [each.split('/')[3]] : [];
      });
      expect(steps).toEqual(rows.flatMap((each) => [each, each]));
      const entries = fixture.received.filter(({ body }) => body?.action === 'settlements.decide');
      expect(entries.at(-1)?.body).toMatchObject({
        details: { project_id: 'prj_1', decision: 'expected', until, reason: 'the advice follows' },
      });
    });

    test('and says what was done if a later one is rejected', async () => {
      fixture.responses.set(path(1), [200, row(1, 'open')]);
      fixture.responses.set(path(2), UNAVAILABLE);
      fixture.responses.set(path(3), [200, row(3, 'open')]);
      expect((await send({ row: ['1', '2', '3'], until })).status).toBe(303);
      expect(await done()).toBe(
        '1 row is expected now. Row 2 was not confirmed: It is unavailable. Rows after it were left as they are.',
      );
      expect(fixture.received.filter(({ path: each }) => each === path(3))).toEqual([]);
    });
  });
});

describe('tables as CSV', () => {
  test('have plain numbers, whole IDs and instants, the currency, and no formula', async () => {
    const data = [
      {
        ...exampleOf('getRemittance'),
        id: 'rem_1',
        payer_reference: '=1+1',
        received_at: '2026-02-10T00:00:00.000Z',
      },
    ];
    fixture.responses.set('/v1/remittances', [200, { object: 'list', data, has_more: false }]);
    const page = await read('/projects/prj_1/remittances?status=received');
    expect(page.html).toContain('href="/projects/prj_1/remittances?status=received&amp;csv=remittances"');
    const response = await fixture.request('/projects/prj_1/remittances?csv=remittances', visitor.session);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toMatch(
      /^Payer’s reference,Status,Currency,Total,Received\r\n'=1\+1,[a-z]+,[A-Z]{3},\d+\.\d\d,2026-02-10T00:00:00\.000Z\r\n$/,
    );
    expect((await read('/projects/prj_1/remittances?csv=unknown')).html).toContain('<h1>Remittances</h1>');
  });
});
