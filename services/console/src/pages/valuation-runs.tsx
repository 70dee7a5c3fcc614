/** The list of valuation runs with the form for a new run, and the page of one run with its totals, groups or triangle. */

import { triangleSections } from '@carecover/charts';
import {
  developmentMeasures,
  developmentOrigins,
  developmentSteps,
  type OperationInput,
  PERIOD_MONTHS,
  type ValuationRun,
  type ValuationRunClaim,
  valuationAmounts,
  valuationDimensions,
  valuationRunKinds,
  valuationRunStatuses,
} from '@carecover/contract';
import { Fragment } from 'preact';
import type { CsvTable } from '../csv';
import { readPlace, StatusFilter } from '../filters';
import { Choice, TextField } from '../forms';
import { readParties, readPractitioners } from '../names';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, CsvLink, HiddenFields, Id, Instant, Older, OwnId, Status, Table } from '../parts';
import { permits } from '../roles';
import { captionOf, choicesOf, wordsOf } from '../words';

const LIMIT = 25;
/** The maximum number of groups on the page. The API returns all groups. */
const GROUPS_SHOWN = 100;

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
    <fieldset id={name} tabIndex={-1}>
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
          <label for={`${name}-${value}`}>{wordsOf(value)}</label>
        </p>
      ))}
    </fieldset>
  );
}

const RUN = {
  valuation_at: 'Recorded until',
  effective_through: 'Effective until (optional)',
  kind: 'Kind',
  group_by: 'Totals: groups',
  origin: 'Development: periods of services',
  step: 'Development: distance of valuation dates',
  measures: 'Development: measures',
};

function RequestForm({ session, project, rejected }: PageRequest) {
  const form = rejected?.form ?? new URLSearchParams();
  const field = { labels: RUN, rejected };
  const hint = `A day means its end in ${project.time_zone}: 7 Nov 2026, or 7 Nov 2026 14:30`;
  return (
    <form class="form" method="post" action={projectPath(project, '/valuation-runs')}>
      <h2>Request a run</h2>
      <HiddenFields session={session} />
      <TextField {...field} name="valuation_at" usual="now" hint={hint} />
      <TextField {...field} name="effective_through" isRequired={false} hint={hint} />
      <Choice {...field} name="kind" options={choicesOf(valuationRunKinds)} usual={valuationRunKinds[0]} />
      <Choices
        name="group_by"
        label={RUN.group_by}
        values={valuationDimensions}
        chosen={form.getAll('group_by')}
      />
      <Choice
        {...field}
        name="origin"
        options={choicesOf(developmentOrigins)}
        usual={developmentOrigins[0]}
      />
      <Choice {...field} name="step" options={choicesOf(developmentSteps)} usual={developmentSteps[0]} />
      <Choices
        name="measures"
        label={RUN.measures}
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
    const list = await calls.execute(project, 'listValuationRuns', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...readPlace(query),
      },
    });
    return {
      title: 'Valuation runs',
      body: (
        <>
          <StatusFilter statuses={valuationRunStatuses} address={address} query={query} />
          <Table
            name="valuation-runs"
            caption={captionOf(list, 'run')}
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
          <Older list={list} address={address} query={query} items="runs" />
          {permits(session.roles, 'money') && <RequestForm {...request} />}
        </>
      ),
    };
  },
};

/** Returns the value of a dimension of a group as people read it. A payer's reference and a plan are texts of others, which stay as they are. */
function groupText(dimension: string, value: string, practitioners: ReadonlyMap<string, string>): string {
  if (dimension === 'practitioner_id') return practitioners.get(value) ?? value;
  return dimension === 'status' || dimension === 'age_band' ? wordsOf(value) : value;
}

type Sums = Pick<ValuationRun['totals'][number], 'currency' | 'claim_count' | 'amount'>;

/** Returns the columns of sums. The number of claims opens them. */
const sumColumns = <T extends Sums>(address: string, valuesOf: (row: T) => Record<string, string>) => [
  {
    label: 'Claims',
    isNumber: true,
    cell: (row: T) => {
      const group = { currency: row.currency, ...valuesOf(row) };
      return (
        <a
          href={`${address}/claims?${new URLSearchParams(group)}`}
          aria-label={`${row.claim_count}, the claims of ${Object.values(group).join(', ')}`}
        >
          {row.claim_count}
        </a>
      );
    },
  },
  ...valuationAmounts.map((name) => ({
    label: wordsOf(name),
    isNumber: true,
    cell: ({ amount, currency }: T) => <Amount value={amount[name]} currency={currency} />,
  })),
];

/** The sums of groups as CSV, with all groups. */
function csvOf(
  dimensions: ValuationRun['group_by'],
  rows: readonly (Sums & Partial<Record<ValuationRun['group_by'][number], unknown>>)[],
): CsvTable {
  return {
    header: [...dimensions.map(wordsOf), 'currency', 'claims', ...valuationAmounts.map(wordsOf)],
    rows: rows.map((row) => [
      ...dimensions.map((dimension) => String(row[dimension] ?? '')),
      row.currency,
      row.claim_count,
      ...valuationAmounts.map((name) => {
        const amount = row.amount[name];
        return amount === null ? null : { amount, currency: row.currency };
      }),
    ]),
  };
}

function Groups({
  run,
  address,
  practitioners,
}: {
  run: ValuationRun;
  address: string;
  practitioners: ReadonlyMap<string, string>;
}) {
  const valuesOf = (row: ValuationRun['groups'][number]) =>
    Object.fromEntries(run.group_by.map((dimension) => [dimension, row[dimension] ?? '']));
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
            label: wordsOf(dimension),
            cell: (row: ValuationRun['groups'][number]) =>
              groupText(dimension, row[dimension] ?? 'none', practitioners),
          })),
          ...sumColumns<ValuationRun['groups'][number]>(address, valuesOf),
        ]}
        rows={run.groups.slice(0, GROUPS_SHOWN)}
      />
    </>
  );
}

/** Links to the claims of each period of services, per currency. The picture of the triangle has none, because it is one image to readers. */
function Origins({
  run: { development },
  triangle: { origins, currencies },
  address,
}: {
  run: ValuationRun;
  triangle: NonNullable<ValuationRun['triangle']>;
  address: string;
}) {
  const months = PERIOD_MONTHS[development?.origin ?? 'service_month'];
  return (
    <>
      <h2>Claims by period of services</h2>
      {currencies.map(({ currency }) => (
        <p key={currency}>
          {currency}:{' '}
          {origins.map((origin, index) => {
            const service = {
              service_from: origin.slice(0, 7),
              service_until: monthAfter(origin, months - 1),
            };
            return (
              <span key={origin}>
                {index > 0 && ', '}
                <a href={`${address}/claims?${new URLSearchParams({ currency, ...service })}`}>
                  {service.service_from}
                </a>
              </span>
            );
          })}
        </p>
      ))}
    </>
  );
}

/** Returns the month, `YYYY-MM`, that is some months after that of a date. */
function monthAfter(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
}

export const valuationRun: Page = {
  path: '/valuation-runs/:run',
  permission: 'read',
  async render(request) {
    const { calls, project, params, address, query } = request;
    const run = await calls.execute(project, 'getValuationRun', {
      params: { valuation_run_id: params.run ?? '' },
    });
    const practitioners = await readPractitioners(
      request,
      run.groups.slice(0, GROUPS_SHOWN).flatMap(({ practitioner_id: practitioner }) => practitioner ?? []),
    );
    return {
      title: 'Valuation run',
      scripts: ['copy.js'],
      csv: new Map([
        ['totals', () => csvOf([], run.totals)],
        ['groups', () => csvOf(run.group_by, run.groups)],
      ]),
      body: (
        <>
          <dl>
            <dt>Run</dt>
            <dd>
              <OwnId id={run.id} />, <Status value={run.status} />
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
            columns={[
              { label: 'Currency', cell: ({ currency }) => currency },
              ...sumColumns<Sums>(address, () => ({})),
            ]}
            rows={run.totals}
          />
          {run.totals.length > 0 && <CsvLink address={address} query={query} name="totals" />}
          {run.groups.length > 0 && (
            <>
              <Groups {...{ run, address, practitioners }} />
              <CsvLink address={address} query={query} name="groups" />
            </>
          )}
          {run.triangle !== null && (
            <>
              <div class="triangle" dangerouslySetInnerHTML={{ __html: triangleSections(run.triangle) }} />
              <Origins run={run} triangle={run.triangle} address={address} />
            </>
          )}
        </>
      ),
    };
  },
};

/** What the address of the page of a group's claims can have. */
const GROUP = ['currency', ...valuationDimensions, 'service_from', 'service_until'] as const;

export const valuationRunClaims: Page = {
  path: '/valuation-runs/:run/claims',
  permission: 'read',
  async render(request) {
    const { calls, project, params, query } = request;
    const given = GROUP.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const id = params.run ?? '';
    const run = await calls.execute(project, 'getValuationRun', { params: { valuation_run_id: id } });
    const { data, has_more } = await calls.service<{
      readonly data: readonly ValuationRunClaim[];
      readonly has_more: boolean;
    }>('claims', project, `/valuation_runs/${run.id}/claims`, Object.fromEntries(given));
    const practitioner = query.get('practitioner_id');
    const [parties, practitioners] = await Promise.all([
      readParties(
        request,
        data.map((claim) => claim.id),
      ),
      readPractitioners(request, practitioner === null ? [] : [practitioner]),
    ]);
    return {
      title: 'Claims of a valuation run',
      body: (
        <>
          <p>
            As known at <Instant at={run.valuation_at} />, effective until{' '}
            <Instant at={run.effective_through} />.{' '}
            <a href={projectPath(project, `/valuation-runs/${run.id}`)}>The run</a>
          </p>
          <dl>
            {given.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{wordsOf(name)}</dt>
                <dd>{groupText(name, value, practitioners)}</dd>
              </Fragment>
            ))}
          </dl>
          <Table
            name="valuation-run-claims"
            caption={captionOf({ data, has_more }, 'claim')}
            none="No claim is in this group."
            columns={[
              {
                label: 'Invoice',
                cell: (claim) => (
                  <a href={projectPath(project, `/claims/${claim.id}`)}>
                    {parties.get(claim.id)?.name ?? claim.id}
                  </a>
                ),
              },
              { label: 'Status', cell: ({ status }) => <Status value={status} /> },
              { label: 'Service', cell: ({ service_month }) => service_month },
              ...valuationAmounts.map((name) => ({
                label: wordsOf(name),
                isNumber: true,
                cell: ({ amount, currency }: ValuationRunClaim) => (
                  <Amount value={amount[name]} currency={currency} />
                ),
              })),
            ]}
            rows={data}
          />
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
  labels: RUN,
  fieldOf: ([first = '', second]) => (first === 'development' ? second : first in RUN ? first : undefined),
  async execute({ calls, project }, form) {
    const kind = form.required('kind');
    const valuation_at = form.instant('valuation_at', 'end', true);
    const effective_through = form.instant('effective_through', 'end', true, false);
    form.check();
    const development = {
      origin: form.text('origin'),
      step: form.text('step'),
      measures: form.form.getAll('measures'),
    };
    const body = {
      valuation_at,
      ...(effective_through === null ? {} : { effective_through }),
      kind,
      ...(kind === 'development' ? { development } : { group_by: form.form.getAll('group_by') }),
    } as OperationInput<'createValuationRun'>['body'];
    const { id } = await calls.execute(project, 'createValuationRun', { body }, form.key);
    return {
      path: `/valuation-runs/${id}`,
      done: 'The run was requested. Reload the page to see its result.',
    };
  },
};
