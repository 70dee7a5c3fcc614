/**
 * The commands that claims, benefits and payments rejected in a project, and the table of them that the page of a claim shows too.
 *
 * Failure policy: while a service is unavailable, the page says so and shows the commands of the other services.
 */

import type { RejectedCommand } from '@carecover/commands';
import type { ServiceName } from '@carecover/contract';
import type { Project } from '../operations';
import type { Page } from '../page';
import { Id, Instant, Table } from '../parts';

/** The services that keep the commands that they rejected. */
const SERVICES: readonly ServiceName[] = ['benefits', 'claims', 'payments'];

/** The number of rows that the page shows: as many as a service returns. */
const SHOWN = 100;

/** Returns the words of a name in camel case, such as "request information" for `requestInformation`. */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A table of rejected commands, with their resources unless the page is about one resource. */
export function RejectedCommandsTable({
  project,
  rows,
  isOfOneResource = false,
}: {
  project: Project;
  rows: readonly RejectedCommand[];
  isOfOneResource?: boolean;
}) {
  const resource = {
    label: 'Resource',
    cell: ({ resource_id }: RejectedCommand) => <Id project={project} id={resource_id} />,
  };
  return (
    <Table
      name="rejected-commands"
      caption="Newest first. They are kept for 30 days, unless the service has another setting"
      none="No command was rejected."
      columns={[
        { label: 'Rejected', cell: ({ rejected_at }) => <Instant at={rejected_at} /> },
        { label: 'Command', cell: ({ operation }) => words(operation) },
        ...(isOfOneResource ? [] : [resource]),
        { label: 'Error', cell: ({ code }) => code },
        { label: 'Message', cell: ({ message }) => message },
        { label: 'Sent by', cell: ({ actor }) => actor },
        { label: 'Request', cell: ({ request_id }) => <code>{request_id}</code> },
      ]}
      rows={rows}
    />
  );
}

export const rejectedCommands: Page = {
  path: '/rejected-commands',
  menu: 'Rejected commands',
  permission: 'read',
  async render({ calls, project }) {
    const lists = await Promise.all(
      SERVICES.map(async (service) => ({
        service,
        found: await calls.readIfAvailable<{ data: RejectedCommand[] }>(
          service,
          project,
          '/rejected_commands',
        ),
      })),
    );
    const rows = lists
      .flatMap(({ found }) => found?.data ?? [])
      .sort((a, b) => b.rejected_at.localeCompare(a.rejected_at))
      .slice(0, SHOWN);
    return {
      title: 'Rejected commands',
      body: (
        <>
          {lists
            .filter(({ found }) => found === null)
            .map(({ service }) => (
              <p class="none">The commands of {service} are not available now. Reload the page later.</p>
            ))}
          <RejectedCommandsTable project={project} rows={rows} />
        </>
      ),
    };
  },
};
