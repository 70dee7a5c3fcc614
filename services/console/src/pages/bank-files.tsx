/**
 * Imports a bank's file: an upload, what the import would do, and what it did, row by row, with the acts of each row; and the statements that
 * were imported last.
 *
 * Failure policy: the file is kept between the dry run and the import only in the memory of this process; if it is not kept any more, the form
 * asks for it again. An import whose answer was lost can be sent again: no row is recorded twice.
 */
import { decimalMarkOf, formatAmount } from '@carecover/contract';
import { FormError, type FormReader } from '../form-reader';
import { Choice, Done, FileField } from '../forms';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Instant, sumsByCurrency, Table } from '../parts';
import { permits } from '../roles';
import { wordsOf } from '../words';

/** What a row of the file became, as the payments service returns it. */
interface ImportedRow {
  readonly line: number;
  readonly result: keyof typeof RESULTS;
  readonly reason: string | null;
  readonly currency: string | null;
  /** In minor units. */
  readonly amount: number | null;
  readonly row: number | null;
  readonly remittance_id: string | null;
}

interface Report {
  readonly counts: { readonly rows: number };
  readonly rows: readonly ImportedRow[];
  readonly statements: readonly {
    readonly line: number;
    readonly account: string;
    readonly statement: string;
    readonly differences: readonly string[];
  }[];
  readonly preview: readonly {
    readonly line: number;
    readonly type: string;
    readonly currency: string;
    readonly amount: number;
    readonly bookedOn: string;
    readonly bankReference: string;
    readonly payerReferences: readonly string[];
  }[];
}

/** The results of rows, those first for which a person must do something. */
const RESULTS = {
  rejected: 'neither recorded nor kept: ask the bank for a correct file',
  takeback: 'the bank takes a credit back: reverse it',
  kept: 'kept for you: match it',
  recorded: 'recorded, but the remittance does not match',
  matched: 'settles a remittance',
  known: 'recorded before: nothing changes',
  dismissed: 'dismissed before: nothing changes',
  ignored: 'needs nothing',
} as const;
const resultNames = Object.keys(RESULTS) as (keyof typeof RESULTS)[];

/** The maximum number of rows of the report on the page. */
const SHOWN = 200;

const LABELS = {
  file: 'File',
  amounts: 'Amounts in a CSV file',
  dates: 'Dates in a CSV file',
};
const AMOUNTS = [
  ['decimal-point', '1,000.50'],
  ['decimal-comma', '1.000,50'],
  ['minor-units', '100050, in minor units'],
] as const;
const DATES = [
  ['iso', '2026-11-20'],
  ['day-month-year', '20.11.2026 or 20/11/2026'],
  ['month-day-year', '11/20/2026'],
] as const;

/** Sums of the amounts of a result, one per currency. */
function sumsOf(rows: readonly ImportedRow[]): string {
  const parts = rows.flatMap(({ currency, amount }) =>
    currency === null || amount === null ? [] : [{ currency, amount }],
  );
  return sumsByCurrency(parts)
    .map(([currency, sum]) => formatAmount(sum, currency))
    .join(', ');
}

/** The act that a row asks for, or where its money is. */
function RowAct({ request: { project }, row }: { request: PageRequest; row: ImportedRow }) {
  const link = (path: string, words: string) => (
    <a href={projectPath(project, path)} aria-label={`${words}, line ${row.line}`}>
      {words}
    </a>
  );
  if (row.row !== null)
    return link(`/unmatched-rows/${row.row}`, row.result === 'takeback' ? 'Reverse' : 'Match');
  if (row.remittance_id !== null) return link(`/remittances/${row.remittance_id}`, 'Remittance');
  return <span class="none">none</span>;
}

/** What the import did or, in a dry run, would do. */
function ReportOf({
  request,
  report,
  isDryRun,
}: {
  request: PageRequest;
  report: Report;
  isDryRun: boolean;
}) {
  const { statements, preview } = report;
  const byResult = resultNames.map((result) => ({
    result,
    rows: report.rows.filter((row) => row.result === result),
  }));
  const rows = byResult.flatMap((group) => group.rows);
  const amount = ({ amount: value, currency }: ImportedRow) =>
    value === null || currency === null ? (
      <span class="none">none</span>
    ) : (
      <Amount value={value} currency={currency} />
    );
  return (
    <>
      <Table
        caption={`${report.counts.rows} rows ${isDryRun ? 'would be' : 'were'} imported`}
        columns={[
          { label: 'Result', cell: ({ result }) => RESULTS[result] },
          { label: 'Rows', isNumber: true, cell: (group) => group.rows.length },
          { label: 'Sum', isNumber: true, cell: (group) => sumsOf(group.rows) },
        ]}
        rows={byResult.filter((group) => group.rows.length > 0)}
        none="The file has no rows."
      />
      <h2>Control totals</h2>
      <Table
        caption="Statements that differ from their entries, or do not follow the last imported one"
        none="Nothing differs. A CSV file has no totals."
        columns={[
          { label: 'Line', isNumber: true, cell: ({ line }) => line },
          { label: 'Statement', cell: ({ statement, account }) => `${statement}, account ${account}` },
          { label: 'Differences', cell: ({ differences }) => differences.join('; ') },
        ]}
        rows={statements}
      />
      {isDryRun && (
        <>
          <h2>How the first rows are read</h2>
          <Table
            caption="If an amount or a date is wrong, change how the file is written, not the file"
            columns={[
              { label: 'Line', isNumber: true, cell: ({ line }) => line },
              { label: 'Kind', cell: ({ type }) => wordsOf(type) },
              {
                label: 'Amount',
                isNumber: true,
                cell: ({ amount: value, currency }) => <Amount value={value} currency={currency} />,
              },
              { label: 'Booked on', cell: ({ bookedOn }) => bookedOn },
              {
                label: 'References',
                cell: ({ bankReference, payerReferences }) =>
                  [bankReference, ...payerReferences].filter((each) => each !== '').join(', '),
              },
            ]}
            rows={preview}
          />
        </>
      )}
      <h2>Rows</h2>
      <Table
        caption={
          rows.length > SHOWN
            ? `The first ${SHOWN} of ${rows.length} rows, those first that ask for an act`
            : 'Those first that ask for an act'
        }
        none="The file has no rows."
        columns={[
          { label: 'Line', isNumber: true, cell: ({ line }) => line },
          { label: 'Amount', isNumber: true, cell: amount },
          { label: 'Result', cell: ({ result, reason }) => reason ?? RESULTS[result] },
          { label: 'Next', cell: (row) => <RowAct request={request} row={row} /> },
        ]}
        rows={rows.slice(0, SHOWN)}
      />
    </>
  );
}

function UploadForm({ request }: { request: PageRequest }) {
  const { session, project, rejected, memory, file } = request;
  const field = { labels: LABELS, rejected };
  const mark = decimalMarkOf(project.locale) === ',' ? 'decimal-comma' : 'decimal-point';
  return (
    <form
      class="form"
      method="post"
      action={projectPath(project, '/bank-files')}
      enctype="multipart/form-data"
    >
      <HiddenFields session={session} />
      <FileField
        {...field}
        name="file"
        isKept={file !== null}
        accept=".xml,.csv,.gz,.zip"
        hint="camt.053 or camt.054 as .xml, or .csv; also .gz and .zip. At most 4 MiB and 3,000 rows."
      />
      <Choice {...field} name="amounts" options={AMOUNTS} usual={memory.get('bank_file_amounts') ?? mark} />
      <Choice {...field} name="dates" options={DATES} usual={memory.get('bank_file_dates') ?? 'iso'} />
      <button type="submit" class="main">
        Show what the import would do
      </button>
    </form>
  );
}

interface ImportedStatement {
  readonly account: string;
  readonly statement: string;
  readonly page: number;
  readonly differences: readonly string[];
  readonly file: string;
  readonly imported_at: string;
}

export const bankFiles: Page = {
  path: '/bank-files',
  menu: 'Bank files',
  permission: 'read',
  async render(request) {
    const { calls, project, session } = request;
    const { data } = await calls.service<{ readonly data: readonly ImportedStatement[] }>(
      'payments',
      project,
      '/bank_statements',
    );
    return {
      title: 'Bank files',
      body: (
        <>
          {permits(session.roles, 'money') && <UploadForm request={request} />}
          <h2>Imported statements</h2>
          <Table
            name="bank-statements"
            caption={`The ${data.length} statements that were imported last`}
            none="No statement was imported. A CSV file has no statements."
            columns={[
              { label: 'Account', cell: ({ account }) => account },
              {
                label: 'Statement',
                cell: ({ statement, page }) => (page === 0 ? statement : `${statement}, page ${page}`),
              },
              {
                label: 'Control totals',
                cell: ({ differences }) =>
                  differences.length === 0 ? (
                    <span class="good">agree</span>
                  ) : (
                    <span class="late">{differences.join('; ')}</span>
                  ),
              },
              { label: 'File', cell: ({ file }) => file },
              { label: 'Imported', cell: ({ imported_at }) => <Instant at={imported_at} /> },
            ]}
            rows={data}
          />
        </>
      ),
    };
  },
};

/** Imports the uploaded file, or shows what the import would do. @throws FormError if the file is not kept any more */
async function importFile({ calls, project, file }: PageRequest, form: FormReader, isDryRun: boolean) {
  const name = form.text('file');
  if (file === null)
    throw new FormError([
      { field: 'file', problem: name === '' ? 'must be chosen' : 'must be chosen again' },
    ]);
  const body = {
    file: name,
    content: file.toString('base64'),
    csv: { amounts: form.required('amounts'), dates: form.required('dates') },
    time_zone: project.time_zone,
    dry_run: isDryRun,
  };
  form.check();
  return calls.service<Report>('payments', project, '/bank_files', body);
}

export const importBankFile: Act = {
  path: '/bank-files',
  permission: 'money',
  action: 'settlements.import',
  page: bankFiles,
  takesFile: true,
  labels: LABELS,
  describe: ({ project = '' }, form) => ({
    subject: project,
    details: { file: form.get('file'), sha256: form.get('upload') },
  }),
  async preview(request, form) {
    const report = await importFile(request, form, true);
    const counts = JSON.stringify([report.counts, report.statements]);
    return {
      title: `Import ${form.text('file')}?`,
      confirm: 'Import the file',
      basis: `${form.text('upload')} ${form.text('amounts')} ${form.text('dates')} ${counts}`,
      effect: <ReportOf request={request} report={report} isDryRun />,
    };
  },
  async execute(request, form) {
    const { memory, project } = request;
    const report = await importFile(request, form, false);
    memory.set('bank_file_amounts', form.text('amounts'));
    memory.set('bank_file_dates', form.text('dates'));
    const waiting = report.rows.filter(({ row }) => row !== null).length;
    return {
      title: `Imported ${form.text('file')}`,
      body: (
        <>
          <Done
            text={`The file was imported. ${waiting === 0 ? 'No row waits for you.' : `${waiting} ${waiting === 1 ? 'row waits' : 'rows wait'} for you.`}`}
          />
          <p>
            <a href={projectPath(project, '/unmatched-rows')}>Unmatched rows</a> ·{' '}
            <a href={projectPath(project, '/bank-files')}>Import another file</a>
          </p>
          <ReportOf request={request} report={report} isDryRun={false} />
        </>
      ),
    };
  },
};
