/** Renders every page that has forms, and tests what Enter in a field does. The services respond with the examples of the contract. */
import { BASE_PATH, type OperationId, operations } from '@carecover/contract';
import { ACTS, PAGES } from './pages';
import { ConsoleFixture, PROJECT } from './testing/console-fixture';
import { exampleOf, formsWithOtherDefault, repeatedIds, Visitor } from './testing/visitor';

let fixture: ConsoleFixture;
let visitor: Visitor;
/** Values that replace those of the example of an operation. */
let replaced: Partial<Record<OperationId, object>>;
let row: object;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  replaced = {};
  row = ROW;
  fixture.respond = (path) => respondTo(path.split('?')[0] ?? '');
});
afterEach(() => fixture.stop());

const idOf = (id: OperationId) => (exampleOf(id) as { readonly id: string }).id;
const [delivery] = (
  exampleOf('listWebhookDeliveries') as { readonly data: readonly { readonly id: string }[] }
).data;

const PARAMS: Readonly<Record<string, string>> = {
  ...{ claim: idOf('getClaim'), preauthorization: idOf('getPreauthorization'), row: '7', key: 'key_1' },
  job: idOf('getBulkJob'),
  ...{
    remittance: idOf('getRemittance'),
    run: idOf('getValuationRun'),
    endpoint: idOf('getWebhookEndpoint'),
  },
  event: delivery?.id ?? '',
};

const ROW = {
  ...{ row: 7, type: 'credit', source_reference: 'B-7', payer_reference: null, currency: 'KES', amount: 10 },
  ...{ open: 10, doubt: null, observed_at: PROJECT.now, file: 'bank.xml', line: 1 },
};
const CANDIDATES = [1, 2].map((digit) => ({
  ...{ id: `rem_${String(digit).repeat(32)}`, payer_reference: `ADVICE-${digit}`, total: 5, lacking: 5 },
  received_at: PROJECT.now,
}));

const AT = '2026-02-10T00:00:00.000Z';
const CREATED = {
  ...{ sequence: 1, type: 'created', effective_at: AT, recorded_at: AT, amount: 10, previous_status: null },
  ...{ next_status: null, reason_code: null, evidence_references: [] },
};
const STEP = {
  ...{ at: AT, status: 'submitted' },
  amount: {
    ...{
      billed: 10,
      payer_liability: null,
      patient_responsibility: null,
      adjustment: null,
      outstanding: null,
    },
    ...{ remitted: 0, settled: 0 },
  },
};

/** What the operators' routes respond that do not return a list. */
const ROUTES: readonly (readonly [RegExp, object])[] = [
  [/\/projects\/prj_1$/, { ...PROJECT, clock: { now: PROJECT.now, status: 'ready', target: null } }],
  [/\/projects\/prj_1\/clock$/, exampleOf('getTestClock') as object],
  [
    /\/keys\/key_1$/,
    {
      id: 'key_1',
      name: 'A',
      prefix: 'sk_',
      scopes: [],
      created_at: PROJECT.now,
      rotated_at: null,
      revoked_at: null,
      last_used_at: null,
    },
  ],
  [/\/unmatched_rows$/, { data: [], has_more: false, next: null, totals: [] }],
  [/\/unmatched_rows\/7\/candidates$/, { data: CANDIDATES, has_more: false }],
  [
    /\/unmatched_rows\/7\/takebacks$/,
    { credit: { row: 6, source_reference: 'B-6' }, settlements: [], open: 0 },
  ],
  [/\/workflow$/, { run: null }],
  [
    /\/timeline$/,
    { now: PROJECT.now, currency: 'KES', facts: [CREATED], known_then: [STEP], known_now: [STEP] },
  ],
  [/\/dead_lettered_messages$/, { count: 0, oldest_at: null }],
  [
    /\/bank_days$/,
    {
      ...{
        day: '2026-02-11',
        read_at: PROJECT.now,
        is_equal: true,
        has_more: false,
        accounts: [],
        positions: [],
      },
      rows: [
        {
          ...ROW,
          part: 10,
          state: 'open',
          reason: 'why',
          decided_by: null,
          expected_until: null,
          remittance_id: null,
          is_decidable: true,
        },
      ],
    },
  ],
];

function respondTo(path: string): readonly [number, object] | undefined {
  if (path.startsWith('/operator/')) {
    if (path === '/operator/unmatched_rows/7') return [200, row];
    const [, body] = ROUTES.find(([route]) => route.test(path)) ?? [];
    return [200, body ?? { data: [], has_more: false }];
  }
  const found = Object.entries(operations).find(
    ([, operation]) =>
      operation.method === 'GET' &&
      new RegExp(`^${BASE_PATH}${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  if (found === undefined) return undefined;
  const id = found[0] as OperationId;
  return [200, { ...exampleOf(id), ...replaced[id] }];
}

const pathOf = (path: string) =>
  `/projects/prj_1${path.replace(/:(\w+)/g, (_, name: string) => PARAMS[name] ?? '')}`;

/** The states in which the pages show their forms. */
const STATES: readonly Partial<Record<OperationId, object>>[] = [
  { getBulkJob: { dry_run: true }, getRemittanceReconciliation: { settlements: [] } },
  {
    getClaim: { status: 'submitted', adjudication: null },
    getPreauthorization: { status: 'pending', decision: null },
    getWebhookEndpoint: { status: 'disabled' },
    getRemittanceReconciliation: { reason: 'partial_funds' },
    getBulkJob: { status: 'running', completed_at: null },
  },
  {
    getClaim: { status: 'approved' },
    getBulkJob: { status: 'paused', completed_at: null },
    getWebhookEndpoint: { status: 'active' },
    listWebhookDeliveries: { data: [{ ...delivery, status: 'failed' }] },
  },
];

/** Uploads the file of a bulk job, as the page of its dry run offers to execute a file that is kept. */
async function uploadBulkFile(): Promise<void> {
  fixture.responses.set('/v1/bulk_jobs', [202, exampleOf('getBulkJob')]);
  fixture.respond = () => undefined;
  const { html } = await visitor.read('/');
  const body = new FormData();
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const fields = { csrf, key: 'k', kind: 'claims', on_error: 'continue' };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob(['{}']), 'claims.jsonl');
  const { status } = await visitor.read(pathOf('/bulk-jobs'), { method: 'POST', body });
  expect(status).toBe(303);
  fixture.respond = (path) => respondTo(path.split('?')[0] ?? '');
}

test('in each form of each page, Enter presses the button of the main act', async () => {
  const actions = new Set<string>();
  await uploadBulkFile();
  for (const [index, state] of STATES.entries()) {
    replaced = state;
    row = { ...ROW, type: index === 0 ? 'takeback' : 'credit' };
    for (const page of PAGES) {
      const path = pathOf(page.path);
      const { status, html } = await visitor.read(path);
      expect([path, status]).toEqual([path, 200]);
      for (const [, action = ''] of html.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g))
        actions.add(action);
    }
  }
  // The pages show the forms of all acts.
  const missing = ACTS.map(({ path }) => pathOf(path)).filter((path) => !actions.has(path));
  expect(missing).toEqual([]);
});

test('elements with the same ID are found', () => {
  expect(repeatedIds('<a id="one"></a><b class="x" id="two"></b><input id="one"/><p data-id="two">')).toEqual(
    ['one'],
  );
});

test.each([
  [
    'another button before the main one',
    '<button name="fill" value="all">Fill</button><button class="main">Send</button>',
  ],
  [
    'several buttons and no main one',
    '<button name="a" value="1">A</button><button name="a" value="2">B</button>',
  ],
])('a form with %s is found', (_name, buttons) => {
  expect(formsWithOtherDefault(`<form action="/a"><input name="x" />${buttons}</form>`)).toEqual(['/a']);
});
