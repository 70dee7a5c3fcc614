// Rules for several fields of a body or a query that JSON Schema can't express and that need neither clock nor database. A request
// that violates one is rejected with validation_failed, as if its schema had rejected it.
import type { BookingInput } from './inputs/care';
import type { PaymentAdviceInput, SettlementInput } from './inputs/payments';
import { CLOCK_YEARS, tryParseClockInstant } from './inputs/test-clocks';
import type { ValuationRunInput } from './inputs/valuation-runs';
import {
  ADVICE_LINE_LIMIT,
  MAX_PROBLEMS,
  MAX_SESSION_MS,
  RECOVERY_WINDOW_MS,
  SLOTS_WINDOW_MS,
} from './limits';
import { sumMoney } from './money';
import type { OperationId, OperationInput } from './operations';
import type { Problem } from './operations/definition';
import { problem } from './problem';
import { PERIOD_MONTHS } from './resources/valuation-run';
import { parseInstant } from './time';

/** A rule with the fields that it reads. It is not checked if one of them has a problem. */
interface Rule<Input> {
  readonly fields: readonly (keyof Input & string)[];
  readonly check: (input: Input) => readonly Problem[];
}

const SUM_TOO_LARGE = 'must have a sum of at most 9007199254740991';

function checkOrder(later: string, laterName: string, earlier: string, earlierName: string, base = '') {
  return parseInstant(later) > parseInstant(earlier)
    ? []
    : [problem(`${base}/${laterName}`, `must be after ${earlierName}`)];
}

function checkSpan(
  limitMs: number,
  limitDescription: string,
  start: string,
  end: string,
  endName: string,
  base = '',
): Problem[] {
  return parseInstant(end) - parseInstant(start) <= limitMs
    ? []
    : [problem(`${base}/${endName}`, `must be at most ${limitDescription}`)];
}

function checkSum(pointer: string, amounts: number[]): Problem[] {
  return sumMoney(amounts) === undefined ? [problem(pointer, SUM_TOO_LARGE)] : [];
}

const adjudicationAmounts = ['billed', 'allowed', 'payer', 'patient_responsibility', 'adjustment'] as const;

function checkCutoffs(
  { valuation_at, effective_through }: Pick<ValuationRunInput, 'valuation_at' | 'effective_through'>,
  base = '',
): Problem[] {
  if (effective_through === undefined || parseInstant(effective_through) <= parseInstant(valuation_at))
    return [];
  return [
    problem(
      `${base}/effective_through`,
      'must not be after valuation_at, because no known fact takes effect later',
    ),
  ];
}

const CLOCK_INSTANT = `an RFC 3339 date-time with an offset, in the years ${CLOCK_YEARS.min} to ${CLOCK_YEARS.max}`;

function checkClockInstant(text: string, name: string, otherwise = ''): Problem[] {
  return tryParseClockInstant(text) === undefined
    ? [problem(`/${name}`, `must be ${CLOCK_INSTANT}${otherwise}`)]
    : [];
}

function checkValuationRun(input: ValuationRunInput): Problem[] {
  const { kind, group_by, development } = input;
  const problems = checkCutoffs(input);
  if (kind === 'development' && development === undefined)
    problems.push(problem('/development', 'must be present for the kind development'));
  if (kind === 'totals' && development !== undefined)
    problems.push(problem('/development', 'must be absent for the kind totals'));
  if (kind === 'development' && group_by !== undefined && group_by.length > 0)
    problems.push(problem('/group_by', 'must be absent or empty for the kind development'));
  if (development !== undefined && PERIOD_MONTHS[development.step] > PERIOD_MONTHS[development.origin])
    problems.push(problem('/development/step', 'must not be longer than the period of origin'));
  return problems;
}

function checkPaymentAdvice({
  allocations = [],
  denials = [],
  recoveries = [],
  adjustments = [],
}: PaymentAdviceInput): Problem[] {
  const lines = allocations.length + denials.length + recoveries.length + adjustments.length;
  return [
    ...(lines >= 1 && lines <= ADVICE_LINE_LIMIT
      ? []
      : [problem('', `must have 1 to ${ADVICE_LINE_LIMIT} lines, but has ${lines}`)]),
    ...checkSum(
      '/allocations',
      allocations.map((allocation) => allocation.paid_amount),
    ),
    ...checkSum(
      '/recoveries',
      recoveries.map((recovery) => recovery.amount),
    ),
    ...checkSum(
      '/adjustments',
      adjustments.map((adjustment) => Math.abs(adjustment.amount)),
    ),
  ];
}

function checkSettlement({ remittance_id, amount, allocations, shares }: SettlementInput): Problem[] {
  const sums = checkSum('/allocations', allocations?.map((allocation) => allocation.amount) ?? []);
  if (shares === undefined)
    return remittance_id === undefined
      ? [...sums, problem('/remittance_id', 'must be present without shares')]
      : sums;
  const sum = sumMoney(shares.map((share) => share.amount));
  const isRepeated = new Set(shares.map((share) => share.payment_advice_id)).size < shares.length;
  return [
    ...sums,
    ...(remittance_id === undefined ? [] : [problem('/remittance_id', 'must be absent with shares')]),
    ...(allocations === undefined ? [] : [problem('/allocations', 'must be absent with shares')]),
    ...(isRepeated ? [problem('/shares', 'must name each advice once')] : []),
    ...(sum === amount
      ? []
      : [
          problem(
            '/shares',
            `must sum to the amount, ${amount}, but ${sum === undefined ? SUM_TOO_LARGE : `sum to ${sum}`}`,
          ),
        ]),
  ];
}

const sessionTimes: Rule<Pick<BookingInput, 'starts_at' | 'ends_at'>> = {
  fields: ['starts_at', 'ends_at'],
  check: ({ starts_at, ends_at }) => [
    ...checkOrder(ends_at, 'ends_at', starts_at, 'starts_at'),
    ...checkSpan(MAX_SESSION_MS, '8 hours after starts_at', starts_at, ends_at, 'ends_at'),
  ],
};

const paymentAdvice: Rule<PaymentAdviceInput> = {
  fields: ['allocations', 'denials', 'recoveries', 'adjustments'],
  check: checkPaymentAdvice,
};

const bodyRules: { readonly [Id in OperationId]?: Rule<NonNullable<OperationInput<Id>['body']>> } = {
  createBooking: sessionTimes,

  createSession: sessionTimes,

  createCoverage: {
    fields: ['valid_from', 'valid_until'],
    check: ({ valid_from, valid_until }) => checkOrder(valid_until, 'valid_until', valid_from, 'valid_from'),
  },

  createCoverageBatch: {
    fields: ['records'],
    check: ({ records }) =>
      records.flatMap(({ valid_from, valid_until }, index) =>
        checkOrder(valid_until, 'valid_until', valid_from, 'valid_from', `/records/${index}`),
      ),
  },

  createClaim: {
    fields: ['lines'],
    check: ({ lines }) =>
      checkSum(
        '/lines',
        lines.map((line) => line.amount),
      ),
  },

  adjudicateClaim: {
    fields: ['lines'],
    check: ({ lines }) =>
      adjudicationAmounts.flatMap((name) =>
        checkSum(
          '/lines',
          lines.map((line) => line.amount[name]),
        ),
      ),
  },

  createRemittance: {
    fields: ['allocations'],
    check: ({ allocations }) =>
      checkSum(
        '/allocations',
        allocations.map((allocation) => allocation.paid_amount),
      ),
  },

  createPaymentAdvice: paymentAdvice,

  replacePaymentAdvice: paymentAdvice,

  createSettlement: {
    fields: ['remittance_id', 'amount', 'allocations', 'shares'],
    check: checkSettlement,
  },

  createTestClock: { fields: ['now'], check: ({ now }) => checkClockInstant(now, 'now') },
  advanceTestClock: {
    fields: ['to'],
    check: ({ to }) => (to === 'next' ? [] : checkClockInstant(to, 'to', ', or next')),
  },
  createValuationRun: {
    fields: ['valuation_at', 'effective_through', 'kind', 'group_by', 'development'],
    check: checkValuationRun,
  },

  recoverWebhookEndpoint: {
    fields: ['since', 'until'],
    check: ({ since, until }) => [
      ...checkOrder(until, 'until', since, 'since'),
      ...checkSpan(RECOVERY_WINDOW_MS, '30 days after since', since, until, 'until'),
    ],
  },
};

const queryRules: { readonly [Id in OperationId]?: Rule<OperationInput<Id>['query']> } = {
  getClaimValuation: {
    fields: ['valuation_at', 'effective_through'],
    check: (query) => checkCutoffs(query, '/query'),
  },
  listPractitionerSlots: {
    fields: ['from', 'to'],
    check: ({ from, to }) => [
      ...checkOrder(to, 'to', from, 'from', '/query'),
      ...checkSpan(SLOTS_WINDOW_MS, '31 days after from', from, to, 'to', '/query'),
    ],
  },
};

/**
 * Checks a rule.
 *
 * @param root prefix of the fields' pointers
 * @param problems the problems that the schema found; if there are more than one error message can contain, the rule is not checked
 */
function checkRule<Input>(
  rule: Rule<Input> | undefined,
  input: Input,
  root: string,
  problems: readonly Problem[],
): readonly Problem[] {
  if (rule === undefined || problems.length > MAX_PROBLEMS) return [];
  const isInvalid = problems.some(
    ({ pointer }) =>
      pointer === root || rule.fields.some((field) => `${pointer}/`.startsWith(`${root}/${field}/`)),
  );
  return isInvalid ? [] : rule.check(input);
}

/** Checks the rules for several parameters of an operation's query, as {@link checkBody} does for its body. */
export function checkQuery<Id extends OperationId>(
  id: Id,
  query: OperationInput<Id>['query'],
  problems: readonly Problem[],
): readonly Problem[] {
  const rule: Rule<OperationInput<Id>['query']> | undefined = queryRules[id];
  return checkRule(rule, query, '/query', problems);
}

/**
 * Checks the rules for several fields of an operation's body.
 *
 * @param body the parsed body; a rule is checked only if the schema found no problem in the fields that the rule reads
 * @param problems the problems that the schema found
 * @returns the violations; empty if there are none or the operation has no such rule
 */
export function checkBody<Id extends OperationId>(
  id: Id,
  body: NonNullable<OperationInput<Id>['body']>,
  problems: readonly Problem[],
): readonly Problem[] {
  const rule: Rule<NonNullable<OperationInput<Id>['body']>> | undefined = bodyRules[id];
  return checkRule(rule, body, '', problems);
}
