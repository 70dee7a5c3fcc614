/**
 * Closes a day: the bank's balances, the rows of its files by where they end, and what the ledger, the remittances and the receivables say. With the
 * act that decides about several rows: that they are expected until a day, not ours, or open again.
 *
 * Failure policy: the rows are decided one after the other. If a decision is rejected, those before it stay, and the page says so.
 */
import { localTime } from '@carecover/contract';
import { FilterField } from '../filters';
import { FormReader } from '../form-reader';
import { Choice, Problem, TextField } from '../forms';
import { executeInTurn } from '../in-turn';
import { ifFound, type Project } from '../operations';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Instant, Table } from '../parts';
import { permits } from '../roles';
import { wordsOf } from '../words';
import { rowPath } from './unmatched-rows';

const STATES = ['matched', 'expected', 'returned', 'not_ours', 'open'] as const;
type State = (typeof STATES)[number];

interface Difference {
  readonly says: string;
  /** In minor units; null if it is not known. */
  readonly amount: number | null;
}

interface Account {
  readonly account: string;
  readonly currency: string;
  readonly opening: number | null;
  readonly closing: number | null;
  readonly states: Readonly<
    Record<State, { readonly count: number; readonly credits: number; readonly debits: number }>
  >;
  readonly differences: readonly Difference[];
}

interface Position {
  readonly currency: string;
  readonly settled: number;
  readonly advised: number;
  readonly advices: number;
  readonly outstanding: number;
  readonly receivables: number | null;
  readonly differences: readonly Difference[];
}

interface DayRow {
  readonly row: number;
  readonly currency: string;
  readonly part: number;
  readonly state: State;
  readonly source_reference: string;
  readonly reason: string;
  /** The remittance in which a settlement of the row waits unmatched; null if none does. */
  readonly remittance_id: string | null;
  /** Whether a person can decide about it: a part of it is not recorded. */
  readonly is_decidable: boolean;
  readonly decided_by: string | null;
  readonly expected_until: string | null;
  readonly file: string;
  readonly line: number;
}

/** A closed day, as the payments service returns it. */
interface ClosedDay {
  readonly day: string | null;
  readonly read_at: string;
  readonly is_equal: boolean;
  readonly accounts: readonly Account[];
  readonly positions: readonly Position[];
  readonly rows: readonly DayRow[];
  readonly has_more: boolean;
}

const LABELS = {
  day: 'Day',
  row: 'Rows',
  decision: 'They are',
  until: 'Until',
  reason: 'Reason, without personal data',
};

/** Reads the day of the address or of the rejected form; null: the last one with a file. A wrong one is said beside its field. */
function readChoice({ query, project, now, rejected }: PageRequest) {
  const form = new FormReader(rejected === null ? query : rejected.form, { project, now });
  const at = form.instant('day', 'start', true, false);
  const day =
    at === null ? null : new Date(localTime(Date.parse(at), project.time_zone)).toISOString().slice(0, 10);
  return { day, rejected: form.rejected };
}

function Differences({ closed }: { closed: ClosedDay }) {
  const ofAccounts = closed.accounts.flatMap(({ account, currency, differences }) =>
    differences.map((each) => ({ where: account === '' ? 'no account' : account, currency, ...each })),
  );
  const ofPositions = closed.positions.flatMap(({ currency, differences }) =>
    differences.map((each) => ({ where: 'the project', currency, ...each })),
  );
  if (closed.is_equal)
    return (
      <p role="status">
        <strong class="good">Bank, ledger, advices and receivables are equal.</strong>
      </p>
    );
  return (
    <Table
      caption="Differences"
      columns={[
        { label: 'Where', cell: ({ where }) => where },
        { label: 'What differs', cell: ({ says }) => says },
        {
          label: 'Difference',
          isNumber: true,
          cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
        },
      ]}
      rows={[...ofAccounts, ...ofPositions]}
    />
  );
}

function AccountPart({ account: { account, currency, opening, closing, states } }: { account: Account }) {
  return (
    <section>
      <h2>{account === '' ? `No account, ${currency}` : `${account}, ${currency}`}</h2>
      <dl>
        <dt>Opening balance</dt>
        <dd>
          <Amount value={opening} currency={currency} />
        </dd>
        <dt>Closing balance</dt>
        <dd>
          <Amount value={closing} currency={currency} />
        </dd>
      </dl>
      <Table
        caption={`Rows of the day in ${currency}, by where they end`}
        columns={[
          { label: 'They are', cell: (state: State) => wordsOf(state) },
          { label: 'Rows', isNumber: true, cell: (state: State) => states[state].count },
          {
            label: 'Credits',
            isNumber: true,
            cell: (state: State) => <Amount value={states[state].credits} currency={currency} />,
          },
          {
            label: 'Debits',
            isNumber: true,
            cell: (state: State) => <Amount value={states[state].debits} currency={currency} />,
          },
        ]}
        rows={STATES}
      />
    </section>
  );
}

/**
 * The number of a row. It is a link while the row waits: to its page if a part of it is not recorded, because that page shows only such rows;
 * otherwise to the remittance in which its settlement waits.
 */
function RowLink({
  project,
  row: { row, state, is_decidable, remittance_id },
}: {
  project: Project;
  row: DayRow;
}) {
  const path = is_decidable
    ? `/unmatched-rows/${row}`
    : remittance_id === null
      ? null
      : `/remittances/${remittance_id}`;
  return state === 'open' && path !== null ? (
    <a href={projectPath(project, path)}>{row}</a>
  ) : (
    <span>{row}</span>
  );
}

function Rows({
  project,
  closed,
  canDecide,
  rejected,
}: Pick<PageRequest, 'project' | 'rejected'> & { closed: ClosedDay; canDecide: boolean }) {
  const chosen = new Set(rejected?.form.getAll('row'));
  return (
    <Table
      caption={`${closed.rows.length}${closed.has_more ? ' and more' : ''} rows that are not matched, open ones first`}
      none="Every row of the day is matched."
      columns={[
        ...(canDecide
          ? [
              {
                label: 'Choose',
                cell: (row: DayRow) =>
                  row.is_decidable && (
                    <input
                      type="checkbox"
                      name="row"
                      value={row.row}
                      checked={chosen.has(String(row.row))}
                      aria-label={`Choose row ${row.row}, ${row.source_reference}`}
                    />
                  ),
              },
            ]
          : []),
        { label: 'Row', cell: (row: DayRow) => <RowLink project={project} row={row} /> },
        { label: 'Bank’s reference', cell: (row: DayRow) => row.source_reference },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ part, currency }: DayRow) => <Amount value={part} currency={currency} />,
        },
        { label: 'It is', cell: ({ state }: DayRow) => wordsOf(state) },
        {
          label: 'Why',
          cell: ({ reason, decided_by, expected_until, remittance_id }: DayRow) => (
            <>
              {reason}
              {remittance_id !== null && (
                <>
                  {' '}
                  (<a href={projectPath(project, `/remittances/${remittance_id}`)}>the remittance</a>)
                </>
              )}
              {expected_until !== null && (
                <>
                  , until <Instant at={expected_until} />
                </>
              )}
              {decided_by !== null && <span class="hint"> by {decided_by}</span>}
            </>
          ),
        },
        { label: 'File', cell: ({ file, line }: DayRow) => `${file}, line ${line}` },
      ]}
      rows={closed.rows}
    />
  );
}

function Positions({ closed: { positions, read_at } }: { closed: ClosedDay }) {
  const column = (label: string, of: (position: Position) => number | null) => ({
    label,
    isNumber: true,
    cell: (position: Position) => <Amount value={of(position)} currency={position.currency} />,
  });
  return (
    <>
      <h2>In the whole project</h2>
      <p>
        As of <Instant at={read_at} />.
      </p>
      <Table
        caption="Ledger, remittances and receivables"
        none="The project has no adjudicated claim."
        columns={[
          { label: 'Currency', cell: ({ currency }) => currency },
          column('Settled', ({ settled }) => settled),
          column('Advised, not settled', ({ advised }) => advised),
          column('By the remittances', ({ advices }) => advices),
          column('Payers owe', ({ outstanding }) => outstanding),
          column('By the receivables', ({ receivables }) => receivables),
        ]}
        rows={positions}
      />
    </>
  );
}

export const closeDay: Page = {
  path: '/close-day',
  menu: 'Close the day',
  permission: 'read',
  async render(request) {
    const { calls, project, address, session, rejected } = request;
    const choice = readChoice(request);
    const body = { day: choice.day, time_zone: project.time_zone };
    const closed = await calls.service<ClosedDay>('payments', project, '/bank_days', body);
    const canDecide = permits(session.roles, 'money') && closed.rows.some(({ is_decidable }) => is_decidable);
    const rows = <Rows {...{ project, closed, canDecide, rejected }} />;
    return {
      title: closed.day === null ? 'Close the day' : `Close the day ${closed.day}`,
      body: (
        <>
          <form class="filter" method="get" action={address}>
            <FilterField
              name="day"
              label={LABELS.day}
              placeholder="the last one of a file"
              rejected={choice.rejected}
            />
            <button type="submit">Show</button>
          </form>
          {closed.day === null ? (
            <p class="none">No bank file is imported.</p>
          ) : (
            <>
              <Differences closed={closed} />
              {closed.accounts.map((account) => (
                <AccountPart key={`${account.account} ${account.currency}`} account={account} />
              ))}
              <h2>Rows</h2>
              {canDecide ? (
                <form class="form" method="post" action={projectPath(project, '/close-day/decisions')}>
                  <HiddenFields session={session} />
                  <input type="hidden" name="day" value={closed.day} />
                  <div id="row" tabIndex={-1}>
                    {rows}
                  </div>
                  <Problem rejected={rejected} name="row" />
                  <Choice
                    labels={LABELS}
                    name="decision"
                    rejected={rejected}
                    options={[
                      ['expected', 'expected until a day'],
                      ['not_ours', 'not ours'],
                      ['reopened', 'open again'],
                    ]}
                  />
                  <TextField
                    labels={LABELS}
                    name="until"
                    rejected={rejected}
                    isRequired={false}
                    hint="The last day on which they are expected, such as 25 Nov 2026"
                  />
                  <TextField labels={LABELS} name="reason" rejected={rejected} />
                  <button type="submit">Decide</button>
                </form>
              ) : (
                rows
              )}
              <Positions closed={closed} />
            </>
          )}
        </>
      ),
    };
  },
};

const PATHS: Readonly<Record<string, { readonly path: string; readonly done: string }>> = {
  expected: { path: 'expectations', done: 'expected' },
  not_ours: { path: 'dismissals', done: 'not ours' },
  reopened: { path: 'reopenings', done: 'open again' },
};

const DECIDE = 'settlements.decide';

/** Returns what the audit log records before the decision about a row: each row has an entry of its own, as a list of rows could be cut. */
function describeDecision(form: URLSearchParams, row: string) {
  return {
    subject: row,
    details: { decision: form.get('decision'), until: form.get('until'), reason: form.get('reason') },
  };
}

export const decideRows: Act = {
  path: '/close-day/decisions',
  permission: 'money',
  action: DECIDE,
  page: closeDay,
  labels: LABELS,
  describe: (_, form) => describeDecision(form, form.get('row') ?? 'none'),
  async execute({ calls, project }, form) {
    const rows = [...new Set(form.form.getAll('row'))];
    if (rows.length === 0) form.reject('row', 'must have at least one chosen row');
    const decision = form.required('decision');
    const known = PATHS[decision];
    if (known === undefined) form.reject('decision', 'must be one of the choices');
    const until = decision === 'expected' ? form.instant('until', 'end', false) : null;
    const reason = form.reason('reason');
    form.check();
    const body = { reason, ...(until === null ? {} : { until }) };
    const { done, failed } = await executeInTurn(rows, async (row, index) => {
      const { subject, details } = describeDecision(form.form, row);
      // The first row has the entry of the act.
      if (index > 0)
        await calls.record(DECIDE, subject, {
          ...{ project_id: project.id, ...details, request_id: calls.requestId },
        });
      return ifFound(calls.service('payments', project, `${rowPath(row)}/${known?.path}`, body));
    });
    const decided = done.filter((row) => row !== null).length;
    const unchanged = done.length - decided;
    const texts = [
      `${decided === 1 ? '1 row is' : `${decided} rows are`} ${known?.done} now.`,
      ...(unchanged === 0
        ? []
        : [`${unchanged} were left as they are: that was decided already, or they have changed meanwhile.`]),
      ...(failed === null
        ? []
        : [`Row ${failed.part} was not confirmed: ${failed.message} Rows after it were left as they are.`]),
    ];
    const day = form.text('day');
    return {
      path: `/close-day${day === '' ? '' : `?day=${encodeURIComponent(day)}`}`,
      done: texts.join(' '),
    };
  },
};
