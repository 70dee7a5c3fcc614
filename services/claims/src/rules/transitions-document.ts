/** Generates docs/transitions.md, the documentation of the transition table. A test compares the text with the file. */
import { type From, rowOf, type Transition, transitions } from './transitions';

const STATUSES: readonly From[] = [
  'none',
  'draft',
  'submitted',
  'queried',
  'approved',
  'partially_approved',
  'denied',
  'settled',
  'reversed',
  'cancelled',
];

const NAMES = Object.keys(transitions) as Transition[];

function diagram(): string[] {
  const edges = new Map<string, Transition[]>();
  for (const transition of NAMES) {
    for (const [from, to] of Object.entries(rowOf(transition).to)) {
      if (from === to) continue;
      const targets = to === 'decision' ? (['approved', 'partially_approved'] as const) : [to];
      for (const target of targets) {
        const edge = `${from === 'none' ? '[*]' : from} --> ${target}`;
        edges.set(edge, [...(edges.get(edge) ?? []), transition]);
      }
    }
  }
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...[...edges].map(([edge, by]) => `  ${edge}: ${by.join(', ')}`),
    '```',
  ];
}

function table(): string[] {
  const header = ['transition', 'fact', 'effective_at', ...STATUSES];
  const rows = NAMES.map((transition) => {
    const { fact, effective, to } = rowOf(transition);
    const cells = STATUSES.map((from) => {
      const target = to[from];
      if (target === undefined) return '';
      if (target === from) return 'same';
      return target === 'decision' ? 'as decided' : target;
    });
    return [transition, fact, effective, ...cells];
  });
  return alignedTable([header, ...rows]);
}

/** Returns the lines of a Markdown table whose cells are padded to the width of their column. */
function alignedTable([header = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** Returns the documentation page of the transition table in Markdown. */
export function transitionsDocument(): string {
  return [
    '# Transitions of a claim',
    '',
    'Generated from `src/rules/transitions.ts` by its test (`UPDATE_DOCS=1`). Do not edit. Every committing transaction applies this',
    'table under the lock of the claim. An empty cell is rejected with 409 `invalid_state`. `as decided` is the decision of the',
    'current adjudication. A settlement, or the reversal of one, is `settle_in_full` if the settled amount then equals the approved',
    'amount, otherwise `settle_in_part`. A reversal takes effect when it is recorded.',
    '',
    ...diagram(),
    '',
    ...table(),
    '',
  ].join('\n');
}
