/** Tests of the decision about many claims: what is confirmed, what the job gets, and that no decision of another person is replaced unseen. */
import type { Claim } from '@carecover/contract';
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, hiddenFields, UNAVAILABLE, Visitor } from '../testing/visitor';

const PAGE = '/projects/prj_1/adjudications';
const example = exampleOf('getClaim') as Claim;
const [line = {} as Claim['lines'][number]] = example.lines;

function claimOf(digit: number, currency: Claim['amount']['currency'], amounts: readonly number[]): Claim {
  return {
    ...{ ...example, id: `clm_${String(digit).repeat(32)}`, provider_claim_reference: `INV-${digit}` },
    ...{ status: 'submitted', submission_version: 1, adjudication: null },
    updated_at: `2026-02-0${digit}T00:00:00.000Z`,
    lines: amounts.map((amount, index) => ({ ...line, line_number: index + 1, amount })),
    amount: { ...example.amount, currency, billed: amounts.reduce((sum, each) => sum + each, 0) },
  };
}

const one = claimOf(1, 'KES', [100_000, 20_000]);
const two = claimOf(2, 'KES', [50_000]);
const dollars = claimOf(3, 'USD', [7_500]);
const denied: Claim = {
  ...{ ...two, status: 'denied', updated_at: '2026-02-09T00:00:00.000Z' },
  adjudication:
    example.adjudication === null ? null : { ...example.adjudication, id: `adj_${'2'.repeat(32)}` },
};
const GIVEN = {
  policy_reference: 'policy:outpatient',
  policy_version: '1',
  reason_codes: 'not_covered, late',
};

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  setClaims([one, two, dollars]);
  fixture.responses.set('/v1/bulk_jobs', [202, { ...exampleOf('getBulkJob'), id: 'job_1' }]);
});
afterEach(() => fixture.stop());

/** Sets the claims as they are; the queue has the submitted ones. */
function setClaims(claims: readonly Claim[]): void {
  for (const claim of claims) fixture.responses.set(`/v1/claims/${claim.id}`, [200, claim]);
  const data = claims.filter(({ status }) => status === 'submitted');
  fixture.responses.set('/operator/oldest_claims/submitted', [200, { data, has_more: false }]);
}

/** Returns the values of the boxes of the page by the names of their claims. */
async function boxes(
  query = '',
): Promise<{ readonly values: Record<string, string>; readonly html: string }> {
  const { html } = await visitor.read(PAGE + query);
  const found = [
    ...html.matchAll(/<input type="checkbox" name="claim" value="([^"]*)"[^>]*aria-label="Choose ([^"]*)"/g),
  ];
  return { html, values: Object.fromEntries(found.map(([, value = '', name = '']) => [name, value])) };
}

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const sent = () =>
  fixture.received.filter(({ method, path }) => method === 'POST' && path?.startsWith('/v1/'));
const jobLines = () =>
  (sent().at(-1)?.file?.bytes.toString('utf8') ?? '')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));

/** Returns the hidden fields of a shown effect; the chosen claims are a list. */
function confirmationOf(html: string) {
  const { csrf: _, claim: __, ...fields } = hiddenFields(html, PAGE);
  const claim = [...html.matchAll(/<input type="hidden" name="claim" value="([^"]*)"/g)].map(
    ([, value = '']) => value,
  );
  return { ...fields, claim };
}

async function choose(names: readonly string[], fields: Readonly<Record<string, string>> = {}) {
  const { values } = await boxes();
  const claim = names.map((name) => values[name] ?? '');
  return visitor.post(PAGE, { decision: 'nothing', ...GIVEN, ...fields, claim });
}

test('many claims are denied alike: count and sums per currency are shown first, then one job gets a line per claim', async () => {
  const shown = await choose(['INV-1', 'INV-2', 'INV-3']);
  const text = textOf(shown.html);
  expect([shown.status, sent()]).toEqual([200, []]);
  expect(text).toContain('3 claims will be denied');
  expect(text).toMatch(/KES 2 1,700\.00 KES 0\.00 KES/);
  expect(text).toMatch(/USD 1 75\.00 USD 0\.00 USD/);
  expect(text).toContain('Policy policy:outpatient 1; reasons not_covered, late.');
  const { status } = await visitor.post(PAGE, confirmationOf(shown.html));
  expect([status, sent().map(({ path }) => path)]).toEqual([
    303,
    ['/v1/bulk_jobs?kind=adjudications&on_error=continue'],
  ]);
  expect(sent()[0]).toMatchObject({
    authority: 'operator:17',
    file: { headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' } },
  });
  expect(jobLines().map(({ claim_id }) => claim_id)).toEqual([one.id, two.id, dollars.id]);
  const amount = (billed: number) => ({
    ...{ billed, allowed: 0, payer: 0 },
    ...{ patient_responsibility: 0, adjustment: billed },
  });
  expect(jobLines()[0]).toEqual({
    ...{ claim_id: one.id, policy_reference: 'policy:outpatient', policy_version: '1' },
    reason_codes: ['not_covered', 'late'],
    ...{ expected_submission_version: 1, expected_adjudication_version: 0 },
    lines: [100_000, 20_000].map((billed, index) => ({
      ...{ line_number: index + 1, amount: amount(billed), reason_codes: ['not_covered', 'late'] },
    })),
  });
});

test('claims are approved as billed, and the effect says what the payer pays', async () => {
  const shown = await choose(['INV-1', 'INV-3'], { decision: 'billed' });
  expect(textOf(shown.html)).toMatch(/2 claims will be approved .*KES 1 1,200\.00 KES 1,200\.00 KES/);
  await visitor.post(PAGE, confirmationOf(shown.html));
  expect(jobLines()[1].lines).toEqual([
    expect.objectContaining({
      amount: { billed: 7_500, allowed: 7_500, payer: 7_500, patient_responsibility: 0, adjustment: 0 },
    }),
  ]);
});

test('the audit log has the decision and the claims before the job is created', async () => {
  const shown = await choose(['INV-1', 'INV-2']);
  await visitor.post(PAGE, { ...confirmationOf(shown.html) });
  const paths = fixture.received.map(({ path }) => path?.split('?')[0]);
  expect(paths.indexOf('/operator/audit_entries')).toBeLessThan(paths.indexOf('/v1/bulk_jobs'));
  const entries = fixture.received.filter(({ path }) => path === '/operator/audit_entries');
  expect(entries.at(-1)?.body).toMatchObject({
    ...{ action: 'claim.adjudicate_many', subject: 'prj_1' },
    details: { decision: 'nothing', policy: 'policy:outpatient', claims: [one.id, two.id] },
  });
});

test.each([
  ['decided', denied],
  ['cancelled', { ...two, status: 'cancelled' }],
  ['asked about', { ...two, status: 'queried' }],
  ['completed by evidence', { ...two, submission_version: 2 }],
] as const)(
  'a claim that was %s after the page was shown is named and left out',
  async (_name, meanwhile) => {
    const { values } = await boxes();
    setClaims([one, meanwhile as Claim, dollars]);
    const claim = [values['INV-1'] ?? '', values['INV-2'] ?? ''];
    const shown = await visitor.post(PAGE, { decision: 'nothing', ...GIVEN, claim });
    const text = textOf(shown.html);
    expect(text).toContain('1 claim will be denied');
    expect(text).toMatch(/1 claim changed since you chose it, and is left out: .*INV-2/);
    await visitor.post(PAGE, confirmationOf(shown.html));
    expect(jobLines().map(({ claim_id }) => claim_id)).toEqual([one.id]);
  },
);

test('a claim that another person decides after the effect was shown makes the effect be shown again, and is left out', async () => {
  const shown = await choose(['INV-1', 'INV-2']);
  setClaims([one, denied, dollars]);
  const again = await visitor.post(PAGE, confirmationOf(shown.html));
  expect([again.status, sent()]).toEqual([200, []]);
  expect(again.html).toContain('Something has changed since you saw the effect');
  expect((await visitor.post(PAGE, confirmationOf(again.html))).status).toBe(303);
  expect(jobLines().map(({ claim_id }) => claim_id)).toEqual([one.id]);
});

test('if every chosen claim has changed, nothing is decided, and the page names them', async () => {
  const { values } = await boxes();
  setClaims([one, denied, dollars]);
  const { status, html } = await visitor.post(PAGE, {
    decision: 'nothing',
    ...GIVEN,
    claim: values['INV-2'] ?? '',
  });
  expect([status, sent()]).toEqual([409, []]);
  expect(html).toContain('Every chosen claim has changed since you chose it: INV-2 (denied). Choose again.');
});

test('a confirmed form that is sent again after its job has decided creates no other job', async () => {
  const shown = await choose(['INV-2']);
  const confirmed = confirmationOf(shown.html);
  fixture.responses.set('/v1/bulk_jobs', UNAVAILABLE);
  expect((await visitor.post(PAGE, confirmed)).html).toContain('It is not known whether the change was made');
  setClaims([one, denied, dollars]);
  const again = await visitor.post(PAGE, confirmed);
  expect([again.status, sent().length]).toEqual([409, 1]);
  expect(again.html).toContain('Nothing more was changed');
});

test('a rejected form says what is wrong beside each field, and keeps what was chosen and typed', async () => {
  const none = await visitor.post(PAGE, {
    decision: '',
    policy_reference: '',
    policy_version: '',
    reason_codes: '',
  });
  expect(none.status).toBe(400);
  for (const name of ['claim', 'decision', 'policy_reference', 'policy_version', 'reason_codes'])
    expect(none.html).toContain(`href="#${name}"`);
  const { status, html } = await choose(['INV-2'], { reason_codes: 'Not Covered' });
  expect([status, sent()]).toEqual([400, []]);
  expect(html).toMatch(/href="#reason_codes"[^<]*<[^<]*must be small letters/);
  expect(html).toMatch(/name="claim" value="clm_2+ [^"]*" checked/);
  expect(html).not.toMatch(/name="claim" value="clm_1+ [^"]*" checked/);
  expect((await choose(['INV-2'], { decision: 'toString' })).status).toBe(400);
  const many = Array.from({ length: 101 }, (_, index) => `clm_${index} submitted 1 none`);
  expect((await visitor.post(PAGE, { decision: 'nothing', ...GIVEN, claim: many })).html).toContain(
    'at most 100',
  );
});

test('unknown claims are counted, and a claim that is not submitted is not decided whatever its box says', async () => {
  setClaims([one, denied]);
  const claim = [
    `${one.id} submitted 1 none`,
    `${denied.id} denied 1 ${denied.adjudication?.id}`,
    'clm_x%00 submitted 1 none',
  ];
  const { html } = await visitor.post(PAGE, { decision: 'nothing', ...GIVEN, claim });
  expect(textOf(html)).toContain('1 claim will be denied');
  expect(textOf(html)).toContain('1 of the chosen claims are not in this project');
});

test('the queue is filtered by payer and service, and all that is shown is chosen by a link, without a script', async () => {
  const parties = [one, two].map(({ id }, index) => ({
    ...{ claim_id: id, name: id, practitioner_id: 'prc_1', payer_id: `payer_${index}` },
  }));
  fixture.respond = (path) => {
    if (path === '/operator/claims/parties') return [200, { data: parties }];
    const names = ['Payer A', 'Payer B'].map((name, index) => ({ id: `payer_${index}`, name }));
    return path === '/operator/payers/names' ? [200, { data: names }] : undefined;
  };
  expect(Object.keys((await boxes()).values)).toEqual(['INV-1', 'INV-2', 'INV-3']);
  const filtered = await boxes('?payer=Payer+B');
  expect(Object.keys(filtered.values)).toEqual(['INV-2']);
  expect(textOf(filtered.html)).toContain('1 of 3 submitted claims');
  expect(filtered.html).toContain(`href="${PAGE}?payer=Payer+B&amp;choose=all"`);
  expect(filtered.html).not.toContain('checked');
  const all = await boxes('?payer=Payer+B&choose=all');
  expect(all.html.match(/ checked/g)).toHaveLength(1);
  expect(Object.keys((await boxes('?service=none')).values)).toEqual([]);
});

test('the queue as CSV has no column of boxes', async () => {
  const { html } = await visitor.read(`${PAGE}?csv=adjudication-queue`);
  expect(html.split('\r\n')[0]).toBe('Claim,Payer,Service,Service date,Currency,Billed,Waiting since');
});

test('the next form suggests the policy and the reasons of the last one', async () => {
  const shown = await choose(['INV-1']);
  await visitor.post(PAGE, confirmationOf(shown.html));
  expect((await boxes()).html).toMatch(/<input id="policy_reference"[^>]* value="policy:outpatient"/);
});

test('a person who can not adjudicate sees no queue and decides nothing', async () => {
  const { values } = await boxes();
  visitor.session = await fixture.sessionOf({ sub: '18', roles: ['finance'] });
  expect((await visitor.read(PAGE)).status).toBe(404);
  const { status } = await visitor.post(PAGE, {
    decision: 'nothing',
    ...GIVEN,
    claim: values['INV-1'] ?? '',
  });
  expect([status, sent()]).toEqual([404, []]);
});
