/** Tests of the claims that the numbers of a valuation run open. */
import type { ValuationRun, ValuationRunClaim } from '@carecover/contract';
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, Visitor } from '../testing/visitor';

const example = exampleOf('getValuationRun') as ValuationRun;
const RUN = { ...example, id: `vrun_${'1'.repeat(32)}` };
const PAGE = `/projects/prj_1/valuation-runs/${RUN.id}`;
const OPENED = `/operator/valuation_runs/${RUN.id}/claims`;
const [total] = example.totals;
const sums = {
  currency: 'KES',
  claim_count: 2,
  amount: total?.amount as NonNullable<typeof total>['amount'],
};
const undivided = {
  ...{ status: null, practitioner_id: null, payer_reference: null, plan: null },
  ...{ service_month: null, submission_month: null, age_band: null },
};
const claim = (exampleOf('listValuationRunClaims') as { data: ValuationRunClaim[] })
  .data[0] as ValuationRunClaim;

let fixture: ConsoleFixture;
let visitor: Visitor;
const show = (run: Partial<ValuationRun>) =>
  fixture.responses.set(`/v1/valuation_runs/${RUN.id}`, [200, { ...RUN, ...run }]);
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  fixture.responses.set(OPENED, [200, { data: [claim], has_more: false }]);
});
afterEach(() => fixture.stop());

const opened = () => fixture.received.filter(({ path }) => path === OPENED).map(({ body }) => body);
const linksOf = (html: string) =>
  [...html.matchAll(new RegExp(`href="(${PAGE}/claims[^"]*)"`, 'g'))].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

test('the number of claims of a total and of a group opens them, by what they have in common', async () => {
  const group = { ...sums, ...undivided, status: 'partially_approved', payer_reference: 'payer_1' } as const;
  show({ group_by: ['status', 'payer_reference'], totals: [sums], groups: [group], triangle: null });
  const { html } = await visitor.read(PAGE);
  expect(html).toContain('partially approved');
  expect(html).toContain('>payer_1<');
  expect(linksOf(html)).toEqual([
    `${PAGE}/claims?currency=KES`,
    `${PAGE}/claims?currency=KES&status=partially_approved&payer_reference=payer_1`,
  ]);
  const shown = await visitor.read(linksOf(html)[1] ?? '');
  expect(shown.html).toContain(`href="/projects/prj_1/claims/${claim.id}"`);
  expect(shown.html).toContain('1 claim, newest first');
  expect(opened()).toEqual([{ currency: 'KES', status: 'partially_approved', payer_reference: 'payer_1' }]);
});

test('each period of a triangle opens the claims of its months of service', async () => {
  const triangle = {
    ...{ origins: ['2025-10-01', '2026-01-01'], valuation_dates: [] },
    currencies: [{ currency: 'KES', measures: [] }],
  };
  show({
    development: { origin: 'service_quarter', step: 'month', measures: ['outstanding'] },
    ...{ totals: [], groups: [], triangle },
  });
  const { html } = await visitor.read(PAGE);
  expect(linksOf(html)).toEqual([
    `${PAGE}/claims?currency=KES&service_from=2025-10&service_until=2025-12`,
    `${PAGE}/claims?currency=KES&service_from=2026-01&service_until=2026-03`,
  ]);
});

test('the page says that a group has more claims than it shows, and its claims are also CSV', async () => {
  show({});
  fixture.responses.set(OPENED, [200, { data: [claim], has_more: true }]);
  const { html } = await visitor.read(`${PAGE}/claims?currency=KES`);
  expect(html).toContain('1 claim and more, newest first');
  const csv = await visitor.read(`${PAGE}/claims?currency=KES&csv=valuation-run-claims`);
  expect(csv.html.split('\r\n')[0]).toMatch(/^Invoice,Status,Service,Currency,billed/);
});
