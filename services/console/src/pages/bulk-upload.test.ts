/** Tests of the upload of a bulk job's file: the dry run first, then the same bytes after a confirmation. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { BulkJob } from '@carecover/contract';
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, hiddenFields, UNAVAILABLE, Visitor } from '../testing/visitor';

const LIST = '/projects/prj_1/bulk-jobs';
const example = exampleOf('getBulkJob') as BulkJob;
const dryRun: BulkJob = {
  ...{ ...example, id: `job_${'1'.repeat(32)}`, dry_run: true, kind: 'adjudications', on_error: 'stop' },
  counts: { total: 12, succeeded: 9, replayed: 1, rejected: 2, waiting: 0 },
};
const DRY_RUN = `${LIST}/${dryRun.id}`;
const EXECUTE = `${DRY_RUN}/executions`;
const executed: BulkJob = { ...dryRun, id: `job_${'2'.repeat(32)}`, dry_run: false, status: 'pending' };

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  const list = { object: 'list', data: [], has_more: false };
  fixture.responses.set('/v1/bulk_jobs', [200, list]);
  fixture.respond = (path) => {
    const query = new URLSearchParams(path.split('?')[1]);
    if (!path.startsWith('/v1/bulk_jobs?') || !query.has('dry_run')) return undefined;
    return [202, query.get('dry_run') === 'true' ? dryRun : executed];
  };
  for (const job of [dryRun, executed]) {
    fixture.responses.set(`/v1/bulk_jobs/${job.id}`, [200, job]);
    fixture.responses.set(`/v1/bulk_jobs/${job.id}/results`, [200, list]);
    fixture.responses.set(`/operator/bulk_jobs/${job.id}/rejections`, [200, { data: [] }]);
  }
});
afterEach(() => fixture.stop());

const sent = () => fixture.received.filter(({ file }) => file !== undefined);

/** Sends the form with a file, as a browser does. */
async function upload(
  content: string | Uint8Array<ArrayBuffer>,
  name = 'decisions.jsonl',
  fields: Readonly<Record<string, string>> = {},
) {
  const { html } = await visitor.read('/');
  const body = new FormData();
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const typed = { csrf, key: 'k', kind: 'adjudications', on_error: 'stop', ...fields };
  for (const [field, value] of Object.entries(typed)) body.append(field, value);
  if (content !== '') body.append('file', new Blob([content]), name);
  return visitor.read(LIST, { method: 'POST', body });
}

/** Returns the fields of a form of an act on a page, without its token. */
function fieldsOf(html: string, path: string): Record<string, string> {
  const { csrf: _, ...fields } = hiddenFields(html, path);
  return fields;
}

test('a file is checked in a dry run, and the same bytes are executed after the person has confirmed its counts', async () => {
  expect((await upload('{"a":1}\n')).status).toBe(303);
  expect(sent()).toMatchObject([
    {
      path: '/v1/bulk_jobs?kind=adjudications&on_error=stop&dry_run=true',
      file: { headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' } },
    },
  ]);
  const page = await visitor.read(DRY_RUN);
  expect(page.html).toContain('decisions.jsonl is checked in a dry run. Nothing is written.');
  expect(page.html).toContain('Execute decisions.jsonl</button>');
  const shown = await visitor.post(EXECUTE, { ...fieldsOf(page.html, EXECUTE), key: 'k2' });
  expect([shown.status, sent().length]).toEqual([200, 1]);
  const text = shown.html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/12 lines of the kind adjudications will be executed until the first one is rejected/);
  expect(text).toMatch(/Succeeded Repeated Rejected Waiting 9 1 2 0/);
  const confirmed = fieldsOf(shown.html, EXECUTE);
  expect((await visitor.post(EXECUTE, confirmed)).status).toBe(303);
  expect(sent()[1]).toMatchObject({
    path: '/v1/bulk_jobs?kind=adjudications&on_error=stop&dry_run=false',
    file: { headers: { 'idempotency-key': 'k2' } },
  });
  expect(sent()[1]?.file?.bytes).toEqual(sent()[0]?.file?.bytes);
  expect((await visitor.post(EXECUTE, confirmed)).status).toBe(303);
  expect(sent()).toHaveLength(2);
});

test('the audit log has each job with its file and digest, before the job is created', async () => {
  await upload('{"a":1}\n');
  const entries = () =>
    fixture.received.flatMap(({ body }) => (body?.action === 'bulk_job.create' ? [body.details] : []));
  const file = { file: 'decisions.jsonl', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(entries()).toEqual([expect.objectContaining({ kind: 'adjudications', dry_run: true, ...file })]);
  const { html } = await visitor.read(DRY_RUN);
  const shown = await visitor.post(EXECUTE, fieldsOf(html, EXECUTE));
  expect(entries()).toHaveLength(1);
  await visitor.post(EXECUTE, fieldsOf(shown.html, EXECUTE));
  expect(entries()[1]).toMatchObject({ after_dry_run: dryRun.id, dry_run: false, ...file });
  const order = fixture.received.map(({ file: each, body }) => each !== undefined || body?.action);
  expect(order.indexOf('bulk_job.create')).toBeLessThan(order.indexOf(true));
});

test.each([
  ['decisions.csv', 'a,b\n', 'text/csv', undefined],
  ['DECISIONS.NDJSON', '{}', 'application/x-ndjson', undefined],
  ['decisions.csv.gz', gzipSync('a,b\n'), 'text/csv', 'gzip'],
] as const)('%s is sent as it is', async (name, content, mediaType, encoding) => {
  await upload(typeof content === 'string' ? content : Uint8Array.from(content), name);
  const { headers, bytes } = sent()[0]?.file ?? {};
  expect([headers?.['content-type'], headers?.['content-encoding']]).toEqual([mediaType, encoding]);
  const received = bytes ?? Buffer.alloc(0);
  expect((encoding === 'gzip' ? gunzipSync(received) : received).toString()).toBe(
    name.includes('csv') ? 'a,b\n' : '{}',
  );
});

test('a file that was not chosen, has another ending or is too long is named beside its field, and the kept one stays chosen', async () => {
  expect((await upload('')).html).toMatch(/href="#file">File<\/a> must be chosen/);
  const other = await upload('x', 'decisions.xlsx');
  expect([other.status, other.html]).toEqual([
    400,
    expect.stringContaining('must have a name that ends in .csv'),
  ]);
  expect(other.html).toContain('decisions.xlsx is kept');
  const long = await upload(new Uint8Array(5 * 1024 * 1024));
  expect([long.status, long.html]).toEqual([413, expect.stringContaining('of more than 4 MiB')]);
  const wrong = await upload('{}', 'decisions.jsonl', { kind: 'wishes' });
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('href="#kind"')]);
  expect(sent()).toEqual([]);
});

test('why the service rejects a file is shown with what was chosen', async () => {
  const error = { code: 'validation_failed', message: 'line 1: the column wishes is unknown' };
  fixture.respond = (path) => (path.includes('dry_run=true') ? [400, { error }] : undefined);
  const { status, html } = await upload('wishes\n', 'decisions.csv');
  expect([status, html]).toEqual([400, expect.stringContaining('the column wishes is unknown')]);
  expect(html).toContain('decisions.csv is kept');
  expect(html).toMatch(/<option value="adjudications" selected/);
});

test('the file of another session, and that of a job that is no completed dry run, are not executed', async () => {
  await upload('{}');
  const fields = fieldsOf((await visitor.read(DRY_RUN)).html, EXECUTE);
  const own = visitor.session;
  visitor.session = await fixture.sessionOf({ sub: '18', roles: ['operator'] });
  expect((await visitor.read(DRY_RUN)).html).toContain('The file is not kept any more.');
  const other = await visitor.post(EXECUTE, fields);
  expect([other.status, other.html]).toEqual([
    409,
    expect.stringContaining('The file is not kept any more.'),
  ]);
  visitor.session = own;
  for (const changes of [{ status: 'running' }, { status: 'cancelled' }, { dry_run: false }] as const) {
    fixture.responses.set(`/v1/bulk_jobs/${dryRun.id}`, [200, { ...dryRun, ...changes }]);
    expect((await visitor.read(DRY_RUN)).html).not.toContain(EXECUTE);
    expect((await visitor.post(EXECUTE, { ...fields, key: JSON.stringify(changes) })).status).toBe(409);
  }
  expect(sent()).toHaveLength(1);
});

test('an execution whose answer was lost is sent again with the same key', async () => {
  await upload('{}');
  const { html } = await visitor.read(DRY_RUN);
  const shown = await visitor.post(EXECUTE, fieldsOf(html, EXECUTE));
  const confirmed = fieldsOf(shown.html, EXECUTE);
  const respond = fixture.respond;
  fixture.respond = (path) => (path.includes('dry_run=false') ? UNAVAILABLE : respond(path));
  const lost = await visitor.post(EXECUTE, confirmed);
  expect([lost.status, lost.html]).toEqual([503, expect.stringContaining('It is not known')]);
  fixture.respond = respond;
  expect((await visitor.post(EXECUTE, fieldsOf(lost.html, EXECUTE))).status).toBe(303);
  const keys = sent().map(({ file }) => file?.headers['idempotency-key']);
  expect([keys.length, keys[1] === keys[2]]).toEqual([3, true]);
});

test('a person who can not adjudicate sees no form, and uploads and executes nothing', async () => {
  await upload('{}');
  const fields = fieldsOf((await visitor.read(DRY_RUN)).html, EXECUTE);
  visitor.session = await fixture.sessionOf({ sub: '18', roles: ['finance'] });
  expect((await visitor.read(LIST)).html).not.toContain('type="file"');
  expect((await visitor.read(DRY_RUN)).html).not.toContain('Execute the file');
  expect((await upload('{}')).status).toBe(404);
  expect((await visitor.post(EXECUTE, fields)).status).toBe(404);
  expect(sent()).toHaveLength(1);
});

test('files of remittances and settlements need the permission for money too', async () => {
  const kinds = async () => {
    const { html } = await visitor.read(LIST);
    const form = html.slice(html.indexOf('enctype='));
    return [...form.matchAll(/<option value="(\w+)"/g)].map(([, kind]) => kind);
  };
  expect(await kinds()).toEqual(expect.arrayContaining(['claims', 'remittances', 'settlements']));
  visitor.session = await fixture.sessionOf({ sub: '18', roles: ['operator'] });
  expect(await kinds()).toEqual(expect.not.arrayContaining(['settlements']));
  expect((await upload('{"a":1}\n', 'file.jsonl', { kind: 'settlements' })).status).toBe(404);
  expect(sent()).toEqual([]);
  expect((await upload('{"a":1}\n', 'file.jsonl', { kind: 'sessions' })).status).toBe(303);
});
