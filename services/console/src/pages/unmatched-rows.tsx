/**
 * Entries of bank files that wait for a person: credits that no settlement records, and takebacks by the bank; and the acts that assign a row to a
 * remittance in whole or in part, reverse what the bank took back, or dismiss a row.
 */
import { formatAmount, isIdentifier } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { FormError, type FormReader } from '../form-reader';
import { TextField } from '../forms';
import type { Project } from '../operations';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Id, Instant, Table } from '../parts';
import { permits } from '../roles';
import { readEffect, SettlementEffect } from './settlement-effect';

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

/** A remittance that waits for funds, as the payments service returns it for a row. Amounts in minor units. */
interface Candidate {
  readonly id: string;
  readonly payer_reference: string;
  readonly status: string;
  readonly total: number;
  readonly observed: number;
  /** What the remittance lacks: the total less the observed funds. */
  readonly lacking: number;
  readonly received_at: string;
}

/** Reads the remittances in the row's currency that wait for funds. That which lacks an amount nearest to the row's is first. */
function readCandidates({ calls, project }: PageRequest, row: UnmatchedRow) {
  const path = `${rowPath(String(row.row))}/candidates`;
  return calls.service<{ readonly data: readonly Candidate[]; readonly has_more: boolean }>(
    'payments',
    project,
    path,
  );
}

const ASSIGNMENT = { remittance: 'Remittance: its ID or the payer’s reference', part: 'Amount' };
const DISMISSAL = { reason: 'Reason, without personal data' };

/** Says what would be lacking after the assignment of the row. */
function Fit({ row, candidate: { lacking } }: { row: UnmatchedRow; candidate: Candidate }) {
  const rest = lacking - row.open;
  if (rest === 0) return <strong class="good">exact</strong>;
  return rest > 0 ? (
    <>
      would lack <Amount value={rest} currency={row.currency} />
    </>
  ) : (
    <span class="late">
      exceeds by <Amount value={-rest} currency={row.currency} />
    </span>
  );
}

function Candidates({
  request,
  row,
  candidates,
}: {
  request: PageRequest;
  row: UnmatchedRow;
  candidates: Awaited<ReturnType<typeof readCandidates>>;
}) {
  const { session, project } = request;
  return (
    <Table
      caption={`In ${row.currency}, that which lacks an amount nearest to ${formatAmount(row.open, row.currency)} first`}
      none={`No remittance in ${row.currency} waits for funds${candidates.has_more ? ' among the newest' : ''}.`}
      columns={[
        {
          label: 'Payer’s reference',
          cell: ({ id, payer_reference }) => (
            <a href={projectPath(project, `/remittances/${id}`)}>{payer_reference}</a>
          ),
        },
        {
          label: 'Lacking',
          isNumber: true,
          cell: ({ lacking }) => <Amount value={lacking} currency={row.currency} />,
        },
        {
          label: 'Advised',
          isNumber: true,
          cell: ({ total }) => <Amount value={total} currency={row.currency} />,
        },
        { label: 'With this row', cell: (candidate) => <Fit row={row} candidate={candidate} /> },
        { label: 'Received', cell: (each) => <Day at={each.received_at} /> },
        ...(permits(session.roles, 'money')
          ? [
              {
                label: 'Assign',
                cell: ({ id, payer_reference }: Candidate) => (
                  <form method="post" action={projectPath(project, `/unmatched-rows/${row.row}/assignments`)}>
                    <HiddenFields session={session} />
                    <input type="hidden" name="remittance" value={id} />
                    <button
                      type="submit"
                      aria-label={`Show the effect of an assignment to ${payer_reference}`}
                    >
                      Show the effect
                    </button>
                  </form>
                ),
              },
            ]
          : []),
      ]}
      rows={candidates.data}
    />
  );
}

/** The settlements of the credit that the bank takes back. */
function TakenBack({ project, row }: { project: Project; row: UnmatchedRow }) {
  if (row.settlements.length === 0)
    return <p>No settlement records a credit with the references of this row.</p>;
  return (
    <ul>
      {row.settlements.map(({ id, remittance_id }) => (
        <li key={id}>
          <Id project={project} id={id} /> of <Id project={project} id={remittance_id} />
        </li>
      ))}
    </ul>
  );
}

/** The act that reverses what the bank took back. */
function TakebackAct({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project } = request;
  return (
    <form class="form" method="post" action={projectPath(project, `/unmatched-rows/${row.row}/takebacks`)}>
      <h3>Reverse what the bank took back</h3>
      <HiddenFields session={session} />
      <TakenBack project={project} row={row} />
      <button type="submit">Show the effect</button>
    </form>
  );
}

function RowActs({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project, rejected } = request;
  const address = (act: string) => projectPath(project, `/unmatched-rows/${row.row}/${act}`);
  return (
    <>
      <h2>Acts</h2>
      {row.type === 'takeback' ? (
        <TakebackAct request={request} row={row} />
      ) : (
        <form class="form" method="post" action={address('assignments')}>
          <h3>Assign the row, or a part of it, to another remittance</h3>
          <HiddenFields session={session} />
          <TextField labels={ASSIGNMENT} name="remittance" rejected={rejected} />
          <TextField
            labels={ASSIGNMENT}
            name="part"
            rejected={rejected}
            isRequired={false}
            hint={`To divide the row. Empty: all that is open, ${formatAmount(row.open, row.currency)}`}
          />
          <button type="submit">Show the effect</button>
        </form>
      )}
      <form class="form" method="post" action={address('dismissals')}>
        <h3>Dismiss the row</h3>
        <HiddenFields session={session} />
        <p class="hint">Removes a row that belongs to no remittance from the list.</p>
        <TextField labels={DISMISSAL} name="reason" rejected={rejected} />
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
    const candidates = row.type === 'takeback' ? null : await readCandidates(request, row);
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
          {candidates !== null && (
            <>
              <h2>Remittances that wait for funds</h2>
              <Candidates request={request} row={row} candidates={candidates} />
            </>
          )}
          {permits(session.roles, 'money') && <RowActs request={request} row={row} />}
        </>
      ),
    };
  },
};

/**
 * Finds the remittance that a person named by its ID or by the payer's reference, and the part of the row to assign to it, in minor units.
 *
 * @throws FormError if there is no such remittance, or less is open
 */
async function readAssignment(request: PageRequest, form: FormReader) {
  const { calls, project, params } = request;
  const text = form.required('remittance');
  form.check();
  const row = await calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
  const part = form.text('part') === '' ? row.open : form.amount('part', row.currency);
  if (part > row.open)
    form.reject('part', `must be at most ${formatAmount(row.open, row.currency)}, which is open`);
  form.check();
  const id = isIdentifier('remittance', text) ? text : await findByReference(request, text);
  const effect = await readEffect(request, id).catch(unknown);
  if (effect.report.currency !== row.currency)
    throw new FormError([
      {
        field: 'remittance',
        problem: `must be in ${row.currency}; this one is in ${effect.report.currency}`,
      },
    ]);
  return { row, part, effect };
}

const NO_REMITTANCE = [
  { field: 'remittance', problem: 'must be the ID or the payer’s reference of a remittance in the project' },
];

/** Returns the ID of the remittance with the reference. @throws FormError if there is none */
async function findByReference({ calls, project }: PageRequest, reference: string): Promise<string> {
  if (reference.length < 3 || reference.length > 200) throw new FormError(NO_REMITTANCE);
  const { data } = await calls.execute(project, 'listRemittances', {
    query: { limit: 1, payer_reference: reference },
  });
  const [found] = data;
  if (found === undefined) throw new FormError(NO_REMITTANCE);
  return found.id;
}

/** Converts the error for an unknown remittance to one that shows the form again. @throws FormError; any other error unchanged */
function unknown(error: unknown): never {
  if (error instanceof ApiError && error.code === 'resource_not_found') throw new FormError(NO_REMITTANCE);
  throw error;
}

export const assignRow: Act = {
  path: '/unmatched-rows/:row/assignments',
  permission: 'money',
  action: 'settlements.assign',
  page: unmatchedRow,
  labels: ASSIGNMENT,
  describe: ({ row }, form) => ({ subject: form.get('remittance') || 'none', details: { row } }),
  async preview(request, form) {
    const { row, part, effect } = await readAssignment(request, form);
    const { found, report } = effect;
    const amount = formatAmount(part, row.currency);
    return {
      title: `Assign ${amount} to ${found.payer_reference}?`,
      confirm: `Assign ${amount}`,
      basis: `${row.source_reference} ${amount} of ${row.open} to ${found.id}, expected ${report.expected}, observed ${report.observed}`,
      fields: { remittance: found.id, part: amount },
      effect: (
        <>
          <p>
            <Amount value={part} currency={row.currency} /> of the row {row.source_reference} will be a
            settlement of the remittance {found.payer_reference}.{' '}
            {part < row.open ? (
              <>
                <Amount value={row.open - part} currency={row.currency} /> of the row stay open.
              </>
            ) : (
              'Nothing of the row stays open.'
            )}
          </p>
          <SettlementEffect {...effect} change={part} />
        </>
      ),
    };
  },
  async execute(request, form) {
    const { row, part, effect } = await readAssignment(request, form);
    const { id, payer_reference } = effect.found;
    const path = `${rowPath(request.params.row)}/assignments`;
    await request.calls.service('payments', request.project, path, { remittance_id: id, amount: part });
    return {
      path: `/remittances/${id}`,
      done: `${formatAmount(part, row.currency)} of the row ${row.source_reference} was assigned to ${payer_reference}.`,
    };
  },
};

export const takeBackRow: Act = {
  path: '/unmatched-rows/:row/takebacks',
  permission: 'money',
  action: 'settlements.take-back',
  page: unmatchedRow,
  describe: ({ row = '' }) => ({ subject: row, details: { row } }),
  async preview({ calls, project, params }) {
    const row = await calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
    const amount = formatAmount(row.amount, row.currency);
    return {
      title: `Reverse the settlements of ${row.source_reference}?`,
      confirm: `Reverse what the bank took back, ${amount}`,
      basis: `${row.source_reference} ${amount} ${row.settlements.map(({ id }) => id).join(' ')}`,
      effect: (
        <>
          <p>
            The bank took back <Amount value={row.amount} currency={row.currency} />. These settlements will
            count no more. A reversal is final.
          </p>
          <TakenBack project={project} row={row} />
        </>
      ),
    };
  },
  async execute({ calls, project, params }) {
    const row = await calls.service<UnmatchedRow>('payments', project, rowPath(params.row));
    await calls.service('payments', project, `${rowPath(params.row)}/takebacks`, {});
    return {
      path: '/unmatched-rows',
      done: `What the bank took back, ${formatAmount(row.amount, row.currency)} with the reference ${row.source_reference}, was reversed.`,
    };
  },
};

export const dismissRow: Act = {
  path: '/unmatched-rows/:row/dismissals',
  permission: 'money',
  action: 'settlements.dismiss',
  page: unmatchedRow,
  labels: DISMISSAL,
  describe: ({ row = '' }, form) => ({
    subject: row,
    details: { row, reason: form.get('reason') },
  }),
  async execute({ calls, project, params }, form) {
    const reason = form.reason('reason');
    form.check();
    const row = await calls.service<UnmatchedRow>('payments', project, `${rowPath(params.row)}/dismissals`, {
      reason,
    });
    return {
      path: '/unmatched-rows',
      done: `The row ${row.source_reference} of ${formatAmount(row.amount, row.currency)} was dismissed.`,
    };
  },
};
