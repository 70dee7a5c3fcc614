/** The claims of a project, newest first, by status, invoice, practitioner and days of creation. */
import { claimStatuses, isIdentifier } from '@carecover/contract';
import { readListFilter, readPlace, StatusFilter } from '../filters';
import { readParties, readPractitioners } from '../names';
import { type Page, projectPath } from '../page';
import { Amount, Day, Instant, Older, Status, Table } from '../parts';
import { captionOf } from '../words';

const LIMIT = 50;

export const claims: Page = {
  path: '/claims',
  menu: 'Claims',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query } = request;
    const status = claimStatuses.find((each) => each === query.get('status'));
    const filter = readListFilter(request, 'provider_claim_reference');
    const practitioner = query.get('practitioner') ?? '';
    const hasPractitioner = isIdentifier('practitioner', practitioner);
    const { data, has_more } = await calls.execute(project, 'listClaims', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...filter.filters,
        ...(hasPractitioner ? { practitioner_id: practitioner } : {}),
        ...readPlace(query),
      },
    });
    const [parties, practitioners] = await Promise.all([
      readParties(
        request,
        data.map(({ id }) => id),
      ),
      readPractitioners(request, hasPractitioner ? [practitioner] : []),
    ]);
    const name = practitioners.get(practitioner);
    return {
      title: name === undefined ? 'Claims' : `Claims of ${name}`,
      body: (
        <>
          <StatusFilter
            statuses={claimStatuses}
            address={address}
            query={query}
            reference="Invoice"
            filter={filter}
            kept={hasPractitioner ? { practitioner } : {}}
          />
          {hasPractitioner && (
            <p>
              <a href={address}>All practitioners</a>
            </p>
          )}
          <Table
            name="claims"
            caption={captionOf({ data, has_more }, 'claim')}
            columns={[
              {
                label: 'Invoice',
                cell: ({ id, provider_claim_reference }) => (
                  <a href={projectPath(project, `/claims/${id}`)}>{provider_claim_reference ?? id}</a>
                ),
              },
              { label: 'Payer', cell: ({ id }) => parties.get(id)?.payer ?? <span class="none">none</span> },
              {
                label: 'Practitioner',
                cell: ({ id }) => {
                  const found = parties.get(id);
                  return found?.practitioner === undefined ? (
                    <span class="none">none</span>
                  ) : (
                    <a href={`${address}?practitioner=${found.practitionerId}`}>{found.practitioner}</a>
                  );
                },
              },
              { label: 'Service', cell: ({ service_period }) => <Day at={service_period.starts_at} /> },
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
          <Older list={{ data, has_more }} address={address} query={query} items="claims" />
        </>
      ),
    };
  },
};
