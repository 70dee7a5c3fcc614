/**
 * What waits in a project: work lists with counts, money, ages and whose turn it is. The list and the item with the earliest deadline, or that
 * waits longest, are first; empty lists are folded.
 *
 * Failure policy: while a service is unavailable, its lists say so, and the page shows the lists of the other services.
 */
import type {
  Claim,
  Preauthorization,
  Remittance,
  RemittanceReconciliation,
  ServiceName,
  Settlement,
} from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import { ifAvailable, type PersonsCalls, type Project } from '../operations';
import { type Page, projectPath } from '../page';
import { Amount, Id, Instant, pathOfId, Sums } from '../parts';
import { permits } from '../roles';
import { wordsOf } from '../words';
import { readUnmatchedRows } from './unmatched-rows';

const SHOWN = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EXPIRES_SOON_MS = 7 * DAY_MS;

interface Item {
  readonly id: string;
  /** The instant by which the list is sorted: a deadline, or since when the item waits. */
  readonly at: string;
  readonly note: ComponentChildren;
  /** The path of the item's page in the project; absent if the page is found by the prefix of the item's ID. */
  readonly link?: string;
  /** What a person calls the item; absent if it has only its ID. */
  readonly name?: string;
  /** The money that waits with the item, in minor units. */
  readonly money?: { readonly amount: number; readonly currency: string };
}

interface Items {
  readonly items: readonly Item[];
  /** Whether more items wait than the service has read. The service reads the 100 that wait longest or expire first. */
  readonly hasMore: boolean;
}

interface WorkList {
  readonly title: string;
  /** Who must act next. */
  readonly turn: string;
  /** The path of the page with all items. */
  readonly all: string;
  /** The items; null if the service is unavailable. */
  readonly found: Items | null;
}

/** What a service's route of a work list returns. */
interface Waiting<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/** Makes the items of a work list. Returns null if `waiting` is null: the service is unavailable. */
function itemsOf<T>(waiting: Waiting<T> | null, toItem: (each: T) => Item): Items | null {
  return waiting && { items: waiting.data.map(toItem), hasMore: waiting.has_more };
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns the time from or until `at` in whole days, hours or minutes, such as "3 days ago". */
function age(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Math.abs(ms) >= DAY_MS) return RELATIVE.format(Math.trunc(ms / DAY_MS), 'day');
  if (Math.abs(ms) >= HOUR_MS) return RELATIVE.format(Math.trunc(ms / HOUR_MS), 'hour');
  if (Math.abs(ms) < MINUTE_MS) return ms > 0 ? 'in less than a minute' : 'less than a minute ago';
  return RELATIVE.format(Math.trunc(ms / MINUTE_MS), 'minute');
}

interface FailingEndpoint {
  readonly id: string;
  readonly url: string;
  readonly failing_since: string;
}

interface DisabledEndpoint {
  readonly id: string;
  readonly url: string;
  readonly disabled_at: string;
  readonly reason: 'gone' | 'failing';
}

const DISABLED_BECAUSE = {
  gone: 'the receiver responded with 410',
  failing: 'all attempts failed for five days',
} as const;

interface DeadLetteredEvents {
  readonly data: readonly {
    readonly event_id: string;
    readonly type: string;
    readonly reason: string;
    readonly dead_lettered_at: string;
  }[];
}

/** The services whose events are sent to the stream. */
const PUBLISHERS = ['care', 'benefits', 'claims', 'payments'] as const;

/**
 * Reads the events of the project that the stream rejected, and the number of messages of all projects that the webhooks service could not
 * read.
 */
async function readDeadLettered(calls: PersonsCalls, project: Project): Promise<Items> {
  const [unread, ...events] = await Promise.all([
    calls.service<{ readonly count: number; readonly oldest_at: string | null }>(
      'webhooks',
      project,
      '/dead_lettered_messages',
    ),
    ...PUBLISHERS.map((service) =>
      calls.service<DeadLetteredEvents>(service, project, '/dead_lettered_events'),
    ),
  ]);
  const items = events
    .flatMap(({ data }) => data)
    .map(({ event_id: id, type, reason, dead_lettered_at: at }) => ({ id, at, note: `${type}, ${reason}` }));
  const { count, oldest_at } = unread;
  const messages =
    oldest_at === null
      ? []
      : [{ id: 'webhooks', at: oldest_at, note: `${count} messages of all projects could not be read` }];
  return { hasMore: false, items: [...items, ...messages] };
}

/**
 * Reads the reconciliation reports of the {@link SHOWN} remittances in exception that were received first. A report says why its remittance
 * is not reconciled. Returns the reports by remittance ID.
 */
async function readReports(calls: PersonsCalls, project: Project, exceptions: readonly Remittance[]) {
  const oldest = [...exceptions].sort((a, b) => a.received_at.localeCompare(b.received_at)).slice(0, SHOWN);
  const reports = await Promise.all(
    oldest.map(({ id }) =>
      calls.execute(project, 'getRemittanceReconciliation', { params: { remittance_id: id } }),
    ),
  );
  return new Map(reports.map((report) => [report.remittance_id as string, report]));
}

function ExceptionNote({ report }: { report: RemittanceReconciliation }) {
  const { reason, expected, observed, currency } = report;
  return (
    <>
      {wordsOf(reason ?? 'reconciled')}, expected <Amount value={expected} currency={currency} />, observed{' '}
      <Amount value={observed} currency={currency} />
    </>
  );
}

/** The parts of an item that names a claim. */
const namedClaim = ({ id, provider_claim_reference, amount }: Claim) => ({
  id,
  name: provider_claim_reference ?? id,
  money: { amount: amount.billed, currency: amount.currency },
});

/** Returns the pre-authorizations that expire within {@link EXPIRES_SOON_MS}, of those that expire next. */
function expiringSoon(unused: Waiting<Preauthorization>, nowMs: number): Items {
  const items = unused.data.flatMap(({ id, valid_until }) =>
    valid_until !== null && Date.parse(valid_until) < nowMs + EXPIRES_SOON_MS
      ? [{ id, at: valid_until, note: 'expires' }]
      : [],
  );
  return { items, hasMore: unused.has_more && items.length === unused.data.length };
}

const sorted = (items: readonly Item[]) => [...items].sort((a, b) => a.at.localeCompare(b.at));

function WorkListSection({
  list: { title, turn, all, found },
  project,
  nowMs,
}: {
  list: WorkList;
  project: Project;
  nowMs: number;
}) {
  if (found === null)
    return (
      <section>
        <h2>{title}</h2>
        <p class="none">Not available now. Reload the page later.</p>
      </section>
    );
  const { items, hasMore } = found;
  const [first] = sorted(items);
  const parts = items.flatMap(({ money }) => money ?? []);
  return (
    <section>
      <h2>
        <a href={projectPath(project, all)}>{title}</a>{' '}
        <span class="count">{`${items.length}${hasMore ? '+' : ''}`}</span>
      </h2>
      <p class="hint">
        {turn}
        {parts.length > 0 && (
          <>
            {' · '}
            <Sums parts={parts} />
            {hasMore && ' and more'}
          </>
        )}
        {first !== undefined && ` · first ${age(first.at, nowMs)}`}
      </p>
      <ol>
        {sorted(items)
          .slice(0, SHOWN)
          .map(({ id, at, note, link, name, money }) => (
            <li key={id}>
              {link === undefined && name === undefined ? (
                <Id project={project} id={id} />
              ) : (
                <a href={projectPath(project, link ?? pathOfId(id))}>{name ?? id}</a>
              )}{' '}
              {money !== undefined && (
                <>
                  <Amount value={money.amount} currency={money.currency} />{' '}
                </>
              )}
              {note}, {age(at, nowMs)} (<Instant at={at} />)
            </li>
          ))}
      </ol>
    </section>
  );
}

/** Returns how pressing a list is: the earliest instant of its items. A list that is not available comes first. */
function pressing({ found }: WorkList): string {
  return found === null ? '' : (sorted(found.items)[0]?.at ?? '');
}

export const today: Page = {
  path: '/today',
  menu: 'Today',
  permission: 'read',
  async render({ calls, project, session, now }) {
    const nowMs = Date.parse(now);
    const read = <T,>(service: ServiceName, path: string) =>
      calls.readIfAvailable<Waiting<T>>(service, project, path);
    const [
      queried,
      submitted,
      pending,
      unused,
      exceptions,
      unmatched,
      disabled,
      rows,
      failing,
      deadLettered,
    ] = await Promise.all([
      read<Claim>('claims', '/oldest_claims/queried'),
      read<Claim>('claims', '/oldest_claims/submitted'),
      read<Preauthorization>('benefits', '/oldest_preauthorizations/pending'),
      read<Preauthorization>('benefits', '/preauthorizations_next_to_expire'),
      read<Remittance>('payments', '/oldest_remittances/exception'),
      read<Settlement>('payments', '/oldest_settlements/unmatched'),
      read<DisabledEndpoint>('webhooks', '/endpoints_disabled_by_service'),
      ifAvailable(readUnmatchedRows({ calls, project })),
      read<FailingEndpoint>('webhooks', '/failing_endpoints'),
      ifAvailable(readDeadLettered(calls, project)),
    ]);
    const reports =
      exceptions === null ? null : await ifAvailable(readReports(calls, project, exceptions.data));
    const lists: WorkList[] = [
      {
        title: 'Claims that wait for information',
        turn: 'The provider’s turn',
        all: '/claims?status=queried',
        found: itemsOf(queried, (claim) => {
          const open = claim.information_requests.find(({ status }) => status === 'open');
          const note = open?.due_at == null ? 'no deadline' : 'due';
          return { ...namedClaim(claim), at: open?.due_at ?? claim.updated_at, note };
        }),
      },
      {
        title: 'Claims that wait for adjudication',
        turn: 'Your turn',
        all: permits(session.roles, 'adjudicate') ? '/adjudications' : '/claims?status=submitted',
        found: itemsOf(submitted, (claim) => ({
          ...namedClaim(claim),
          at: claim.updated_at,
          note: claim.lines.map(({ service_code }) => service_code).join(', '),
        })),
      },
      {
        title: 'Pre-authorizations that wait for a decision',
        turn: 'Your turn',
        all: '/preauthorizations?status=pending',
        found: itemsOf(pending, ({ id, created_at, amount }) => ({
          id,
          at: created_at,
          note: 'pending',
          money: { amount: amount.requested, currency: amount.currency },
        })),
      },
      {
        title: 'Pre-authorizations that expire within seven days',
        turn: 'The provider’s turn',
        all: '/preauthorizations?status=approved',
        found: unused && expiringSoon(unused, nowMs),
      },
      {
        title: 'Remittances in exception',
        turn: 'Your turn',
        all: '/remittances?status=exception',
        found: itemsOf(exceptions, ({ id, received_at, payer_reference, amount }) => {
          const report = reports?.get(id);
          const note = report === undefined ? 'exception' : <ExceptionNote report={report} />;
          const money = { amount: amount.paid, currency: amount.currency };
          return { id, name: payer_reference, at: received_at, note, money };
        }),
      },
      {
        title: 'Unmatched rows of settlement files',
        turn: 'Your turn',
        all: '/unmatched-rows',
        found: itemsOf(rows, (row) => ({
          id: row.source_reference,
          link: `/unmatched-rows/${row.row}`,
          at: row.observed_at,
          note: row.payer_reference ?? 'no reference',
          money: { amount: row.open, currency: row.currency },
        })),
      },
      {
        title: 'Settlements without a match',
        turn: 'Your turn',
        all: '/remittances?status=exception',
        found: itemsOf(unmatched, ({ id, observed_at, source_reference, amount, remittance_id }) => ({
          id,
          name: source_reference,
          link: `/remittances/${remittance_id}`,
          at: observed_at,
          note: 'unmatched',
          money: { amount: amount.observed, currency: amount.currency },
        })),
      },
      {
        title: 'Failing webhook endpoints',
        turn: 'The receiver’s turn',
        all: '/webhooks',
        found: itemsOf(failing, ({ id, failing_since, url }) => ({ id, at: failing_since, note: url })),
      },
      {
        title: 'Dead-lettered events',
        turn: 'The turn of the service’s operators',
        all: '/webhooks',
        found: deadLettered,
      },
      {
        title: 'Webhook endpoints that were disabled after failures',
        turn: 'The receiver’s turn',
        all: '/webhooks',
        found: itemsOf(disabled, ({ id, disabled_at: at, url, reason }) => ({
          id,
          at,
          note: `${url}, ${DISABLED_BECAUSE[reason]}`,
        })),
      },
    ];
    const waiting = lists.filter(({ found }) => found === null || found.items.length > 0);
    const empty = lists.filter(({ found }) => found?.items.length === 0);
    return {
      title: 'Today',
      body: (
        <>
          <div class="lists">
            {waiting
              .sort((a, b) => pressing(a).localeCompare(pressing(b)))
              .map((list) => (
                <WorkListSection key={list.title} list={list} project={project} nowMs={nowMs} />
              ))}
          </div>
          {empty.length > 0 && (
            <details class="empty">
              <summary>Nothing waits in {empty.length} lists</summary>
              <ul>
                {empty.map(({ title, all }) => (
                  <li key={title}>
                    <a href={projectPath(project, all)}>{title}</a>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      ),
    };
  },
};
