/** The rows of bank files that wait for a person: credits that no settlement records, and takebacks by the bank. */
import { currencies, isPlainText } from '@carecover/contract';
import { ChoiceFilter, FilterField } from '../filters';
import { FormReader } from '../form-reader';
import { type Page, type PageRequest, projectPath } from '../page';
import { Amount, Instant, Older, Sums, Table } from '../parts';

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

/** Reads the first unmatched rows that wait to be assigned or dismissed, oldest first. */
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

const KIND_NAMES = Object.keys(KINDS) as Kind[];
const ORDER_NAMES = Object.keys(ORDERS) as (keyof typeof ORDERS)[];
const MAX_TEXT = 200;

interface RowsPage {
  readonly data: readonly UnmatchedRow[];
  readonly has_more: boolean;
  /** The place after which the next page begins; null if there is none. */
  readonly next: string | null;
  /** What the rows of all pages have, by currency. */
  readonly totals: readonly { readonly currency: string; readonly count: number; readonly open: number }[];
}

/** Reads which rows the address asks for. A text that is too long filters nothing, and the page says so beside the field. */
function readFilters({ query, project, now }: PageRequest) {
  const form = new FormReader(query, { project, now });
  const text = form.text('reference');
  const isText = text.length <= MAX_TEXT && isPlainText(text);
  if (!isText) form.reject('reference', `must have at most ${MAX_TEXT} characters`);
  const chosen = <T extends string>(name: string, values: readonly T[]) =>
    values.find((each) => each === query.get(name)) ?? null;
  const filters = {
    kind: chosen('kind', KIND_NAMES),
    currency: chosen('currency', currencies),
    text: isText ? text : '',
  };
  const place = { order: chosen('sort', ORDER_NAMES) ?? 'oldest', after: query.get('after') };
  return { filters, place, rejected: form.rejected };
}

export const unmatchedRows: Page = {
  path: '/unmatched-rows',
  menu: 'Unmatched rows',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query } = request;
    const { filters, place, rejected } = readFilters(request);
    const { data, has_more, next, totals } = await calls.service<RowsPage>(
      'payments',
      project,
      '/unmatched_rows',
      { ...filters, ...place },
    );
    const isFiltered = Object.values(filters).some((each) => each !== null && each !== '');
    const count = totals.reduce((sum, each) => sum + each.count, 0);
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
            <FilterField name="reference" label="Reference contains" placeholder="" rejected={rejected} />
            <ChoiceFilter name="sort" label="Order" options={Object.entries(ORDERS)} query={query} />
            <button type="submit">Show</button>
          </form>
          <p role="status">
            {count === 1 ? '1 row' : `${count} rows`}
            {count > 0 && (
              <>
                , <Sums parts={totals.map(({ currency, open }) => ({ currency, amount: open }))} /> open
              </>
            )}
            {data.length < count && `; ${data.length} of them are on this page`}.
          </p>
          <Table
            name="unmatched-rows"
            caption="Rows of bank files that wait for a person"
            none={
              isFiltered || count > 0
                ? 'No row meets the filters.'
                : 'Every imported row matches a remittance.'
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
            rows={data}
          />
          <Older
            list={{ data: [{ id: next ?? '' }], has_more }}
            address={address}
            query={query}
            items="rows"
            label="Next rows"
          />
        </>
      ),
    };
  },
};
