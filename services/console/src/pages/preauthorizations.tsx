/** The pre-authorizations of a project, and the form of the payer's decision, which the API validates. */
import {
  formatAmount,
  type OperationInput,
  type Preauthorization,
  preauthorizationStatuses,
} from '@carecover/contract';
import { readListFilter, readPlace, StatusFilter } from '../filters';
import type { FormReader } from '../form-reader';
import { AmountField, Choice, TextField } from '../forms';
import { readPractitioners } from '../names';
import { ifAvailable } from '../operations';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Id, Instant, Older, OwnId, Status, Table } from '../parts';
import { permits } from '../roles';
import { captionOf, wordsOf } from '../words';

const LIMIT = 50;

export const preauthorizations: Page = {
  path: '/preauthorizations',
  menu: 'Pre-authorizations',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query } = request;
    const filter = readListFilter(request);
    const status = preauthorizationStatuses.find((each) => each === query.get('status'));
    const list = await calls.execute(project, 'listPreauthorizations', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...filter.filters,
        ...readPlace(query),
      },
    });
    return {
      title: 'Pre-authorizations',
      body: (
        <>
          <StatusFilter statuses={preauthorizationStatuses} address={address} query={query} filter={filter} />
          <Table
            name="preauthorizations"
            caption={captionOf(list, 'pre-authorization')}
            columns={[
              { label: 'Pre-authorization', cell: ({ id }) => <Id project={project} id={id} /> },
              { label: 'Status', cell: (each) => <Status value={each.status} /> },
              {
                label: 'Requested',
                isNumber: true,
                cell: ({ amount }) => <Amount value={amount.requested} currency={amount.currency} />,
              },
              { label: 'Created', cell: (each) => <Instant at={each.created_at} /> },
              { label: 'Valid until', cell: (each) => <Instant at={each.valid_until} /> },
            ]}
            rows={list.data}
          />
          <Older list={list} address={address} query={query} items="pre-authorizations" />
        </>
      ),
    };
  },
};

const DECISION = {
  outcome: 'Outcome',
  approved_amount: 'Approved amount (only for an approval)',
  valid_until: 'Valid until (only for an approval)',
  reason_codes: 'Reason codes, separated by commas',
  policy_reference: 'Policy reference',
  policy_version: 'Policy version',
  evidence_references: 'Evidence references, separated by commas',
};
const REVEAL = { reveal_reason: 'Reason, without personal data' };

function DecisionForm({
  request: { session, project, rejected },
  found,
}: {
  request: PageRequest;
  found: Preauthorization;
}) {
  const { currency, requested } = found.amount;
  const field = { labels: DECISION, rejected };
  return (
    <form
      class="form"
      method="post"
      action={projectPath(project, `/preauthorizations/${found.id}/decisions`)}
    >
      <HiddenFields session={session} />
      <Choice
        {...field}
        name="outcome"
        options={[
          ['approved', 'approved'],
          ['denied', 'denied'],
        ]}
      />
      <AmountField
        {...field}
        name="approved_amount"
        isRequired={false}
        currency={currency}
        hint={`At most the requested ${formatAmount(requested, currency)}`}
      />
      <TextField
        {...field}
        name="valid_until"
        isRequired={false}
        hint={`A day means its end in ${project.time_zone}: 7 Nov 2026`}
      />
      <TextField {...field} name="reason_codes" />
      <TextField {...field} name="policy_reference" />
      <TextField {...field} name="policy_version" />
      <TextField {...field} name="evidence_references" />
      <button type="submit" class="main">
        Show the effect
      </button>
    </form>
  );
}

export const preauthorization: Page = {
  path: '/preauthorizations/:preauthorization',
  permission: 'read',
  async render(request) {
    const { calls, project, params, session } = request;
    const found = await calls.execute(project, 'getPreauthorization', {
      params: { preauthorization_id: params.preauthorization ?? '' },
    });
    const { amount, decision } = found;
    const [check, booking] = await Promise.all([
      calls.execute(project, 'getEligibilityCheck', {
        params: { eligibility_check_id: found.eligibility_check_id },
      }),
      ifAvailable(calls.execute(project, 'getBooking', { params: { booking_id: found.booking_id } })),
    ]);
    const practitionerId = booking?.practitioner_id ?? '';
    const practitioners = await readPractitioners(request, booking === null ? [] : [practitionerId]);
    return {
      title: 'Pre-authorization',
      scripts: ['copy.js'],
      body: (
        <>
          <dl>
            <dt>Pre-authorization</dt>
            <dd>
              <Status value={found.status} /> <OwnId id={found.id} />
            </dd>
            <dt>Requested</dt>
            <dd>
              <Amount value={amount.requested} currency={amount.currency} />
            </dd>
            <dt>Approved</dt>
            <dd>
              <Amount value={amount.approved} currency={amount.currency} />
            </dd>
            <dt>Valid until</dt>
            <dd>
              <Instant at={found.valid_until} />
            </dd>
            <dt>Created</dt>
            <dd>
              <Instant at={found.created_at} />
            </dd>
            <dt>Service</dt>
            <dd>
              {check.service.code}, session of <Day at={check.service.scheduled_at} />
            </dd>
            <dt>Practitioner</dt>
            <dd>
              {booking === null ? (
                'not available now'
              ) : (
                <a href={projectPath(project, `/claims?practitioner=${practitionerId}`)}>
                  {practitioners.get(practitionerId) ?? practitionerId}
                </a>
              )}
            </dd>
            <dt>Cover</dt>
            <dd>
              {wordsOf(check.status)}, at most{' '}
              <Amount value={check.amount.maximum_per_session} currency={amount.currency} /> per session,{' '}
              {check.remaining_sessions ?? 'no'} sessions left when checked
            </dd>
            <dt>Eligibility check</dt>
            <dd>
              <Id project={project} id={found.eligibility_check_id} />
            </dd>
            <dt>Booking</dt>
            <dd>
              <Id project={project} id={found.booking_id} />
            </dd>
          </dl>
          <h2>Decision</h2>
          {decision !== null && (
            <dl>
              <dt>Outcome</dt>
              <dd>
                <Status value={decision.outcome} />, <Instant at={decision.decided_at} />
              </dd>
              <dt>Reasons</dt>
              <dd>{decision.reason_codes.join(', ')}</dd>
              <dt>Policy</dt>
              <dd>
                {decision.policy.reference} {decision.policy.version}
              </dd>
              <dt>Authority</dt>
              <dd>{decision.authority_reference}</dd>
              <dt>Evidence</dt>
              <dd>{decision.evidence_references.join(', ')}</dd>
            </dl>
          )}
          {decision === null && <p class="none">There is no decision.</p>}
          {permits(session.roles, 'reveal') && <RevealForm request={request} id={found.id} />}
          {found.status === 'pending' && permits(session.roles, 'adjudicate') && (
            <DecisionForm request={request} found={found} />
          )}
        </>
      ),
    };
  },
};

/** The form by which a person sees the member's reference. The page does not show it without a reason. */
function RevealForm({ request: { session, project, rejected }, id }: { request: PageRequest; id: string }) {
  return (
    <form class="form" method="post" action={projectPath(project, `/preauthorizations/${id}/member`)}>
      <h2>Member</h2>
      <HiddenFields session={session} />
      <p class="hint">The member’s reference is hidden. The audit log records who saw it, and why.</p>
      <TextField labels={REVEAL} name="reveal_reason" rejected={rejected} />
      <button type="submit">Show the member’s reference</button>
    </form>
  );
}

export const revealMember: Act = {
  path: '/preauthorizations/:preauthorization/member',
  permission: 'reveal',
  action: 'member.reveal',
  page: preauthorization,
  labels: REVEAL,
  describe: ({ preauthorization: subject = '' }, form) => ({
    subject,
    details: { reason: form.get('reveal_reason') },
  }),
  async execute({ calls, project, params }, form) {
    form.reason('reveal_reason');
    form.check();
    const id = params.preauthorization ?? '';
    const path = `/preauthorizations/${encodeURIComponent(id)}/member`;
    const { member_reference: reference } = await calls.service<{ member_reference: string | null }>(
      'benefits',
      project,
      path,
    );
    return {
      title: 'Member of a pre-authorization',
      body: (
        <>
          <p>{reference === null ? 'The member was erased.' : <code class="secret">{reference}</code>}</p>
          <p>
            <a href={projectPath(project, `/preauthorizations/${id}`)}>Back to the pre-authorization</a>
          </p>
        </>
      ),
    };
  },
};

/** Reads the fields of a decision. @throws FormError */
async function readDecision({ calls, project, params }: PageRequest, form: FormReader) {
  const found = await calls.execute(project, 'getPreauthorization', {
    params: { preauthorization_id: params.preauthorization ?? '' },
  });
  const { currency, requested } = found.amount;
  const outcome = form.required('outcome');
  const isApproved = outcome === 'approved';
  const approved_amount = isApproved ? form.amount('approved_amount', currency) : 0;
  const valid_until = isApproved ? form.instant('valid_until', 'end', false) : null;
  if (approved_amount > requested)
    form.reject('approved_amount', `must be at most the requested ${formatAmount(requested, currency)}`);
  const body = {
    outcome,
    ...(isApproved ? { approved_amount, valid_until } : {}),
    reason_codes: form.list('reason_codes'),
    policy_reference: form.required('policy_reference'),
    policy_version: form.required('policy_version'),
    evidence_references: form.list('evidence_references'),
  } as OperationInput<'decidePreauthorization'>['body'];
  form.check();
  return { found, body, approved: isApproved ? { amount: approved_amount, until: valid_until ?? '' } : null };
}

export const decide: Act = {
  path: '/preauthorizations/:preauthorization/decisions',
  permission: 'adjudicate',
  action: 'preauthorization.decide',
  page: preauthorization,
  labels: DECISION,
  describe: ({ preauthorization: subject = '' }, form) => ({
    subject,
    details: {
      outcome: form.get('outcome'),
      approved_amount: form.get('approved_amount'),
      reason_codes: form.get('reason_codes'),
    },
  }),
  async preview(request, form) {
    const { found, body, approved } = await readDecision(request, form);
    const { currency, requested } = found.amount;
    const amount = formatAmount(approved?.amount ?? 0, currency);
    const reasons = body.reason_codes.join(', ');
    return {
      title: approved === null ? 'Deny the pre-authorization?' : `Approve ${amount}?`,
      confirm: approved === null ? 'Deny' : `Approve ${amount}`,
      basis: `${found.id} ${found.status} ${body.outcome} ${amount} until ${approved?.until} ${reasons}`,
      fields: approved === null ? {} : { approved_amount: amount, valid_until: approved.until },
      effect: (
        <dl>
          <dt>Requested</dt>
          <dd>
            <Amount value={requested} currency={currency} />
          </dd>
          <dt>Approved</dt>
          <dd>
            <strong>
              <Amount value={approved?.amount ?? 0} currency={currency} />
            </strong>
            {approved !== null && approved.amount < requested && (
              <>
                , <Amount value={requested - approved.amount} currency={currency} /> less than requested
              </>
            )}
          </dd>
          {approved !== null && (
            <>
              <dt>Valid until</dt>
              <dd>
                <Instant at={approved.until} />
              </dd>
            </>
          )}
          <dt>Reasons</dt>
          <dd>{reasons}</dd>
        </dl>
      ),
    };
  },
  async execute(request, form) {
    const { found, body, approved } = await readDecision(request, form);
    const input = { params: { preauthorization_id: found.id }, body };
    await request.calls.execute(request.project, 'decidePreauthorization', input, form.key);
    const done =
      approved === null
        ? 'The pre-authorization was denied.'
        : `The pre-authorization was approved: ${formatAmount(approved.amount, found.amount.currency)}.`;
    return { path: `/preauthorizations/${found.id}`, done };
  },
};
