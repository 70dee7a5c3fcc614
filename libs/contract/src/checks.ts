// Rules over several fields of a body that a schema can't say and that need neither clock nor database. Where one fails, the
// request is as malformed as by its schema.
import { MAX_SESSION_MS, RECOVERY_WINDOW_MS } from './limits';
import { sumMoney } from './money';
import type { Problem } from './operation';
import type { OperationId, OperationInput } from './operations';
import { problem } from './problem';
import { parseInstant } from './time';

type Check<Id extends OperationId> = (body: OperationInput<Id>['body']) => readonly Problem[];

const BEYOND_AMOUNTS = 'must have a sum of at most 9007199254740991';

function mustFollow(later: string, laterName: string, earlier: string, earlierName: string, base = '') {
  return parseInstant(later) > parseInstant(earlier)
    ? []
    : [problem(`${base}/${laterName}`, `must be after ${earlierName}`)];
}

function mustSpanAtMost(
  limitMs: number,
  words: string,
  start: string,
  end: string,
  endName: string,
): Problem[] {
  return parseInstant(end) - parseInstant(start) <= limitMs
    ? []
    : [problem(`/${endName}`, `must be at most ${words}`)];
}

function mustSum(pointer: string, amounts: number[]): Problem[] {
  return sumMoney(amounts) === undefined ? [problem(pointer, BEYOND_AMOUNTS)] : [];
}

const adjudicationAmounts = ['billed', 'allowed', 'payer', 'patient_responsibility', 'adjustment'] as const;

const checks: { readonly [Id in OperationId]?: Check<Id> } = {
  createBooking: ({ starts_at, ends_at }) => [
    ...mustFollow(ends_at, 'ends_at', starts_at, 'starts_at'),
    ...mustSpanAtMost(MAX_SESSION_MS, '8 hours after starts_at', starts_at, ends_at, 'ends_at'),
  ],

  createCoverage: ({ valid_from, valid_until }) =>
    mustFollow(valid_until, 'valid_until', valid_from, 'valid_from'),

  createCoverageBatch: ({ records }) =>
    records.flatMap(({ valid_from, valid_until }, index) =>
      mustFollow(valid_until, 'valid_until', valid_from, 'valid_from', `/records/${index}`),
    ),

  createClaim: ({ lines }) =>
    mustSum(
      '/lines',
      lines.map((line) => line.amount),
    ),

  adjudicateClaim: ({ lines }) =>
    adjudicationAmounts.flatMap((name) =>
      mustSum(
        '/lines',
        lines.map((line) => line.amount[name]),
      ),
    ),

  createRemittance: ({ allocations }) =>
    mustSum(
      '/allocations',
      allocations.map((allocation) => allocation.paid_amount),
    ),

  createSettlement: ({ allocations }) =>
    mustSum('/allocations', allocations?.map((allocation) => allocation.amount) ?? []),

  recoverWebhookEndpoint: ({ since, until }) => [
    ...mustFollow(until, 'until', since, 'since'),
    ...mustSpanAtMost(RECOVERY_WINDOW_MS, '30 days after since', since, until, 'until'),
  ],
};

/** Applies an operation's rule, if it has one, to a body that its schema has accepted. */
export function checkBody<Id extends OperationId>(
  id: Id,
  body: OperationInput<Id>['body'],
): readonly Problem[] {
  const check: Check<Id> | undefined = checks[id];
  return check?.(body) ?? [];
}
