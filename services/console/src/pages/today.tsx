/** What waits for a person in a project: work lists with counts and ages, the latest first. */
import type { ComponentChildren } from 'preact';
import { type Page, projectPath } from '../page';
import { Id, Instant, Status } from '../parts';

/** The most items that a list counts. */
const LIMIT = 100;
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
}

interface WorkList {
  readonly title: string;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns the time from or until `at` in whole days, hours or minutes, such as "3 days ago". */
function age(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Math.abs(ms) >= DAY_MS) return RELATIVE.format(Math.trunc(ms / DAY_MS), 'day');
  if (Math.abs(ms) >= HOUR_MS) return RELATIVE.format(Math.trunc(ms / HOUR_MS), 'hour');
  return RELATIVE.format(Math.trunc(ms / MINUTE_MS), 'minute');
}

export const today: Page = {
  path: '/today',
  menu: 'Today',
  permission: 'read',
  async render({ calls, project }) {
    const nowMs = Date.now();
    const [queried, submitted, pending, approved, exceptions, unmatched, disabled] = await Promise.all([
      calls.execute(project, 'listClaims', { query: { limit: LIMIT, status: 'queried' } }),
      calls.execute(project, 'listClaims', { query: { limit: LIMIT, status: 'submitted' } }),
      calls.execute(project, 'listPreauthorizations', { query: { limit: LIMIT, status: 'pending' } }),
      calls.execute(project, 'listPreauthorizations', { query: { limit: LIMIT, status: 'approved' } }),
      calls.execute(project, 'listRemittances', { query: { limit: LIMIT, status: 'exception' } }),
      calls.execute(project, 'listSettlements', { query: { limit: LIMIT, status: 'unmatched' } }),
      calls.execute(project, 'listWebhookEndpoints', { query: { limit: LIMIT, status: 'disabled' } }),
    ]);
    const lists: WorkList[] = [
      {
        title: 'Claims that wait for information',
        hasMore: queried.has_more,
        items: queried.data.map((claim) => {
          const open = claim.information_requests.find(({ status }) => status === 'open');
          const note = open?.due_at == null ? 'no deadline' : 'due';
          return { id: claim.id, at: open?.due_at ?? claim.updated_at, note };
        }),
      },
      {
        title: 'Claims that wait for adjudication',
        hasMore: submitted.has_more,
        items: submitted.data.map(({ id, updated_at, provider_claim_reference }) => ({
          id,
          at: updated_at,
          note: provider_claim_reference,
        })),
      },
      {
        title: 'Pre-authorizations that wait for a decision',
        hasMore: pending.has_more,
        items: pending.data.map(({ id, created_at }) => ({ id, at: created_at, note: 'pending' })),
      },
      {
        title: 'Pre-authorizations that expire within seven days',
        hasMore: approved.has_more,
        items: approved.data.flatMap(({ id, valid_until }) =>
          valid_until !== null && Date.parse(valid_until) < nowMs + EXPIRES_SOON_MS
            ? [{ id, at: valid_until, note: 'expires' }]
            : [],
        ),
      },
      {
        title: 'Remittances in exception',
        hasMore: exceptions.has_more,
        items: exceptions.data.map(({ id, received_at, payer_reference }) => ({
          id,
          at: received_at,
          note: payer_reference,
        })),
      },
      {
        title: 'Settlements without a match',
        hasMore: unmatched.has_more,
        items: unmatched.data.map(({ id, observed_at, source_reference }) => ({
          id,
          at: observed_at,
          note: source_reference,
        })),
      },
      {
        title: 'Disabled webhook endpoints',
        hasMore: disabled.has_more,
        items: disabled.data.map(({ id, disabled_at, created_at, url }) => ({
          id,
          at: disabled_at ?? created_at,
          note: url,
        })),
      },
    ];
    return {
      title: 'Today',
      body: (
        <div class="lists">
          {lists.map(({ title, items, hasMore }) => (
            <section key={title}>
              <h2>
                {title} <span class="count">{`${items.length}${hasMore ? '+' : ''}`}</span>
              </h2>
              {items.length === 0 ? (
                <p class="none">Nothing waits.</p>
              ) : (
                <ol>
                  {[...items]
                    .sort((a, b) => a.at.localeCompare(b.at))
                    .slice(0, SHOWN)
                    .map(({ id, at, note }) => (
                      <li key={id}>
                        <Id project={project} id={id} /> {note}, {age(at, nowMs)} (<Instant at={at} />)
                      </li>
                    ))}
                </ol>
              )}
            </section>
          ))}
        </div>
      ),
    };
  },
};

/** Finds a resource by its ID, or a claim, remittance or settlement by its reference, and shows links to the found resources. */
export const search: Page = {
  path: '/search',
  menu: 'Search',
  permission: 'read',
  async render({ calls, project, query }) {
    const text = (query.get('q') ?? '').trim();
    const isReference = text.length >= 3 && text.length <= 200;
    const [claims, remittances, settlements] = isReference
      ? await Promise.all([
          calls.execute(project, 'listClaims', { query: { limit: SHOWN, provider_claim_reference: text } }),
          calls.execute(project, 'listRemittances', { query: { limit: SHOWN, payer_reference: text } }),
          calls.execute(project, 'listSettlements', { query: { limit: SHOWN, source_reference: text } }),
        ])
      : [];
    const byId = /^(clm|rem|preauth|whe)_[A-Za-z0-9_-]+$/.test(text) ? text : null;
    const found = [claims, remittances, settlements].flatMap((list) =>
      (list?.data ?? []).map(({ id, status }) => ({ id, status })),
    );
    return {
      title: 'Search',
      body: (
        <>
          <form class="filter" method="get" action={projectPath(project, '/search')}>
            <label for="q">ID or reference</label>
            <input id="q" name="q" type="search" value={text} />
            <button type="submit">Search</button>
          </form>
          {text !== '' && byId === null && found.length === 0 && (
            <p class="none">Nothing in this project has this ID or reference.</p>
          )}
          <ul>
            {byId !== null && (
              <li>
                <Id project={project} id={byId} />
              </li>
            )}
            {found.map(({ id, status }) => (
              <li key={id}>
                <Id project={project} id={id} /> <Status value={status} />
              </li>
            ))}
          </ul>
        </>
      ),
    };
  },
};
