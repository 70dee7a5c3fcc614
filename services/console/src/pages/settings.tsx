/** The settings of a project. The gateway changes them, and records the change in the audit log. */
import { currencies } from '@carecover/contract';
import { Choice, Problem, problemAttributes, TextField } from '../forms';
import type { Project } from '../operations';
import { type Act, type Page, projectPath } from '../page';
import { HiddenFields, Instant } from '../parts';

const SETTINGS = {
  rate_limit_per_minute: 'Requests per minute',
  endpoint_limit: 'Active webhook endpoints, at most',
  consent_default: 'Consent of members for whom none is recorded',
  agent_writes: 'Writes of agents',
  allowed_origins: 'Allowed origins of browsers, one per line',
  currencies: 'Currencies of requests',
  locale: 'Language of numbers and dates',
  time_zone: 'Time zone',
};

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
    const accepted = (project.currencies ?? []).join(' ');
    const field = { labels: SETTINGS, rejected };
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
            <HiddenFields session={session} />
            {shown('rate_limit_per_minute', String(project.rate_limit_per_minute))}
            {shown('endpoint_limit', String(project.endpoint_limit))}
            {shown('consent_default', project.consent_default)}
            {shown('agent_writes', project.agent_writes)}
            {shown('allowed_origins', origins)}
            {shown('currencies', accepted)}
            {shown('locale', project.locale)}
            {shown('time_zone', project.time_zone)}
            <p class="hint">A change takes effect from the next request.</p>
            <TextField
              {...field}
              name="rate_limit_per_minute"
              inputMode="numeric"
              usual={String(project.rate_limit_per_minute)}
            />
            <TextField
              {...field}
              name="endpoint_limit"
              inputMode="numeric"
              usual={String(project.endpoint_limit)}
            />
            <Choice
              {...field}
              name="consent_default"
              usual={project.consent_default}
              options={[
                ['granted', 'granted'],
                ['withdrawn', 'withdrawn'],
              ]}
            />
            <Choice
              {...field}
              name="agent_writes"
              usual={project.agent_writes}
              options={[
                ['off', 'off: agents only read'],
                ['confirmed', 'confirmed: a person confirms each call'],
              ]}
            />
            <TextField
              {...field}
              name="currencies"
              usual={accepted}
              isRequired={false}
              hint={`ISO 4217 codes with spaces between them, among ${currencies.join(', ')}; empty for all`}
            />
            <TextField
              {...field}
              name="locale"
              usual={project.locale}
              hint="Decides what 07/11/2026 and 3.000 mean: a language tag, such as en-KE or de"
            />
            <TextField
              {...field}
              name="time_zone"
              usual={project.time_zone}
              hint="Where a day begins and ends: an IANA name, such as Africa/Nairobi"
            />
            <label for="allowed_origins">{SETTINGS.allowed_origins}</label>
            <textarea
              id="allowed_origins"
              name="allowed_origins"
              rows={3}
              {...problemAttributes(rejected, 'allowed_origins')}
            >
              {value('allowed_origins', origins)}
            </textarea>
            <Problem rejected={rejected} name="allowed_origins" />
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
    agent_writes: form.get('agent_writes'),
    allowed_origins: wordsOf(form.get('allowed_origins')),
    currencies: wordsOf(form.get('currencies')),
    locale: form.get('locale')?.trim(),
    time_zone: form.get('time_zone')?.trim(),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isChanged(name)));
}

export const changeSettings: Act = {
  path: '/settings',
  permission: 'administrate',
  action: null,
  page: settings,
  labels: SETTINGS,
  async execute({ calls, project }, { form }) {
    const fields = changedFields(form);
    const names = Object.keys(fields) as (keyof typeof SETTINGS)[];
    if (names.length === 0) return { path: '/settings', done: 'No setting was changed.' };
    await calls.gateway<Project>(`/projects/${project.id}/settings`, fields);
    const changed = names.map((name) => SETTINGS[name]).join('; ');
    return { path: '/settings', done: `Changed: ${changed}.` };
  },
};
