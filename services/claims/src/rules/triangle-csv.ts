/** Development triangles as CSV in long format, which actuarial libraries read: one record per origin, valuation date and currency. */
import type { ValuationRun } from '@carecover/contract';

export type Triangle = NonNullable<ValuationRun['triangle']>;

/**
 * Returns the CSV of a triangle: `origin` (first day of the period), `development` (the valuation date), `currency`, and one column per
 * measure with its cumulative sum: amounts in minor units, and numbers of claims. A sum without claims is an explicit 0; a valuation
 * date before the origin has no record.
 *
 * @example triangleCsv(triangle) // 'origin,development,currency,billed\r\n2025-01-01,2025-01-31,KES,350000\r\n'
 */
export function triangleCsv({ origins, valuation_dates, currencies }: Triangle): string {
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
