/** The transition table as a page for people: docs/transitions.md is this text, and a test keeps it so. */
import { type From, type Move, moves, rowOf } from './transitions';

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

const NAMES = Object.keys(moves) as Move[];

function diagram(): string[] {
  const edges = new Map<string, Move[]>();
  for (const move of NAMES) {
    for (const [from, to] of Object.entries(rowOf(move).to)) {
      if (from === to) continue;
      const targets = to === 'decision' ? (['approved', 'partially_approved'] as const) : [to];
      for (const target of targets) {
        const edge = `${from === 'none' ? '[*]' : from} --> ${target}`;
        edges.set(edge, [...(edges.get(edge) ?? []), move]);
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
  const header = ['move', 'fact', 'effective_at', ...STATUSES];
  const rows = NAMES.map((move) => {
    const { fact, effective, to } = rowOf(move);
    const cells = STATUSES.map((from) => {
      const target = to[from];
      if (target === undefined) return '';
      if (target === from) return 'same';
      return target === 'decision' ? 'as decided' : target;
    });
    return [move, fact, effective, ...cells];
  });
  return alignedTable([header, ...rows]);
}

/** As the formatter of the repository wants it: every column as wide as its widest cell. */
function alignedTable([header = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** The page in Markdown. */
export function transitionsDocument(): string {
  return [
    '# How a claim moves',
    '',
    'Written from `src/rules/transitions.ts` by its test (`UPDATE_DOCS=1`); not to be edited. Every committing transaction applies the',
    'same table under the lock of the claim. An empty cell is refused with 409 `invalid_state`. `as decided` is the decision of the',
    'adjudication that stands. A move is `settle_in_full` when what has settled is then what was approved, else `settle_in_part`,',
    'also where an observation is taken back, which takes effect when it is recorded.',
    '',
    ...diagram(),
    '',
    ...table(),
    '',
  ].join('\n');
}
