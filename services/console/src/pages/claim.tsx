/**
 * The page of a claim: its valuation at a cutoff, and its facts by effective time and recorded time. The cutoffs are in the address, so a
 * page that is sent to a colleague shows the same valuation forever.
 */
import { randomUUID } from 'node:crypto';
import {
  type Adjudication,
  type Claim,
  type ClaimLinks,
  type ClaimValuation,
  formatInstant,
  type OperationInput,
  tryParseInstant,
} from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { ComponentChildren } from 'preact';
import { FormToken } from '../layout';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, amountIn, commaList, Id, Instant, Rejection, Status, Table } from '../parts';
import { permits } from '../roles';

type Name = keyof ClaimValuation['amount'];

const AMOUNTS: readonly (readonly [Name, string])[] = [
  ['billed', 'Billed'],
  ['payer_liability', 'Payer liability'],
  ['patient_responsibility', 'Patient'],
  ['adjustment', 'Adjustment'],
  ['remitted', 'Remitted'],
  ['settled', 'Settled'],
  ['outstanding', 'Outstanding'],
];

const DECISIONS: readonly string[] = ['approved', 'partially_approved', 'denied'];
/** The maximum number of adjudications that are shown side by side, newest first. */
const MAX_VERSIONS = 6;

/** Reads the valuation; null if the claim did not exist at the cutoff. */
async function readValuation(
  { calls, project }: PageRequest,
  claimId: string,
  at: string,
): Promise<ClaimValuation | null> {
  try {
    return await calls.execute(project, 'getClaimValuation', {
      params: { claim_id: claimId },
      query: { valuation_at: at },
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'resource_not_found') return null;
    throw error;
  }
}

/**
 * Returns the cutoff in the address in the form of the API; null if it is missing. @throws ApiError validation_failed if the text is not an
 * instant
 */
function readCutoff(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? '';
  if (text === '') return null;
  const instant = tryParseInstant(text);
  if (instant === undefined)
    throw new ApiError(
      'validation_failed',
      `The cutoff "${name}" must be an RFC 3339 date-time with an offset.`,
    );
  return formatInstant(instant);
}

/** The amounts as bars, which are relative to the billed amount. */
function Bars({ valuation }: { valuation: ClaimValuation }) {
  const { amount, currency } = valuation;
  const largest = Math.max(1, ...AMOUNTS.map(([name]) => amount[name] ?? 0));
  return (
    <table class="bars">
      <caption>
        Amounts at <Instant at={valuation.valuation_at} />, status <Status value={valuation.status} />
      </caption>
      <tbody>
        {AMOUNTS.map(([name, label]) => (
          <tr key={name} data-name={name} data-value={amount[name] ?? 'null'}>
            <th scope="row">{label}</th>
            <td class="bar">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class={name} width={((amount[name] ?? 0) / largest) * 100} height="10" />
              </svg>
            </td>
            <td class="number">
              <Amount value={amount[name]} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The differences between the valuations at two cutoffs. */
function Differences({ from, to }: { from: ClaimValuation; to: ClaimValuation }) {
  const rows = AMOUNTS.filter(([name]) => from.amount[name] !== to.amount[name]);
  const facts = to.events.length - from.events.length;
  return (
    <Table
      caption={`Changed amounts, and ${Math.abs(facts)} ${facts < 0 ? 'fewer' : 'more'} facts`}
      none="The amounts are equal."
      columns={[
        { label: 'Amount', cell: ([, label]) => label },
        {
          label: 'First cutoff',
          isNumber: true,
          cell: ([name]) => <Amount value={from.amount[name]} currency={from.currency} />,
        },
        {
          label: 'Second cutoff',
          isNumber: true,
          cell: ([name]) => <Amount value={to.amount[name]} currency={to.currency} />,
        },
      ]}
      rows={rows}
    />
  );
}

const SIZE = 100;

/** The facts as points: effective time to the right, recorded time upwards. The facts in the shaded square count at the cutoff. */
function TwoAxes({ all, at }: { all: ClaimValuation; at: number }) {
  const points = all.events.map((event) => ({
    ...event,
    x: Date.parse(event.effective_at),
    y: Date.parse(event.recorded_at),
  }));
  const times = points.flatMap(({ x, y }) => [x, y]);
  const [first, last] = [Math.min(...times), Math.max(...times, at)];
  const scale = (time: number) => (last === first ? SIZE : ((time - first) / (last - first)) * SIZE);
  const cutoff = Math.max(0, Math.min(SIZE, scale(at)));
  return (
    <figure class="axes">
      <svg viewBox="-11 -4 115 115" role="img" aria-label="Facts by effective time and recorded time">
        <rect class="known" x="-2" y={SIZE - cutoff - 2} width={cutoff + 4} height={cutoff + 4} />
        <path class="axis" d="M-3 -3V103H103" />
        <text x={SIZE} y="109" text-anchor="end">
          effective
        </text>
        <text x="0" y="-6" text-anchor="end" transform="rotate(-90)">
          recorded
        </text>
        {points.map(({ sequence, type, x, y }) => (
          <circle
            key={sequence}
            class={x <= at && y <= at ? 'fact counted' : 'fact'}
            cx={scale(x)}
            cy={SIZE - scale(y)}
            r="2"
          >
            <title>{`${sequence} ${type}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        Each point is a fact: to the right when it took effect, upwards when it was recorded. The shaded facts
        count at the cutoff.
      </figcaption>
    </figure>
  );
}

function Cutoffs({
  first,
  at,
  compare,
  now,
}: {
  first: string;
  at: string;
  compare: string | null;
  now: string;
}) {
  return (
    <form class="cutoffs" method="get" id="cutoffs">
      <label for="slider">Cutoff</label>
      <input
        id="slider"
        type="range"
        min={Date.parse(first)}
        max={Date.parse(now)}
        value={Date.parse(at)}
        step="1"
        hidden
      />
      <label for="at">Effective and recorded until</label>
      <input id="at" name="at" value={at} spellcheck={false} autocomplete="off" />
      <label for="compare">Compare with (optional)</label>
      <input id="compare" name="compare" value={compare ?? ''} spellcheck={false} autocomplete="off" />
      <button type="submit">Show</button>
    </form>
  );
}

function Picture({
  valuation,
  other,
  all,
  at,
}: {
  valuation: ClaimValuation | null;
  other: ClaimValuation | null;
  all: ClaimValuation;
  at: string;
}) {
  return (
    <div id="picture" data-at={at}>
      {valuation === null ? (
        <p class="none">The claim did not exist at this cutoff.</p>
      ) : (
        <div class="columns">
          <Bars valuation={valuation} />
          <TwoAxes all={all} at={Date.parse(at)} />
        </div>
      )}
      {valuation !== null && other !== null && (
        <>
          <h3>Difference to the other cutoff</h3>
          <Differences from={other} to={valuation} />
        </>
      )}
    </div>
  );
}

function Facts({ all, at, query }: { all: ClaimValuation; at: string; query: URLSearchParams }) {
  const address = (cutoff: string) => {
    const changed = new URLSearchParams(query);
    changed.set('at', cutoff);
    return `?${changed}`;
  };
  return (
    <Table
      caption={`All ${all.events.length} facts that are known now`}
      columns={[
        { label: 'No.', isNumber: true, cell: ({ sequence }) => sequence },
        { label: 'Fact', cell: ({ type }) => type.replaceAll('_', ' ') },
        { label: 'Effective', cell: ({ effective_at }) => <Instant at={effective_at} /> },
        { label: 'Recorded', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
        { label: 'Reason', cell: ({ reason_code }) => reason_code ?? <span class="none">none</span> },
        {
          label: 'Cutoff',
          cell: ({ effective_at, recorded_at, sequence }) => {
            const cutoff = effective_at > recorded_at ? effective_at : recorded_at;
            return cutoff === at ? (
              'shown'
            ) : (
              <a href={address(cutoff)} aria-label={`Show the claim after fact ${sequence}`}>
                show
              </a>
            );
          },
        },
      ]}
      rows={all.events}
    />
  );
}

/** What operators' routes of the services know about a claim. A part is null while its service is unavailable. */
async function readHistory({ calls, project }: PageRequest, claimId: string) {
  const [adjudications, postings, deliveries, workflow] = await Promise.all([
    calls.readIfAvailable<{ data: Adjudication[] }>('claims', project, `/claims/${claimId}/adjudications`),
    calls.readIfAvailable<{ data: Posting[]; has_more: boolean }>(
      'payments',
      project,
      `/claims/${claimId}/postings`,
    ),
    calls.readIfAvailable<{ data: ClaimDelivery[]; has_more: boolean }>(
      'webhooks',
      project,
      `/resources/${claimId}/deliveries`,
    ),
    calls.readIfAvailable<{ run: WorkflowRun | null }>('claims', project, `/claims/${claimId}/workflow`),
  ]);
  return { adjudications, postings, deliveries, workflow };
}

type History = Awaited<ReturnType<typeof readHistory>>;

const UNAVAILABLE = <p class="none">Not available now. Reload the page later.</p>;

/** The parts of an adjudicated amount, in the order in which they are shown. */
const DECIDED = [
  ['billed', 'Billed'],
  ['payer', 'Payer'],
  ['patient_responsibility', 'Patient'],
  ['adjustment', 'Adjustment'],
] as const;

/** The versions side by side: a column per version, and per line and part a row. Rows that differ are marked. */
function Adjudications({ adjudications }: Pick<History, 'adjudications'>) {
  if (adjudications === null) return UNAVAILABLE;
  const { data } = adjudications;
  if (data.length === 0) return <p class="none">The claim has not been adjudicated.</p>;
  const versions = data.slice(-MAX_VERSIONS);
  const row = (label: string, cells: readonly ComponentChildren[], values: readonly unknown[]) => (
    <tr key={label} class={new Set(values).size > 1 ? 'differs' : undefined}>
      <th scope="row">{label}</th>
      {cells.map((cell, index) => (
        <td key={index} data-label={`Version ${versions[index]?.version}`}>
          {cell}
        </td>
      ))}
    </tr>
  );
  const texts = (label: string, read: (adjudication: Adjudication) => string) => {
    const values = versions.map(read);
    return row(label, values, values);
  };
  const amounts = (label: string, read: (adjudication: Adjudication) => number | undefined) => {
    const values = versions.map((each) => read(each) ?? null);
    const cells = values.map((value, index) => (
      <Amount key={index} value={value} currency={versions[index]?.amount.currency ?? ''} />
    ));
    return row(label, cells, values);
  };
  const lines = [...new Set(versions.flatMap(({ lines: all }) => all.map(({ line_number }) => line_number)))];
  return (
    <table class="versions">
      <caption>
        {data.length > versions.length
          ? `The newest ${versions.length} of ${data.length} adjudications`
          : 'All adjudications'}
        , the oldest to the left; a mark is at rows that differ
      </caption>
      <thead>
        <tr>
          <td />
          {versions.map(({ version }) => (
            <th key={version} scope="col">
              Version {version}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row(
          'Decision',
          versions.map(({ decision }) => <Status key={decision} value={decision} />),
          versions.map(({ decision }) => decision),
        )}
        {row(
          'Decided',
          versions.map(({ decided_at }) => <Instant key={decided_at} at={decided_at} />),
          [],
        )}
        {texts('Policy', ({ policy }) => `${policy.reference} ${policy.version}`)}
        {texts('Reasons', ({ reason_codes }) => reason_codes.join(', '))}
        {DECIDED.map(([name, label]) => amounts(label, ({ amount }) => amount[name]))}
        {lines.flatMap((number) =>
          LINE_PARTS.map(([name, label]) =>
            amounts(
              `Line ${number}: ${label}`,
              ({ lines: all }) => all.find(({ line_number }) => line_number === number)?.amount[name],
            ),
          ),
        )}
      </tbody>
    </table>
  );
}

const LINE_PARTS = [
  ['allowed', 'allowed'],
  ['payer', 'payer'],
  ['patient_responsibility', 'patient'],
  ['adjustment', 'adjustment'],
] as const;

/** A posting of the ledger, as payments stores it. */
interface Posting {
  readonly source: string;
  readonly destination: string;
  readonly amount: number;
  readonly currency: string;
  readonly cause: string;
  readonly effective_at: string;
  readonly recorded_at: string;
}

function Postings({ request: { project }, postings }: { request: PageRequest } & Pick<History, 'postings'>) {
  if (postings === null) return UNAVAILABLE;
  const { data, has_more } = postings;
  return (
    <Table
      caption={
        has_more
          ? `The newest ${data.length} postings, in the order of recording`
          : 'Postings, in the order of recording'
      }
      none="Nothing was posted."
      columns={[
        { label: 'Recorded', cell: (posting) => <Instant at={posting.recorded_at} /> },
        { label: 'From', cell: (posting) => posting.source.replaceAll('_', ' ') },
        { label: 'To', cell: (posting) => posting.destination.replaceAll('_', ' ') },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
        },
        { label: 'Effective', cell: (posting) => <Instant at={posting.effective_at} /> },
        { label: 'Cause', cell: ({ cause }) => <Cause project={project} cause={cause} /> },
      ]}
      rows={data}
    />
  );
}

/** The cause of a posting: the ID of a resource, with the suffix ":reversal" for a reversal. */
function Cause({ project, cause }: { project: PageRequest['project']; cause: string }) {
  const [id = '', suffix] = cause.split(':');
  return (
    <>
      <Id project={project} id={id} />
      {suffix === undefined ? '' : ` ${suffix}`}
    </>
  );
}

/** A delivery of an event about the claim, as webhooks stores it. */
interface ClaimDelivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: string | null;
}

function Deliveries({
  request: { project },
  deliveries,
}: { request: PageRequest } & Pick<History, 'deliveries'>) {
  if (deliveries === null) return UNAVAILABLE;
  const { data, has_more } = deliveries;
  return (
    <Table
      caption={
        has_more
          ? `The newest ${data.length} deliveries of the claim’s events`
          : 'Deliveries of the claim’s events, newest first'
      }
      none="No event of the claim was sent to an endpoint."
      columns={[
        {
          label: 'Event',
          cell: ({ id, endpoint_id, type }) => (
            <a href={projectPath(project, `/webhooks/${endpoint_id}/deliveries/${id}`)}>{type}</a>
          ),
        },
        { label: 'Endpoint', cell: ({ url }) => url },
        { label: 'Status', cell: ({ status }) => <Status value={status} /> },
        { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
        { label: 'Last response', cell: ({ response_status }) => response_status ?? 'none' },
        { label: 'Next attempt', cell: ({ next_attempt_at }) => <Instant at={next_attempt_at} /> },
      ]}
      rows={data}
    />
  );
}

/** The newest run of the claim's workflow. */
interface WorkflowRun {
  readonly namespace: string;
  readonly run_id: string;
  readonly status: string;
  readonly started_at: string;
}

function Workflow({
  request: { temporalUi },
  claimId,
  workflow,
}: { request: PageRequest; claimId: string } & Pick<History, 'workflow'>) {
  if (workflow === null) return <>not available now</>;
  const { run } = workflow;
  if (run === null) return <>none</>;
  const address = `${temporalUi}/namespaces/${run.namespace}/workflows/${claimId}/${run.run_id}/history`;
  return (
    <>
      <Status value={run.status} />, since <Instant at={run.started_at} />
      {temporalUi !== null && (
        <>
          {', '}
          <a href={address} rel="noreferrer">
            history in Temporal’s UI
          </a>
        </>
      )}
    </>
  );
}

function Lines({ claim }: { claim: Claim }) {
  return (
    <Table
      caption="Lines"
      columns={[
        { label: 'No.', isNumber: true, cell: (line) => line.line_number },
        { label: 'Service', cell: (line) => `${line.code_system} ${line.service_code}` },
        { label: 'Units', isNumber: true, cell: (line) => line.units },
        {
          label: 'Amount',
          isNumber: true,
          cell: (line) => <Amount value={line.amount} currency={claim.amount.currency} />,
        },
      ]}
      rows={claim.lines}
    />
  );
}

function Connections({
  request,
  links,
  workflow,
}: {
  request: PageRequest;
  links: ClaimLinks;
} & Pick<History, 'workflow'>) {
  const { project } = request;
  const amount = (value: number) => <Amount value={value} currency={links.currency} />;
  const columns = [
    { label: 'ID', cell: ({ id }: { id: string }) => <Id project={project} id={id} /> },
    { label: 'Amount', isNumber: true, cell: (row: { amount: number }) => amount(row.amount) },
  ];
  return (
    <>
      <Table caption="Remittances" columns={columns} rows={links.remittances} none="No remittance." />
      <Table caption="Settlements" columns={columns} rows={links.settlements} none="No settlement." />
      <dl>
        <dt>Booking</dt>
        <dd>
          <Id project={project} id={links.booking_id} />
        </dd>
        <dt>Pre-authorization</dt>
        <dd>
          {links.preauthorization_id === null ? (
            'none'
          ) : (
            <Id project={project} id={links.preauthorization_id} />
          )}
        </dd>
        <dt>Workflow</dt>
        <dd>
          <Workflow request={request} claimId={links.claim_id} workflow={workflow} />
        </dd>
      </dl>
    </>
  );
}

/**
 * The forms for the acts that the claim's status allows. The claims service checks every act; the page only leaves out forms that would be
 * rejected.
 */
function Acts({ request: { session, project, rejected }, claim }: { request: PageRequest; claim: Claim }) {
  const address = (act: string) => projectPath(project, `/claims/${claim.id}/${act}`);
  const value = (name: string) => rejected?.form.get(name) ?? '';
  const canReverse = ['approved', 'partially_approved', 'settled'].includes(claim.status);
  return (
    <>
      {rejected !== null && <Rejection message={rejected.message} />}
      {['submitted', ...DECISIONS].includes(claim.status) && (
        <p>
          <a href={address('adjudicate')}>Adjudicate the claim</a>
        </p>
      )}
      {claim.status === 'submitted' && (
        <form class="form" method="post" action={address('information-requests')}>
          <h3>Ask for information</h3>
          <FormToken session={session} />
          <input type="hidden" name="key" value={randomUUID()} />
          <label for="information-reason">Reason code</label>
          <input id="information-reason" name="reason_code" required value={value('reason_code')} />
          <label for="evidence-types">Types of evidence, separated by commas</label>
          <input id="evidence-types" name="types" required value={value('types')} />
          <label for="due">Due at (optional, RFC 3339)</label>
          <input id="due" name="due_at" value={value('due_at')} />
          <button type="submit">Ask for information</button>
        </form>
      )}
      {canReverse && (
        <form class="form" method="post" action={address('reversals')}>
          <h3>Reverse the claim</h3>
          <FormToken session={session} />
          <input type="hidden" name="key" value={randomUUID()} />
          <label for="reversal-reason">Reason code</label>
          <input id="reversal-reason" name="reversal_reason" required value={value('reversal_reason')} />
          <button type="submit">Reverse the claim</button>
        </form>
      )}
    </>
  );
}

export const claim: Page = {
  path: '/claims/:claim',
  permission: 'read',
  async render(request) {
    const { calls, project, params, query, session } = request;
    const input = { params: { claim_id: params.claim ?? '' } };
    const [found, links] = await Promise.all([
      calls.execute(project, 'getClaim', input),
      calls.execute(project, 'getClaimLinks', input),
    ]);
    const now = formatInstant(Date.now());
    const at = readCutoff(query, 'at') ?? now;
    const compare = readCutoff(query, 'compare');
    const [all, valuation, other] = await Promise.all([
      readValuation(request, found.id, now),
      readValuation(request, found.id, at),
      compare === null ? null : readValuation(request, found.id, compare),
    ]);
    if (all === null) throw new Error(`the claim ${found.id} has no facts`);
    const title = `Claim ${found.provider_claim_reference}`;
    const picture = <Picture valuation={valuation} other={other} all={all} at={at} />;
    // The slider needs nothing else.
    if (query.get('part') === 'picture') return { title, body: picture };
    const history = await readHistory(request, found.id);
    return {
      title,
      scripts: ['claim.js'],
      body: (
        <>
          <p>
            <code>{found.id}</code>, now <Status value={found.status} />
          </p>
          <Cutoffs first={all.events[0]?.recorded_at ?? now} at={at} compare={compare} now={now} />
          {picture}
          <h2>Facts</h2>
          <Facts all={all} at={at} query={query} />
          <h2>Adjudications</h2>
          <Adjudications {...history} />
          <h2>Lines and information requests</h2>
          <Lines claim={found} />
          <Table
            caption="Information requests"
            none="No information was requested."
            columns={[
              { label: 'Reason', cell: (asked) => asked.reason_code },
              { label: 'Evidence', cell: (asked) => asked.requested_evidence_types.join(', ') },
              { label: 'Status', cell: (asked) => <Status value={asked.status} /> },
              { label: 'Due', cell: (asked) => <Instant at={asked.due_at} /> },
            ]}
            rows={found.information_requests}
          />
          <h2>Money and connections</h2>
          <Connections request={request} links={links} workflow={history.workflow} />
          <h2>Postings</h2>
          <Postings request={request} postings={history.postings} />
          <h2>Webhook deliveries</h2>
          <Deliveries request={request} deliveries={history.deliveries} />
          {permits(session.roles, 'adjudicate') && (
            <>
              <h2>Acts</h2>
              <Acts request={request} claim={found} />
            </>
          )}
        </>
      ),
    };
  },
};

const claimPath = (params: Readonly<Record<string, string>>) => `/claims/${params.claim}`;

export const requestInformation: Act = {
  path: '/claims/:claim/information-requests',
  permission: 'adjudicate',
  action: 'claim.request_information',
  page: claim,
  describe: ({ claim: subject = '' }, form) => ({
    subject,
    details: { reason_code: form.get('reason_code') },
  }),
  async execute({ calls, project, params }, form) {
    const due = form.get('due_at') ?? '';
    await calls.execute(
      project,
      'requestClaimInformation',
      {
        params: { claim_id: params.claim ?? '' },
        body: {
          reason_code: form.get('reason_code') ?? '',
          requested_evidence_types: commaList(form.get('types')),
          ...(due === '' ? {} : { due_at: due }),
        },
      },
      form.get('key') ?? undefined,
    );
    return claimPath(params);
  },
};

export const reverse: Act = {
  path: '/claims/:claim/reversals',
  permission: 'adjudicate',
  action: 'claim.reverse',
  page: claim,
  describe: ({ claim: subject = '' }, form) => ({
    subject,
    details: { reason_code: form.get('reversal_reason') },
  }),
  async execute({ calls, project, params }, form) {
    const body = { reason_code: form.get('reversal_reason') ?? '' };
    const key = form.get('key') ?? undefined;
    await calls.execute(project, 'reverseClaim', { params: { claim_id: params.claim ?? '' }, body }, key);
    return claimPath(params);
  },
};

const PARTS = ['allowed', 'payer', 'patient_responsibility', 'adjustment'] as const;

export const adjudicatePage: Page = {
  path: '/claims/:claim/adjudicate',
  permission: 'adjudicate',
  async render({ calls, project, params, session, rejected }) {
    const found = await calls.execute(project, 'getClaim', { params: { claim_id: params.claim ?? '' } });
    const value = (name: string, fallback = '') => rejected?.form.get(name) ?? fallback;
    return {
      title: `Adjudicate ${found.provider_claim_reference}`,
      scripts: ['adjudicate.js'],
      body: (
        <form class="form" method="post" action={projectPath(project, `/claims/${found.id}/adjudications`)}>
          {rejected !== null && <Rejection message={rejected.message} />}
          <FormToken session={session} />
          <input type="hidden" name="key" value={randomUUID()} />
          <label for="policy">Policy reference</label>
          <input id="policy" name="policy_reference" required value={value('policy_reference')} />
          <label for="version">Policy version</label>
          <input id="version" name="policy_version" required value={value('policy_version')} />
          <label for="reasons">Reason codes, separated by commas</label>
          <input id="reasons" name="reason_codes" required value={value('reason_codes')} />
          <p class="hint">
            Amounts are in the minor unit of {found.amount.currency}. On every line billed = allowed +
            adjustment, and allowed = payer + patient.
          </p>
          {found.lines.map((line) => (
            <fieldset key={line.line_number} data-billed={line.amount}>
              <legend>
                Line {line.line_number}: {line.service_code}, billed {line.amount}
              </legend>
              {PARTS.map((part) => (
                <p key={part}>
                  <label for={`${part}_${line.line_number}`}>{part.replaceAll('_', ' ')}</label>{' '}
                  <input
                    id={`${part}_${line.line_number}`}
                    name={`${part}_${line.line_number}`}
                    data-part={part}
                    inputmode="numeric"
                    pattern="[0-9]{1,16}"
                    required
                    value={value(`${part}_${line.line_number}`)}
                  />
                </p>
              ))}
              <output />
            </fieldset>
          ))}
          <button type="submit" class="main">
            Adjudicate
          </button>
        </form>
      ),
    };
  },
};

export const adjudicate: Act = {
  path: '/claims/:claim/adjudications',
  permission: 'adjudicate',
  action: 'claim.adjudicate',
  page: adjudicatePage,
  describe: ({ claim: subject = '' }, form) => ({
    subject,
    details: { policy: form.get('policy_reference'), reason_codes: form.get('reason_codes') },
  }),
  async execute({ calls, project, params }, form) {
    const claimId = params.claim ?? '';
    const found = await calls.execute(project, 'getClaim', { params: { claim_id: claimId } });
    const reasons = commaList(form.get('reason_codes'));
    const lines = found.lines.map((line) => ({
      line_number: line.line_number,
      amount: {
        billed: line.amount,
        ...Object.fromEntries(PARTS.map((part) => [part, amountIn(form.get(`${part}_${line.line_number}`))])),
      },
      reason_codes: reasons.slice(0, 16),
    }));
    const body = {
      policy_reference: form.get('policy_reference') ?? '',
      policy_version: form.get('policy_version') ?? '',
      reason_codes: reasons,
      lines,
    } as OperationInput<'adjudicateClaim'>['body'];
    await calls.execute(
      project,
      'adjudicateClaim',
      { params: { claim_id: claimId }, body },
      form.get('key') ?? undefined,
    );
    return `/claims/${claimId}`;
  },
};
