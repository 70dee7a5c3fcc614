/**
 * What a settlement, or the reversal of one, changes in its remittance, which a person sees before the change. The rules are those of
 * `remittance-status.ts` of payments; the payments service decides.
 */
import { formatAmount, type Remittance, type RemittanceReconciliation } from '@carecover/contract';
import type { PageRequest } from '../page';
import { Amount, Instant, Table } from '../parts';

export interface Effect {
  readonly found: Remittance;
  readonly report: RemittanceReconciliation;
}

/** Reads a remittance and how it is reconciled. @throws ApiError resource_not_found */
export async function readEffect({ calls, project }: PageRequest, remittanceId: string): Promise<Effect> {
  const input = { params: { remittance_id: remittanceId } };
  const [found, report] = await Promise.all([
    calls.execute(project, 'getRemittance', input),
    calls.execute(project, 'getRemittanceReconciliation', input),
  ]);
  return { found, report };
}

/**
 * Returns in a sentence how a remittance stands after a change of the observed funds, and whether that needs another act of a person.
 *
 * @param lacking what the remittance lacks after the change in minor units; negative if the funds exceed it
 */
function describeOutcome(
  { expected, currency, reason }: Pick<RemittanceReconciliation, 'expected' | 'currency' | 'reason'>,
  lacking: number,
): { readonly text: string; readonly isWrong: boolean } {
  if (lacking < 0)
    return {
      text: `The funds will exceed the remittance by ${formatAmount(-lacking, currency)}. It will be an exception until a settlement is reversed.`,
      isWrong: true,
    };
  if (lacking === 0)
    return reason === 'currency_mismatch'
      ? { text: 'The remittance will lack nothing.', isWrong: false }
      : { text: 'The remittance will be reconciled: it will lack nothing.', isWrong: false };
  const rest = lacking === expected ? 'all of its' : `still ${formatAmount(lacking, currency)} of its`;
  const exception =
    reason === 'deadline_passed' ? ' It stays an exception, because its deadline has passed.' : '';
  return {
    text: `The remittance will lack ${rest} ${formatAmount(expected, currency)}.${exception}`,
    isWrong: false,
  };
}

/** The funds of a remittance now and after the change. @param change what is observed more, in minor units; negative for a reversal */
export function SettlementEffect({ found, report, change }: Effect & { change: number }) {
  const { expected, observed, currency, deadline_at } = report;
  if (observed === null)
    return <p class="late">The funds exceed every amount that can be shown: reverse a settlement.</p>;
  const after = observed + change;
  const amount = (value: number) => <Amount value={value} currency={currency} />;
  const { text, isWrong } = describeOutcome(report, expected - after);
  return (
    <>
      <p class={isWrong ? 'late' : undefined}>
        <strong>{text}</strong>
      </p>
      <Table
        caption={`Remittance ${found.payer_reference}`}
        columns={[
          { label: 'Funds', cell: ([label]) => label },
          { label: 'Now', isNumber: true, cell: ([, now]) => amount(now) },
          { label: 'After', isNumber: true, cell: ([, , later]) => amount(later) },
        ]}
        rows={
          [
            ['Advised by the payer', expected, expected],
            ['Observed', observed, after],
            ['Lacking', expected - observed, expected - after],
          ] as const
        }
      />
      {found.allocations.length > 1 && after > 0 && after < expected && (
        <p>
          The remittance pays {found.allocations.length} claims. Funds that name none of them settle no claim
          before the remittance is complete.
        </p>
      )}
      <p>
        Deadline: <Instant at={deadline_at} />
      </p>
    </>
  );
}
