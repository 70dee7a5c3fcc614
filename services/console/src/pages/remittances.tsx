/**
 * The list of a project's remittances, and the page of one remittance: why it is or is not reconciled, and the acts that would reconcile
 * it.
 */
import {
  formatInstant,
  type OperationInput,
  type RemittanceReconciliation,
  remittanceStatuses,
} from '@carecover/contract';
import { notFound } from '@carecover/platform';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import {
  Amount,
  amountIn,
  HiddenFields,
  Id,
  Instant,
  Older,
  Rejection,
  Status,
  StatusFilter,
  Table,
} from '../parts';
import { permits } from '../roles';

const LIMIT = 50;

export const remittances: Page = {
  path: '/remittances',
  menu: 'Remittances',
  permission: 'read',
  async render({ calls, project, address, query }) {
    const status = remittanceStatuses.find((each) => each === query.get('status'));
    const reference = query.get('reference') ?? '';
    const after = query.get('after');
    const list = await calls.execute(project, 'listRemittances', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...(reference === '' ? {} : { payer_reference: reference }),
        ...(after === null ? {} : { starting_after: after }),
      },
    });
    return {
      title: 'Remittances',
      body: (
        <>
          <StatusFilter
            statuses={remittanceStatuses}
            address={address}
            query={query}
            reference="Payer’s reference"
          />
          <Table
            caption={`${list.data.length} remittances${list.has_more ? ', and more' : ''}`}
            columns={[
              { label: 'Remittance', cell: ({ id }) => <Id project={project} id={id} /> },
              { label: 'Payer’s reference', cell: (each) => each.payer_reference },
              { label: 'Status', cell: (each) => <Status value={each.status} /> },
              {
                label: 'Total',
                isNumber: true,
                cell: ({ amount }) => <Amount value={amount.paid} currency={amount.currency} />,
              },
              { label: 'Received', cell: (each) => <Instant at={each.received_at} /> },
            ]}
            rows={list.data}
          />
          <Older list={list} address={address} query={query} label="Older remittances" />
        </>
      ),
    };
  },
};

function Reconciliation({ report }: { report: RemittanceReconciliation }) {
  const amount = (value: number | null) => <Amount value={value} currency={report.currency} />;
  return (
    <>
      <dl>
        <dt>Expected</dt>
        <dd>{amount(report.expected)}</dd>
        <dt>Observed</dt>
        <dd>{amount(report.observed)}</dd>
        <dt>Difference</dt>
        <dd>{amount(report.difference)}</dd>
        <dt>Reason</dt>
        <dd>{report.reason === null ? 'reconciled' : report.reason.replaceAll('_', ' ')}</dd>
        <dt>Deadline</dt>
        <dd>
          <Instant at={report.deadline_at} />
        </dd>
      </dl>
      <Table
        caption="Settlements, in the order of recording"
        none="No settlement was recorded."
        columns={[
          { label: 'Settlement', cell: ({ id }) => <code>{id}</code> },
          { label: 'Reference', cell: ({ source_reference }) => source_reference },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            label: 'Observed',
            isNumber: true,
            cell: (each) => <Amount value={each.amount.observed} currency={each.amount.currency} />,
          },
          { label: 'Reason', cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? 'none' },
        ]}
        rows={report.settlements}
      />
      <h3>Next steps</h3>
      {report.next_steps.length === 0 ? (
        <p class="none">None.</p>
      ) : (
        <ol>
          {report.next_steps.map(({ description }, index) => (
            <li key={index}>{description}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function Acts({
  request: { session, project, rejected },
  report,
}: {
  request: PageRequest;
  report: RemittanceReconciliation;
}) {
  const address = (act: string) => projectPath(project, `/remittances/${report.remittance_id}/${act}`);
  const value = (name: string, usual = '') => rejected?.form.get(name) ?? usual;
  const next = report.next_steps.find(({ operation }) => operation === 'createSettlement');
  const reversible = report.settlements.filter(({ status }) => status !== 'reversed');
  return (
    <>
      <h2>Acts</h2>
      {rejected !== null && <Rejection message={rejected.message} />}
      {report.reason !== null && (
        <form class="form" method="post" action={address('settlements')}>
          <h3>Record a settlement</h3>
          <HiddenFields session={session} />
          <label for="source">Reference of the bank’s entry</label>
          <input id="source" name="source_reference" required value={value('source_reference')} />
          <label for="amount">Amount, in the minor unit of {report.currency}</label>
          <input
            id="amount"
            name="amount"
            inputmode="numeric"
            pattern="[0-9]{1,16}"
            required
            value={value('amount', String(next?.amount ?? ''))}
          />
          <label for="observed">When the funds moved (RFC 3339)</label>
          <input
            id="observed"
            name="observed_at"
            required
            value={value('observed_at', formatInstant(Date.now()))}
          />
          <button type="submit">Record the settlement</button>
        </form>
      )}
      {reversible.length > 0 && (
        <form class="form" method="post" action={address('reversals')}>
          <h3>Reverse a settlement</h3>
          <HiddenFields session={session} />
          <label for="settlement">Settlement</label>
          <select id="settlement" name="settlement" required>
            {reversible.map(({ id, source_reference }) => (
              <option key={id} value={id} selected={id === value('settlement')}>
                {source_reference}
              </option>
            ))}
          </select>
          <label for="reversal-reason">Reason code</label>
          <input id="reversal-reason" name="reversal_reason" required value={value('reversal_reason')} />
          <button type="submit">Reverse the settlement</button>
        </form>
      )}
    </>
  );
}

export const remittance: Page = {
  path: '/remittances/:remittance',
  permission: 'read',
  async render(request) {
    const { calls, project, params, session } = request;
    const input = { params: { remittance_id: params.remittance ?? '' } };
    const [found, report] = await Promise.all([
      calls.execute(project, 'getRemittance', input),
      calls.execute(project, 'getRemittanceReconciliation', input),
    ]);
    return {
      title: `Remittance ${found.payer_reference}`,
      body: (
        <>
          <p>
            <code>{found.id}</code>, <Status value={report.status} />, received{' '}
            <Instant at={found.received_at} />
          </p>
          <h2>Reconciliation</h2>
          <Reconciliation report={report} />
          <h2>Allocations</h2>
          <Table
            caption="Allocations to claims"
            columns={[
              { label: 'Claim', cell: ({ claim_id }) => <Id project={project} id={claim_id} /> },
              {
                label: 'Paid',
                isNumber: true,
                cell: ({ paid_amount }) => <Amount value={paid_amount} currency={found.amount.currency} />,
              },
              { label: 'Reasons', cell: ({ reason_codes }) => reason_codes.join(', ') || 'none' },
            ]}
            rows={found.allocations}
          />
          {permits(session.roles, 'money') && <Acts request={request} report={report} />}
        </>
      ),
    };
  },
};

const remittancePath = (params: Readonly<Record<string, string>>) => `/remittances/${params.remittance}`;

export const recordSettlement: Act = {
  path: '/remittances/:remittance/settlements',
  permission: 'money',
  action: 'settlement.create',
  page: remittance,
  describe: ({ remittance: subject = '' }, form) => ({
    subject,
    details: { source_reference: form.get('source_reference'), amount: form.get('amount') },
  }),
  async execute({ calls, project, params }, form) {
    const found = await calls.execute(project, 'getRemittance', {
      params: { remittance_id: params.remittance ?? '' },
    });
    const body = {
      remittance_id: found.id,
      source_reference: form.get('source_reference') ?? '',
      currency: found.amount.currency,
      amount: amountIn(form.get('amount')),
      observed_at: form.get('observed_at') ?? '',
    } as OperationInput<'createSettlement'>['body'];
    await calls.execute(project, 'createSettlement', { body }, form.get('key') ?? undefined);
    return remittancePath(params);
  },
};

export const reverseSettlement: Act = {
  path: '/remittances/:remittance/reversals',
  permission: 'money',
  action: 'settlement.reverse',
  page: remittance,
  describe: (_params, form) => ({
    subject: form.get('settlement') ?? '',
    details: { reason_code: form.get('reversal_reason') },
  }),
  async execute({ calls, project, params }, form) {
    const { settlements } = await calls.execute(project, 'getRemittanceReconciliation', {
      params: { remittance_id: params.remittance ?? '' },
    });
    const settlement = settlements.find(({ id }) => id === form.get('settlement'));
    if (settlement === undefined) throw notFound();
    const input = {
      params: { settlement_id: settlement.id },
      body: { reason_code: form.get('reversal_reason') ?? '' },
    };
    await calls.execute(project, 'reverseSettlement', input, form.get('key') ?? undefined);
    return remittancePath(params);
  },
};
