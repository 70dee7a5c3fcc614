/**
 * Draws development triangles: for each measure, such as a count or an amount, a heat map and the development curves as SVG. A title on
 * each cell and point has the exact value. The page that shows the drawings defines the CSS classes and colours.
 */
import type { ValuationRun } from '@carecover/contract';
import { currencyDecimals, formatMajorUnits } from '@carecover/contract/amounts';

export type Triangle = NonNullable<ValuationRun['triangle']>;
export type Measure = Triangle['currencies'][number]['measures'][number];

/** Escapes a text for HTML. */
export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the name of a measure, a dimension or an amount as words. */
export const wordsOf = (name: string) => name.replaceAll('_', ' ');

const isCount = (measure: Measure['measure']) => measure === 'claim_count';

type Format = 'whole' | 'compact';
let formats: Readonly<Record<Format, Intl.NumberFormat>> | undefined;

/** Returns the formats of numbers, which are made once, at the first use: to make one takes longer than to format hundreds of numbers. */
function numberFormats(): Readonly<Record<Format, Intl.NumberFormat>> {
  formats ??= {
    whole: new Intl.NumberFormat('en-GB'),
    compact: new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 }),
  };
  return formats;
}

/** Returns the whole value: an amount in the currency's major unit, or a number. */
export function exactValue(value: number, measure: Measure['measure'], currency: string): string {
  return isCount(measure)
    ? numberFormats().whole.format(value)
    : `${currency} ${formatMajorUnits(value, currency)}`;
}

/** Returns how many minor units one unit of an axis or a cell has: 1 for a number of claims. */
const unitOf = (measure: Measure['measure'], currency: string) =>
  isCount(measure) ? 1 : 10 ** currencyDecimals(currency);

/** Returns the value as a short text for a cell of the heat map. */
function compact(value: number, measure: Measure['measure'], currency: string): string {
  return numberFormats().compact.format(value / unitOf(measure, currency));
}

/** Returns the age in months at the end of the month of `date`, counted from the first day of the month `origin`. */
function ageInMonths(origin: string, date: string): number {
  const [originYear = 0, originMonth = 1] = origin.split('-').map(Number);
  const [year = 0, month = 1] = date.split('-').map(Number);
  return (year - originYear) * 12 + month - originMonth + 1;
}

const CELL = { width: 54, height: 22 };
/** Space in pixels for the labels of rows and columns. The labels of columns are slanted, and reach `overhang` pixels beyond their column. */
const LABELS = { width: 84, height: 58, overhang: 24 };

/** From this share of the largest value on, the text of a cell has the colour for dark cells. */
const DARK_FROM = 0.55;

/**
 * Returns how much of the colour of the largest value a cell has, in percent. No cell has a colour between 45 and 85 %, on which neither colour
 * of the text has a contrast of 4.5 (WCAG 2.2, 1.4.3).
 */
function fillPercent(share: number): number {
  const percent =
    share <= DARK_FROM ? (share / DARK_FROM) * 45 : 85 + ((share - DARK_FROM) / (1 - DARK_FROM)) * 15;
  return Math.round(percent);
}

/** Draws one measure of a triangle as a heat map: an SVG element that uses the colours `--high`, `--low` and `--negative`. */
function heatMap(
  { origins, valuation_dates }: Triangle,
  { measure, rows }: Measure,
  currency: string,
): string {
  const values = rows.flat().filter((value) => value !== null);
  const largest = Math.max(1, ...values.map(Math.abs));
  const width = LABELS.width + valuation_dates.length * CELL.width + LABELS.overhang;
  const height = LABELS.height + origins.length * CELL.height;
  const columns = valuation_dates.map((date, column) => {
    const x = LABELS.width + (column + 0.5) * CELL.width;
    return `<text class="muted" transform="translate(${x + 4} ${LABELS.height - 6}) rotate(-45)">${date.slice(0, 7)}</text>`;
  });
  const lines = origins.map((origin, row) => {
    const y = LABELS.height + row * CELL.height;
    const cells = valuation_dates.map((date, column) => {
      const value = rows[row]?.[column] ?? null;
      if (value === null) return '';
      const x = LABELS.width + column * CELL.width;
      const share = Math.abs(value) / largest;
      const fill = value < 0 ? 'var(--negative)' : 'var(--high)';
      const isDark = share > DARK_FROM;
      const title = `${origin}, valued at ${date}: ${exactValue(value, measure, currency)}`;
      return `<g><title>${escapeHtml(title)}</title><rect class="cell" x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" fill="color-mix(in srgb, ${fill} ${fillPercent(share)}%, var(--low))"/><text x="${x + CELL.width - 5}" y="${y + 15}" text-anchor="end"${isDark ? ' class="dark"' : ''}>${compact(value, measure, currency)}</text></g>`;
    });
    return `<text x="${LABELS.width - 8}" y="${y + 15}" text-anchor="end">${origin}</text>${cells.join('')}`;
  });
  return `<div class="scroll" tabindex="0" role="group" aria-label="Heat map of ${escapeHtml(measure)}"><svg width="${width}" height="${height}" role="img" aria-label="Heat map: ${escapeHtml(measure)} by origin and valuation date">${columns.join('')}${lines.join('')}</svg></div>`;
}

const CURVES = { width: 720, height: 300, left: 64, right: 12, top: 12, bottom: 40 };

/**
 * Returns up to seven labels of an axis: round multiples of `unit` from at most `lowest` to at least `largest`, with 0 among them. If no value is
 * greater than `unit`, the largest label is `unit`.
 *
 * @param lowest 0 or less
 */
function ticks(lowest: number, largest: number, unit: number): number[] {
  const span = largest - lowest;
  const power = 10 ** Math.floor(Math.log10(Math.max(unit, span) / 5));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((each) => span / each <= 5) ?? 10 * power;
  const step = Math.max(unit, round);
  const first = Math.floor(lowest / step);
  return Array.from({ length: Math.ceil(largest / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Draws how the values of each origin (period of service) develop with age, one curve per origin, as an SVG element. */
function curves(
  { origins, valuation_dates }: Triangle,
  { measure, rows }: Measure,
  currency: string,
): string {
  const points = origins.map((origin, row) =>
    valuation_dates.flatMap((date, column) => {
      const value = rows[row]?.[column] ?? null;
      return value === null ? [] : [{ age: ageInMonths(origin, date), date, value }];
    }),
  );
  const oldest = Math.max(1, ...points.flat().map(({ age }) => age));
  const lowest = Math.min(0, ...points.flat().map(({ value }) => value));
  // The smallest step of the axis: one claim for a count, which is a whole number, and one major unit for an amount.
  const unit = unitOf(measure, currency);
  const levels = ticks(lowest, Math.max(unit, ...points.flat().map(({ value }) => value)), unit);
  const [bottom, top] = [levels[0] ?? 0, levels.at(-1) ?? 1];
  const x = (age: number) =>
    CURVES.left + ((age - 0.5) / oldest) * (CURVES.width - CURVES.left - CURVES.right);
  const y = (value: number) =>
    CURVES.top + ((top - value) / (top - bottom)) * (CURVES.height - CURVES.top - CURVES.bottom);
  const grid = levels.map(
    (level) =>
      `<line class="axis" x1="${CURVES.left}" x2="${CURVES.width - CURVES.right}" y1="${y(level)}" y2="${y(level)}"/><text class="muted" x="${CURVES.left - 8}" y="${y(level) + 4}" text-anchor="end">${compact(level, measure, currency)}</text>`,
  );
  const everyMonths = Math.ceil(oldest / 12);
  const ages = Array.from({ length: oldest }, (_, index) => index + 1).filter(
    (age) => age % everyMonths === 0 || age === 1,
  );
  const axis = ages.map(
    (age) => `<text class="muted" x="${x(age)}" y="${CURVES.height - 20}" text-anchor="middle">${age}</text>`,
  );
  const lines = points.map((own, row) => {
    // The colour of a curve: from blue for the oldest service period to orange for the newest. All these colours are visible on light and
    // on dark backgrounds.
    const hue = 215 + (row / Math.max(1, points.length - 1)) * 170;
    const colour = `hsl(${Math.round(hue) % 360} 65% 52%)`;
    const path = own.map(({ age, value }) => `${x(age).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    const dots = own.map(
      ({ age, date, value }) =>
        `<circle cx="${x(age).toFixed(1)}" cy="${y(value).toFixed(1)}" r="2.2" fill="${colour}"><title>${escapeHtml(`${origins[row]}, valued at ${date} (${age} ${age === 1 ? 'month' : 'months'}): ${exactValue(value, measure, currency)}`)}</title></circle>`,
    );
    return `<polyline class="curve" stroke="${colour}" points="${path}"/>${dots.join('')}`;
  });
  const label = `<text class="muted" x="${(CURVES.left + CURVES.width) / 2}" y="${CURVES.height - 4}" text-anchor="middle">age in months at the valuation date; one curve per origin, from blue (oldest) to orange (newest)</text>`;
  return `<div class="scroll" tabindex="0" role="group" aria-label="Development curves of ${escapeHtml(measure)}"><svg width="${CURVES.width}" height="${CURVES.height}" role="img" aria-label="Development curves: ${escapeHtml(measure)} by age">${grid.join('')}${axis.join('')}${lines.join('')}${label}</svg></div>`;
}

/**
 * Returns the sections of a triangle as HTML, one per currency and measure. All texts are escaped.
 *
 * @example const html = triangleSections(run.triangle);
 */
export function triangleSections(triangle: Triangle): string {
  return triangle.currencies
    .flatMap(({ currency, measures }) =>
      measures.map((measure) => {
        const unit = isCount(measure.measure)
          ? 'number of claims'
          : `sums at each valuation date, in ${currency}`;
        return `<section><h2>${escapeHtml(wordsOf(measure.measure))}, ${escapeHtml(currency)}</h2><p>${unit}</p>${heatMap(triangle, measure, currency)}${curves(triangle, measure, currency)}</section>`;
      }),
    )
    .join('\n');
}
