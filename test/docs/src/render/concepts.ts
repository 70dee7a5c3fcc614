/** Renders the pictures of the page about concepts: boxes with lines of text, and arrows between them. */
import { ACCENT, INK, LINE, RAISED, renderLine, renderPicture, renderText } from './svg';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The lines of text in the box. The first line is the name of the box, and the other lines explain it. */
  readonly lines: readonly string[];
  readonly isDashed?: true;
}

interface Arrow {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly label?: string;
}

const LINE_HEIGHT = 19;
const heightOf = ({ lines }: Box) => 22 + lines.length * LINE_HEIGHT;

function renderBox(box: Box): string[] {
  const { x, y, width, lines, isDashed } = box;
  const dashes = isDashed === true ? ' stroke-dasharray="5 4"' : '';
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${heightOf(box)}" rx="6" fill="${RAISED}" stroke="${LINE}"${dashes}/>`,
    ...lines.map((line, index) =>
      renderText(x + width / 2, y + 26 + index * LINE_HEIGHT, line, {
        size: index === 0 ? 14 : 12,
        bold: index === 0,
        outlined: false,
        ...(index === 0 ? {} : { colour: LINE }),
      }),
    ),
  ];
}

function renderArrow({ from: [x1, y1], to: [x2, y2], label }: Arrow): string[] {
  const text = renderText((x1 + x2) / 2, (y1 + y2) / 2 - 7, label ?? '', { size: 12, colour: LINE });
  return [
    renderLine(x1, y1, x2, y2, 'stroke-width="1.5" marker-end="url(#arrow)"'),
    ...(label === undefined ? [] : [text]),
  ];
}

function renderDiagram(
  title: string,
  description: string,
  height: number,
  boxes: readonly Box[],
  arrows: readonly Arrow[],
): string {
  return renderPicture({ width: 960, height }, title, description, [
    ...boxes.flatMap(renderBox),
    ...arrows.flatMap(renderArrow),
  ]);
}

const FIRST_DAY = 9;
const PER_DAY = 80;
const LEFT = 200;
const BOTTOM = 390;
const dayX = (day: number) => LEFT + (day - FIRST_DAY) * PER_DAY;
const dayY = (day: number) => BOTTOM - (day - FIRST_DAY) * 55;

/** The example facts: a name, the day on which the fact took effect, and the day on which it was recorded. */
const FACTS = [
  ['adjudicated', 9.5, 9.5],
  ['remitted', 10, 12],
  ['settled', 11, 14],
] as const;
const CUTOFF = 13;

/**
 * Renders example facts as points in a plane, with effective_at on one axis and recorded_at on the other. Marks the area of the facts that
 * are known at a cutoff: those whose two instants are at or before the cutoff.
 */
export function renderTwoTimes(): string {
  const days = Array.from({ length: 6 }, (_, index) => FIRST_DAY + 1 + index);
  return renderPicture(
    { width: 960, height: 450 },
    'Facts in the plane of two times',
    'Three facts by the day on which they took effect and the day on which they were recorded: adjudicated on 9 and 9 March, remitted on 10 and 12 March, settled on 11 and 14 March. The cutoff of 13 March contains the first two.',
    [
      `<rect x="${LEFT}" y="${dayY(CUTOFF)}" width="${dayX(CUTOFF) - LEFT}" height="${BOTTOM - dayY(CUTOFF)}" fill="${RAISED}" stroke="${ACCENT}" stroke-width="2" stroke-dasharray="6 4"/>`,
      renderText(LEFT + 8, dayY(CUTOFF) + 20, 'what was known at the cutoff of 13 March', {
        size: 12,
        anchor: 'start',
        colour: ACCENT,
        outlined: false,
      }),
      renderLine(LEFT, BOTTOM, dayX(15.5), BOTTOM, 'stroke-width="1.5" marker-end="url(#arrow)"'),
      renderLine(LEFT, BOTTOM, LEFT, dayY(15.5), 'stroke-width="1.5" marker-end="url(#arrow)"'),
      renderText(dayX(15.5) + 12, BOTTOM + 5, 'effective_at', { anchor: 'start', bold: true }),
      renderText(LEFT, dayY(15.5) - 12, 'recorded_at', { bold: true }),
      ...days.flatMap((day) => [
        renderText(dayX(day), BOTTOM + 24, `${day} March`, { size: 12, colour: LINE }),
        renderText(LEFT - 14, dayY(day) + 4, `${day} March`, { size: 12, anchor: 'end', colour: LINE }),
      ]),
      ...FACTS.flatMap(([name, effective, recorded]) => [
        `<circle cx="${dayX(effective)}" cy="${dayY(recorded)}" r="7" fill="${INK}"/>`,
        renderText(dayX(effective) + 16, dayY(recorded) + 5, name, { anchor: 'start', bold: true }),
      ]),
    ],
  );
}

export function renderFactsAndState(): string {
  return renderDiagram(
    'Facts and state',
    'A transaction appends a fact and writes the new state. A rule decides by the state. A valuation reads the facts up to its cutoff.',
    300,
    [
      { x: 20, y: 110, width: 200, lines: ['command', 'adjudicate the claim'] },
      {
        x: 330,
        y: 20,
        width: 270,
        lines: ['state: one row', 'status approved, version 1', 'replaced by each command'],
      },
      {
        x: 330,
        y: 170,
        width: 270,
        lines: [
          'facts: append-only',
          '3 submitted',
          '4 approved',
          '5 remittance_recorded',
          'never changed or deleted',
        ],
      },
      { x: 720, y: 40, width: 220, lines: ['rule', 'is this command allowed now?'] },
      { x: 720, y: 200, width: 220, lines: ['valuation', 'facts up to the cutoff'] },
    ],
    [
      { from: [220, 130], to: [326, 80], label: 'writes' },
      { from: [220, 150], to: [326, 220], label: 'appends' },
      { from: [600, 70], to: [716, 70], label: 'read by' },
      { from: [600, 230], to: [716, 230], label: 'read by' },
    ],
  );
}

export function renderAuthorities(): string {
  const questions = [
    ['what happened, and when?', 'PostgreSQL', 'facts'],
    ['what does it wait for?', 'Temporal', 'a workflow per resource'],
    ['what does a request mean?', 'the contract', 'operations, schemas, errors'],
    ['may this money move?', 'payments', 'the account row of the claim'],
    ['is this slot or session free?', 'care and benefits', 'booking and reservation rows'],
    ['who receives this event?', 'NATS', 'filled from outboxes'],
  ] as const;
  const place = (index: number) => ({ x: 20 + (index % 3) * 315, y: 20 + Math.floor(index / 3) * 180 });
  return renderDiagram(
    'One authority for each question',
    questions.map(([question, authority, source]) => `${question} ${authority}: ${source}.`).join(' '),
    360,
    questions.flatMap(([question, authority, source], index): Box[] => {
      const { x, y } = place(index);
      return [
        { x, y, width: 290, lines: [question], isDashed: true },
        { x, y: y + 75, width: 290, lines: [authority, source] },
      ];
    }),
    questions.map((_, index) => {
      const { x, y } = place(index);
      return { from: [x + 145, y + 41], to: [x + 145, y + 73] };
    }),
  );
}

export function renderCommandRow(): string {
  return renderDiagram(
    'A command row',
    'A request stores a command row with its idempotency key. The workflow executes the command. One transaction commits the fact, the state, the response and the event. A repeated request receives the stored response.',
    320,
    [
      { x: 20, y: 30, width: 190, lines: ['request', 'Idempotency-Key: adj-0042'] },
      { x: 290, y: 20, width: 200, lines: ['command row', 'adj-0042, hash of the body', 'pending'] },
      { x: 570, y: 30, width: 150, lines: ['workflow', 'one Update'] },
      {
        x: 770,
        y: 10,
        width: 180,
        lines: ['one transaction', 'fact', 'new state', 'response', 'outbox event'],
      },
      { x: 20, y: 200, width: 190, lines: ['repeated request', 'Idempotency-Key: adj-0042'] },
      {
        x: 290,
        y: 190,
        width: 200,
        lines: ['command row', 'adj-0042, hash of the body', 'the stored response'],
      },
      { x: 570, y: 200, width: 270, lines: ['the same response', 'Idempotent-Replayed: true'] },
    ],
    [
      { from: [210, 60], to: [286, 60] },
      { from: [490, 60], to: [566, 60] },
      { from: [720, 60], to: [766, 60] },
      { from: [210, 230], to: [286, 230] },
      { from: [490, 230], to: [566, 230] },
    ],
  );
}

export function renderOutbox(): string {
  return renderDiagram(
    'The outbox',
    'A transaction writes a fact, the state and an outbox row. The relay publishes the row to the event stream. The webhooks service stores, signs and delivers the event, and repeats it until the receiver accepts it.',
    150,
    [
      { x: 20, y: 20, width: 190, lines: ['one transaction', 'fact, state', 'outbox row'] },
      { x: 280, y: 30, width: 130, lines: ['relay', 'reads in order'] },
      { x: 480, y: 30, width: 140, lines: ['event stream', 'NATS JetStream'] },
      { x: 690, y: 30, width: 110, lines: ['webhooks', 'signs, repeats'] },
      { x: 850, y: 30, width: 100, lines: ['receiver', 'responds 2xx'] },
    ],
    [
      { from: [210, 60], to: [276, 60] },
      { from: [410, 60], to: [476, 60] },
      { from: [620, 60], to: [686, 60] },
      { from: [800, 60], to: [846, 60] },
    ],
  );
}
