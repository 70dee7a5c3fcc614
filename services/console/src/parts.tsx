/** Small parts that several pages use: tables, states, amounts, instants. */
import { randomUUID } from 'node:crypto';
import { formatAmount, localTime } from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Project } from './operations';
import { projectPath } from './page';
import { type Column, PagePlace, SoughtTable } from './page-place';
import { formToken, type Session } from './sessions';
import { TimeZone } from './time-zone';
import { wordsOf } from './words';

/** The amounts that an adjudication decides for each line, in the order in which they are shown. */
export const LINE_PARTS = ['allowed', 'payer', 'patient_responsibility', 'adjustment'] as const;

export function Amount({ value, currency }: { value: number | null; currency: string }) {
  return value === null ? (
    <span class="none">none</span>
  ) : (
    <span class="amount">{formatAmount(value, currency)}</span>
  );
}

/** A part of a sum, in minor units. */
interface SumPart {
  readonly currency: string;
  readonly amount: number;
}

/** Returns the sums of the amounts, one per currency, in the order in which the currencies occur first. */
export function sumsByCurrency(parts: readonly SumPart[]): [currency: string, sum: number][] {
  const sums = new Map<string, number>();
  for (const { currency, amount } of parts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums];
}

/** The sums of the amounts, one per currency. */
export function Sums({ parts }: { parts: readonly SumPart[] }) {
  return (
    <>
      {sumsByCurrency(parts).map(([currency, sum], index) => (
        <span key={currency}>
          {index > 0 && ', '}
          <Amount value={sum} currency={currency} />
        </span>
      ))}
    </>
  );
}

/** Formats an instant to the millisecond: `2027-03-01 12:00:00.000 UTC`. */
function formatPrecisely(at: string): string {
  return at.replace('T', ' ').replace('Z', ' UTC');
}

const zoneNames = new Map<string, Intl.DateTimeFormat>();

/** Returns the short name of a time zone at an instant, such as `GMT+3`. There are some 600 time zones. */
function zoneName(at: number, timeZone: string): string {
  let format = zoneNames.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'short' });
    zoneNames.set(timeZone, format);
  }
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/**
 * Shows an instant in the project's time zone to the second, or with `isPrecise` to the millisecond, which is the precision of a cutoff. The
 * title has it in UTC.
 */
export function Instant({ at, isPrecise = false }: { at: string | null; isPrecise?: boolean }) {
  const timeZone = useContext(TimeZone);
  if (at === null) return <span class="none">none</span>;
  const instant = Date.parse(at);
  const local = new Date(localTime(instant, timeZone)).toISOString().replace('T', ' ');
  return (
    <time dateTime={at} title={formatPrecisely(at)}>
      {`${local.slice(0, isPrecise ? 23 : 19)} ${zoneName(instant, timeZone)}`}
    </time>
  );
}

/** Shows the day of an instant in the project's time zone, such as `7 Nov 2026`. */
export function Day({ at }: { at: string }) {
  const timeZone = useContext(TimeZone);
  const local = new Date(localTime(Date.parse(at), timeZone));
  return (
    <time dateTime={at} title={formatPrecisely(at)} class="day">
      {local.toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      })}
    </time>
  );
}

export function Status({ value }: { value: string }) {
  return <span class={`status ${value}`}>{wordsOf(value)}</span>;
}

/** The pages that show a resource, by the prefix of its ID. */
const PAGES: Readonly<Record<string, string>> = {
  clm: 'claims',
  job: 'bulk-jobs',
  preauth: 'preauthorizations',
  rem: 'remittances',
  vrun: 'valuation-runs',
  whe: 'webhooks',
};

/** Returns the path, in the project, of the page that shows the resource with this ID. @throws RangeError if there is no such page */
export function pathOfId(id: string): string {
  const folder = PAGES[id.split('_')[0] ?? ''];
  if (folder === undefined) throw new RangeError(`no page shows ${id.slice(0, 50)}`);
  return `/${folder}/${id}`;
}

const SHOWN_END = 6;

/** Returns an ID with its prefix and its end, which differs most: `clm_…09d84`. */
function shortId(id: string): string {
  const prefix = id.slice(0, id.indexOf('_') + 1);
  return id.length <= prefix.length + SHOWN_END + 1 ? id : `${prefix}…${id.slice(-SHOWN_END)}`;
}

/** An ID, as a link if a page shows the resource. It is short unless it `isWhole`; the title has all of it. */
export function Id({ project, id, isWhole = false }: { project: Project; id: string; isWhole?: boolean }) {
  const folder = PAGES[id.split('_')[0] ?? ''];
  const shown = isWhole ? id : shortId(id);
  const code = <code title={shown === id ? undefined : id}>{shown}</code>;
  return folder === undefined ? code : <a href={projectPath(project, `/${folder}/${id}`)}>{code}</a>;
}

/** The ID of the resource that a page shows, short, with a button that copies all of it. */
export function OwnId({ id }: { id: string }) {
  return (
    <span class="own-id">
      <code title={id}>{shortId(id)}</code> <CopyButton text={id} label={`Copy the ID ${id}`} />
    </span>
  );
}

/**
 * The link to the next page of a list, whose query has the ID of the last row in `after`.
 *
 * @param address the path of the list's page
 * @param items what the list has, such as "claims"
 * @param label the text of the link, if it does not follow from the order of the list
 */
export function Older({
  list,
  address,
  query,
  items,
  label = `${query.get('order') === 'asc' ? 'Newer' : 'Older'} ${items}`,
}: {
  list: { readonly data: readonly { readonly id: string | number }[]; readonly has_more: boolean };
  address: string;
  query: URLSearchParams;
  items: string;
  label?: string;
}) {
  const next = new URLSearchParams(query);
  next.set('after', String(list.data.at(-1)?.id ?? ''));
  return list.has_more ? (
    <p>
      <a href={`${address}?${next}`} rel="next">
        {label}
      </a>
    </p>
  ) : null;
}

/** The hidden field, in every form of a session, with the token that protects against cross-site request forgery. */
export function FormToken({ session }: { session: Session }) {
  return <input type="hidden" name="csrf" value={formToken(session)} />;
}

/**
 * The hidden fields of a form: the token against cross-site request forgery, and the idempotency key, with which a form that is sent twice
 * has one effect.
 */
export function HiddenFields({ session }: { session: Session }) {
  return (
    <>
      <FormToken session={session} />
      <input type="hidden" name="key" value={randomUUID()} />
    </>
  );
}

/**
 * A form that sends a failed act again, with the same fields and the same idempotency key.
 *
 * @param path the act's path
 * @param isUnchanged whether nothing was changed for sure; otherwise the result of the act is not known
 */
export function SendAgain({
  path,
  session,
  form,
  isUnchanged,
}: {
  path: string;
  session: Session;
  form: URLSearchParams;
  isUnchanged: boolean;
}) {
  return (
    <form method="post" action={path}>
      <FormToken session={session} />
      {[...form].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <p>
        {isUnchanged
          ? 'Nothing was changed. Send it again: nothing that you typed is lost.'
          : 'It is not known whether the change was made. Send it again, also if it should be corrected afterwards: it has one effect.'}
      </p>
      <button type="submit">Send again</button>
    </form>
  );
}

/**
 * A form that was sent without a session, with a link to the sign-in. It can be sent after the person has signed in in another tab: its token is valid
 * in every session of its person.
 *
 * @param form the fields with their token; null if they can't be sent again, as those with a file
 * @param next the page after the sign-in
 */
export function SendAfterSignIn({
  path,
  form,
  next,
}: {
  path: string;
  form: URLSearchParams | null;
  next: string;
}) {
  const signIn = `/sign-in?next=${encodeURIComponent(next)}`;
  if (form === null)
    return (
      <>
        <p>Your session has ended, so the form changed nothing now. Sign in, and send it again.</p>
        <p>
          <a href={signIn}>Sign in</a>
        </p>
      </>
    );
  return (
    <>
      <p>
        Your session has ended, so the form changed nothing now. Sign in in another tab, and then send it
        here: nothing that you typed is lost.
      </p>
      <p>
        <a href={signIn} target="_blank" rel="noopener">
          Sign in
        </a>
      </p>
      <form method="post" action={path}>
        {[...form].map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Send again</button>
      </form>
    </>
  );
}

/** A part of a long page that a person can fold. On a phone the script `head.js` folds it at first. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="section" open>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

/** A button that copies a text. The script `copy.js` shows it; without the script a person selects the text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={label} hidden>
      Copy
    </button>
  );
}

/** The link to a table of the page as CSV. @param name the name of the table in the page's `csv` */
export function CsvLink({ address, query, name }: { address: string; query: URLSearchParams; name: string }) {
  const changed = new URLSearchParams(query);
  changed.set('csv', name);
  return (
    <p class="csv">
      <a href={`${address}?${changed}`} download>
        CSV
      </a>
    </p>
  );
}

/**
 * A table, which is a list of cards on a narrow screen.
 *
 * @param name the name under which the page offers the table as CSV; absent if it offers it in another way, or not at all
 */
export function Table<T>({
  name,
  caption,
  columns,
  rows,
  none = 'None.',
}: {
  name?: string;
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  none?: string;
}) {
  const sought = useContext(SoughtTable);
  const place = useContext(PagePlace);
  if (sought !== null && sought.name === name) sought.take(columns, rows);
  if (rows.length === 0) return <p class="none">{none}</p>;
  const table = (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" class={isNumber ? 'number' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map(({ label, isNumber, cell }) => (
              <td key={label} data-label={label} class={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (name === undefined || place === null) return table;
  return (
    <>
      {table}
      <CsvLink {...place} name={name} />
    </>
  );
}
