/** Tests of the adjudication form: what its buttons do without scripts, and that no decision replaces another one without a word. */
import type { Claim } from '@carecover/contract';
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, hiddenFields, UNAVAILABLE, Visitor } from '../testing/visitor';

const PAGE = '/projects/prj_1/claims/clm_1/adjudicate';
const ACT = '/projects/prj_1/claims/clm_1/adjudications';
const SENT = '/v1/claims/clm_1/adjudications';
const example = exampleOf('getClaim') as Claim;
const [line = {} as Claim['lines'][number]] = example.lines;
const submitted = {
  ...{ ...example, id: 'clm_1', status: 'submitted', adjudication: null },
  ...{
    lines: [{ ...line, line_number: 1, amount: 100_000 }],
    amount: { ...example.amount, billed: 100_000 },
  },
};
const decided = {
  ...{ ...submitted, status: 'denied' },
  adjudication: {
    ...{ ...example.adjudication, id: 'adj_1', version: 1, decision: 'denied' },
    amount: { ...example.adjudication?.amount, payer: 0, currency: example.amount.currency },
  },
};
const typed = {
  ...{ allowed_1: '400', payer_1: '300', next: 'no' },
  ...{ policy_reference: 'policy:outpatient', policy_version: '1', reason_codes: 'covered' },
};

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  fixture.responses.set('/v1/claims/clm_1', [200, submitted]);
  fixture.responses.set('/v1/claims/clm_1/links', [200, exampleOf('getClaimLinks')]);
  fixture.respond = (path) => {
    if (path.startsWith('/v1/preauthorizations/')) return [200, exampleOf('getPreauthorization')];
    if (path.startsWith('/v1/eligibility')) return [200, exampleOf('getEligibilityCheck')];
    return undefined;
  };
  for (const path of ['/claims/clm_1/adjudications', '/oldest_claims/submitted'])
    fixture.responses.set(`/operator${path}`, [200, { data: [], has_more: false }]);
  fixture.responses.set(SENT, [200, submitted]);
});
afterEach(() => fixture.stop());

const sent = () => fixture.received.filter(({ method, path }) => method === 'POST' && path === SENT);

test('what a person typed is shown and decided, whatever the first button that fills in would fill in', async () => {
  const { html } = await visitor.read(PAGE);
  const form = html.slice(html.indexOf(`action="${ACT}"`)).split('</form>')[0] ?? '';
  const buttons = [...form.matchAll(/<button[^>]*name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(buttons).toEqual([
    ['next', 'no'],
    ['fill', 'billed'],
    ['fill', 'nothing'],
    ['next', 'no'],
  ]);
  const { shown, status } = await visitor.confirm(ACT, typed);
  expect(shown.html).toMatch(/partially approved.*300\.00/s);
  expect([status, sent()]).toEqual([
    303,
    [
      expect.objectContaining({
        body: expect.objectContaining({
          lines: [expect.objectContaining({ amount: expect.objectContaining({ payer: 30_000 }) })],
          ...{ expected_submission_version: submitted.submission_version, expected_adjudication_version: 0 },
        }),
      }),
    ],
  ]);
});

test('a decision that replaces another one says which', async () => {
  expect((await visitor.post(ACT, typed)).html).not.toContain('It replaces the decision');
  fixture.responses.set('/v1/claims/clm_1', [200, decided]);
  const replaced = /It replaces the decision of .*version 1: .*denied.*the payer pays .*0\.00/s;
  const { html } = await visitor.read(`${PAGE}?${new URLSearchParams({ ...typed, part: 'result' })}`);
  expect(html).toMatch(replaced);
  const { shown, status } = await visitor.confirm(ACT, typed);
  expect([status, shown.html]).toEqual([303, expect.stringMatching(replaced)]);
  expect(sent().at(-1)?.body).toMatchObject({ expected_adjudication_version: 1 });
});

test.each([
  ['decided', decided],
  ['decided otherwise', { ...decided, adjudication: { ...decided.adjudication, id: 'adj_2', version: 2 } }],
  ['cancelled', { ...submitted, status: 'cancelled' }],
])(
  'a claim that another person has %s meanwhile is not decided before the effect is shown again',
  async (name, meanwhile) => {
    fixture.responses.set('/v1/claims/clm_1', [200, name === 'decided otherwise' ? decided : submitted]);
    const { html } = await visitor.post(ACT, typed);
    const { csrf: _, ...confirmed } = hiddenFields(html, ACT);
    fixture.responses.set('/v1/claims/clm_1', [200, meanwhile]);
    const again = await visitor.post(ACT, confirmed);
    expect([again.status, sent()]).toEqual([200, []]);
    expect(again.html).toContain('Something has changed since you saw the effect');
  },
);

test('a confirmed decision that is sent again after another person has decided replaces nothing', async () => {
  const { html } = await visitor.post(ACT, typed);
  const { csrf: _, ...confirmed } = hiddenFields(html, ACT);
  fixture.responses.set(SENT, UNAVAILABLE);
  expect((await visitor.post(ACT, confirmed)).html).toContain('It is not known whether the change was made');
  fixture.responses.set('/v1/claims/clm_1', [200, decided]);
  const again = await visitor.post(ACT, confirmed);
  expect([again.status, sent()]).toEqual([409, [expect.anything()]]);
  expect(again.html).toContain('Nothing more was changed');
  expect(again.html).toContain('has changed since you saw the effect');
});
