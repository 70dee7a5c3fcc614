/**
 * What a payer's advice says, as the page of its remittance shows it: its lines with amounts, reasons and claims, and its withdrawal. Whether an
 * advice can be withdrawn is decided by the payments service, also for the preview.
 */
import { formatAmount, type PaymentAdvice } from '@carecover/contract';
import type { ComponentChildren } from 'preact';
import type { FormReader } from '../form-reader';
import { TextField } from '../forms';
import type { readParties } from '../names';
import { type Act, type PageRequest, projectPath } from '../page';
import { Amount, HiddenFields, Instant, Table } from '../parts';

/** Maximum number of lines of each kind that the page shows; the CSV files have all. */
const SHOWN = 500;

/** Returns the ID of the advice whose allocations are the remittance: both have the same opaque part. */
function adviceIdOf(remittanceId: string): string {
  return remittanceId.replace(/^rem_/, 'adv_');
}

/** Reads the advice of a remittance. @throws ApiError resource_not_found */
export function readAdvice({ calls, project }: PageRequest, remittanceId: string): Promise<PaymentAdvice> {
  return calls.execute(project, 'getPaymentAdvice', {
    params: { payment_advice_id: adviceIdOf(remittanceId) },
  });
}

type Parties = Awaited<ReturnType<typeof readParties>>;
type Line = { readonly claim_id: string; readonly reason_codes: readonly string[] };

/** Returns the lines of one kind that a page shows; the CSV file has all. */
export function shownLines<T>(query: URLSearchParams, lines: readonly T[]): readonly T[] {
  return query.get('csv') === null ? lines.slice(0, SHOWN) : lines;
}

/** The lines of one kind in a table, with the amount of each. */
function Lines<T extends { readonly reason_codes: readonly string[] }>({
  request: { query },
  name,
  title,
  rows,
  columns,
}: {
  request: PageRequest;
  name: string;
  title: string;
  rows: readonly T[];
  columns: readonly {
    readonly label: string;
    readonly isNumber?: true;
    readonly cell: (row: T) => ComponentChildren;
  }[];
}) {
  if (rows.length === 0) return null;
  const shown = shownLines(query, rows);
  const first = shown.length < rows.length ? `, the first ${SHOWN}; the CSV file has all` : '';
  return (
    <>
      <h2>{title}</h2>
      <Table
        name={name}
        caption={`${title}: ${rows.length}${first}`}
        columns={[
          ...columns,
          { label: 'Reasons', cell: ({ reason_codes }: T) => reason_codes.join(', ') || 'none' },
        ]}
        rows={shown}
      />
    </>
  );
}

/** All lines of an advice: what it pays, denies, takes back and adjusts. */
export function AdviceLines({
  request,
  advice,
  parties,
}: {
  request: PageRequest;
  advice: PaymentAdvice;
  parties: Parties;
}) {
  const { project } = request;
  const claim = [
    {
      label: 'Claim',
      cell: ({ claim_id }: Line) => (
        <a href={projectPath(project, `/claims/${claim_id}`)}>{parties.get(claim_id)?.name ?? claim_id}</a>
      ),
    },
    { label: 'Practitioner', cell: ({ claim_id }: Line) => parties.get(claim_id)?.practitioner ?? '' },
  ];
  const amount = <T,>(label: string, value: (row: T) => number) => ({
    label,
    isNumber: true as const,
    cell: (row: T) => <Amount value={value(row)} currency={advice.currency} />,
  });
  return (
    <>
      <Lines
        request={request}
        name="allocations"
        title="Allocations"
        rows={advice.allocations}
        columns={[...claim, amount<{ paid_amount: number }>('Paid', ({ paid_amount }) => paid_amount)]}
      />
      <Lines request={request} name="denials" title="Denials" rows={advice.denials} columns={claim} />
      <Lines
        request={request}
        name="recoveries"
        title="Takebacks"
        rows={advice.recoveries}
        columns={[...claim, amount<{ amount: number }>('Taken back', (row) => row.amount)]}
      />
      <Lines
        request={request}
        name="adjustments"
        title="Adjustments"
        rows={advice.adjustments}
        columns={[
          { label: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
          amount<{ amount: number }>('Amount', (row) => row.amount),
        ]}
      />
    </>
  );
}

/** Whether an advice was withdrawn, what it replaces, and what replaces it. */
export function AdviceHistory({
  request: { project },
  advice,
}: {
  request: PageRequest;
  advice: PaymentAdvice;
}) {
  const { replaces, replaced_by, withdrawn_at, withdrawal_reason_code } = advice;
  const link = (id: string) => (
    <a href={projectPath(project, `/remittances/${id.replace(/^adv_/, 'rem_')}`)}>{id}</a>
  );
  return (
    <>
      {withdrawn_at !== null && (
        <p>
          Withdrawn <Instant at={withdrawn_at} /> with the reason {withdrawal_reason_code}
          {replaced_by !== null && <>, and replaced by {link(replaced_by)}</>}. Nothing of it counts, and it
          expects no funds.
        </p>
      )}
      {replaces !== null && <p>Recorded in place of {link(replaces)}.</p>}
    </>
  );
}

const WITHDRAWAL = { withdrawal_reason: 'Reason code' };

/** The form of the withdrawal. @param hasFunds whether settlements must be reversed first */
export function WithdrawalForm({
  request: { session, project, params, rejected },
  hasFunds,
}: {
  request: PageRequest;
  hasFunds: boolean;
}) {
  if (hasFunds) return <p>To withdraw the advice, reverse its settlements first.</p>;
  return (
    <form
      class="form"
      method="post"
      action={projectPath(project, `/remittances/${params.remittance}/withdrawals`)}
    >
      <h3>Withdraw the advice</h3>
      <HiddenFields session={session} />
      <TextField
        labels={WITHDRAWAL}
        name="withdrawal_reason"
        rejected={rejected}
        hint="Such as sent_in_error. To record an amended advice in its place, replace it: see the guide to takebacks"
      />
      <button type="submit">Show the effect</button>
    </form>
  );
}

/** What the withdrawal of an advice changes. */
function WithdrawalEffect({ advice }: { advice: PaymentAdvice }) {
  const { currency, net, allocations, recoveries, adjustments } = advice;
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const rows = [
    ['Remitted', allocations.length, sum(allocations.map(({ paid_amount }) => paid_amount))],
    ['Taken back', recoveries.length, sum(recoveries.map(({ amount }) => amount))],
    ['Adjusted', adjustments.length, sum(adjustments.map(({ amount }) => amount))],
  ] as const;
  return (
    <>
      <p>
        <strong>The claims will be as if the advice had not been recorded.</strong> Valuations of earlier
        instants stay as they are. The advice stays readable, and its reference can be used again. A
        withdrawal is final.
      </p>
      <Table
        caption={`Advice ${advice.payer_reference}`}
        columns={[
          { label: 'By the advice', cell: ([label]) => label },
          { label: 'Lines', isNumber: true, cell: ([, lines]) => lines },
          { label: 'Now', isNumber: true, cell: ([, , now]) => <Amount value={now} currency={currency} /> },
          { label: 'After', isNumber: true, cell: () => <Amount value={0} currency={currency} /> },
        ]}
        rows={rows}
      />
      {net < 0 && <p>The payer’s balance of {formatAmount(-net, currency)} will no longer be deducted.</p>}
      {net > 0 && <p>{formatAmount(net, currency)} will no longer be expected.</p>}
    </>
  );
}

function readReason(form: FormReader): string {
  const reason = form.required('withdrawal_reason');
  form.check();
  return reason;
}

/** What the act of the withdrawal does. The page of the remittance has its form. */
export const withdrawal: Omit<Extract<Act, { action: string }>, 'path' | 'permission' | 'page'> = {
  action: 'advice.withdraw',
  labels: WITHDRAWAL,
  fieldOf: ([name]) => (name === 'reason_code' ? 'withdrawal_reason' : undefined),
  describe: ({ remittance = '' }, form) => ({
    subject: adviceIdOf(remittance),
    details: { reason_code: form.get('withdrawal_reason') },
  }),
  async preview(request, form) {
    const reason = readReason(form);
    const advice = await readAdvice(request, request.params.remittance ?? '');
    // Rejects what the withdrawal would reject.
    await request.calls.service('payments', request.project, `/payment_advices/${advice.id}/withdrawal`);
    return {
      title: `Withdraw the advice ${advice.payer_reference}?`,
      confirm: 'Withdraw the advice',
      basis: `${advice.id} ${advice.status} ${reason}`,
      effect: <WithdrawalEffect advice={advice} />,
    };
  },
  async execute({ calls, project, params }, form) {
    const input = {
      params: { payment_advice_id: adviceIdOf(params.remittance ?? '') },
      body: { reason_code: readReason(form) },
    };
    const advice = await calls.execute(project, 'withdrawPaymentAdvice', input, form.key);
    return {
      path: `/remittances/${params.remittance}`,
      done: `The advice ${advice.payer_reference} was withdrawn.`,
    };
  },
};
