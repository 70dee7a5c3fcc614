/** Tests of the pages of bulk jobs: what a person sees of a job, its file of results, and the acts that change it. */
import type { BulkJob, BulkJobResult } from '@carecover/contract';
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, hiddenFields, Visitor } from '../testing/visitor';

const LIST = '/projects/prj_1/bulk-jobs';
const job = exampleOf('getBulkJob') as BulkJob;
const PAGE = `${LIST}/${job.id}`;
const API = `/v1/bulk_jobs/${job.id}`;
const running: BulkJob = {
  ...{ ...job, kind: 'adjudications', status: 'running', completed_at: null },
  counts: { total: 640, succeeded: 470, replayed: 2, rejected: 8, waiting: 160 },
};
const paused: BulkJob = { ...running, status: 'paused' };
const result = (changes: Partial<BulkJobResult>): BulkJobResult => ({
  ...{
    object: 'bulk_job_result',
    line: 2,
    reference: null,
    status: 'waiting',
    resource_id: null,
    error: null,
  },
  ...changes,
});
const rejected = {
  ...{ code: 'resource_not_found', count: 6, first_line: 9 },
  first_message: 'There is <no> such claim.',
};

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  show(running);
  fixture.responses.set(`/operator/bulk_jobs/${job.id}/rejections`, [200, { data: [rejected] }]);
  fixture.responses.set(`${API}/results`, [200, { object: 'list', data: [], has_more: false }]);
});
afterEach(() => fixture.stop());

const show = (shown: BulkJob) => fixture.responses.set(API, [200, shown]);
const sent = (path: string) =>
  fixture.received.filter((each) => each.method === 'POST' && each.path === path);
const requested = (path: string) =>
  fixture.received.flatMap((each) => (each.path?.startsWith(path) ? [each.path] : []));
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const actionsIn = (html: string) =>
  [...html.matchAll(/<form method="post" action="[^"]*\/(\w+)"/g)].map(([, action]) => action);

test('the list of jobs has their counts, links to them, and is filtered by status and kind', async () => {
  fixture.responses.set('/v1/bulk_jobs', [200, { object: 'list', data: [running, job], has_more: true }]);
  const { status, html } = await visitor.read(`${LIST}?status=running&kind=adjudications&page=x`);
  expect(status).toBe(200);
  expect(requested('/v1/bulk_jobs')).toEqual(['/v1/bulk_jobs?limit=50&status=running&kind=adjudications']);
  expect(html).toContain(`href="${PAGE}"`);
  expect(textOf(html)).toMatch(/adjudications running 640 470 8 160 .*claims completed 640/);
  expect(html).toMatch(new RegExp(`href="${LIST}\\?status=running[^"]*after=${job.id}"`));
  const { html: menu } = await visitor.read(PAGE);
  expect(menu).toMatch(/<a href="[^"]*\/bulk-jobs" aria-current="true">Bulk jobs<\/a>/);
});

test('a job shows its progress, its counts, and its rejected lines by code with the first message', async () => {
  const { html } = await visitor.read(PAGE);
  expect(html).toMatch(/<progress max="640" value="480" aria-label="[^"]+"/);
  const text = textOf(html);
  expect(text).toContain('480 of 640 lines have a result.');
  expect(text).toContain('resource_not_found 6 9 There is &lt;no> such claim.');
  expect(html).toContain(`href="${PAGE}?status=rejected#results"`);
  expect(html).toContain(`href="${PAGE}/results" download`);
});

test('the results of the lines are filtered and continued after a line, and link to the resources', async () => {
  const claim = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';
  const data = [
    result({ line: 3, reference: 'INV-3', status: 'succeeded', resource_id: claim }),
    result({ line: 4, status: 'rejected', error: { code: 'invalid_state', message: 'It is <settled>.' } }),
  ];
  fixture.responses.set(`${API}/results`, [200, { object: 'list', data, has_more: true }]);
  const { html } = await visitor.read(`${PAGE}?status=rejected&after=2`);
  expect(requested(`${API}/results`)).toEqual([`${API}/results?limit=50&status=rejected&after_line=2`]);
  expect(html).toContain(`href="/projects/prj_1/claims/${claim}"`);
  expect(html).toContain('invalid_state: It is &lt;settled>.');
  expect(html).toContain(`href="${PAGE}?status=rejected&amp;after=4"`);
});

test('the results are a CSV file, which is that of the API; of an unknown job there is none', async () => {
  const csv = 'line,reference\r\n1,INV-1\r\n';
  fixture.responses.set(`${API}/results`, [200, csv]);
  const response = await fixture.request(`${PAGE}/results`, visitor.session);
  expect([response.status, await response.text()]).toEqual([200, csv]);
  const { headers } = response;
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="results-${job.id}.csv"`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(fixture.received.at(-1)).toMatchObject({ path: `${API}/results`, authority: 'operator:17' });
  for (const unknown of ['job_1', '%00', 'job_00000000000070008000000000000000'])
    expect([unknown, (await visitor.read(`${LIST}/${unknown}/results`)).status]).toEqual([unknown, 404]);
});

test('a job offers the acts that its status allows, to a person who can adjudicate', async () => {
  const acts = async () => actionsIn((await visitor.read(PAGE)).html);
  expect(await acts()).toEqual(['pauses', 'cancellations']);
  show(paused);
  expect(await acts()).toEqual(['continuations', 'cancellations']);
  for (const status of ['completed', 'stopped', 'cancelled'] as const) {
    show({ ...job, status });
    expect([status, await acts()]).toEqual([status, []]);
  }
  show(running);
  visitor.session = await fixture.sessionOf({ sub: '18', roles: ['finance'] });
  expect(await acts()).toEqual([]);
  expect((await visitor.post(`${PAGE}/pauses`, {})).status).toBe(404);
  expect(sent(`${API}/pauses`)).toEqual([]);
});

test('a job is paused at once, and the audit log has the act before it', async () => {
  fixture.responses.set(`${API}/pauses`, [200, paused]);
  const { status } = await visitor.post(`${PAGE}/pauses`, {});
  expect([status, sent(`${API}/pauses`).length]).toEqual([303, 1]);
  const paths = fixture.received.map(({ path }) => path);
  expect(paths.indexOf('/operator/audit_entries')).toBeLessThan(paths.indexOf(`${API}/pauses`));
  expect(fixture.received.find(({ body }) => body?.action === 'bulk_job.pause')?.body).toMatchObject({
    subject: job.id,
    details: { project_id: 'prj_1' },
  });
  expect(textOf((await visitor.read(PAGE)).html)).toContain('The job is paused; 160 lines waited');
});

test.each([
  ['continuations', paused, 'bulk_job.continue', /160 lines of 640 .* will be executed/],
  [
    'cancellations',
    running,
    'bulk_job.cancel',
    /160 lines of 640 had no result yet.*What 480 lines did stays/,
  ],
] as const)(
  '%s are confirmed after the person has seen what they do',
  async (path, shown, action, effect) => {
    show(shown);
    fixture.responses.set(`${API}/${path}`, [200, shown]);
    const asked = await visitor.post(`${PAGE}/${path}`, {});
    expect([asked.status, textOf(asked.html), sent(`${API}/${path}`)]).toEqual([
      200,
      expect.stringMatching(effect),
      [],
    ]);
    const { csrf: _, ...confirmed } = hiddenFields(asked.html, `${PAGE}/${path}`);
    const earlier = fixture.received.length;
    expect((await visitor.post(`${PAGE}/${path}`, confirmed)).status).toBe(303);
    const reads = fixture.received
      .slice(earlier)
      .filter((each) => each.method === 'GET' && each.path === API);
    expect(reads).toHaveLength(1);
    expect(sent(`${API}/${path}`)).toHaveLength(1);
    expect(fixture.received.filter(({ body }) => body?.action === action)).toHaveLength(1);
  },
);

test('a running job whose counts change can be cancelled with one confirmation; one that has ended can not', async () => {
  fixture.responses.set(`${API}/cancellations`, [200, { ...running, status: 'cancelled' }]);
  const asked = await visitor.post(`${PAGE}/cancellations`, {});
  const { csrf: _, ...confirmed } = hiddenFields(asked.html, `${PAGE}/cancellations`);
  show({ ...running, counts: { ...running.counts, succeeded: 480, waiting: 150 } });
  expect((await visitor.post(`${PAGE}/cancellations`, confirmed)).status).toBe(303);
  show({ ...job, status: 'completed' });
  const late = await visitor.post(`${PAGE}/cancellations`, { key: 'another' });
  expect([late.status, late.html]).toEqual([409, expect.stringContaining('The job is completed')]);
  expect(sent(`${API}/cancellations`)).toHaveLength(1);
});

test('a job is found by its ID', async () => {
  fixture.respond = (path) => (path.endsWith('/search') ? [200, { data: [] }] : undefined);
  const { html } = await visitor.read(`/projects/prj_1/search?q=${job.id}`);
  expect(html).toContain(`href="${PAGE}"`);
});
