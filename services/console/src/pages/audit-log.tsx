/** The changes that operators made with the command line and the console, in all projects, newest first. */
import type { OperatorList } from '../operations';
import type { Page } from '../page';
import { Id, Instant, Older, Table } from '../parts';

interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const SHOWN = 50;

export const auditLog: Page = {
  path: '/audit-log',
  menu: 'Audit log',
  permission: 'administrate',
  async render({ calls, project, address, query }) {
    const entries: OperatorList<AuditEntry> = await calls.listOfOperator(
      '/audit_entries',
      SHOWN,
      query.get('after'),
    );
    return {
      title: 'Audit log',
      body: (
        <>
          <Table
            caption="Entries of all projects, newest first"
            columns={[
              { label: 'At', cell: ({ at }) => <Instant at={at} /> },
              { label: 'Person', cell: ({ actor }) => <span class="word">{actor}</span> },
              { label: 'Action', cell: ({ action }) => <span class="word">{action}</span> },
              {
                label: 'Subject',
                cell: ({ subject, details }) =>
                  details.project_id === project.id ? (
                    <Id project={project} id={subject} />
                  ) : (
                    <code>{subject}</code>
                  ),
              },
              { label: 'Details', cell: ({ details }) => <code>{JSON.stringify(details)}</code> },
            ]}
            rows={entries.data}
          />
          <Older list={entries} address={address} query={query} label="Older entries" />
        </>
      ),
    };
  },
};
