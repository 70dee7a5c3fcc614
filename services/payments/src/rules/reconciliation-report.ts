/**
 * Reports why a remittance is or is not reconciled, and which API operations would reconcile it. The report decides nothing:
 * remittance-status.ts computes the status. Amounts in minor units. Pure functions.
 */
import type {
  ReconciliationReason,
  ReconciliationStep,
  RemittanceStatus,
  SettlementStatus,
} from '@carecover/contract';
import {
  type Advised,
  comparable,
  compareWithExpected,
  evaluate,
  type ObservedSettlement,
} from './remittance-status';

/** The reason why one settlement is not matched. */
type SettlementReason = Extract<
  ReconciliationReason,
  'amount_exceeds_advice' | 'currency_mismatch' | 'allocation_unmatched'
>;

export interface ReconciliationReport {
  readonly status: RemittanceStatus;
  /** The sum of the unreversed settlements in the remittance's currency; null if it is above 2^53 - 1. */
  readonly observed: number | null;
  /** The reason why the remittance is not reconciled; null if the remittance is reconciled. */
  readonly reason: ReconciliationReason | null;
  /** The reason why each unmatched settlement is not matched, by settlement ID. */
  readonly settlementReasons: ReadonlyMap<string, SettlementReason>;
  readonly nextSteps: readonly ReconciliationStep[];
}

type AdvisedUntil = Advised & { readonly deadline: number };

/** The report of a remittance whose payment advice was withdrawn: nothing is expected. All of its settlements are reversed. */
const WITHDRAWN: ReconciliationReport = {
  status: 'exception',
  observed: 0,
  reason: 'advice_withdrawn',
  settlementReasons: new Map(),
  nextSteps: [],
};

/**
 * Reports on the reconciliation of a remittance.
 *
 * @param advised the remittance, with its `deadline` in epoch milliseconds, and whether its payment advice was withdrawn
 * @param settlements the remittance's settlements in the order in which they were recorded; reversed ones have no effect
 * @param now current time in epoch milliseconds
 */
export function reportReconciliation(
  advised: AdvisedUntil & { readonly isWithdrawn?: boolean },
  settlements: readonly (ObservedSettlement & { readonly status: SettlementStatus })[],
  now: number,
): ReconciliationReport {
  if (advised.isWithdrawn) return WITHDRAWN;
  const unreversed = settlements.filter(({ status }) => status !== 'reversed');
  const status = evaluate(advised, unreversed, now);
  const observed = sumOf(comparable(advised, unreversed));
  const settlementReasons = reasonsOf(advised, unreversed);
  const reason = status === 'reconciled' ? null : reasonOf(advised, unreversed, settlementReasons, now);
  const nextSteps = reason === null ? [] : stepsOf(advised, unreversed, observed, now);
  return { status, observed, reason, settlementReasons, nextSteps };
}

/** Returns the exact sum of settlements; null if it is above 2^53 - 1. */
function sumOf(settlements: readonly ObservedSettlement[]): number | null {
  const sum = settlements.reduce((total, { amount }) => total + BigInt(amount), 0n);
  return sum > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(sum);
}

function reasonsOf(
  advised: Advised,
  unreversed: readonly ObservedSettlement[],
): Map<string, SettlementReason> {
  const isAbove = compareWithExpected(advised, unreversed) === 'above';
  const inCurrency = isAbove ? 'amount_exceeds_advice' : 'allocation_unmatched';
  const unmatched = unreversed.filter(({ matched }) => !matched);
  return new Map(
    unmatched.map(({ id, currency }) => [
      id,
      currency === advised.currency ? inCurrency : 'currency_mismatch',
    ]),
  );
}

/**
 * Returns why a remittance is not reconciled: the first reason below that applies. One always applies.
 *
 * @param unreversed the remittance's unreversed settlements
 */
function reasonOf(
  advised: AdvisedUntil,
  unreversed: readonly ObservedSettlement[],
  settlementReasons: ReadonlyMap<string, SettlementReason>,
  now: number,
): ReconciliationReason {
  const reasons = [...settlementReasons.values()];
  if (compareWithExpected(advised, unreversed) === 'above') return 'amount_exceeds_advice';
  if (reasons.includes('currency_mismatch')) return 'currency_mismatch';
  if (now >= advised.deadline) return 'deadline_passed';
  if (reasons.includes('allocation_unmatched')) return 'allocation_unmatched';
  return unreversed.length === 0 ? 'awaiting_funds' : 'partial_funds';
}

function stepsOf(
  advised: AdvisedUntil,
  unreversed: readonly ObservedSettlement[],
  observed: number | null,
  now: number,
): ReconciliationStep[] {
  const inCurrency = comparable(advised, unreversed);
  const others = unreversed.filter(({ currency }) => currency !== advised.currency);
  const excess =
    compareWithExpected(advised, unreversed) === 'above'
      ? excessOf(advised, inCurrency, unreversed, now)
      : [];
  const missing = observed === null ? 0 : advised.expected - observed;
  return [
    ...[...excess, ...others].map(({ id }) => reversalStep(id)),
    ...(missing > 0 ? [settlementStep(missing, advised.currency)] : []),
  ];
}

/**
 * Returns the settlements that a client can reverse if the sum of the settlements is above the expected amount: each settlement whose
 * reversal alone reconciles the remittance. If there is none, returns the unmatched settlements, because the matched ones do not exceed the
 * remittance's allocations.
 */
function excessOf(
  advised: AdvisedUntil,
  inCurrency: readonly ObservedSettlement[],
  unreversed: readonly ObservedSettlement[],
  now: number,
): ObservedSettlement[] {
  const without = ({ id }: ObservedSettlement) => unreversed.filter((each) => each.id !== id);
  const sufficient = inCurrency.filter((each) => evaluate(advised, without(each), now) === 'reconciled');
  return sufficient.length > 0 ? sufficient : inCurrency.filter(({ matched }) => !matched);
}

function reversalStep(id: string): ReconciliationStep {
  return {
    operation: 'reverseSettlement',
    settlement_id: id,
    amount: null,
    description: `Reverse settlement ${id}.`,
  };
}

function settlementStep(amount: number, currency: string): ReconciliationStep {
  return {
    operation: 'createSettlement',
    settlement_id: null,
    amount,
    description: `Record settlements of ${amount} ${currency} in minor units when the funds are observed.`,
  };
}
