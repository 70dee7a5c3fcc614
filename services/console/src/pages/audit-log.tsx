/**
 * The changes that operators made with the command line and the console, in all projects, newest first, by person, action, day and resource.
 * Sign-ins are hidden unless they are asked for.
 */
import { FilterField } from '../filters';
import { FormReader } from '../form-reader';
import type { OperatorList } from '../operations';
import type { Page, PageRequest } from '../page';
import { Id, Instant, Older, Table } from '../parts';
import { captionOf, wordsOf } from '../words';

interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const SHOWN = 50;

const FIELDS = { actor: 'Person', action: 'Action', subject: 'Resource', day: 'Day' };

/** Returns a detail in words: texts as they are, lists with commas. */
function inWords(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function Details({ details }: Pick<AuditEntry, 'details'>) {
  return (
    <dl class="details">
      {Object.entries(details)
        .filter(([name]) => name !== 'project_id')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{wordsOf(name)}</dt> <dd>{inWords(value)}</dd>
          </div>
        ))}
    </dl>
  );
}

/**
 * Reads the filters of the address. A day that is none filters nothing, and the page says so beside the field. The entries have real times also if the
 * project's time is simulated.
 */
function readFilters({ query, project, now }: PageRequest) {
  const realNow = project.clock == null ? now : new Date().toISOString();
  const form = new FormReader(query, { project, now: realNow });
  const since = form.instant('day', 'start', true, false);
  const until = since === null ? null : form.instant('day', 'end', true, false);
  const filters = {
    ...Object.fromEntries(
      (['actor', 'action', 'subject'] as const).flatMap((name) =>
        form.text(name) === '' ? [] : [[name, form.text(name)]],
      ),
    ),
    ...(since === null || until === null ? {} : { since, until }),
    ...(query.get('sign_ins') === 'yes' ? {} : { without_sign_ins: 'true' }),
  };
  return { filters, rejected: form.rejected };
}

export const auditLog: Page = {
  path: '/audit-log',
  menu: 'Audit log',
  permission: 'administrate',
  async render(request) {
    const { calls, project, address, query } = request;
    const { filters, rejected } = readFilters(request);
    const after = query.get('after');
    const entries: OperatorList<AuditEntry> = await calls.listOfOperator(
      '/audit_entries',
      SHOWN,
      after,
      filters,
    );
    return {
      title: 'Audit log',
      body: (
        <>
          <form class="filter" method="get" action={address}>
            {(['actor', 'action', 'subject', 'day'] as const).map((name) => (
              <FilterField
                key={name}
                name={name}
                label={FIELDS[name]}
                placeholder={name === 'day' ? 'yesterday, 7 Nov 2026' : ''}
                rejected={rejected}
              />
            ))}
            <p class="choice">
              <input
                type="checkbox"
                id="sign_ins"
                name="sign_ins"
                value="yes"
                checked={query.get('sign_ins') === 'yes'}
              />{' '}
              <label for="sign_ins">with sign-ins</label>
            </p>
            <button type="submit">Show</button>
          </form>
          <Table
            name="audit-log"
            caption={captionOf(entries, 'entry of all projects', { plural: 'entries of all projects' })}
            none="No entry has these values."
            columns={[
              { label: 'At', cell: ({ at }) => <Instant at={at} /> },
              { label: 'Person', cell: ({ actor }) => <span class="word">{actor}</span> },
              { label: 'Action', cell: ({ action }) => <span class="word">{action}</span> },
              {
                label: 'Resource',
                cell: ({ subject, details }) =>
                  details.project_id === project.id ? (
                    <Id project={project} id={subject} />
                  ) : (
                    <code>{subject}</code>
                  ),
              },
              { label: 'Details', cell: ({ details }) => <Details details={details} /> },
            ]}
            rows={entries.data}
          />
          <Older list={entries} address={address} query={query} items="entries" />
        </>
      ),
    };
  },
};
