/**
 * What payers owe at an instant, by age, by payer and by practitioner. With a second instant, each amount has its change beside it. The
 * tables are also CSV, and each amount opens its claims.
 */
import { ageBands, formatMajorUnits, type Receivables } from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import type { CsvTable, CsvValue } from '../csv';
import { FilterField } from '../filters';
import { FormReader } from '../form-reader';
import { readPractitioners } from '../names';
import { type Page, type PageRequest, projectPath } from '../page';
import { Amount, CsvLink, Day, Instant, Table } from '../parts';

type CurrencyPart = Receivables['currencies'][number];
type Sums = Pick<CurrencyPart, 'claim_count' | 'outstanding'>;

interface Row {
  /** What identifies the row at both instants. */
  readonly key: string;
  /** The parameters of the page with the claims of the row; null if the row combines several groups. */
  readonly claims: Readonly<Record<string, string>> | null;
  readonly name: string;
  readonly label: ComponentChildren;
  readonly sums: Sums;
}

const COLUMNS = ['total', ...ageBands] as const;
const BANDS: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  total: 'Total',
  days_0_30: '0 to 30 days',
  days_31_60: '31 to 60 days',
  days_61_90: '61 to 90 days',
  days_over_90: 'over 90 days',
};
const NOTHING: Sums = {
  claim_count: 0,
  outstanding: { total: 0, days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0 },
};

/** A change with its sign. */
function Change({ value, currency }: { value: number; currency: string }) {
  return value === 0 ? (
    <span class="change zero">no change</span>
  ) : (
    <span class="change">{`${value > 0 ? '+' : '−'}${formatMajorUnits(Math.abs(value), currency)}`}</span>
  );
}

/** An amount, as a link to its claims. */
function Sum({
  href,
  value,
  currency,
  name,
}: {
  href: string | null;
  value: number;
  currency: string;
  name: string;
}) {
  const text = formatMajorUnits(value, currency);
  if (value === 0) return <span class="zero">{text}</span>;
  return href === null ? (
    <span>{text}</span>
  ) : (
    <a href={href} aria-label={`${text} ${currency}, the claims of ${name}`}>
      {text}
    </a>
  );
}

/** Adds the rows of the comparison that owe nothing now. */
function withSettled(rows: readonly Row[], earlier: readonly Row[] | null): readonly Row[] {
  const settled = (earlier ?? []).filter(({ key }) => !rows.some((row) => row.key === key));
  return [...rows, ...settled.map((row) => ({ ...row, sums: NOTHING }))];
}

function Ages({
  caption,
  label,
  rows,
  earlier,
  currency,
  claimsAt,
}: {
  caption: string;
  label: string;
  rows: readonly Row[];
  /** The rows at the instant of the comparison; null without one. */
  earlier: readonly Row[] | null;
  currency: string;
  /** Returns the address of the page with the claims that have all of these parameters. */
  claimsAt: (parameters: Readonly<Record<string, string>>) => string;
}) {
  const before = new Map((earlier ?? []).map(({ key, sums }) => [key, sums]));
  return (
    <div class="ages">
      <Table
        caption={caption}
        columns={[
          { label, cell: (row) => row.label },
          { label: 'Claims', isNumber: true, cell: ({ sums }) => sums.claim_count },
          ...COLUMNS.map((band) => ({
            label: BANDS[band],
            isNumber: true,
            cell: ({ key, sums, name, claims }: Row) => {
              const value = sums.outstanding[band];
              const age: Readonly<Record<string, string>> = band === 'total' ? {} : { age: band };
              const href = claims === null ? null : claimsAt({ ...claims, currency, ...age });
              return (
                <>
                  <Sum href={href} value={value} currency={currency} name={`${name}, ${BANDS[band]}`} />
                  {earlier !== null && (
                    <>
                      <br />
                      <Change
                        value={value - (before.get(key) ?? NOTHING).outstanding[band]}
                        currency={currency}
                      />
                    </>
                  )}
                </>
              );
            },
          })),
        ]}
        rows={withSettled(rows, earlier)}
      />
    </div>
  );
}

/** The groups of a currency as rows: all claims, the payers and the practitioners. */
function rowsOf(
  part: CurrencyPart | undefined,
  { project }: Pick<PageRequest, 'project'>,
  names: ReadonlyMap<string, string>,
) {
  if (part === undefined) return { all: [], payers: [], practitioners: [] };
  const others = (sums: Sums): Row => ({
    key: 'others',
    name: 'others',
    label: 'others',
    claims: null,
    sums,
  });
  const { currency } = part;
  return {
    all: [{ key: 'all', name: currency, label: currency, claims: {}, sums: part }],
    payers: part.payers.map((sums): Row => {
      const name = sums.payer_reference;
      return name === null ? others(sums) : { key: name, name, label: name, claims: { payer: name }, sums };
    }),
    practitioners: part.practitioners.map((sums): Row => {
      const id = sums.practitioner_id;
      if (id === null) return others(sums);
      const name = names.get(id) ?? id;
      const label = <a href={projectPath(project, `/claims?practitioner=${id}`)}>{name}</a>;
      return { key: id, name, label, claims: { practitioner: id }, sums };
    }),
  };
}

function csvOf(currency: string, rows: readonly Row[], earlier: readonly Row[] | null): CsvTable {
  const before = new Map((earlier ?? []).map(({ key, sums }) => [key, sums]));
  const amount = (value: number): CsvValue => ({ amount: value, currency });
  return {
    header: [
      ...['Name', 'Currency', 'Claims', ...COLUMNS.map((band) => BANDS[band])],
      ...(earlier === null ? [] : COLUMNS.map((band) => `Change: ${BANDS[band]}`)),
    ],
    rows: withSettled(rows, earlier).map(({ key, name, sums }) => [
      name,
      currency,
      sums.claim_count,
      ...COLUMNS.map((band) => amount(sums.outstanding[band])),
      ...(earlier === null
        ? []
        : COLUMNS.map((band) =>
            amount(sums.outstanding[band] - (before.get(key) ?? NOTHING).outstanding[band]),
          )),
    ]),
  };
}

const LABELS = { at: 'As known at the end of', compare: 'Compared with' };

/** Reads the two instants of the address. A wrong one is said beside its field, and the page shows what is known now. */
function readCutoffs({ query, project, now }: PageRequest) {
  const form = new FormReader(query, { project, now });
  const at = form.text('at') === '' ? now : form.instant('at', 'end', true);
  const compare = form.instant('compare', 'end', true, false);
  return { at: at ?? now, compare, rejected: form.rejected };
}

export const receivables: Page = {
  path: '/receivables',
  menu: 'Receivables',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query } = request;
    const { at, compare, rejected } = readCutoffs(request);
    const read = (instant: string) => calls.execute(project, 'getReceivables', { query: { at: instant } });
    const [found, other] = await Promise.all([read(at), compare === null ? null : read(compare)]);
    const parts = [...found.currencies, ...(other?.currencies ?? [])];
    const names = await readPractitioners(
      request,
      parts.flatMap(({ practitioners }) => practitioners.flatMap(({ practitioner_id: id }) => id ?? [])),
    );
    const claimsAt = (parameters: Readonly<Record<string, string>>) =>
      `${projectPath(project, '/receivables/claims')}?${new URLSearchParams({ at: found.at, ...parameters })}`;
    const currencies = [...new Set(parts.map(({ currency }) => currency))].sort();
    const sections = currencies.map((currency) => {
      const of = (all: Receivables | null) =>
        rowsOf(
          all?.currencies.find((part) => part.currency === currency),
          request,
          names,
        );
      return { currency, now: of(found), before: other === null ? null : of(other) };
    });
    return {
      title: 'Receivables',
      csv: new Map(
        sections.flatMap(({ currency, now, before }) =>
          (['all', 'payers', 'practitioners'] as const).map(
            (name) =>
              [
                `receivables-${name}-${currency}`,
                () => csvOf(currency, now[name], before?.[name] ?? null),
              ] as const,
          ),
        ),
      ),
      body: (
        <>
          <form class="filter" method="get" action={address}>
            {(['at', 'compare'] as const).map((name) => (
              <FilterField
                key={name}
                name={name}
                label={LABELS[name]}
                placeholder={name === 'at' ? 'now' : 'no comparison'}
                rejected={rejected}
              />
            ))}
            <button type="submit">Show</button>
          </form>
          <p class="hint">A day such as 31 Oct 2026, or an instant; days are those of {project.time_zone}.</p>
          <p>
            Outstanding amounts at <Instant at={found.at} />, by days since the submission.
            {other !== null && (
              <>
                {' '}
                Below each amount is its change since <Instant at={other.at} />.
              </>
            )}
          </p>
          {sections.length === 0 && <p class="none">Nothing is outstanding.</p>}
          {sections.map(({ currency, now, before }) => (
            <section key={currency}>
              <h2>{currency}</h2>
              <Ages
                caption={`All claims, in ${currency}`}
                label="Currency"
                currency={currency}
                claimsAt={claimsAt}
                rows={now.all}
                earlier={before?.all ?? null}
              />
              <CsvLink address={address} query={query} name={`receivables-all-${currency}`} />
              <h3 id={`payers-${currency}`}>By payer</h3>
              <Ages
                caption={`Payers, largest first, in ${currency}`}
                label="Payer"
                currency={currency}
                claimsAt={claimsAt}
                rows={now.payers}
                earlier={before?.payers ?? null}
              />
              <CsvLink address={address} query={query} name={`receivables-payers-${currency}`} />
              <h3>By practitioner</h3>
              <Ages
                caption={`Practitioners, largest first, in ${currency}`}
                label="Practitioner"
                currency={currency}
                claimsAt={claimsAt}
                rows={now.practitioners}
                earlier={before?.practitioners ?? null}
              />
              <CsvLink address={address} query={query} name={`receivables-practitioners-${currency}`} />
            </section>
          ))}
        </>
      ),
    };
  },
};

interface OutstandingClaim {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly outstanding: number;
  readonly submitted_at: string;
}

/** Returns the ID of the payer with this name; the name itself if benefits does not know it, because the name is then the ID. */
async function findPayer({ calls, project }: PageRequest, name: string): Promise<string> {
  const { data } = await calls.service<{ readonly data: readonly { id: string; name: string }[] }>(
    'benefits',
    project,
    '/search',
    { text: name, amounts: [] },
  );
  return data.find((each) => each.name === name)?.id ?? name;
}

export const outstandingClaims: Page = {
  path: '/receivables/claims',
  permission: 'read',
  async render(request) {
    const { calls, project, query, now } = request;
    const form = new FormReader(query, { project, now });
    const at = query.get('at') === null ? now : form.instant('at', 'end', true);
    form.check();
    const [age, payer, practitioner] = ['age', 'payer', 'practitioner'].map((name) => query.get(name) ?? '');
    const body = {
      ...{ at, currency: query.get('currency') ?? '', age: age || null },
      payer_id: payer === undefined || payer === '' ? null : await findPayer(request, payer),
      practitioner_id: practitioner || null,
    };
    const [{ data, has_more }, names] = await Promise.all([
      calls.service<{ readonly data: readonly OutstandingClaim[]; readonly has_more: boolean }>(
        'claims',
        project,
        '/outstanding_claims',
        body,
      ),
      readPractitioners(request, practitioner ? [practitioner] : []),
    ]);
    const band = ageBands.find((each) => each === age);
    const of = [
      body.currency,
      payer,
      practitioner && (names.get(practitioner) ?? practitioner),
      band && BANDS[band],
    ];
    return {
      title: `Outstanding: ${of.filter((each) => each).join(', ')}`,
      body: (
        <>
          <p>
            As known at <Instant at={at ?? now} />.{' '}
            <a href={`${projectPath(project, '/receivables')}?${new URLSearchParams({ at: at ?? now })}`}>
              All receivables
            </a>
          </p>
          <Table
            name="outstanding-claims"
            caption={`${has_more ? `The ${data.length} largest claims` : `${data.length} claims`}, largest first`}
            none="No claim is outstanding."
            columns={[
              {
                label: 'Invoice',
                cell: ({ id, name }) => <a href={projectPath(project, `/claims/${id}`)}>{name}</a>,
              },
              { label: 'Submitted', cell: ({ submitted_at }) => <Day at={submitted_at} /> },
              {
                label: 'Outstanding',
                isNumber: true,
                cell: ({ outstanding, currency }) => <Amount value={outstanding} currency={currency} />,
              },
            ]}
            rows={data}
          />
        </>
      ),
    };
  },
};
