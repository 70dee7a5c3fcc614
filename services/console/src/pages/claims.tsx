/** The claims of a project, newest first, by status. */
import { claimStatuses } from '@carecover/contract';
import type { Page } from '../page';
import { Amount, Id, Instant, Older, Status, StatusFilter, Table } from '../parts';

const LIMIT = 50;

export const claims: Page = {
  path: '/claims',
  menu: 'Claims',
  permission: 'read',
  async render({ calls, project, address, query }) {
    const status = claimStatuses.find((each) => each === query.get('status'));
    const after = query.get('after');
    const { data, has_more } = await calls.execute(project, 'listClaims', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...(after === null ? {} : { starting_after: after }),
      },
    });
    return {
      title: 'Claims',
      body: (
        <>
          <StatusFilter statuses={claimStatuses} address={address} query={query} />
          <Table
            caption={`${data.length} claims${has_more ? ', and more' : ''}`}
            columns={[
              { label: 'Claim', cell: ({ id }) => <Id project={project} id={id} /> },
              { label: 'Reference', cell: (claim) => claim.provider_claim_reference },
              { label: 'Status', cell: (claim) => <Status value={claim.status} /> },
              {
                label: 'Billed',
                isNumber: true,
                cell: ({ amount }) => <Amount value={amount.billed} currency={amount.currency} />,
              },
              { label: 'Updated', cell: (claim) => <Instant at={claim.updated_at} /> },
            ]}
            rows={data}
          />
          <Older list={{ data, has_more }} address={address} query={query} label="Older claims" />
        </>
      ),
    };
  },
};
