/** The rows of bank files that wait for a person: credits that no settlement records, and takebacks by the bank. */
import { currencies } from '@carecover/contract';
import { ChoiceFilter } from '../filters';
import { type Page, type PageRequest, projectPath } from '../page';
import { Amount, Instant, Sums, Table } from '../parts';

/** An unmatched row of a settlement file, as the payments service returns it. */
export interface UnmatchedRow {
  readonly row: number;
  readonly type: 'credit' | 'takeback';
  readonly source_reference: string;
  readonly payer_reference: string | null;
  readonly currency: string;
  readonly amount: number;
  /** The part of the amount that no settlement records. */
  readonly open: number;
  /** Why a person must decide about the row; null if it is certain. */
  readonly doubt: string | null;
  readonly observed_at: string;
  readonly file: string;
  readonly line: number;
}

/** A remittance that waits for funds, as the payments service returns it for a row. Amounts in minor units. */
export interface Candidate {
  readonly id: string;
  readonly payer_reference: string;
  readonly total: number;
  /** What the remittance lacks: the total less the observed funds. */
  readonly lacking: number;
  readonly received_at: string;
}

/** Returns the path of a row's operators' route in payments. */
export const rowPath = (row = '') => `/unmatched_rows/${encodeURIComponent(row)}`;

/** Reads the unmatched rows that wait to be assigned or dismissed, oldest first. */
export function readUnmatchedRows({ calls, project }: Pick<PageRequest, 'calls' | 'project'>) {
  return calls.service<{ readonly data: readonly UnmatchedRow[]; readonly has_more: boolean }>(
    'payments',
    project,
    '/unmatched_rows',
  );
}

/** Reads the row whose number is in the path. @throws ApiError resource_not_found */
export function readRow({ calls, project, params }: PageRequest): Promise<UnmatchedRow> {
  return calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
}

const KINDS = { credit: 'credit', doubt: 'credit in doubt', takeback: 'taken back' } as const;
type Kind = keyof typeof KINDS;

const kindOf = ({ type, doubt }: UnmatchedRow): Kind =>
  type === 'takeback' ? 'takeback' : doubt === null ? 'credit' : 'doubt';

const ORDERS = {
  oldest: 'first in the list',
  largest: 'largest amount',
  observed: 'first observed',
  reference: 'bank’s reference',
} as const;
type Order = keyof typeof ORDERS;

const COMPARE: Readonly<Record<Order, (a: UnmatchedRow, b: UnmatchedRow) => number>> = {
  oldest: (a, b) => a.row - b.row,
  largest: (a, b) => b.open - a.open,
  observed: (a, b) => a.observed_at.localeCompare(b.observed_at),
  reference: (a, b) => a.source_reference.localeCompare(b.source_reference),
};

/** Returns the rows that the address asks for, in its order. A filter with an unknown value finds nothing. */
function selectRows(rows: readonly UnmatchedRow[], query: URLSearchParams): UnmatchedRow[] {
  const [kind, currency, text] = ['kind', 'currency', 'reference'].map((name) => query.get(name) ?? '');
  const sought = (text ?? '').trim().toLowerCase();
  const order = Object.keys(ORDERS).find((each): each is Order => each === query.get('sort')) ?? 'oldest';
  return rows
    .filter(
      (row) =>
        (kind === '' || kindOf(row) === kind) &&
        (currency === '' || row.currency === currency) &&
        `${row.source_reference} ${row.payer_reference ?? ''}`.toLowerCase().includes(sought),
    )
    .sort(COMPARE[order]);
}

export const unmatchedRows: Page = {
  path: '/unmatched-rows',
  menu: 'Unmatched rows',
  permission: 'read',
  async render(request) {
    const { project, address, query } = request;
    const { data, has_more } = await readUnmatchedRows(request);
    const rows = selectRows(data, query);
    const counted = has_more ? `the first ${data.length}, more wait` : `${data.length}`;
    return {
      title: 'Unmatched rows',
      body: (
        <>
          <form class="filter" method="get" action={address}>
            <ChoiceFilter name="kind" label="Kind" all="all" options={Object.entries(KINDS)} query={query} />
            <ChoiceFilter
              name="currency"
              label="Currency"
              all="all"
              options={currencies.map((each) => [each, each])}
              query={query}
            />
            <label for="reference">Reference contains</label>
            <input id="reference" name="reference" value={query.get('reference') ?? ''} />
            <ChoiceFilter name="sort" label="Order" options={Object.entries(ORDERS)} query={query} />
            <button type="submit">Show</button>
          </form>
          <p role="status">
            {rows.length} of {counted} rows
            {rows.length > 0 && (
              <>
                , <Sums parts={rows.map(({ currency, open }) => ({ currency, amount: open }))} /> open
              </>
            )}
            .
          </p>
          <Table
            name="unmatched-rows"
            caption="Rows of bank files that wait for a person"
            none={
              data.length === 0 ? 'Every imported row matches a remittance.' : 'No row meets the filters.'
            }
            columns={[
              {
                label: 'Bank’s reference',
                cell: ({ row, source_reference }) => (
                  <a href={projectPath(project, `/unmatched-rows/${row}`)}>{source_reference}</a>
                ),
              },
              { label: 'Kind', cell: (row) => KINDS[kindOf(row)] },
              { label: 'Payer’s reference', cell: (each) => each.payer_reference ?? 'none' },
              {
                label: 'Open',
                isNumber: true,
                cell: ({ open, currency }) => <Amount value={open} currency={currency} />,
              },
              { label: 'Observed', cell: (each) => <Instant at={each.observed_at} /> },
              { label: 'File', cell: ({ file, line }) => `${file}, line ${line}` },
            ]}
            rows={rows}
          />
        </>
      ),
    };
  },
};
