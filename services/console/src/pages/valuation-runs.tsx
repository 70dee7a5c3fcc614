/** The list of valuation runs with the form for a new run, and the page of one run with its totals, groups or triangle. */
import {
  developmentMeasures,
  developmentOrigins,
  developmentSteps,
  formatInstant,
  type OperationInput,
  type ValuationRun,
  valuationAmounts,
  valuationDimensions,
  valuationRunKinds,
  valuationRunStatuses,
} from '@carecover/contract';
import { triangleSections } from '@carecover/platform';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Id, Instant, Older, Rejection, Status, StatusFilter, Table } from '../parts';
import { permits } from '../roles';

const LIMIT = 25;
/** The maximum number of groups on the page. The API returns all groups. */
const GROUPS_SHOWN = 100;

const words = (name: string) => name.replaceAll('_', ' ');

function Choices({
  name,
  label,
  values,
  chosen,
}: {
  name: string;
  label: string;
  values: readonly string[];
  chosen: readonly string[];
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {values.map((value) => (
        <p class="choice" key={value}>
          <input
            type="checkbox"
            id={`${name}-${value}`}
            name={name}
            value={value}
            checked={chosen.includes(value)}
          />{' '}
          <label for={`${name}-${value}`}>{words(value)}</label>
        </p>
      ))}
    </fieldset>
  );
}

function Options({
  name,
  label,
  values,
  chosen,
}: {
  name: string;
  label: string;
  values: readonly string[];
  chosen: string | null;
}) {
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {values.map((value) => (
          <option key={value} value={value} selected={value === chosen}>
            {words(value)}
          </option>
        ))}
      </select>
    </>
  );
}

function RequestForm({ session, project, rejected }: PageRequest) {
  const form = rejected?.form ?? new URLSearchParams();
  const now = formatInstant(Date.now());
  return (
    <form class="form" method="post" action={projectPath(project, '/valuation-runs')}>
      <h2>Request a run</h2>
      {rejected !== null && <Rejection message={rejected.message} />}
      <HiddenFields session={session} />
      <label for="valuation-at">Recorded until (RFC 3339)</label>
      <input id="valuation-at" name="valuation_at" required value={form.get('valuation_at') ?? now} />
      <label for="effective-through">Effective until (optional)</label>
      <input id="effective-through" name="effective_through" value={form.get('effective_through') ?? ''} />
      <Options name="kind" label="Kind" values={valuationRunKinds} chosen={form.get('kind')} />
      <Choices
        name="group_by"
        label="Totals: groups"
        values={valuationDimensions}
        chosen={form.getAll('group_by')}
      />
      <Options
        name="origin"
        label="Development: periods of services"
        values={developmentOrigins}
        chosen={form.get('origin')}
      />
      <Options
        name="step"
        label="Development: distance of valuation dates"
        values={developmentSteps}
        chosen={form.get('step')}
      />
      <Choices
        name="measures"
        label="Development: measures"
        values={developmentMeasures}
        chosen={rejected === null ? ['outstanding'] : form.getAll('measures')}
      />
      <button type="submit">Request the run</button>
    </form>
  );
}

export const valuationRuns: Page = {
  path: '/valuation-runs',
  menu: 'Valuation runs',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query, session } = request;
    const status = valuationRunStatuses.find((each) => each === query.get('status'));
    const after = query.get('after');
    const list = await calls.execute(project, 'listValuationRuns', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...(after === null ? {} : { starting_after: after }),
      },
    });
    return {
      title: 'Valuation runs',
      body: (
        <>
          <StatusFilter statuses={valuationRunStatuses} address={address} query={query} />
          <Table
            caption="Runs, newest first"
            columns={[
              { label: 'Run', cell: ({ id }) => <Id project={project} id={id} /> },
              { label: 'Kind', cell: ({ kind }) => kind },
              { label: 'Status', cell: (run) => <Status value={run.status} /> },
              { label: 'Recorded until', cell: (run) => <Instant at={run.valuation_at} /> },
              { label: 'Effective until', cell: (run) => <Instant at={run.effective_through} /> },
              { label: 'Claims', isNumber: true, cell: (run) => run.claims_counted ?? 'none' },
            ]}
            rows={list.data}
          />
          <Older list={list} address={address} query={query} label="Older runs" />
          {permits(session.roles, 'money') && <RequestForm {...request} />}
        </>
      ),
    };
  },
};

type Sums = Pick<ValuationRun['totals'][number], 'currency' | 'claim_count' | 'amount'>;

const sumColumns = <T extends Sums>() => [
  { label: 'Claims', isNumber: true, cell: (row: T) => row.claim_count },
  ...valuationAmounts.map((name) => ({
    label: words(name),
    isNumber: true,
    cell: ({ amount, currency }: T) => <Amount value={amount[name]} currency={currency} />,
  })),
];

function Groups({ run }: { run: ValuationRun }) {
  return (
    <>
      <h2>Groups</h2>
      <Table
        caption={
          run.groups.length > GROUPS_SHOWN
            ? `The first ${GROUPS_SHOWN} of ${run.groups.length} groups; the API returns all`
            : `${run.groups.length} groups`
        }
        columns={[
          ...run.group_by.map((dimension) => ({
            label: words(dimension),
            cell: (row: ValuationRun['groups'][number]) => words(row[dimension] ?? 'none'),
          })),
          ...sumColumns<ValuationRun['groups'][number]>(),
        ]}
        rows={run.groups.slice(0, GROUPS_SHOWN)}
      />
    </>
  );
}

export const valuationRun: Page = {
  path: '/valuation-runs/:run',
  permission: 'read',
  async render({ calls, project, params }) {
    const run = await calls.execute(project, 'getValuationRun', {
      params: { valuation_run_id: params.run ?? '' },
    });
    return {
      title: 'Valuation run',
      body: (
        <>
          <dl>
            <dt>Run</dt>
            <dd>
              <code>{run.id}</code>, <Status value={run.status} />
              {run.status === 'pending' && `, ${run.progress} %. Reload the page to see the result.`}
            </dd>
            <dt>Recorded until</dt>
            <dd>
              <Instant at={run.valuation_at} />
            </dd>
            <dt>Effective until</dt>
            <dd>
              <Instant at={run.effective_through} />
            </dd>
            {run.failure !== null && (
              <>
                <dt>Failure</dt>
                <dd>{run.failure}</dd>
              </>
            )}
            <dt>SHA-256</dt>
            <dd>
              <code>{run.result_sha256 ?? 'none'}</code>
            </dd>
          </dl>
          <h2>Totals</h2>
          <Table
            caption="All claims, by currency"
            none="There are no totals."
            columns={[{ label: 'Currency', cell: ({ currency }) => currency }, ...sumColumns<Sums>()]}
            rows={run.totals}
          />
          {run.groups.length > 0 && <Groups run={run} />}
          {run.triangle !== null && (
            <div class="triangle" dangerouslySetInnerHTML={{ __html: triangleSections(run.triangle) }} />
          )}
        </>
      ),
    };
  },
};

export const requestRun: Act = {
  path: '/valuation-runs',
  permission: 'money',
  action: 'valuation_run.create',
  page: valuationRuns,
  describe: (_params, form) => ({
    subject: 'valuation_run',
    details: { kind: form.get('kind'), valuation_at: form.get('valuation_at') },
  }),
  async execute({ calls, project }, form) {
    const kind = form.get('kind');
    const through = form.get('effective_through') ?? '';
    const development = {
      origin: form.get('origin'),
      step: form.get('step'),
      measures: form.getAll('measures'),
    };
    const body = {
      valuation_at: form.get('valuation_at') ?? '',
      ...(through === '' ? {} : { effective_through: through }),
      kind,
      ...(kind === 'development' ? { development } : { group_by: form.getAll('group_by') }),
    } as OperationInput<'createValuationRun'>['body'];
    const { id } = await calls.execute(project, 'createValuationRun', { body }, form.get('key') ?? undefined);
    return `/valuation-runs/${id}`;
  },
};
