/** The settings of a project. The gateway changes them, and records the change in the audit log. */
import type { Project } from '../operations';
import { type Act, type Page, projectPath } from '../page';
import { HiddenFields, Instant, Rejection } from '../parts';

export const settings: Page = {
  path: '/settings',
  menu: 'Settings',
  permission: 'administrate',
  async render({ project, session, rejected }) {
    const value = (name: string, stored: string) => rejected?.form.get(name) ?? stored;
    // The values that the form shows, by which the act recognizes what the person has changed. Another person can change settings meanwhile.
    const shown = (name: string, stored: string) => (
      <input type="hidden" name={`shown_${name}`} value={value(`shown_${name}`, stored)} />
    );
    const origins = project.allowed_origins.join('\n');
    const consent = value('consent_default', project.consent_default);
    return {
      title: 'Settings',
      body: (
        <>
          <dl>
            <dt>Project</dt>
            <dd>
              {project.name} <code>{project.id}</code>
            </dd>
            <dt>Environment</dt>
            <dd>{project.environment}</dd>
            <dt>Created</dt>
            <dd>
              <Instant at={project.created_at} />
            </dd>
          </dl>
          <h2>Change</h2>
          <form class="form" method="post" action={projectPath(project, '/settings')}>
            {rejected !== null && <Rejection message={rejected.message} />}
            <HiddenFields session={session} />
            {shown('rate_limit_per_minute', String(project.rate_limit_per_minute))}
            {shown('endpoint_limit', String(project.endpoint_limit))}
            {shown('consent_default', project.consent_default)}
            {shown('allowed_origins', origins)}
            <p class="hint">A change takes effect from the next request.</p>
            <label for="rate-limit">Requests per minute</label>
            <input
              id="rate-limit"
              name="rate_limit_per_minute"
              inputmode="numeric"
              required
              value={value('rate_limit_per_minute', String(project.rate_limit_per_minute))}
            />
            <label for="endpoint-limit">Active webhook endpoints, at most</label>
            <input
              id="endpoint-limit"
              name="endpoint_limit"
              inputmode="numeric"
              required
              value={value('endpoint_limit', String(project.endpoint_limit))}
            />
            <label for="consent">Consent of members for whom none is recorded</label>
            <select id="consent" name="consent_default">
              {['granted', 'withdrawn'].map((each) => (
                <option key={each} value={each} selected={each === consent}>
                  {each}
                </option>
              ))}
            </select>
            <label for="origins">Allowed origins of browsers, one per line</label>
            <textarea id="origins" name="allowed_origins" rows={3}>
              {value('allowed_origins', origins)}
            </textarea>
            <button type="submit" class="main">
              Change the settings
            </button>
          </form>
        </>
      ),
    };
  },
};

/** Converts a text to a number; returns null, which the gateway rejects, if the text is not a number. */
const numberOf = (text: string | null) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null);

const wordsOf = (text: string | null) => (text ?? '').split(/\s+/).filter((word) => word !== '');

/** Returns the fields of the form that the person has changed. The others are not sent, so that another person's change of them stays. */
function changedFields(form: URLSearchParams): object {
  const isChanged = (name: string) =>
    wordsOf(form.get(name)).join(' ') !== wordsOf(form.get(`shown_${name}`)).join(' ');
  const all = {
    rate_limit_per_minute: numberOf(form.get('rate_limit_per_minute')),
    endpoint_limit: numberOf(form.get('endpoint_limit')),
    consent_default: form.get('consent_default'),
    allowed_origins: wordsOf(form.get('allowed_origins')),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isChanged(name)));
}

export const changeSettings: Act = {
  path: '/settings',
  permission: 'administrate',
  action: null,
  page: settings,
  async execute({ calls, project }, form) {
    const fields = changedFields(form);
    if (Object.keys(fields).length > 0)
      await calls.gateway<Project>(`/projects/${project.id}/settings`, fields);
    return '/settings';
  },
};
