/**
 * Entries of bank files that wait for a person: credits that no settlement records, and takebacks by the bank; and the acts that assign a row to a
 * remittance in whole or in part, reverse what the bank took back, or dismiss a row.
 */
import { readAmount } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Id, Instant, ReasonField, Rejection, requireReason, Table } from '../parts';
import { permits } from '../roles';

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
  /** Of a takeback: the settlements of the credit that the bank takes back. */
  readonly settlements: readonly { readonly id: string; readonly remittance_id: string }[];
  readonly observed_at: string;
  readonly file: string;
  readonly line: number;
}

/** Reads the unmatched rows that wait to be assigned or dismissed, oldest first. */
export function readUnmatchedRows({ calls, project }: Pick<PageRequest, 'calls' | 'project'>) {
  return calls.service<{ readonly data: readonly UnmatchedRow[]; readonly has_more: boolean }>(
    'payments',
    project,
    '/unmatched_rows',
  );
}

export const unmatchedRows: Page = {
  path: '/unmatched-rows',
  menu: 'Unmatched rows',
  permission: 'read',
  async render(request) {
    const { project } = request;
    const { data, has_more } = await readUnmatchedRows(request);
    return {
      title: 'Unmatched rows',
      body: (
        <Table
          caption={`${data.length}${has_more ? ' and more' : ''} rows of bank files that wait for a person, oldest first`}
          none="Every imported row matches a remittance."
          columns={[
            {
              label: 'Row',
              cell: ({ row }) => <a href={projectPath(project, `/unmatched-rows/${row}`)}>{row}</a>,
            },
            { label: 'Kind', cell: ({ type }) => (type === 'takeback' ? 'taken back' : 'credit') },
            { label: 'Bank’s reference', cell: (each) => each.source_reference },
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
      ),
    };
  },
};

/** The number of remittances that are read in each status: the maximum of the API. */
const READ = 100;
const SHOWN = 10;

/**
 * Reads the newest remittances in each status that waits for funds, and returns those in the row's currency whose totals are nearest to the
 * row's amount. `hasMore` says whether older remittances were not read.
 */
async function readCandidates({ calls, project }: PageRequest, row: UnmatchedRow) {
  const lists = await Promise.all(
    (['exception', 'received'] as const).map((status) =>
      calls.execute(project, 'listRemittances', { query: { limit: READ, status } }),
    ),
  );
  const candidates = lists
    .flatMap(({ data }) => data)
    .filter(({ amount }) => amount.currency === row.currency)
    .sort((a, b) => Math.abs(a.amount.paid - row.amount) - Math.abs(b.amount.paid - row.amount))
    .slice(0, SHOWN);
  return { candidates, hasMore: lists.some(({ has_more }) => has_more) };
}

/** The settlements of the credit that the bank takes back, and the act that reverses them. */
function TakebackAct({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project } = request;
  return (
    <form class="form" method="post" action={projectPath(project, `/unmatched-rows/${row.row}/takebacks`)}>
      <h3>Reverse what the bank took back</h3>
      <HiddenFields session={session} />
      <p class="hint">
        {row.settlements.length === 0
          ? 'No settlement records a credit with the references of this row.'
          : 'Reverses the settlements of the credit with the same references:'}
      </p>
      <ul>
        {row.settlements.map(({ id, remittance_id }) => (
          <li key={id}>
            <code>{id}</code> of <Id project={project} id={remittance_id} />
          </li>
        ))}
      </ul>
      <button type="submit">Reverse the settlements</button>
    </form>
  );
}

function AssignmentAct({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project, rejected } = request;
  const value = (name: string) => rejected?.form.get(name) ?? '';
  return (
    <form class="form" method="post" action={projectPath(project, `/unmatched-rows/${row.row}/assignments`)}>
      <h3>Assign the row to a remittance</h3>
      <HiddenFields session={session} />
      <p class="hint">Records the row as a settlement of the remittance, with the rules of the API.</p>
      <label for="remittance">Remittance, rem_…</label>
      <input id="remittance" name="remittance" required value={value('remittance')} autocomplete="off" />
      <label for="part">Amount in {row.currency}, to divide the row; empty: all that is open</label>
      <input id="part" name="part" value={value('part')} inputmode="decimal" autocomplete="off" />
      <button type="submit">Assign the row</button>
    </form>
  );
}

function RowActs({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project, rejected } = request;
  const address = (act: string) => projectPath(project, `/unmatched-rows/${row.row}/${act}`);
  const value = (name: string) => rejected?.form.get(name) ?? '';
  return (
    <>
      <h2>Acts</h2>
      {rejected !== null && <Rejection message={rejected.message} />}
      {row.type === 'takeback' ? (
        <TakebackAct request={request} row={row} />
      ) : (
        <AssignmentAct request={request} row={row} />
      )}
      <form class="form" method="post" action={address('dismissals')}>
        <h3>Dismiss the row</h3>
        <HiddenFields session={session} />
        <p class="hint">Removes a row that belongs to no remittance from the list.</p>
        <ReasonField name="reason" value={value('reason')} />
        <button type="submit">Dismiss the row</button>
      </form>
    </>
  );
}

const rowPath = (row = '') => `/unmatched_rows/${encodeURIComponent(row)}`;

export const unmatchedRow: Page = {
  path: '/unmatched-rows/:row',
  permission: 'read',
  async render(request) {
    const { calls, project, params, session } = request;
    const row = await calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
    const { candidates, hasMore } = await readCandidates(request, row);
    return {
      title: `Unmatched row ${row.source_reference}`,
      body: (
        <>
          <dl>
            <dt>Amount</dt>
            <dd>
              <Amount value={row.amount} currency={row.currency} />
            </dd>
            <dt>Open</dt>
            <dd>
              <Amount value={row.open} currency={row.currency} />
            </dd>
            {row.doubt !== null && (
              <>
                <dt>In doubt</dt>
                <dd>{row.doubt}</dd>
              </>
            )}
            <dt>Observed</dt>
            <dd>
              <Instant at={row.observed_at} />
            </dd>
            <dt>Payer’s reference</dt>
            <dd>{row.payer_reference ?? 'none'}</dd>
            <dt>File</dt>
            <dd>
              {row.file}, line {row.line}
            </dd>
          </dl>
          <h2>Remittances that wait for funds</h2>
          <Table
            caption={`In ${row.currency}, the nearest total first`}
            none={
              hasMore
                ? `No remittance in ${row.currency} is among the ${READ} newest ones that wait for funds.`
                : `No remittance in ${row.currency} waits for funds.`
            }
            columns={[
              { label: 'Remittance', cell: ({ id }) => <Id project={project} id={id} /> },
              { label: 'Payer’s reference', cell: (each) => each.payer_reference },
              {
                label: 'Total',
                isNumber: true,
                cell: ({ amount }) => <Amount value={amount.paid} currency={amount.currency} />,
              },
              { label: 'Received', cell: (each) => <Instant at={each.received_at} /> },
            ]}
            rows={candidates}
          />
          {permits(session.roles, 'money') && <RowActs request={request} row={row} />}
        </>
      ),
    };
  },
};

export const assignRow: Act = {
  path: '/unmatched-rows/:row/assignments',
  permission: 'money',
  action: 'settlements.assign',
  page: unmatchedRow,
  describe: ({ row }, form) => ({ subject: form.get('remittance') || 'none', details: { row } }),
  async execute({ calls, project, params }, form) {
    const remittanceId = (form.get('remittance') ?? '').trim();
    const path = `${rowPath(params.row)}/assignments`;
    const row = await calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
    const amount = readPart(form.get('part') ?? '', row.currency);
    // A person typed the remittance's ID. If the ID is unknown, the form is shown again with a message, not an error page.
    await calls.execute(project, 'getRemittance', { params: { remittance_id: remittanceId } }).catch(unknown);
    await calls.service('payments', project, path, { remittance_id: remittanceId, amount });
    return `/remittances/${remittanceId}`;
  },
};

/** Reads the part of the row that a person typed; null if the field is empty. @throws ApiError validation_failed */
function readPart(text: string, currency: string): number | null {
  if (text.trim() === '') return null;
  const read = readAmount(text, currency, '.');
  if (!read.ok) throw new ApiError('validation_failed', `The amount ${read.problem}.`);
  return read.amount;
}

/**
 * Converts the error for an unknown remittance to one that shows the form again.
 *
 * @throws ApiError validation_failed; any other error unchanged
 */
function unknown(error: unknown): never {
  if (error instanceof ApiError && error.code === 'resource_not_found')
    throw new ApiError('validation_failed', 'There is no remittance with this ID in the project.');
  throw error;
}

export const takeBackRow: Act = {
  path: '/unmatched-rows/:row/takebacks',
  permission: 'money',
  action: 'settlements.take-back',
  page: unmatchedRow,
  describe: ({ row = '' }) => ({ subject: row, details: { row } }),
  async execute({ calls, project, params }) {
    await calls.service('payments', project, `${rowPath(params.row)}/takebacks`, {});
    return '/unmatched-rows';
  },
};

export const dismissRow: Act = {
  path: '/unmatched-rows/:row/dismissals',
  permission: 'money',
  action: 'settlements.dismiss',
  page: unmatchedRow,
  describe: ({ row = '' }, form) => ({
    subject: row,
    details: { row, reason: form.get('reason') },
  }),
  async execute({ calls, project, params }, form) {
    requireReason(form, 'reason');
    await calls.service('payments', project, `${rowPath(params.row)}/dismissals`, {});
    return '/unmatched-rows';
  },
};
