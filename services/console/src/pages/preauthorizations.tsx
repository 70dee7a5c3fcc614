/** The pre-authorizations of a project, and the form of the payer's decision, which the API validates. */
import { type OperationInput, type Preauthorization, preauthorizationStatuses } from '@carecover/contract';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import {
  Amount,
  amountIn,
  commaList,
  HiddenFields,
  Id,
  Instant,
  Older,
  ReasonField,
  Rejection,
  requireReason,
  Status,
  StatusFilter,
  Table,
} from '../parts';
import { permits } from '../roles';

const LIMIT = 50;

export const preauthorizations: Page = {
  path: '/preauthorizations',
  menu: 'Pre-authorizations',
  permission: 'read',
  async render({ calls, project, address, query }) {
    const status = preauthorizationStatuses.find((each) => each === query.get('status'));
    const after = query.get('after');
    const list = await calls.execute(project, 'listPreauthorizations', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...(after === null ? {} : { starting_after: after }),
      },
    });
    return {
      title: 'Pre-authorizations',
      body: (
        <>
          <StatusFilter statuses={preauthorizationStatuses} address={address} query={query} />
          <Table
            caption={`${list.data.length} pre-authorizations${list.has_more ? ', and more' : ''}`}
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
          <Older list={list} address={address} query={query} label="Older pre-authorizations" />
        </>
      ),
    };
  },
};

function DecisionForm({
  request: { session, project, rejected },
  found,
}: {
  request: PageRequest;
  found: Preauthorization;
}) {
  const value = (name: string) => rejected?.form.get(name) ?? '';
  return (
    <form
      class="form"
      method="post"
      action={projectPath(project, `/preauthorizations/${found.id}/decisions`)}
    >
      {rejected?.form.has('outcome') && <Rejection message={rejected.message} />}
      <HiddenFields session={session} />
      <label for="outcome">Outcome</label>
      <select id="outcome" name="outcome" required>
        <option value="">choose</option>
        <option value="approved" selected={value('outcome') === 'approved'}>
          approved
        </option>
        <option value="denied" selected={value('outcome') === 'denied'}>
          denied
        </option>
      </select>
      <label for="approved-amount">
        Approved amount, in the minor unit of {found.amount.currency} (only for an approval)
      </label>
      <input
        id="approved-amount"
        name="approved_amount"
        inputmode="numeric"
        pattern="[0-9]{1,16}"
        value={value('approved_amount')}
      />
      <p class="hint">At most {found.amount.requested}, the requested amount.</p>
      <label for="valid-until">Valid until (only for an approval, RFC 3339)</label>
      <input id="valid-until" name="valid_until" value={value('valid_until')} />
      <label for="reasons">Reason codes, separated by commas</label>
      <input id="reasons" name="reason_codes" required value={value('reason_codes')} />
      <label for="policy">Policy reference</label>
      <input id="policy" name="policy_reference" required value={value('policy_reference')} />
      <label for="version">Policy version</label>
      <input id="version" name="policy_version" required value={value('policy_version')} />
      <label for="evidence">Evidence references, separated by commas</label>
      <input id="evidence" name="evidence_references" required value={value('evidence_references')} />
      <button type="submit" class="main">
        Decide
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
    return {
      title: 'Pre-authorization',
      body: (
        <>
          <dl>
            <dt>Pre-authorization</dt>
            <dd>
              <code>{found.id}</code>, <Status value={found.status} />
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
      {rejected?.form.has('reveal_reason') && <Rejection message={rejected.message} />}
      <HiddenFields session={session} />
      <p class="hint">The member’s reference is hidden. The audit log records who saw it, and why.</p>
      <ReasonField name="reveal_reason" value={rejected?.form.get('reveal_reason') ?? ''} />
      <button type="submit">Show the member’s reference</button>
    </form>
  );
}

export const revealMember: Act = {
  path: '/preauthorizations/:preauthorization/member',
  permission: 'reveal',
  action: 'member.reveal',
  page: preauthorization,
  describe: ({ preauthorization: subject = '' }, form) => ({
    subject,
    details: { reason: form.get('reveal_reason') },
  }),
  async execute({ calls, project, params }, form) {
    requireReason(form, 'reveal_reason');
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

export const decide: Act = {
  path: '/preauthorizations/:preauthorization/decisions',
  permission: 'adjudicate',
  action: 'preauthorization.decide',
  page: preauthorization,
  describe: ({ preauthorization: subject = '' }, form) => ({
    subject,
    details: { outcome: form.get('outcome'), reason_codes: form.get('reason_codes') },
  }),
  async execute({ calls, project, params }, form) {
    const id = params.preauthorization ?? '';
    const outcome = form.get('outcome') ?? '';
    const approval = {
      approved_amount: amountIn(form.get('approved_amount')),
      valid_until: form.get('valid_until') ?? '',
    };
    const body = {
      outcome,
      ...(outcome === 'approved' ? approval : {}),
      reason_codes: commaList(form.get('reason_codes')),
      policy_reference: form.get('policy_reference') ?? '',
      policy_version: form.get('policy_version') ?? '',
      evidence_references: commaList(form.get('evidence_references')),
    } as OperationInput<'decidePreauthorization'>['body'];
    const input = { params: { preauthorization_id: id }, body };
    await calls.execute(project, 'decidePreauthorization', input, form.get('key') ?? undefined);
    return `/preauthorizations/${id}`;
  },
};
