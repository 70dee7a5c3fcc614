/** Routes of operators to close a day, and to decide that a row of a bank file is expected or not ours. */
import { isPlainText, tryParseInstant } from '@carecover/contract';
import { ApiError, notFound } from '@carecover/domain';
import type { OperatorRoute } from '@carecover/http';
import type { EntryDecision } from '../store/entry-resolutions';
import { closeDay } from '../use-cases/close-day';
import type { RemittanceDeps } from '../use-cases/deliver-notifications';
import { resolveEntry } from '../use-cases/resolve-entry';
import { requireRow } from './unmatched-row';

type Fields<Name extends string> = Partial<Record<Name, unknown>>;

function requireText(value: unknown, pointer: string): string {
  if (typeof value !== 'string' || value === '' || !isPlainText(value))
    throw new ApiError('validation_failed', `${pointer} must be a text without control characters.`);
  return value;
}

/** Makes the route that records a decision about a row. The response is the row. */
function decisionRoute(
  { sql }: Pick<RemittanceDeps, 'sql'>,
  path: string,
  read: (body: Fields<'reason' | 'until'>, reason: string) => EntryDecision,
): OperatorRoute {
  return {
    method: 'POST',
    path: `/unmatched_rows/:row/${path}`,
    async handle(author, params, body) {
      const row = await requireRow(sql, author.tenant, params.row);
      const fields = (body ?? {}) as Fields<'reason' | 'until'>;
      const decision = read(fields, requireText(fields.reason, '/reason'));
      if (!(await resolveEntry(sql, author, row.row, decision))) throw notFound();
      return { ...row, dismissed: decision.kind === 'not_ours' };
    },
  };
}

function requireInstant(value: unknown): Date {
  const instant = tryParseInstant(requireText(value, '/until'));
  if (instant === undefined)
    throw new ApiError('validation_failed', '/until must be an RFC 3339 date-time with an offset.');
  return new Date(instant);
}

export function bankDayRoutes(deps: Pick<RemittanceDeps, 'sql' | 'claims'>): OperatorRoute[] {
  const { sql, claims } = deps;
  return [
    {
      method: 'POST',
      path: '/bank_days',
      async handle({ tenant, requestId }, _params, body) {
        const { day = null, time_zone } = (body ?? {}) as Fields<'day' | 'time_zone'>;
        const choice = {
          day: day === null ? null : requireText(day, '/day'),
          timeZone: requireText(time_zone, '/time_zone'),
        };
        const readOutstanding = (at: Date) =>
          claims.outstandingAt({ tenant, at: at.toISOString() }, requestId);
        return closeDay({ sql, readOutstanding }, tenant, choice);
      },
    },
    decisionRoute(deps, 'dismissals', (_, reason) => ({ kind: 'not_ours', reason })),
    decisionRoute(deps, 'expectations', ({ until }, reason) => ({
      kind: 'expected',
      until: requireInstant(until),
      reason,
    })),
    decisionRoute(deps, 'reopenings', (_, reason) => ({ kind: 'reopened', reason })),
  ];
}
