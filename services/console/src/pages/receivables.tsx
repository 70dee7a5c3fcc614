/**
 * What payers owe at an instant, by age, by payer and by practitioner. With a second instant, each amount has its change beside it. The
 * tables are also CSV.
 */
import { ageBands, formatMajorUnits, type Receivables } from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import type { CsvTable, CsvValue } from '../csv';
import { FormReader } from '../form-reader';
import { Problem, problemAttributes } from '../forms';
import { readPractitioners } from '../names';
import { type Page, type PageRequest, projectPath } from '../page';
import { CsvLink, Instant, Table } from '../parts';

type CurrencyPart = Receivables['currencies'][number];
type Sums = Pick<CurrencyPart, 'claim_count' | 'outstanding'>;

interface Row {
  /** What identifies the row at both instants. */
  readonly key: string;
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

function Ages({
  caption,
  label,
  rows,
  earlier,
  currency,
}: {
  caption: string;
  label: string;
  rows: readonly Row[];
  /** The rows at the instant of the comparison; null without one. */
  earlier: readonly Row[] | null;
  currency: string;
}) {
  const before = new Map((earlier ?? []).map(({ key, sums }) => [key, sums]));
  const gone = (earlier ?? []).filter(({ key }) => !rows.some((row) => row.key === key));
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
            cell: ({ key, sums }: Row) => {
              const value = sums.outstanding[band];
              return (
                <>
                  <span class={value === 0 ? 'zero' : undefined}>{formatMajorUnits(value, currency)}</span>
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
        rows={[...rows, ...gone.map((row) => ({ ...row, sums: NOTHING }))]}
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
  const row = (key: string, name: string, label: ComponentChildren, sums: Sums): Row => ({
    key,
    name,
    label,
    sums,
  });
  return {
    all: [row('all', part.currency, part.currency, part)],
    payers: part.payers.map((each) => {
      const name = each.payer_reference ?? 'others';
      return row(name, name, name, each);
    }),
    practitioners: part.practitioners.map((each) => {
      const id = each.practitioner_id;
      if (id === null) return row('others', 'others', 'others', each);
      const name = names.get(id) ?? id;
      return row(id, name, <a href={projectPath(project, `/claims?practitioner=${id}`)}>{name}</a>, each);
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
    rows: rows.map(({ key, name, sums }) => [
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
  const rejected = { form: query, problems: form.found, message: null };
  return { at: at ?? now, compare, rejected };
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
      csv: Object.fromEntries(
        sections.flatMap(({ currency, now, before }) =>
          (['payers', 'practitioners'] as const).map((name) => [
            `receivables-${name}-${currency}`,
            csvOf(currency, now[name], before?.[name] ?? null),
          ]),
        ),
      ),
      body: (
        <>
          <form class="filter" method="get" action={address}>
            {(['at', 'compare'] as const).map((name) => (
              <div key={name} class="field">
                <label for={name}>{LABELS[name]}</label>
                <input
                  id={name}
                  name={name}
                  value={query.get(name) ?? ''}
                  placeholder={name === 'at' ? 'now' : 'no comparison'}
                  autocomplete="off"
                  {...problemAttributes(rejected, name)}
                />
                <Problem rejected={rejected} name={name} />
              </div>
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
                rows={now.all}
                earlier={before?.all ?? null}
              />
              <h3 id={`payers-${currency}`}>By payer</h3>
              <Ages
                caption={`Payers, largest first, in ${currency}`}
                label="Payer"
                currency={currency}
                rows={now.payers}
                earlier={before?.payers ?? null}
              />
              <CsvLink address={address} query={query} name={`receivables-payers-${currency}`} />
              <h3>By practitioner</h3>
              <Ages
                caption={`Practitioners, largest first, in ${currency}`}
                label="Practitioner"
                currency={currency}
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
