/**
 * The page of a claim: the picture of its two times with its valuations, and its facts. The cutoffs are in the address, so a page that is sent
 * to a colleague shows the same valuation forever.
 */
import { type Claim, type ClaimLinks, formatAmount } from '@carecover/contract';
import { TextField } from '../forms';
import { readParties } from '../names';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Id, Instant, OwnId, Section, Status, Table } from '../parts';
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
import { type ClaimStory, Facts, readTimeline, readView, TwoTimes } from './claim-valuation';

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

/** The amounts that the payer took back, each with the payment advice that says so. */
function Recoveries({ project, story }: Pick<PageRequest, 'project'> & { story: ClaimStory }) {
  return (
    <Table
      caption="Taken back by the payer"
      columns={[
        { label: 'Advice', cell: ({ evidence_references: [, id = ''] }) => <Id project={project} id={id} /> },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ amount }) => <Amount value={amount} currency={story.currency} />,
        },
        { label: 'Effective', cell: ({ effective_at }) => <Instant at={effective_at} /> },
        { label: 'Recorded', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
        { label: 'Reason', cell: ({ reason_code }) => reason_code ?? <span class="none">none</span> },
      ]}
      rows={story.facts.filter(({ type }) => type === 'remittance_recovered')}
      none="Nothing was taken back."
    />
  );
}

function Connections({
  request,
  links,
  story,
  workflow,
}: {
  request: PageRequest;
  links: ClaimLinks;
  story: ClaimStory;
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
      <Recoveries project={project} story={story} />
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

const QUESTION = {
  reason_code: 'Reason code',
  types: 'Types of evidence, separated by commas',
  due_at: 'Due at',
};
const REVERSAL = { reversal_reason: 'Reason code' };

/**
 * The forms for the acts that the claim's status allows. The claims service checks every act; the page only leaves out forms that would be
 * rejected.
 */
function Acts({ request: { session, project, rejected }, claim }: { request: PageRequest; claim: Claim }) {
  const address = (act: string) => projectPath(project, `/claims/${claim.id}/${act}`);
  const canReverse = ['approved', 'partially_approved', 'settled'].includes(claim.status);
  return (
    <>
      {['submitted', ...DECISIONS].includes(claim.status) && (
        <p>
          <a href={address('adjudicate')}>Adjudicate the claim</a>
        </p>
      )}
      {claim.status === 'submitted' && (
        <form class="form" method="post" action={address('information-requests')}>
          <h3>Ask for information</h3>
          <HiddenFields session={session} />
          <TextField labels={QUESTION} name="reason_code" rejected={rejected} />
          <TextField labels={QUESTION} name="types" rejected={rejected} />
          <TextField
            labels={QUESTION}
            name="due_at"
            rejected={rejected}
            isRequired={false}
            hint={`Optional. A day means its end in ${project.time_zone}: 7 Nov 2026`}
          />
          <button type="submit">Ask for information</button>
        </form>
      )}
      {canReverse && (
        <form class="form" method="post" action={address('reversals')}>
          <h3>Reverse the claim</h3>
          <HiddenFields session={session} />
          <TextField labels={REVERSAL} name="reversal_reason" rejected={rejected} />
          <button type="submit">Show the effect</button>
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
    const [timeline, links, history, named] = await Promise.all([
      readTimeline(request, found.id),
      calls.execute(project, 'getClaimLinks', input),
      readHistory(request, found.id),
      readParties(request, [found.id]),
    ]);
    const view = readView(query, timeline.now);
    const story = { ...timeline, time_zone: project.time_zone };
    const parties = named.get(found.id);
    return {
      title: `Claim ${found.provider_claim_reference}`,
      scripts: ['two-times.js', 'copy.js'],
      styles: ['two-times.css'],
      body: (
        <>
          <p>
            <Status value={found.status} /> now · service of <Day at={found.service_period.starts_at} /> ·{' '}
            {parties?.practitioner !== undefined && (
              <>
                <a href={projectPath(project, `/claims?practitioner=${parties.practitionerId}`)}>
                  {parties.practitioner}
                </a>
                {' · '}
              </>
            )}
            {parties?.payer !== undefined && `payer ${parties.payer} · `}
            <OwnId id={found.id} />
          </p>
          <TwoTimes story={story} view={view} address={address} />
          <Section title="Facts">
            <Facts story={story} view={view} address={address} query={query} />
          </Section>
          <Section title="Adjudications">
            <Adjudications {...history} />
          </Section>
          <Section title="Lines and information requests">
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
          </Section>
          <Section title="Money and connections">
            <Connections request={request} links={links} story={story} workflow={history.workflow} />
          </Section>
          <Section title="Postings">
            <Postings request={request} postings={history.postings} />
          </Section>
          <Section title="Rejected commands">
            <RejectedCommands request={request} rejected={history.rejected} />
          </Section>
          <Section title="Webhook deliveries">
            <Deliveries request={request} deliveries={history.deliveries} />
          </Section>
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
  labels: QUESTION,
  fieldOf: ([name = '']) =>
    name === 'requested_evidence_types' ? 'types' : name in QUESTION ? name : undefined,
  async execute({ calls, project, params }, form) {
    const reason_code = form.required('reason_code');
    const requested_evidence_types = form.list('types');
    const due_at = form.instant('due_at', 'end', false, false);
    form.check();
    const body = { reason_code, requested_evidence_types, ...(due_at === null ? {} : { due_at }) };
    const input = { params: { claim_id: params.claim ?? '' }, body };
    await calls.execute(project, 'requestClaimInformation', input, form.key);
    const asked = requested_evidence_types.join(', ');
    return { path: claimPath(params), done: `The provider was asked for ${asked}.` };
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
  labels: REVERSAL,
  fieldOf: ([name]) => (name === 'reason_code' ? 'reversal_reason' : undefined),
  async preview({ calls, project, params }, form) {
    const reason = form.required('reversal_reason');
    form.check();
    const found = await calls.execute(project, 'getClaim', { params: { claim_id: params.claim ?? '' } });
    const { amount, status, provider_claim_reference: reference } = found;
    const { currency } = amount;
    const shown = (value: number | null) => <Amount value={value} currency={currency} />;
    return {
      title: `Reverse the claim ${reference}?`,
      confirm: `Reverse the claim of ${formatAmount(amount.billed, currency)}`,
      basis: `${found.id} ${status} ${amount.approved} ${amount.remitted} ${amount.settled} ${reason}`,
      effect: (
        <>
          <p>
            <strong>The claim will have no decision. A reversal is final.</strong>
          </p>
          <dl>
            <dt>Billed</dt>
            <dd>{shown(amount.billed)}</dd>
            <dt>The payer’s liability now</dt>
            <dd>
              {shown(amount.approved)}, and {shown(0)} after the reversal
            </dd>
            <dt>Settled</dt>
            <dd>
              {shown(amount.settled)}
              {(amount.settled ?? 0) > 0 && ', which the payer can demand back'}
            </dd>
            <dt>Reason</dt>
            <dd>{reason}</dd>
          </dl>
        </>
      ),
    };
  },
  async execute({ calls, project, params }, form) {
    const body = { reason_code: form.required('reversal_reason') };
    form.check();
    const input = { params: { claim_id: params.claim ?? '' }, body };
    const { provider_claim_reference: reference } = await calls.execute(
      project,
      'reverseClaim',
      input,
      form.key,
    );
    return { path: claimPath(params), done: `The claim ${reference} was reversed.` };
  },
};
