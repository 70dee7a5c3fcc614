/** The clock of a project whose time is simulated: what its time is, what is due next, and the form that moves it. */
import type { DueItemKind, TestClock } from '@carecover/contract';
import { notFound } from '@carecover/domain';
import { TextField } from '../forms';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { HiddenFields, Id, Instant, Status } from '../parts';
import { permits } from '../roles';

const LABELS = { to: 'Move the clock to' };

/** What happens at an instant, in words that follow the resource. */
const DUE: Readonly<Record<DueItemKind, string>> = {
  'preauthorization.decide_by': 'expires if it was not decided',
  'preauthorization.valid_until': 'expires if it was not used',
  'claim.information_due': 'its information request lapses',
  'remittance.deadline': 'becomes an exception if no money was observed',
  'webhook.retry': 'is sent to a webhook endpoint again',
  'session.start': 'the session starts',
  'session.end': 'the session ends',
};

/** Reads the clock. @throws ApiError resource_not_found if the time of the project is real */
function readClock({ calls, project }: PageRequest): Promise<TestClock> {
  if (project.clock == null) throw notFound();
  return calls.gateway<TestClock>(`/projects/${project.id}/clock`);
}

const itemsOf = (count: number) => (count === 1 ? '1 due item' : `${count} due items`);

export const clock: Page = {
  path: '/clock',
  permission: 'read',
  async render(request) {
    const { project, session, rejected, address } = request;
    const { now, status, target, next_due: next, completed, remaining, failure } = await readClock(request);
    const action = projectPath(project, '/clock/advances');
    return {
      title: 'Clock',
      body: (
        <>
          <p>
            The time of this project is simulated. Everything that its pages call now, due or old is by this
            clock.
          </p>
          <dl>
            <dt>Now</dt>
            <dd>
              <Instant at={now} isPrecise />, <Status value={status} />
            </dd>
            {target !== null && (
              <>
                <dt>Advances to</dt>
                <dd>
                  <Instant at={target} />: {itemsOf(completed)} executed, {remaining} to come.{' '}
                  {status === 'advancing' && <a href={address}>Reload</a>}
                </dd>
              </>
            )}
            {failure !== null && (
              <>
                <dt>Failed</dt>
                <dd class="late">
                  {failure} The clock stands at the last completed instant; move it to continue.
                </dd>
              </>
            )}
            <dt>Next</dt>
            <dd>
              {next === null ? (
                'Nothing is due.'
              ) : (
                <>
                  <Instant at={next.at} />: <Id project={project} id={next.resource} /> {DUE[next.what]}
                </>
              )}
            </dd>
          </dl>
          {permits(session.roles, 'administrate') && status !== 'advancing' && (
            <>
              <h2>Move</h2>
              <form class="form" method="post" action={action}>
                <HiddenFields session={session} />
                <TextField
                  labels={LABELS}
                  name="to"
                  rejected={rejected}
                  hint="A day (its start), or an instant: 1 Mar 2026, 1 Mar 2026 14:00"
                />
                <button type="submit" class="main">
                  Move…
                </button>
              </form>
              {next !== null && (
                <form class="form clock-next" method="post" action={action}>
                  <HiddenFields session={session} />
                  <input type="hidden" name="to" value={next.at < now ? now : next.at} />
                  <button type="submit">Move to what is next…</button>
                </form>
              )}
            </>
          )}
        </>
      ),
    };
  },
};

export const moveClock: Act = {
  path: '/clock/advances',
  permission: 'administrate',
  action: 'clock.advance',
  page: clock,
  labels: LABELS,
  describe: ({ project = '' }, form) => ({ subject: project, details: { to: form.get('to') } }),
  async preview(request, form) {
    const { now } = await readClock(request);
    const to = form.instant('to', 'start', false);
    if (to !== null && to < now)
      form.reject('to', 'must not be before the time of the clock, which never moves back');
    form.check();
    const path = `/projects/${request.project.id}/clock/due`;
    const { count } = await request.calls.gateway<{ readonly count: number }>(path, { until: to });
    return {
      title: 'Move the clock?',
      confirm: 'Move the clock',
      basis: `${to} ${count}`,
      fields: { to: to ?? '' },
      effect: (
        <>
          <p>
            <strong>
              {count === 0
                ? 'Nothing is due until then.'
                : `${itemsOf(count)} until then: each is executed at its own instant.`}
            </strong>{' '}
            A clock never moves back.
          </p>
          <dl>
            <dt>From</dt>
            <dd>
              <Instant at={now} />
            </dd>
            <dt>To</dt>
            <dd>
              <Instant at={to} />
            </dd>
          </dl>
        </>
      ),
    };
  },
  async execute({ calls, project }, form) {
    if (project.clock == null) throw notFound();
    const to = form.instant('to', 'start', false);
    form.check();
    const moved = await calls.gateway<TestClock>(`/projects/${project.id}/clock/advances`, {
      to,
      key: form.key,
    });
    const { status, completed, remaining } = moved;
    const executed = `${itemsOf(completed)} executed`;
    const done = {
      ready: `The clock was moved: ${executed}.`,
      advancing: `The clock advances: ${executed}, ${remaining} to come. Reload the page to see how far it is.`,
      failed: `The clock was not moved to the end: ${executed}.`,
    };
    return { path: '/clock', done: done[status] };
  },
};
