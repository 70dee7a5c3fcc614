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

/** The width of the column of text in pixels: at this width, the pictures have the text sizes that are given here. */
const WIDTH = 688;
const LINE_HEIGHT = 19;
const heightOf = ({ lines }: Box) => 22 + lines.length * LINE_HEIGHT;

function renderBox(box: Box): string[] {
  const { x, y, width, lines, isDashed } = box;
  const dashes = isDashed === true ? ' stroke-dasharray="5 4"' : '';
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${heightOf(box)}" rx="6" fill="${RAISED}" stroke="${LINE}"${dashes}/>`,
    ...lines.map((line, index) =>
      renderText(x + width / 2, y + 26 + index * LINE_HEIGHT, line, {
        size: index === 0 ? 13 : 12,
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
  return renderPicture({ width: WIDTH, height }, title, description, [
    ...boxes.flatMap(renderBox),
    ...arrows.flatMap(renderArrow),
  ]);
}

const FIRST_DAY = 9;
const PER_DAY = 70;
const LEFT = 100;
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
    { width: WIDTH, height: 450 },
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
      { x: 14, y: 110, width: 143, lines: ['command', 'adjudicate the claim'] },
      {
        x: 236,
        y: 20,
        width: 194,
        lines: ['state: one row', 'status approved, version 1', 'replaced by each command'],
      },
      {
        x: 236,
        y: 170,
        width: 194,
        lines: [
          'facts: append-only',
          '3 submitted',
          '4 approved',
          '5 remittance_recorded',
          'never changed or deleted',
        ],
      },
      { x: 516, y: 40, width: 158, lines: ['rule', 'is this command', 'allowed now?'] },
      { x: 516, y: 200, width: 158, lines: ['valuation', 'facts up to the cutoff'] },
    ],
    [
      { from: [158, 130], to: [234, 80], label: 'writes' },
      { from: [158, 150], to: [234, 220], label: 'appends' },
      { from: [430, 70], to: [513, 70], label: 'read by' },
      { from: [430, 230], to: [513, 230], label: 'read by' },
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
  const place = (index: number) => ({ x: 14 + (index % 3) * 226, y: 20 + Math.floor(index / 3) * 180 });
  return renderDiagram(
    'One authority for each question',
    questions.map(([question, authority, source]) => `${question} ${authority}: ${source}.`).join(' '),
    360,
    questions.flatMap(([question, authority, source], index): Box[] => {
      const { x, y } = place(index);
      return [
        { x, y, width: 208, lines: [question], isDashed: true },
        { x, y: y + 75, width: 208, lines: [authority, source] },
      ];
    }),
    questions.map((_, index) => {
      const { x, y } = place(index);
      return { from: [x + 104, y + 41], to: [x + 104, y + 73] };
    }),
  );
}

export function renderCommandRow(): string {
  return renderDiagram(
    'A command row',
    'A request stores a command row with its idempotency key. The workflow executes the command. One transaction commits the fact, the state, the response and the event. A repeated request receives the stored response.',
    320,
    [
      { x: 8, y: 20, width: 136, lines: ['request', 'Idempotency-Key:', 'adj-0042'] },
      { x: 204, y: 10, width: 142, lines: ['command row', 'adj-0042', 'hash of the body', 'pending'] },
      { x: 406, y: 30, width: 100, lines: ['workflow', 'one Update'] },
      {
        x: 550,
        y: 10,
        width: 130,
        lines: ['one transaction', 'fact', 'new state', 'response', 'outbox event'],
      },
      { x: 8, y: 190, width: 136, lines: ['repeated request', 'Idempotency-Key:', 'adj-0042'] },
      {
        x: 204,
        y: 180,
        width: 142,
        lines: ['command row', 'adj-0042', 'hash of the body', 'the stored response'],
      },
      { x: 406, y: 200, width: 190, lines: ['the same response', 'Idempotent-Replayed: true'] },
    ],
    [
      { from: [144, 60], to: [200, 60] },
      { from: [346, 60], to: [402, 60] },
      { from: [506, 60], to: [546, 60] },
      { from: [144, 230], to: [200, 230] },
      { from: [346, 230], to: [402, 230] },
    ],
  );
}

export function renderOutbox(): string {
  return renderDiagram(
    'The outbox',
    'A transaction writes a fact, the state and an outbox row. The relay publishes the row to the event stream. The webhooks service stores, signs and delivers the event, and repeats it until the receiver accepts it.',
    150,
    [
      { x: 8, y: 20, width: 124, lines: ['one transaction', 'fact, state', 'outbox row'] },
      { x: 170, y: 30, width: 104, lines: ['relay', 'reads in order'] },
      { x: 312, y: 30, width: 114, lines: ['event stream', 'NATS JetStream'] },
      { x: 464, y: 30, width: 100, lines: ['webhooks', 'signs, repeats'] },
      { x: 590, y: 30, width: 92, lines: ['receiver', 'responds 2xx'] },
    ],
    [
      { from: [132, 60], to: [166, 60] },
      { from: [274, 60], to: [308, 60] },
      { from: [426, 60], to: [460, 60] },
      { from: [564, 60], to: [586, 60] },
    ],
  );
}

/** Renders the boundaries of the threat model: who is on each side, and the number of each boundary in the table of the page. */
export function renderThreatModel(): string {
  return renderDiagram(
    'Boundaries of the threat model',
    'Integrators and browsers reach the gateway (1). The gateway and the console call the services (2). Gateway, services and webhooks use PostgreSQL (3). Services use Temporal (4) and NATS (5), and webhooks consume from NATS (5). Webhooks deliver to receivers (6). Operators use PostgreSQL (7). Staff use the console (8).',
    500,
    [
      { x: 14, y: 14, width: 150, lines: ['integrator, agent', 'secret key'] },
      { x: 184, y: 14, width: 150, lines: ['browser', 'public token'] },
      { x: 354, y: 14, width: 150, lines: ['staff', 'sign-in'] },
      { x: 524, y: 14, width: 150, lines: ['operator', 'administrator'] },
      { x: 99, y: 134, width: 150, lines: ['gateway'] },
      { x: 354, y: 134, width: 150, lines: ['console'] },
      { x: 99, y: 244, width: 235, lines: ['services', 'care, benefits, claims, payments'] },
      { x: 354, y: 244, width: 150, lines: ['webhooks'] },
      { x: 14, y: 364, width: 150, lines: ['Temporal'] },
      { x: 244, y: 364, width: 150, lines: ['NATS'] },
      { x: 524, y: 244, width: 150, lines: ['PostgreSQL', 'a role per service'] },
      { x: 439, y: 424, width: 235, lines: ['receiver', 'chosen by the integrator'] },
    ],
    [
      { from: [110, 74], to: [150, 130], label: '1' },
      { from: [240, 74], to: [200, 130], label: '1' },
      { from: [429, 74], to: [429, 130], label: '8' },
      { from: [599, 74], to: [599, 240], label: '7' },
      { from: [174, 175], to: [190, 240], label: '2' },
      { from: [245, 165], to: [370, 240], label: '2' },
      { from: [354, 165], to: [290, 240], label: '2' },
      { from: [354, 150], to: [253, 150], label: '2' },
      { from: [440, 175], to: [440, 240], label: '2' },
      { from: [249, 145], to: [520, 255], label: '3' },
      { from: [504, 275], to: [520, 275], label: '3' },
      { from: [140, 304], to: [100, 360], label: '4' },
      { from: [260, 304], to: [300, 360], label: '5' },
      { from: [400, 285], to: [350, 360], label: '5' },
      { from: [470, 285], to: [530, 420], label: '6' },
    ],
  );
}
