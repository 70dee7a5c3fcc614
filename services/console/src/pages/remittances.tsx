/**
 * The list of a project's remittances, and the page of one remittance: why it is or is not reconciled, and the acts that would reconcile
 * it.
 */
import {
  formatAmount,
  formatMajorUnits,
  type OperationInput,
  type RemittanceReconciliation,
  remittanceStatuses,
} from '@carecover/contract';
import { notFound } from '@carecover/domain';
import { readListFilter, readPlace, StatusFilter } from '../filters';
import type { FormReader } from '../form-reader';
import { AmountField, Choice, TextField } from '../forms';
import { readParties } from '../names';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Instant, Older, OwnId, Status, Table } from '../parts';
import { permits } from '../roles';
import { captionOf, wordsOf } from '../words';
import {
  AdviceHistory,
  AdviceLines,
  readAdvice,
  shownLines,
  WithdrawalForm,
  withdrawal,
} from './payment-advice';
import { readEffect, SettlementEffect } from './settlement-effect';

const LIMIT = 50;

export const remittances: Page = {
  path: '/remittances',
  menu: 'Remittances',
  permission: 'read',
  async render(request) {
    const { calls, project, address, query } = request;
    const filter = readListFilter(request, 'payer_reference');
    const status = remittanceStatuses.find((each) => each === query.get('status'));
    const list = await calls.execute(project, 'listRemittances', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...filter.filters,
        ...readPlace(query),
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
            filter={filter}
          />
          <Table
            name="remittances"
            caption={captionOf(list, 'remittance')}
            columns={[
              {
                label: 'Payer’s reference',
                cell: ({ id, payer_reference }) => (
                  <a href={projectPath(project, `/remittances/${id}`)}>{payer_reference}</a>
                ),
              },
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
          <Older list={list} address={address} query={query} items="remittances" />
        </>
      ),
    };
  },
};

/** Returns a next step in words, with the reference of its settlement and its amount in major units. */
function describeStep(
  { currency, settlements }: RemittanceReconciliation,
  { amount, settlement_id }: RemittanceReconciliation['next_steps'][number],
): string {
  if (amount !== null)
    return `Record settlements of ${formatAmount(amount, currency)} when the funds are observed.`;
  const settlement = settlements.find(({ id }) => id === settlement_id);
  return `Reverse the settlement ${settlement?.source_reference ?? settlement_id}, if it is the wrong one.`;
}

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
        <dd>{report.reason === null ? 'reconciled' : wordsOf(report.reason)}</dd>
        <dt>Deadline</dt>
        <dd>
          <Instant at={report.deadline_at} />
        </dd>
      </dl>
      <Table
        name="settlements"
        caption="Settlements, in the order of recording"
        none="No settlement was recorded."
        columns={[
          {
            label: 'Settlement',
            cell: ({ id, source_reference }) => <span title={id}>{source_reference}</span>,
          },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            label: 'Observed',
            isNumber: true,
            cell: (each) => <Amount value={each.amount.observed} currency={each.amount.currency} />,
          },
          { label: 'Reason', cell: ({ reason }) => (reason === null ? 'none' : wordsOf(reason)) },
        ]}
        rows={report.settlements}
      />
      <h3>Next steps</h3>
      {report.next_steps.length === 0 ? (
        <p class="none">None.</p>
      ) : (
        <ol>
          {report.next_steps.map((step, index) => (
            <li key={index}>{describeStep(report, step)}</li>
          ))}
        </ol>
      )}
    </>
  );
}

const SETTLEMENT = {
  source_reference: 'Reference of the bank’s entry',
  amount: 'Amount',
  observed_at: 'When the funds moved',
};
const REVERSAL = { settlement: 'Settlement', reversal_reason: 'Reason code' };

function Acts({ request, report }: { request: PageRequest; report: RemittanceReconciliation }) {
  const { session, project, rejected } = request;
  const address = (act: string) => projectPath(project, `/remittances/${report.remittance_id}/${act}`);
  const next = report.next_steps.find(({ operation }) => operation === 'createSettlement');
  // A settlement of zero settles an advice without a transfer. Only the withdrawal of the advice reverses it.
  const reversible = report.settlements.filter(
    ({ status, amount }) => status !== 'reversed' && amount.observed > 0,
  );
  const lacking = next?.amount == null ? '' : formatMajorUnits(next.amount, report.currency);
  return (
    <>
      <h2>Acts</h2>
      {report.reason !== null && (
        <form class="form" method="post" action={address('settlements')}>
          <h3>Record a settlement</h3>
          <HiddenFields session={session} />
          <TextField labels={SETTLEMENT} name="source_reference" rejected={rejected} />
          <AmountField
            labels={SETTLEMENT}
            name="amount"
            rejected={rejected}
            usual={lacking}
            currency={report.currency}
          />
          <TextField
            labels={SETTLEMENT}
            name="observed_at"
            rejected={rejected}
            usual="today"
            hint={`A day or an instant, in ${project.time_zone}: 7 Nov 2026, or 7 Nov 2026 14:30`}
          />
          <button type="submit">Show the effect</button>
        </form>
      )}
      {reversible.length > 0 && (
        <form class="form" method="post" action={address('reversals')}>
          <h3>Reverse a settlement</h3>
          <HiddenFields session={session} />
          <Choice
            labels={REVERSAL}
            name="settlement"
            rejected={rejected}
            options={reversible.map(({ id, source_reference, amount }) => [
              id,
              `${source_reference}, ${formatAmount(amount.observed, amount.currency)}`,
            ])}
            {...(reversible.length === 1 && reversible[0] !== undefined ? { usual: reversible[0].id } : {})}
          />
          <TextField labels={REVERSAL} name="reversal_reason" rejected={rejected} />
          <button type="submit">Show the effect</button>
        </form>
      )}
      <WithdrawalForm request={request} hasFunds={reversible.length > 0} />
    </>
  );
}

export const remittance: Page = {
  path: '/remittances/:remittance',
  permission: 'read',
  async render(request) {
    const { calls, project, params, query, session } = request;
    const input = { params: { remittance_id: params.remittance ?? '' } };
    const [found, report, advice] = await Promise.all([
      calls.execute(project, 'getRemittance', input),
      calls.execute(project, 'getRemittanceReconciliation', input),
      readAdvice(request, input.params.remittance_id),
    ]);
    const { allocations, denials, recoveries } = advice;
    const claimIds = [allocations, denials, recoveries].flatMap((lines) =>
      shownLines<{ readonly claim_id: string }>(query, lines).map(({ claim_id }) => claim_id),
    );
    const parties = await readParties(request, claimIds);
    const isWithdrawn = advice.status === 'withdrawn';
    return {
      title: `Remittance ${found.payer_reference}`,
      scripts: ['copy.js'],
      body: (
        <>
          <p>
            <Status value={isWithdrawn ? advice.status : report.status} /> · received{' '}
            <Instant at={found.received_at} /> · <OwnId id={found.id} />
          </p>
          <AdviceHistory request={request} advice={advice} />
          <h2>Reconciliation</h2>
          <Reconciliation report={report} />
          <AdviceLines request={request} advice={advice} parties={parties} />
          {permits(session.roles, 'money') && !isWithdrawn && <Acts request={request} report={report} />}
        </>
      ),
    };
  },
};

export const withdrawAdvice: Act = {
  path: '/remittances/:remittance/withdrawals',
  permission: 'money',
  page: remittance,
  ...withdrawal,
};

const remittancePath = (params: Readonly<Record<string, string>>) => `/remittances/${params.remittance}`;

/** Reads the fields of a settlement. @throws FormError */
async function readSettlement({ calls, project, params }: PageRequest, form: FormReader) {
  const { id, amount } = await calls.execute(project, 'getRemittance', {
    params: { remittance_id: params.remittance ?? '' },
  });
  const body = {
    remittance_id: id,
    source_reference: form.required('source_reference'),
    currency: amount.currency,
    amount: form.amount('amount', amount.currency),
    observed_at: form.instant('observed_at', 'end', true) ?? '',
  };
  form.check();
  return body as OperationInput<'createSettlement'>['body'] & { readonly remittance_id: string };
}

export const recordSettlement: Act = {
  path: '/remittances/:remittance/settlements',
  permission: 'money',
  action: 'settlement.create',
  page: remittance,
  labels: SETTLEMENT,
  describe: ({ remittance: subject = '' }, form) => ({
    subject,
    details: { source_reference: form.get('source_reference'), amount: form.get('amount') },
  }),
  async preview(request, form) {
    const body = await readSettlement(request, form);
    const effect = await readEffect(request, body.remittance_id);
    const amount = formatAmount(body.amount, body.currency);
    return {
      title: `Record ${amount}?`,
      confirm: `Record ${amount}`,
      basis: `${amount} at ${body.observed_at}, expected ${effect.report.expected}, observed ${effect.report.observed}`,
      fields: { amount, observed_at: body.observed_at },
      effect: (
        <>
          <p>
            A settlement of <Amount value={body.amount} currency={body.currency} /> with the reference{' '}
            {body.source_reference}, observed at <Instant at={body.observed_at} />.
          </p>
          <SettlementEffect {...effect} change={body.amount} />
        </>
      ),
    };
  },
  async execute(request, form) {
    const body = await readSettlement(request, form);
    const { status } = await request.calls.execute(request.project, 'createSettlement', { body }, form.key);
    return {
      path: remittancePath(request.params),
      done: `The settlement ${body.source_reference} of ${formatAmount(body.amount, body.currency)} was recorded; it is ${status}.`,
    };
  },
};

/** Finds the settlement that a form names. @throws FormError; ApiError resource_not_found */
async function readReversal(request: PageRequest, form: FormReader) {
  const effect = await readEffect(request, request.params.remittance ?? '');
  const id = form.required('settlement');
  const reason = form.required('reversal_reason');
  form.check();
  const settlement = effect.report.settlements.find((each) => each.id === id);
  if (settlement === undefined) throw notFound();
  return { effect, settlement, reason };
}

export const reverseSettlement: Act = {
  path: '/remittances/:remittance/reversals',
  permission: 'money',
  action: 'settlement.reverse',
  page: remittance,
  labels: REVERSAL,
  fieldOf: ([name]) => (name === 'reason_code' ? 'reversal_reason' : undefined),
  describe: (_params, form) => ({
    subject: form.get('settlement') ?? '',
    details: { reason_code: form.get('reversal_reason') },
  }),
  async preview(request, form) {
    const { effect, settlement, reason } = await readReversal(request, form);
    const { source_reference, amount, status } = settlement;
    const shown = formatAmount(amount.observed, amount.currency);
    return {
      title: `Reverse ${shown}?`,
      confirm: `Reverse ${shown}`,
      basis: `${settlement.id} ${status} ${reason}, expected ${effect.report.expected}, observed ${effect.report.observed}`,
      effect: (
        <>
          <p>
            The settlement {source_reference} of <Amount value={amount.observed} currency={amount.currency} />{' '}
            will count no more, with the reason {reason}. A reversal is final.
          </p>
          <SettlementEffect
            {...effect}
            change={amount.currency === effect.report.currency ? -amount.observed : 0}
          />
        </>
      ),
    };
  },
  async execute(request, form) {
    const { settlement, reason } = await readReversal(request, form);
    const input = { params: { settlement_id: settlement.id }, body: { reason_code: reason } };
    await request.calls.execute(request.project, 'reverseSettlement', input, form.key);
    const { source_reference, amount } = settlement;
    return {
      path: remittancePath(request.params),
      done: `The settlement ${source_reference} of ${formatAmount(amount.observed, amount.currency)} was reversed.`,
    };
  },
};
