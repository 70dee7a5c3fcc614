/**
 * The page of a claim: the picture of its two times with its valuations, and its facts. The cutoffs are in the address, so a page that is sent
 * to a colleague shows the same valuation forever.
 */
import type { Claim, ClaimLinks } from '@carecover/contract';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, commaList, HiddenFields, Id, Instant, Rejection, Status, Table } from '../parts';
import { permits } from '../roles';
import {
  Adjudications,
  Deliveries,
  type History,
  Postings,
  RejectedCommands,
  readHistory,
  Workflow,
} from './claim-history';
import { Facts, readTimeline, readTimeZone, readView, TwoTimes } from './claim-valuation';

const DECISIONS: readonly string[] = ['approved', 'partially_approved', 'denied'];

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
          <HiddenFields session={session} />
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
          <HiddenFields session={session} />
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
    const { calls, project, params, address, query, session } = request;
    const input = { params: { claim_id: params.claim ?? '' } };
    const found = await calls.execute(project, 'getClaim', input);
    const [timeline, { links, time_zone }, history] = await Promise.all([
      readTimeline(request, found.id),
      calls
        .execute(project, 'getClaimLinks', input)
        .then(async (links) => ({ links, time_zone: await readTimeZone(request, links) })),
      readHistory(request, found.id),
    ]);
    const view = readView(query, timeline.now);
    const story = { ...timeline, time_zone };
    return {
      title: `Claim ${found.provider_claim_reference}`,
      scripts: ['two-times.js'],
      styles: ['two-times.css'],
      body: (
        <>
          <p>
            <code>{found.id}</code>, now <Status value={found.status} />
          </p>
          <TwoTimes story={story} view={view} address={address} />
          <h2>Facts</h2>
          <Facts story={story} view={view} address={address} query={query} />
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
          <h2>Rejected commands</h2>
          <RejectedCommands request={request} rejected={history.rejected} />
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
