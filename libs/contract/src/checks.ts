// Rules for several fields of a body or a query that JSON Schema can't express and that need neither clock nor database. A request
// that violates one is rejected with validation_failed, as if its schema had rejected it.
import { MAX_SESSION_MS, RECOVERY_WINDOW_MS, SLOTS_WINDOW_MS } from './limits';
import { sumMoney } from './money';
import type { Problem } from './operation';
import type { OperationId, OperationInput } from './operations';
import { problem } from './problem';
import { parseInstant } from './time';

type Check<Id extends OperationId> = (body: OperationInput<Id>['body']) => readonly Problem[];

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

const checks: { readonly [Id in OperationId]?: Check<Id> } = {
  createBooking: ({ starts_at, ends_at }) => [
    ...checkOrder(ends_at, 'ends_at', starts_at, 'starts_at'),
    ...checkSpan(MAX_SESSION_MS, '8 hours after starts_at', starts_at, ends_at, 'ends_at'),
  ],

  createCoverage: ({ valid_from, valid_until }) =>
    checkOrder(valid_until, 'valid_until', valid_from, 'valid_from'),

  createCoverageBatch: ({ records }) =>
    records.flatMap(({ valid_from, valid_until }, index) =>
      checkOrder(valid_until, 'valid_until', valid_from, 'valid_from', `/records/${index}`),
    ),

  createClaim: ({ lines }) =>
    checkSum(
      '/lines',
      lines.map((line) => line.amount),
    ),

  adjudicateClaim: ({ lines }) =>
    adjudicationAmounts.flatMap((name) =>
      checkSum(
        '/lines',
        lines.map((line) => line.amount[name]),
      ),
    ),

  createRemittance: ({ allocations }) =>
    checkSum(
      '/allocations',
      allocations.map((allocation) => allocation.paid_amount),
    ),

  createSettlement: ({ allocations }) =>
    checkSum('/allocations', allocations?.map((allocation) => allocation.amount) ?? []),

  recoverWebhookEndpoint: ({ since, until }) => [
    ...checkOrder(until, 'until', since, 'since'),
    ...checkSpan(RECOVERY_WINDOW_MS, '30 days after since', since, until, 'until'),
  ],
};

type QueryCheck<Id extends OperationId> = (query: OperationInput<Id>['query']) => readonly Problem[];

const queryChecks: { readonly [Id in OperationId]?: QueryCheck<Id> } = {
  listPractitionerSlots: ({ from, to }) => [
    ...checkOrder(to, 'to', from, 'from', '/query'),
    ...checkSpan(SLOTS_WINDOW_MS, '31 days after from', from, to, 'to', '/query'),
  ],
};

/** Checks the rules for several parameters of an operation's query, as {@link checkBody} does for its body. */
export function checkQuery<Id extends OperationId>(
  id: Id,
  query: OperationInput<Id>['query'],
): readonly Problem[] {
  const check: QueryCheck<Id> | undefined = queryChecks[id];
  return check?.(query) ?? [];
}

/**
 * Checks the rules for several fields of an operation's body.
 *
 * @param body a body that the operation's schema accepted
 * @returns the violations; empty if there are none or the operation has no such rule
 */
export function checkBody<Id extends OperationId>(
  id: Id,
  body: OperationInput<Id>['body'],
): readonly Problem[] {
  const check: Check<Id> | undefined = checks[id];
  return check?.(body) ?? [];
}
