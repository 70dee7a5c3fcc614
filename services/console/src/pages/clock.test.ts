// The clock of a project whose time is simulated: the head of every page, the page that moves it, and what persons and real projects see.
import { ConsoleFixture, PROJECT } from '../testing/console-fixture';
import { exampleOf, Visitor } from '../testing/visitor';

const CLOCK = { ...(exampleOf('getTestClock') as object), now: '2025-02-20T10:00:00.000Z' };
const SHOWN = { now: '2025-02-20T10:00:00.000Z', status: 'ready', target: null };
const ADVANCES = '/projects/prj_1/clock/advances';

let fixture: ConsoleFixture;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
});
afterEach(() => fixture.stop());

/** Lets the time of the project be simulated, and signs in. */
async function visitAs(role: string, simulated = true): Promise<Visitor> {
  const project = simulated ? { now: SHOWN.now, clock: SHOWN, time_zone: 'Africa/Nairobi' } : { clock: null };
  fixture.responses.set('/operator/projects/prj_1', [200, { ...PROJECT, ...project }]);
  fixture.responses.set('/operator/projects/prj_1/clock', [200, CLOCK]);
  fixture.responses.set('/operator/projects/prj_1/clock/due', [200, { count: 3 }]);
  fixture.responses.set('/operator/projects/prj_1/clock/advances', [200, { ...CLOCK, completed: 3 }]);
  fixture.responses.set('/v1/claims', [200, { object: 'list', data: [], has_more: false }]);
  return Visitor.signIn(fixture, [role]);
}

const sent = (path: string) =>
  fixture.received.filter((each) => each.path === `/operator${path}`).map(({ body }) => body);

test('the head of every page has the clock in the time zone of the project, and a page of a real project has none', async () => {
  const simulated = await (await visitAs('viewer')).read('/projects/prj_1/claims');
  expect(simulated.html).toContain('href="/projects/prj_1/clock"');
  expect(simulated.html).toMatch(/2025-02-20 13:00:00 GMT\+3.*ready/);
  const visitor = await visitAs('viewer', false);
  const real = await visitor.read('/projects/prj_1/claims');
  expect(real.html).not.toContain('/clock');
  expect((await visitor.read('/projects/prj_1/clock')).status).toBe(404);
  const administrator = await visitAs('administrator', false);
  expect((await administrator.post(ADVANCES, { to: '2025-03-01', key: 'key-of-real' })).status).toBe(404);
  expect(sent('/projects/prj_1/clock/advances')).toEqual([]);
});

test('a viewer sees what is next and no form; an administrator sees what a move executes before it is made', async () => {
  const shown = await (await visitAs('viewer')).read('/projects/prj_1/clock');
  expect(shown.html).toMatch(/2025-03-06 13:00:00 GMT\+3.*expires if it was not decided/s);
  expect(shown.html).not.toContain(ADVANCES);
  const visitor = await visitAs('administrator');
  const fields = { to: '1 Mar 2025', key: 'key-of-a-form' };
  const preview = await visitor.post(ADVANCES, fields);
  expect(preview.html).toMatch(/3 due items until then.*2025-03-01 00:00:00 GMT\+3/s);
  expect(sent('/projects/prj_1/clock/advances')).toEqual([]);
  const { status } = await visitor.confirm(ADVANCES, fields);
  expect(status).toBe(303);
  expect((await visitor.read('/projects/prj_1/clock')).html).toContain(
    'The clock was moved: 3 due items executed.',
  );
  expect(sent('/projects/prj_1/clock/due')[0]).toEqual({ until: '2025-02-28T21:00:00.000Z' });
  expect(sent('/projects/prj_1/clock/advances')).toEqual([
    { to: '2025-02-28T21:00:00.000Z', key: 'key-of-a-form' },
  ]);
  expect(sent('/audit_entries')).toContainEqual({
    action: 'clock.advance',
    subject: 'prj_1',
    details: expect.objectContaining({ project_id: 'prj_1', to: '2025-02-28T21:00:00.000Z' }),
  });
});

test('an item that is overdue, because its command was interrupted, is executed at the time of the clock', async () => {
  const visitor = await visitAs('administrator');
  const next_due = {
    at: '2025-02-19T10:00:00.000Z',
    resource: 'preauth_1',
    what: 'preauthorization.decide_by',
  };
  fixture.responses.set('/operator/projects/prj_1/clock', [200, { ...CLOCK, next_due }]);
  const [, to = ''] =
    /name="to" value="([^"]+)"/.exec((await visitor.read('/projects/prj_1/clock')).html) ?? [];
  expect(to).toBe(SHOWN.now);
  const { status } = await visitor.confirm(ADVANCES, { to, key: 'key-of-a-form' });
  expect([status, sent('/projects/prj_1/clock/advances')]).toEqual([303, [{ to, key: 'key-of-a-form' }]]);
});

test('an instant before the clock, and a text that is no instant, are rejected beside the field and change nothing', async () => {
  const visitor = await visitAs('administrator');
  for (const [to, problem] of [
    ['2025-01-01', 'must not be before the time of the clock'],
    ['soon', 'to-problem'],
  ] as const) {
    const { status, html } = await visitor.post(ADVANCES, { to, key: 'key-of-a-form' });
    expect([to, status]).toEqual([to, 400]);
    expect(html).toContain(problem);
  }
  expect(sent('/projects/prj_1/clock/advances')).toEqual([]);
});

test('a failed and a running advance say where the clock stands, and a running one offers no form', async () => {
  const visitor = await visitAs('administrator');
  const failure = 'claims: The claim is gone.';
  const set = (clock: object) =>
    fixture.responses.set('/operator/projects/prj_1/clock', [200, { ...CLOCK, ...clock }]);
  set({ status: 'failed', target: '2025-06-01T00:00:00.000Z', completed: 1, remaining: 2, failure });
  const failed = (await visitor.read('/projects/prj_1/clock')).html;
  expect(failed).toMatch(/1 due item executed, 2 to come.*claims: The claim is gone\./s);
  expect(failed).toContain(ADVANCES);
  set({ status: 'advancing', target: '2025-06-01T00:00:00.000Z', completed: 1, remaining: 2 });
  expect((await visitor.read('/projects/prj_1/clock')).html).not.toContain(ADVANCES);
});
