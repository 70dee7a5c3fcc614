/** Development triangles as CSV in long format, which actuarial libraries read: one record per origin, valuation date and currency. They compute the factors. */
import { PERIOD_MONTHS, type ValuationRun } from '@carecover/contract';
import { ApiError } from '@carecover/domain';

export type Triangle = NonNullable<ValuationRun['triangle']>;
type Step = NonNullable<ValuationRun['development']>['step'];

/** Returns the last day of the step that contains a date. Dates are `YYYY-MM-DD`. */
function lastDayOfStep(date: string, step: Step): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  const months = PERIOD_MONTHS[step];
  const nextStep = (Math.floor((month - 1) / months) + 1) * months;
  return new Date(Date.UTC(year, nextStep, 0)).toISOString().slice(0, 10);
}

/**
 * Rejects a triangle whose CSV actuarial libraries would read as another one. They infer the length of origins and of steps from the months
 * that occur in the file, and read each date as the end of its period.
 */
function requireReadable({ origins, valuation_dates }: Triangle, step: Step): void {
  if (origins.length < 2)
    throw new ApiError(
      'invalid_state',
      `The triangle has ${origins.length} origin${origins.length === 1 ? '' : 's'}. A CSV needs at least two, because actuarial libraries infer the length of periods from them.`,
    );
  const [previous = '', last = ''] = valuation_dates.slice(-2);
  if (last !== lastDayOfStep(last, step))
    throw new ApiError(
      'invalid_state',
      `The cutoff's day ${last} is not the last day of a ${step} in UTC. Create a run with such a cutoff, for example ${previous}T23:59:59.999Z.`,
    );
}

/**
 * Returns the CSV of a triangle: `origin` (first day of the period), `development` (the valuation date), `currency`, and one column per
 * measure with its cumulative sum: amounts in minor units, and numbers of claims. A sum without claims is an explicit 0; a valuation
 * date before the origin has no record.
 *
 * @param step the distance of the triangle's valuation dates
 * @throws ApiError invalid_state if the triangle has fewer than two origins, or its last valuation date is not the end of a step
 * @example triangleCsv(triangle, 'month') // 'origin,development,currency,billed\r\n2025-01-01,2025-01-31,KES,350000\r\n…'
 */
export function triangleCsv(triangle: Triangle, step: Step): string {
  requireReadable(triangle, step);
  const { origins, valuation_dates, currencies } = triangle;
  const measures = currencies[0]?.measures.map(({ measure }) => measure) ?? [];
  const records = currencies.flatMap(({ currency, measures: triangles }) =>
    origins.flatMap((origin, row) =>
      valuation_dates.flatMap((date, column) => {
        const values = triangles.map(({ rows }) => rows[row]?.[column] ?? null);
        return values.every((value) => value === null) ? [] : [[origin, date, currency, ...values]];
      }),
    ),
  );
  return [['origin', 'development', 'currency', ...measures], ...records]
    .map((record) => `${record.join(',')}\r\n`)
    .join('');
}
