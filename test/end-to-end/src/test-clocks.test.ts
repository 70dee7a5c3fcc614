// Test clocks: in a project with simulated time, an advance executes every due item at its own instant, and nothing else moves the time.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import {
  advance,
  approve,
  created,
  creationOf,
  later,
  nowOf,
  read,
  remit,
  requestPreauthorization,
  submit,
} from './clock-commands';
import { inOneJump, inSmallJumps, Subject, scripts } from './clock-model';
import { type ProjectClient, ServicesInProcess } from './services-in-process';

jest.setTimeout(300_000);

const START = '2022-01-01T00:00:00.000Z';
let services: ServicesInProcess;

beforeAll(async () => {
  services = await ServicesInProcess.start();
}, 300_000);

afterAll(() => services?.stop());

/** Returns the times and types of all events of a project, in the order of their times. */
async function eventsOf({ id }: ProjectClient): Promise<string[]> {
  const rows = await services.sql<{ at: string; type: string }[]>`
    select payload::jsonb ->> 'created_at' as at, type from (
      select event_id, project_id, payload, type from benefits.outbox union select event_id, project_id, payload, type from claims.outbox
      union select event_id, project_id, payload, type from payments.outbox
      union select event_id, project_id, payload, type from benefits.published_events
      union select event_id, project_id, payload, type from claims.published_events
      union select event_id, project_id, payload, type from payments.published_events
      union select id, project_id, payload, type from webhooks.events) events
    where project_id = ${id} order by 1, 2`;
  return rows.map(({ at, type }) => `${at} ${type}`);
}

/** Plays a year of a practice, and moves the clock by the given function. */
async function playYear(project: ProjectClient, move: (to: string) => Promise<unknown>) {
  const undecided = await requestPreauthorization(project, 20, START);
  const unused = await requestPreauthorization(project, 2, START);
  await approve(project, unused, later(START, 60));
  const questioned = await requestPreauthorization(project, 3, START);
  await approve(project, questioned, later(START, 300));
  const remitted = await requestPreauthorization(project, 4, START);
  await approve(project, remitted, later(START, 300));
  await move(later(remitted.booking.ends_at, 1));
  const question = await submit(project, questioned);
  await created(project, `/claims/${question.id}/information_requests`, {
    reason_code: 'notes_missing',
    requested_evidence_types: ['notes'],
    due_at: later(START, 70),
  });
  const claim = await submit(project, remitted);
  const remittance = await remit(project, claim.id);
  await move(later(START, 365));
  return { undecided, unused, questioned, remitted, question, claim, remittance };
}

test('a year: each item is executed at its own instant, and many small jumps give the same events as one', async () => {
  const project = await services.project(START);
  const { body: before } = await project.get('/test_clock');
  expect(before).toEqual({
    object: 'test_clock',
    now: START,
    status: 'ready',
    target: null,
    next_due: null,
    advanced_to: null,
    completed: 0,
    remaining: 0,
    failure: null,
  });
  const year = await playYear(project, (to) => advance(project, to));
  const { body: clock } = await project.get('/test_clock');
  expect(clock).toMatchObject({
    now: later(START, 365),
    status: 'ready',
    next_due: null,
    remaining: 0,
    failure: null,
  });
  expect(clock.completed).toBe(4);

  const decideBy = later(creationOf(year.undecided.preauthorization), 14);
  const deadline = later(creationOf(year.remittance), 30);
  const events = await eventsOf(project);
  expect(events.filter((event) => /expired|exception/.test(event))).toEqual(
    [
      `${decideBy} preauthorization.expired`,
      `${later(START, 60)} preauthorization.expired`,
      `${deadline} remittance.exception`,
    ].sort(),
  );
  expect((await project.get(`/remittances/${year.remittance.id}`)).body.status).toBe('exception');
  expect((await project.get(`/claims/${year.question.id}`)).body.status).toBe('submitted');
  const { body: valuation } = await project.get(
    `/claims/${year.question.id}/valuation?valuation_at=${later(START, 70)}`,
  );
  expect(valuation.events.at(-1)).toMatchObject({
    type: 'submitted',
    recorded_at: later(START, 70),
    reason_code: 'information_request_lapsed',
  });
  // All facts lie between the start and the end of the clock, and IDs have the times of their facts.
  for (const event of events) expect(event >= START && event < later(START, 366)).toBe(true);
  expect(creationOf(year.claim) < later(START, 40)).toBe(true);
  const session = await project.get(`/sessions/${year.unused.booking.session_id}`);
  expect(session.body.status).toBe('delivered');

  const many = await services.project(START);
  await playYear(many, async (to) => {
    let now = await nowOf(many);
    for (const days of [0.01, 9, 20, 40]) {
      now = later(now, days);
      if (now < to) await advance(many, now);
    }
    await advance(many, to);
  });
  expect(events.length).toBeGreaterThan(10);
  expect(await eventsOf(many)).toEqual(events);
});

/** Starts a receiver of webhooks that responds with 503, and notes the instant of each attempt. */
async function startFailingReceiver() {
  const attempts: { readonly createdAt: string; readonly at: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { created_at: createdAt } = JSON.parse(Buffer.concat(chunks).toString());
      attempts.push({ createdAt, at: String(request.headers['webhook-simulated-at']) });
      response.writeHead(503).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { attempts, url: `http://localhost:${port}/hooks`, stop: () => server.close() };
}

test('the retries of webhooks are due items in the order of all, and disable an endpoint at their instants', async () => {
  const receiver = await startFailingReceiver();
  const project = await services.project(START);
  const { id } = await created(project, '/webhook_endpoints', {
    url: receiver.url,
    events: ['preauthorization.requested', 'preauthorization.expired'],
  });
  const unused = await requestPreauthorization(project, 1, START);
  await approve(project, unused, later(START, 2));
  const last = await requestPreauthorization(project, 2, START);
  await approve(project, last, later(START, 30));
  const clock = await advance(project, later(START, 40));
  const retries = WEBHOOK_SCHEDULE_MS.length - 1;
  expect(clock).toMatchObject({ status: 'ready', next_due: null, completed: 2 + 3 * retries });
  // All attempts have failed since the first day, so the first attempt of the last event disables the endpoint.
  expect(await read(project, `/webhook_endpoints/${id}`)).toMatchObject({
    ...{ status: 'disabled', disabled_at: later(START, 30) },
  });
  const created_at = [...new Set(receiver.attempts.map(({ createdAt }) => createdAt))];
  expect(created_at.slice(2)).toEqual([later(START, 2), later(START, 30)]);
  const expected = created_at.slice(0, 3).flatMap((from) => {
    let ms = Date.parse(from);
    return WEBHOOK_SCHEDULE_MS.map((delay) => {
      ms += delay;
      return new Date(ms).toISOString();
    });
  });
  const instants = receiver.attempts.map(({ at }) => at);
  expect(instants.slice(2)).toEqual([...expected, later(START, 30)].sort().slice(2));
  receiver.stop();
});

const LENGTH = testSize({ ci: 16, soak: 80 });
const SCRIPTS = testSize({ ci: 1, soak: 12 });
const PARTS = testSize({ ci: 4, soak: 100 });

test('random scripts: each deadline is executed at its instant, and one jump gives the same bodies as many small ones', async () => {
  const property = fc.asyncProperty(scripts(LENGTH), async (script) => {
    const [whole, parts] = await Promise.all(
      [inOneJump, inSmallJumps(PARTS)].map(async (move) => {
        const subject = new Subject(await services.project(START), move);
        await subject.run(script);
        return subject;
      }),
    );
    for (const subject of [whole, parts]) {
      await eventually('the events are stored', async () =>
        isDeepStrictEqual(await subject?.recorded(), subject?.executed.toSorted()),
      );
    }
    expect(await parts?.bodies()).toEqual(await whole?.bodies());
  });
  await fc.assert(property, { numRuns: SCRIPTS, endOnFailure: true });
}, 3_600_000);

test('next moves the clock to the next due item, to the start and end of a session too', async () => {
  const project = await services.project(START);
  const { booking } = await requestPreauthorization(project, 2, START);
  const { body: clock } = await project.get('/test_clock');
  expect(clock.next_due).toMatchObject({ at: booking.starts_at });
  const reached = [await advance(project, 'next'), await advance(project, 'next')];
  expect(reached.map(({ now }) => now)).toEqual([booking.starts_at, booking.ends_at]);
  // The pre-authorization had to be decided until the start of the session.
  expect(reached.map(({ completed }) => completed)).toEqual([1, 0]);
  const answer = await project.post('/test_clock/advance', { to: 'next' });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_state']);
});

/** Returns the starts of the slots of an hour that a practitioner has on a day in UTC. */
async function slotsOn(project: ProjectClient, practitionerId: string, dayOf: string): Promise<string[]> {
  const period = `from=${dayOf}T00:00:00Z&to=${later(`${dayOf}T00:00:00Z`, 1)}`;
  const slots = await read(
    project,
    `/practitioners/${practitionerId}/slots?${period}&duration_minutes=60&format=online`,
  );
  return slots.data.map(({ starts_at }: { starts_at: string }) => starts_at.slice(0, 16));
}

test('hours follow the time zone at the time of the clock: on 29 February, at both changes of summer time, and at the end of a year', async () => {
  const project = await services.project('2024-02-28T12:00:00.000Z');
  const [{ id }] = (await read(project, '/practitioners?limit=1')).data;
  // From one to four o'clock, every day.
  const hours = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    ...{ weekday, start: '01:00', end: '04:00', formats: ['online'] },
  }));
  await services.sql`
    update care.practitioners set timezone = 'America/New_York', weekly_hours = ${JSON.stringify(hours)}::text::jsonb
    where project_id = ${project.id} and id = ${id}`;
  const starts = (day: string, ...times: string[]) => times.map((time) => `${day}T${time}`);
  const expected = {
    '2024-02-29': starts('2024-02-29', '06:00', '07:00', '08:00'),
    // The hour from two o'clock does not exist.
    '2024-03-10': starts('2024-03-10', '06:00', '07:00'),
    '2024-03-11': starts('2024-03-11', '05:00', '06:00', '07:00'),
    // The hour from one o'clock exists twice.
    '2024-11-03': starts('2024-11-03', '05:00', '06:00', '07:00', '08:00'),
    '2024-12-31': starts('2024-12-31', '06:00', '07:00', '08:00'),
    '2025-01-01': starts('2025-01-01', '06:00', '07:00', '08:00'),
  };
  const seen: Record<string, readonly string[]> = {};
  for (const day of Object.keys(expected)) seen[day] = await slotsOn(project, id, day);
  expect(seen).toEqual(expected);
  // Each is the same when its day has come, less the hours that have passed; and a session takes place at its instants.
  for (const [day, all] of Object.entries(expected)) {
    const [starts_at, ends_at] = [`${all[1]}:00.000Z`, later(`${all[1]}:00.000Z`, 1 / 24)];
    const { session_id } = await created(project, '/bookings', {
      ...{ practitioner_id: id, starts_at, ends_at, format: 'online', payment_source: 'self_pay' },
    });
    expect((await advance(project, 'next')).now).toBe(starts_at);
    expect([day, await slotsOn(project, id, day)]).toEqual([day, all.slice(2)]);
    expect((await advance(project, 'next')).now).toBe(ends_at);
    expect(await read(project, `/sessions/${session_id}`)).toMatchObject({ status: 'delivered' });
  }
});

test('a repeated request of an advance has one effect; another body under its key and an instant before now are rejected', async () => {
  const project = await services.project(START);
  const key = crypto.randomUUID();
  const body = { to: later(START, 1), wait_seconds: 10 };
  const answers = await Promise.all([
    project.post('/test_clock/advance', body, key),
    project.post('/test_clock/advance', body, key),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(1);
  await advance(project, later(START, 2));
  const replayed = await project.post('/test_clock/advance', body, key);
  expect([replayed.status, replayed.body.now]).toEqual([202, later(START, 2)]);
  const other = await project.post('/test_clock/advance', { to: later(START, 9) }, key);
  expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict']);
  const past = await project.post('/test_clock/advance', { to: START });
  expect([past.status, past.body.error.code]).toEqual([409, 'invalid_state']);
  const invalid = await project.post('/test_clock/advance', { to: 'tomorrow', wait_seconds: 11 });
  expect(invalid.body.error.message).toMatch(/\/wait_seconds must be .*; \/to must be /);
});

test('a write moves the clock once, however often its request is repeated', async () => {
  const project = await services.project(START);
  const sinceMs = async () => Date.parse(await nowOf(project)) - Date.parse(START);
  const consent = { member_reference: 'member:1', status: 'withdrawn' };
  for (let repetition = 0; repetition < 3; repetition += 1)
    await project.post('/consents', consent, 'a key of a consent');
  expect(await sinceMs()).toBe(10);
  await project.post('/consents', { ...consent, status: 'granted' });
  await project.post('/consents', consent, 'a key of a consent');
  expect(await sinceMs()).toBe(30);
  // A request that the gateway rejects is no write.
  await project.post('/consents', { status: 'unknown' });
  expect(await sinceMs()).toBe(30);
});

/** Returns the project with idempotency keys that are the same in each run of a script. */
function withNumberedKeys(project: ProjectClient): ProjectClient {
  let sent = 0;
  return {
    ...project,
    post: (path, body, key = `request ${sent}`) => {
      sent += 1;
      return project.post(path, body, key);
    },
  };
}

test('in two installations the same script with the same seed has the same identifiers; a seed has one project per installation', async () => {
  const other = await ServicesInProcess.start();
  try {
    const lists = ['events', 'claims', 'bookings', 'preauthorizations', 'remittances', 'practitioners'];
    const played = async (installation: ServicesInProcess, seed: string) => {
      const project = withNumberedKeys(await installation.project(START, 'sandbox', seed));
      await playYear(project, (to) => advance(project, to));
      const found: Record<string, unknown> = {};
      for (const list of lists) {
        const { data } = await read(project, `/${list}?limit=100`);
        const texts = data.map((each: unknown) =>
          JSON.stringify(each).replace(/"[\w-]+-[0-9a-f-]{36}"/g, '"reference"'),
        );
        found[list] = texts;
      }
      return found;
    };
    const [here, there] = await Promise.all([played(services, 'golden'), played(other, 'golden')]);
    expect(there).toEqual(here);
    const [different] = await Promise.all([played(other, 'silver')]);
    const idsIn = (found: unknown) => new Set(JSON.stringify(found).match(/\b[a-z]+_[0-9a-f]{32}\b/g));
    expect(idsIn(different).size).toBe(idsIn(here).size);
    expect([...idsIn(different)].filter((id) => idsIn(here).has(id))).toEqual([]);
  } finally {
    await other.stop();
  }
  await expect(services.project(START, 'sandbox', 'golden')).rejects.toThrow('/seed');
  const real = await services.project();
  const used = await real.post('/test_clocks', { name: 'Again', now: START, seed: 'golden' });
  expect([used.status, used.body.error.code]).toEqual([409, 'invalid_state']);
});

test('in a project with a seed a key that was used makes no identifier twice, and two requests at once make different ones', async () => {
  const project = await services.project(START, 'sandbox', 'attack');
  const [{ id }] = (await read(project, '/practitioners?limit=1')).data;
  const slots = await read(
    project,
    `/practitioners/${id}/slots?from=${later(START, 2)}&to=${later(START, 9)}&duration_minutes=50&format=online&limit=4`,
  );
  const body = (index: number) => {
    const { practitioner_id, starts_at, ends_at, format } = slots.data[index];
    return { practitioner_id, starts_at, ends_at, format, payment_source: 'self_pay' };
  };
  // The first request is rejected, and its key is used for another one.
  const rejected = await project.post(
    '/bookings',
    { ...body(0), practitioner_id: 'prc_unknown' },
    'a used key',
  );
  expect(rejected.status).toBe(404);
  const answers = await Promise.all([
    project.post('/bookings', body(0), 'a used key'),
    project.post('/bookings', body(1), 'key of one'),
    project.post('/bookings', body(2), 'key of two'),
    project.post('/bookings', body(2), 'key of two'),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 201, 201, 201]);
  expect(new Set(answers.flatMap(({ body }) => [body.id, body.session_id])).size).toBe(6);
});

test('a project with real time has no clock, and its time and facts are those of the machine', async () => {
  const real = await services.project();
  expect((await real.get('/test_clock')).status).toBe(404);
  expect((await real.post('/test_clock/advance', { to: later(START, 1) })).status).toBe(404);
  const simulated = await services.project(START);
  const moved = advance(simulated, later(START, 500));
  await requestPreauthorization(real, 2, new Date(Date.now() - 60_000).toISOString());
  await moved;
  const events = await eventsOf(real);
  expect(events).toHaveLength(1);
  for (const event of events)
    expect(Math.abs(Date.parse(event.slice(0, 24)) - Date.now())).toBeLessThan(600_000);
});

test('a key creates a simulated project with its own key; a token, and a project with simulated time, do not', async () => {
  const real = await services.project();
  const { status, body } = await real.post('/test_clocks', {
    name: 'Simulated',
    now: '2021-06-01T02:00:00+02:00',
  });
  expect([status, body]).toEqual([
    201,
    {
      object: 'simulated_project',
      project_id: expect.stringMatching(/^prj_.*_sim$/),
      key_id: expect.stringMatching(/^key_/),
      secret_key: expect.stringMatching(/^sk_test_/),
      now: '2021-06-01T00:00:00.000Z',
    },
  ]);
  const simulated = services.client(body.project_id, body.secret_key);
  expect(await nowOf(simulated)).toBe('2021-06-01T00:00:00.000Z');
  expect((await real.get('/test_clock')).status).toBe(404);
  const nested = await simulated.post('/test_clocks', { name: 'Nested', now: START });
  expect([nested.status, nested.body.error.code]).toEqual([409, 'invalid_state']);
  const { token } = (await real.post('/tokens', { scopes: ['clock:write'], expires_in: 60 })).body;
  const denied = await services.client(real.id, token).post('/test_clocks', { name: 'Token', now: START });
  expect([denied.status, denied.body.error.code]).toEqual([403, 'permission_denied']);
});

test('an advance that a service interrupts is failed at the last completed instant, and the next one continues it', async () => {
  const project = await services.project(START);
  const first = await requestPreauthorization(project, 20, START);
  await services.stopPart('payments');
  // The answer has what is due next, so it needs all services.
  const interrupted = await project.post('/test_clock/advance', { to: later(START, 30), wait_seconds: 10 });
  expect(interrupted.status).toBe(503);
  await services.startService('payments');
  let { body: failed } = await project.get('/test_clock');
  while (failed.status === 'advancing') ({ body: failed } = await project.get('/test_clock'));
  expect(failed).toMatchObject({ status: 'failed', failure: expect.stringContaining('payments') });
  expect(failed.now < later(START, 1)).toBe(true);
  expect((await project.get(`/preauthorizations/${first.preauthorization.id}`)).body.status).toBe('pending');
  expect(await advance(project, later(START, 30))).toMatchObject({
    ...{ status: 'ready', completed: 1, advanced_to: later(START, 30) },
  });
  expect((await project.get(`/preauthorizations/${first.preauthorization.id}`)).body.status).toBe('expired');
});

test('an advance whose process has died is continued by another gateway, with the same facts', async () => {
  const [project, undisturbed] = [await services.project(START), await services.project(START)];
  for (const each of [project, undisturbed]) {
    const requested = await requestPreauthorization(each, 2, START);
    await approve(each, requested, later(START, 20));
  }
  // The process died after the lease was taken, and before it executed an item.
  await services.sql`
    update gateway.test_clocks set status = 'advancing', target = ${new Date(later(START, 30))}, executor = gen_random_uuid(),
      authority = ${`project:${project.id}/key:key_1`}, leased_until = platform.real_now() - interval '1 second'
    where project_id = ${project.id}`;
  await services.startGateway('gateway-2');
  const other = services.client(project.id, project.key, 'gateway-2');
  let { body: clock } = await other.get('/test_clock');
  while (clock.status === 'advancing') ({ body: clock } = await other.get('/test_clock'));
  await advance(undisturbed, later(START, 30));
  expect(clock).toMatchObject({ status: 'ready', now: later(START, 30), completed: 1 });
  expect(await eventsOf(project)).toEqual(await eventsOf(undisturbed));
});
