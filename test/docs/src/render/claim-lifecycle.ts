/** The lifecycle of a claim as integrators see it, as a picture and a table, from the claims service's table of transitions. */
import type { AdjudicationDecision, ClaimStatus } from '@carecover/contract';
import { type From, type Move, moves, nextStatus } from '../../../../services/claims/src/rules/transitions';
import { INK, LINE, line, picture, RAISED, text } from './svg';

const DECISIONS: readonly AdjudicationDecision[] = ['approved', 'partially_approved', 'denied'];

/** An integrator's name of each transition. Transitions that change no status are not drawn. */
const WORDS: Readonly<Record<Move, string>> = {
  create: 'submit',
  validate: 'submit',
  submit: 'submit',
  query: 'information requested',
  lapse: 'due_at passed',
  add_evidence: 'evidence',
  resubmit: 'evidence',
  approve: 'adjudicate',
  approve_in_part: 'adjudicate',
  deny: 'adjudicate',
  record_remittance: 'remittance',
  settle_in_part: 'settlement reversed',
  settle_in_full: 'settled in full',
  reconcile: 'reconciled',
  reverse: 'reverse',
  cancel: 'cancel',
};

export interface Edge {
  readonly from: From;
  readonly to: ClaimStatus;
  readonly words: readonly string[];
}

/** Every change of status that the table allows. */
export function edges(): Edge[] {
  const found = new Map<string, { from: From; to: ClaimStatus; words: Set<string> }>();
  for (const move of Object.keys(moves) as Move[]) {
    for (const from of Object.keys(moves[move].to) as From[]) {
      for (const decision of DECISIONS) {
        const to = nextStatus(move, from, decision);
        if (to === null || to === from || (from === 'settled' && to === 'denied')) continue;
        const edge = found.get(`${from} ${to}`) ?? { from, to, words: new Set() };
        edge.words.add(WORDS[move]);
        found.set(`${from} ${to}`, edge);
      }
    }
  }
  return [...found.values()].map(({ from, to, words }) => ({ from, to, words: [...words] }));
}

const BOX = { width: 150, height: 40 };
/** Centres. */
const PLACES: Readonly<Record<ClaimStatus, readonly [number, number]>> = {
  draft: [220, 50],
  submitted: [220, 190],
  queried: [220, 350],
  cancelled: [560, 350],
  approved: [560, 70],
  partially_approved: [560, 150],
  denied: [560, 230],
  settled: [900, 70],
  reversed: [900, 230],
};

function border(
  [x, y]: readonly [number, number],
  [towardsX, towardsY]: readonly [number, number],
): [number, number] {
  const [dx, dy] = [towardsX - x, towardsY - y];
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : (BOX.width / 2 + 2) / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : (BOX.height / 2 + 2) / Math.abs(dy),
  );
  return [Math.round(x + dx * scale), Math.round(y + dy * scale)];
}

const isDecision = (status: From) => (DECISIONS as readonly From[]).includes(status);

function arrow({ from, to, words }: Edge, all: readonly Edge[]): string[] {
  if (from === 'none' || (isDecision(from) && isDecision(to))) return [];
  const both = all.some((other) => other.from === to && other.to === from);
  const [x1, y1] = border(PLACES[from], PLACES[to]);
  const [x2, y2] = border(PLACES[to], PLACES[from]);
  // Two ways between the same places are drawn apart, each to its own right.
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [sx, sy] = both ? [(-(y2 - y1) / length) * 8, ((x2 - x1) / length) * 8] : [0, 0];
  const at = (a: number, b: number) => Math.round(a + b);
  const drawn = line(at(x1, sx), at(y1, sy), at(x2, sx), at(y2, sy), 'marker-end="url(#arrow)"');
  const label = words.join(', ');
  const vertical = Math.abs(x2 - x1) < 5;
  const share = from === 'submitted' ? 0.6 : 0.5;
  const mx = at(x1 + (x2 - x1) * share, sx);
  const my = at(y1 + (y2 - y1) * share, sy);
  const words_ = vertical
    ? text(mx + (sx < 0 ? -8 : 8), my + 4, label, {
        size: 12,
        anchor: sx < 0 ? 'end' : 'start',
        colour: LINE,
      })
    : text(mx, my + (sy > 0 ? 17 : -7), label, { size: 12, colour: LINE });
  return isDuplicateLabel(from, to) ? [drawn] : [drawn, words_];
}

/** Of several parallel arrows with the same label, only one has the label. */
function isDuplicateLabel(from: From, to: ClaimStatus): boolean {
  if (from === 'submitted' && isDecision(to)) return to !== 'partially_approved';
  if (to === 'reversed') return from !== 'settled';
  if (to === 'cancelled') return from !== 'queried';
  return from === 'partially_approved' || to === 'partially_approved';
}

export function claimLifecyclePicture(): string {
  const all = edges();
  const boxes = Object.entries(PLACES).flatMap(([status, [x, y]]) => [
    `<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="${RAISED}" stroke="${INK}"/>`,
    text(x, y + 5, status, { bold: true }),
  ]);
  const group = [
    `<rect x="470" y="30" width="180" height="240" rx="12" fill="none" stroke="${LINE}" stroke-dasharray="5 4"/>`,
    text(560, 288, 'adjudicated again while', { size: 12, colour: LINE }),
    text(560, 303, 'nothing is remitted', { size: 12, colour: LINE }),
  ];
  const start = [
    `<circle cx="112" cy="50" r="6" fill="${INK}"/>`,
    line(118, 50, 143, 50, 'marker-end="url(#arrow)"'),
  ];
  return picture(
    { width: 1000, height: 400 },
    'The lifecycle of a claim',
    all.map(({ from, to, words }) => `${from} to ${to}: ${words.join(', ')}.`).join(' '),
    [...group, ...start, ...all.flatMap((edge) => arrow(edge, all)), ...boxes],
  );
}

/** The same as a table. */
export function claimStatusTable(): string {
  const rows = (Object.keys(PLACES) as ClaimStatus[]).map((status) => {
    const next = edges()
      .filter(({ from }) => from === status)
      .map(({ to, words }) => `\`${to}\` (${words.join(', ')})`);
    return `| \`${status}\` | ${next.join(', ') || 'no further status'} |`;
  });
  return [
    '| status | leads to |',
    '|---|---|',
    ...rows,
    '',
    'No response contains `draft`: a submission passes through it at once, and only a valuation shows it. A command that this table',
    'does not allow is rejected with 409 `invalid_state`.',
  ].join('\n');
}
