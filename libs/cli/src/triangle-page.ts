/**
 * A development triangle as one HTML file, which needs no network: per measure a heat map and the development curves as SVG. The colours
 * follow the light or dark setting of the reader's system, and a title on each cell and point has the exact value.
 */

import { escapeHtml, triangleSections } from '@carecover/charts';
import type { Triangle } from '@carecover/claims';

export interface TrianglePage {
  readonly runId: string;
  /** The run's cutoffs `valuation_at` and `effective_through`, as text for the page. */
  readonly valuationAt: string;
  readonly effectiveThrough: string;
  readonly resultSha256: string | null;
  readonly triangle: Triangle;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1d2430; --muted: #5b6675; --line: #d5dae1; --low: #e8f1fb; --high: #0b4f8a; --high-ink: #ffffff; --negative: #a83232; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181f; --ink: #e6eaf0; --muted: #9aa6b5; --line: #333c48; --low: #1d2733; --high: #6db3f2; --high-ink: #0b1118; --negative: #f08a8a; } }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1.25rem; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; }
p { color: var(--muted); margin: .25rem 0; } code { font-size: .85em; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } svg { display: block; margin: .75rem 0; } svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .muted { fill: var(--muted); } svg .axis { stroke: var(--line); } svg .dark { fill: var(--high-ink); }
svg rect.cell { stroke: var(--ground); } svg .curve { fill: none; stroke-width: 1.5; }
`;

/** Returns the HTML file. */
export function trianglePage({
  runId,
  valuationAt,
  effectiveThrough,
  resultSha256,
  triangle,
}: TrianglePage): string {
  const sections = triangleSections(triangle);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development triangle ${escapeHtml(runId)}</title><style>${STYLE}</style></head><body>
<h1>Development triangle</h1>
<p>Known at ${escapeHtml(valuationAt)}, in effect through ${escapeHtml(effectiveThrough)}. Rows are the periods in which services start, columns the valuation dates.</p>
<p><code>${escapeHtml(runId)}</code>${resultSha256 === null ? '' : `, SHA-256 of the result <code>${escapeHtml(resultSha256)}</code>`}</p>
${sections === '' ? '<p>There are no claims.</p>' : sections}
</body></html>
`;
}
