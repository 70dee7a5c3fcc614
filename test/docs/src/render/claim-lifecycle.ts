/** Renders the lifecycle of a claim as a picture and as a table, from the transition table of the claims service. */
import type { AdjudicationDecision, ClaimStatus } from '@carecover/contract';
import {
  type From,
  nextStatus,
  type Transition,
  transitions,
} from '../../../../services/claims/src/rules/transitions';
import { INK, LINE, RAISED, renderLine, renderPicture, renderText } from './svg';

const DECISIONS: readonly AdjudicationDecision[] = ['approved', 'partially_approved', 'denied'];

/** For each transition of the transition table, the label of its arrow in the picture. A transition that doesn't change the status has no arrow. */
const LABELS: Readonly<Record<Transition, string>> = {
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
  record_recovery: 'recovery',
  settle_in_part: 'settlement reversed',
  settle_in_full: 'settled in full',
  reconcile: 'reconciled',
  reverse: 'reverse',
  cancel: 'cancel',
};

interface Edge {
  readonly from: From;
  readonly to: ClaimStatus;
  readonly labels: readonly string[];
}

/** Lists every change of a claim's status that the transition table allows. */
function listEdges(): Edge[] {
  const found = new Map<string, { from: From; to: ClaimStatus; labels: Set<string> }>();
  for (const transition of Object.keys(transitions) as Transition[]) {
    for (const from of Object.keys(transitions[transition].to) as From[]) {
      for (const decision of DECISIONS) {
        const to = nextStatus(transition, from, decision);
        if (to === null || to === from || (from === 'settled' && to === 'denied')) continue;
        const edge = found.get(`${from} ${to}`) ?? { from, to, labels: new Set() };
        edge.labels.add(LABELS[transition]);
        found.set(`${from} ${to}`, edge);
      }
    }
  }
  return [...found.values()].map(({ from, to, labels }) => ({ from, to, labels: [...labels] }));
}

const BOX = { width: 134, height: 40 };
/** The centre of the box of each status in the picture, in pixels. */
const POSITIONS: Readonly<Record<ClaimStatus, readonly [number, number]>> = {
  draft: [156, 50],
  submitted: [156, 190],
  queried: [156, 350],
  cancelled: [385, 350],
  approved: [385, 70],
  partially_approved: [385, 150],
  denied: [385, 230],
  settled: [617, 70],
  reversed: [617, 230],
};

/** Returns the point on the border of a box that is in the direction of another point. */
function borderPoint(
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

function drawArrow({ from, to, labels }: Edge, all: readonly Edge[]): string[] {
  if (from === 'none' || (isDecision(from) && isDecision(to))) return [];
  const both = all.some((other) => other.from === to && other.to === from);
  const [x1, y1] = borderPoint(POSITIONS[from], POSITIONS[to]);
  const [x2, y2] = borderPoint(POSITIONS[to], POSITIONS[from]);
  // Two arrows in opposite directions between the same boxes are drawn next to each other.
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [sx, sy] = both ? [(-(y2 - y1) / length) * 8, ((x2 - x1) / length) * 8] : [0, 0];
  const at = (a: number, b: number) => Math.round(a + b);
  const drawn = renderLine(at(x1, sx), at(y1, sy), at(x2, sx), at(y2, sy), 'marker-end="url(#arrow)"');
  const label = labels.join(', ');
  const vertical = Math.abs(x2 - x1) < 5;
  const isLevel = y1 === y2;
  const share = from === 'submitted' ? 0.6 : 0.5;
  const mx = at(x1 + (x2 - x1) * share, sx);
  const my = at(y1 + (y2 - y1) * share, sy);
  const caption = vertical
    ? renderText(mx + (sx < 0 ? -8 : 8), my + 4, label, {
        size: 12,
        anchor: sx < 0 ? 'end' : 'start',
        colour: LINE,
      })
    : renderText(mx, my + (sy > 0 ? 17 : isLevel && both ? -18 : -7), label, { size: 12, colour: LINE });
  return isDuplicateLabel(from, to) ? [drawn] : [drawn, caption];
}

/** Returns whether an arrow is drawn without its label, because a parallel arrow has the same label. */
function isDuplicateLabel(from: From, to: ClaimStatus): boolean {
  if (from === 'submitted' && isDecision(to)) return to !== 'partially_approved';
  if (to === 'reversed') return from !== 'settled';
  if (to === 'cancelled') return from !== 'queried';
  return from === 'partially_approved' || to === 'partially_approved';
}

/** Renders the lifecycle of a claim as an SVG picture. */
export function renderClaimLifecycle(): string {
  const all = listEdges();
  const boxes = Object.entries(POSITIONS).flatMap(([status, [x, y]]) => [
    `<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="${RAISED}" stroke="${INK}"/>`,
    renderText(x, y + 5, status, { size: 12, bold: true, outlined: false }),
  ]);
  const group = [
    `<rect x="306" y="30" width="158" height="240" rx="12" fill="none" stroke="${LINE}" stroke-dasharray="5 4"/>`,
    renderText(385, 288, 'adjudicated again while', { size: 12, colour: LINE }),
    renderText(385, 303, 'nothing is remitted', { size: 12, colour: LINE }),
  ];
  const start = [
    `<circle cx="22" cy="50" r="6" fill="${INK}"/>`,
    renderLine(28, 50, 85, 50, 'marker-end="url(#arrow)"'),
  ];
  return renderPicture(
    { width: 688, height: 400 },
    'The lifecycle of a claim',
    all.map(({ from, to, labels }) => `${from} to ${to}: ${labels.join(', ')}.`).join(' '),
    [...group, ...start, ...all.flatMap((edge) => drawArrow(edge, all)), ...boxes],
  );
}

/** Renders the lifecycle of a claim as a Markdown table: for each status, the statuses that can follow it. */
export function renderClaimStatusTable(): string {
  const rows = (Object.keys(POSITIONS) as ClaimStatus[]).map((status) => {
    const next = listEdges()
      .filter(({ from }) => from === status)
      .map(({ to, labels }) => `\`${to}\` (${labels.join(', ')})`);
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
