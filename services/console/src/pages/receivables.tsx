/** What payers owe at an instant, by age, by practitioner and by payer. */
import { ageBands, type Receivables } from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import type { Page } from '../page';
import { Amount, Id, Instant, Table } from '../parts';

type CurrencyPart = Receivables['currencies'][number];
interface Row {
  readonly label: ComponentChildren;
  readonly group: Pick<CurrencyPart, 'claim_count' | 'outstanding'>;
}

const BANDS: Readonly<Record<(typeof ageBands)[number], string>> = {
  days_0_30: '0 to 30 days',
  days_31_60: '31 to 60 days',
  days_61_90: '61 to 90 days',
  days_over_90: 'over 90 days',
};

function Ages({
  caption,
  label,
  rows,
  currency,
}: {
  caption: string;
  label: string;
  rows: readonly Row[];
  currency: string;
}) {
  return (
    <Table
      caption={caption}
      columns={[
        { label, cell: (row) => row.label },
        { label: 'Claims', isNumber: true, cell: ({ group }) => group.claim_count },
        ...(['total', ...ageBands] as const).map((band) => ({
          label: band === 'total' ? 'Total' : BANDS[band],
          isNumber: true,
          cell: ({ group }: Row) => <Amount value={group.outstanding[band]} currency={currency} />,
        })),
      ]}
      rows={rows}
    />
  );
}

export const receivables: Page = {
  path: '/receivables',
  menu: 'Receivables',
  permission: 'read',
  async render({ calls, project, address, query, now }) {
    const at = query.get('at') || now;
    const found = await calls.execute(project, 'getReceivables', { query: { at } });
    return {
      title: 'Receivables',
      body: (
        <>
          <form class="filter" method="get" action={address}>
            <label for="at">As known at (RFC 3339)</label>
            <input id="at" name="at" value={at} />
            <button type="submit">Show</button>
          </form>
          <p>
            Outstanding amounts at <Instant at={found.at} />, by days since the submission.
          </p>
          {found.currencies.length === 0 && <p class="none">Nothing is outstanding.</p>}
          {found.currencies.map((part) => (
            <section key={part.currency}>
              <h2>{part.currency}</h2>
              <Ages
                caption="All claims"
                label="Currency"
                currency={part.currency}
                rows={[{ label: part.currency, group: part }]}
              />
              <h3>By payer</h3>
              <Ages
                caption="Payers, largest first"
                label="Payer"
                currency={part.currency}
                rows={part.payers.map((group) => ({ label: group.payer_reference ?? 'others', group }))}
              />
              <h3>By practitioner</h3>
              <Ages
                caption="Practitioners, largest first"
                label="Practitioner"
                currency={part.currency}
                rows={part.practitioners.map((group) => ({
                  label:
                    group.practitioner_id === null ? (
                      'others'
                    ) : (
                      <Id project={project} id={group.practitioner_id} />
                    ),
                  group,
                }))}
              />
            </section>
          ))}
        </>
      ),
    };
  },
};
