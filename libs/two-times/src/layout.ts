/**
 * The scene: where each part of the picture stands, in pixels of the picture's own coordinates. The calendar goes from left to right, or
 * from top to bottom in a turned picture for narrow screens. Nothing of a scene depends on the cutoffs, so nothing moves with them.
 */
import { amountText, shortAmount } from './amounts';
import { spanOf, ticksOf } from './calendar';
import {
  type Axis,
  drawnMarksOf,
  labelOf,
  type Mark,
  PARTS,
  type Part,
  type Step,
  type Story,
  shorten,
  stackOf,
  stepsOn,
} from './story';
import { Zone } from './zone';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A text of one or more lines. Its box contains all of it, however wide the font of the reader is within the usual. */
export interface Label extends Box {
  readonly lines: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedMark {
  readonly mark: Mark;
  readonly effect: Point;
  readonly learned: Point;
  /** `21 days later`, on the line between both points; null if it is part of the label, or the fact was learned at once. */
  readonly lag: Label | null;
}

/** A label of one mark, or of several marks that are too close to each other for labels of their own. */
interface PlacedLabel extends Label {
  readonly marks: readonly Mark[];
  /** The line from the label to the track. */
  readonly leader: readonly Point[];
}

/** A part of the band in a period: its rectangle, and the name in it where there is room. */
export interface BandPart extends Box {
  readonly part: Part | 'recoverable';
  /** From when to when it is shown, in epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly label: Label | null;
}

export interface Scene {
  readonly isTurned: boolean;
  readonly width: number;
  readonly height: number;
  readonly zone: Zone;
  readonly from: number;
  readonly until: number;
  /** The pixels of `from` and `until` along the calendar. */
  readonly start: number;
  readonly end: number;
  readonly marks: readonly PlacedMark[];
  readonly labels: readonly PlacedLabel[];
  readonly ticks: readonly { readonly position: number; readonly label: Label | null }[];
  /** The names of the two tracks, and the amounts beside the band. */
  readonly headings: readonly (Label & { readonly end: boolean; readonly strong: boolean })[];
  /** The name of the band. */
  readonly bandHeading: Readonly<Record<Axis, Label>>;
  /** The two tracks across the calendar. */
  readonly effectTrack: number;
  readonly learnedTrack: number;
  /** The room of the tracks and the band, across the calendar: lines of ticks and cursors go through both. */
  readonly across: { readonly from: number; readonly until: number };
  /** The band across the calendar: where zero and the billed amount are. */
  readonly band: { readonly zero: number; readonly billed: number; readonly below: number };
  readonly parts: Readonly<Record<Axis, readonly BandPart[]>>;
}

/** Widths and heights of texts. The character's width is that of a wide font, so that no reader's font exceeds a box. */
const FONT = 11;
const CHARACTER = 0.63 * FONT;
/** The height of a line of text. */
export const LINE = 14;
const GAP = 4;
const PAD = 3;

export const textWidth = (text: string) => Math.ceil(text.length * CHARACTER);

function label(lines: readonly string[], x: number, y: number): Label {
  return { lines, x, y, width: Math.max(...lines.map(textWidth)), height: lines.length * LINE };
}

const overlaps = (a: Box, b: Box, gap = 0) =>
  a.x < b.x + b.width + gap &&
  b.x < a.x + a.width + gap &&
  a.y < b.y + b.height + gap &&
  b.y < a.y + a.height + gap;

const PART_NAMES: Readonly<Record<Part | 'recoverable', string>> = {
  settled: 'settled',
  advised: 'advised, not yet paid',
  unadvised: 'not yet advised',
  undecided: 'no decision',
  patient: 'patient',
  adjustment: 'adjustment',
  recoverable: 'recoverable',
};

export const partName = (part: Part | 'recoverable') => PART_NAMES[part];

/** The words of a label, and the marks that it stands for. */
interface Words {
  readonly marks: readonly Mark[];
  readonly lag: string | null;
}

const lengthOf = (width: number) => Math.max(4, Math.floor(width / CHARACTER));

function textOf({ marks, lag }: Words, width: number): string {
  const [mark] = marks;
  if (mark === undefined) return '';
  if (marks.length > 1) return shorten(`${marks.length} facts`, lengthOf(width));
  const suffix = lag === null ? '' : `, ${lag}`;
  return shorten(labelOf(mark, lengthOf(width) - suffix.length) + suffix, lengthOf(width));
}

/** Joins neighbours whose positions are at most `tolerance` pixels apart into groups. @param placed in the order of position */
function groupsOf<T extends { readonly position: number }>(placed: readonly T[], tolerance: number): T[][] {
  const groups: T[][] = [];
  for (const item of placed) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group !== undefined && first !== undefined && item.position - first.position <= tolerance)
      group.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** The tolerances at which labels are joined: -1 joins none. */
const TOLERANCES = [-1, 0, 2, 4, 8, 16, 32, 64, 128, 256];

const bandParts = (
  story: Story,
  axis: Axis,
  calendar: { readonly from: number; readonly until: number },
  rectangle: (from: number, until: number, low: number, high: number) => Box,
  hasNames: boolean,
): BandPart[] => {
  // Of the steps that begin in one pixel, or before the calendar, the last one is drawn.
  const pixels = new Map<string, Step>();
  for (const step of stepsOn(story, axis)) {
    const { x, y } = rectangle(Math.max(calendar.from, Date.parse(step.at)), calendar.until, 0, 0);
    pixels.set(`${Math.round(4 * x)} ${Math.round(4 * y)}`, step);
  }
  const steps = [...pixels.values()];
  const pieces = new Map<
    Part | 'recoverable',
    { from: number; until: number; low: number; high: number }[]
  >();
  steps.forEach((step, index) => {
    const from = Math.max(calendar.from, Date.parse(step.at));
    const next = steps[index + 1];
    const end = next === undefined ? calendar.until : Date.parse(next.at);
    if (from >= end) return;
    const { parts, recoverable } = stackOf(step.amount);
    let low = 0;
    const heights: [Part | 'recoverable', number, number][] = [];
    for (const part of PARTS) {
      heights.push([part, low, low + parts[part]]);
      low += parts[part];
    }
    heights.push(['recoverable', -recoverable, 0]);
    for (const [part, bottom, top] of heights) {
      if (top <= bottom) continue;
      const list = pieces.get(part) ?? [];
      const last = list.at(-1);
      if (last !== undefined && last.until === from && last.low === bottom && last.high === top)
        last.until = end;
      else list.push({ from, until: end, low: bottom, high: top });
      pieces.set(part, list);
    }
  });
  return [...pieces].flatMap(([part, list]) => {
    const placed = list.map((piece) => ({
      piece,
      box: rectangle(piece.from, piece.until, piece.low, piece.high),
    }));
    const name = PART_NAMES[part];
    const room = ({ box }: { box: Box }) => box.width >= textWidth(name) + 2 * GAP && box.height >= LINE;
    const widest = hasNames
      ? placed
          .filter(room)
          .reduce<(typeof placed)[number] | null>(
            (best, each) => (best === null || each.box.width > best.box.width ? each : best),
            null,
          )
      : null;
    return placed.map(({ piece, box }) => ({
      part,
      from: piece.from,
      until: piece.until,
      ...box,
      label:
        widest?.piece === piece
          ? label(
              [name],
              box.x + GAP,
              box.y + Math.min(box.height - LINE, Math.max(0, box.height / 2 - LINE / 2)),
            )
          : null,
    }));
  });
};

/** Returns the largest billed and recoverable amounts of a story, at least 1 and 0. */
function extremesOf(story: Story): { billed: number; recoverable: number } {
  const amounts = [...story.known_then, ...story.known_now].map(({ amount }) => amount);
  return {
    billed: Math.max(1, ...amounts.map(({ billed }) => billed)),
    recoverable: Math.max(0, ...amounts.map((amount) => stackOf(amount).recoverable)),
  };
}

const WIDE = {
  left: 106,
  right: 14,
  /** Two lines for the names of cursors, and one for ticks. */
  cursors: 34,
  between: 96,
  band: 150,
  maxRows: 9,
};

/** Returns the rows of labels to the right of their leaders, so that no text meets another text or a leader; row 0 is the lowest. */
function rowsOf(labels: readonly { readonly position: number; readonly width: number }[]): number[] {
  const rows = new Array<number>(labels.length).fill(0);
  for (let index = labels.length - 2; index >= 0; index--) {
    const each = labels[index];
    if (each === undefined) continue;
    for (let later = index + 1; later < labels.length; later++) {
      const other = labels[later];
      if (other === undefined || other.position > each.position + each.width + 2 * GAP) break;
      rows[index] = Math.max(rows[index] ?? 0, (rows[later] ?? 0) + 1);
    }
  }
  return rows;
}

/** Places the lags on the lines between the tracks. A lag without room is null. */
function placeLags(
  marks: readonly { readonly mark: Mark; readonly effect: Point; readonly learned: Point }[],
  width: number,
): (Label | null)[] {
  const placed: Label[] = [];
  return marks.map(({ mark, effect, learned }) => {
    if (mark.lag === null) return null;
    for (const part of [0.5, 0.36, 0.64, 0.25, 0.75]) {
      const x = effect.x + (learned.x - effect.x) * part + GAP;
      const y = effect.y + (learned.y - effect.y) * part - LINE / 2;
      const box = label([mark.lag], Math.min(x, width - GAP - textWidth(mark.lag)), y);
      if (placed.some((other) => overlaps(box, other, 2))) continue;
      placed.push(box);
      return box;
    }
    return null;
  });
}

/** Lays a picture out whose calendar goes from left to right. @param width in pixels, at least 480 */
export function layOutWide(story: Story, width: number): Scene {
  const zone = new Zone(story.time_zone);
  const marks = drawnMarksOf(story);
  const { from, until } = spanOf(marks, Date.parse(story.now));
  const start = WIDE.left;
  const longest = Math.floor(width * 0.34);

  /** Labels in the order of their positions, for an end of the calendar at the pixel `end`. */
  const wordsFor = (end: number, tolerance: number, withoutLine: ReadonlySet<Mark>) => {
    const x = (at: number) => start + ((at - from) / (until - from)) * (end - start);
    const placed = marks
      .map((mark) => ({ mark, position: x(mark.effective) }))
      .sort((a, b) => a.position - b.position);
    return groupsOf(placed, tolerance).map((group) => {
      const [first] = group;
      const words: Words = {
        marks: group.map(({ mark }) => mark),
        lag: first !== undefined && withoutLine.has(first.mark) ? first.mark.lag : null,
      };
      const text = textOf(words, longest);
      return { words, text, position: first?.position ?? start, width: textWidth(text) };
    });
  };
  /** Returns where the calendar ends, so that the labels of its last facts fit beside it. */
  const endFor = (tolerance: number, withoutLine: ReadonlySet<Mark>) => {
    let end = width - WIDE.right;
    for (let round = 0; round < 20; round++) {
      const right = Math.max(
        ...wordsFor(end, tolerance, withoutLine).map((each) => each.position + PAD + each.width),
      );
      if (right <= width - PAD) return end;
      end -= Math.ceil(right - (width - PAD));
    }
    return width - longest - 4 * PAD;
  };
  const arrange = (withoutLine: ReadonlySet<Mark>) => {
    for (const tolerance of TOLERANCES) {
      const end = endFor(tolerance, withoutLine);
      const words = wordsFor(end, tolerance, withoutLine);
      const rows = rowsOf(words);
      const count = Math.max(...rows) + 1;
      if (count <= WIDE.maxRows || tolerance === TOLERANCES.at(-1)) return { end, words, rows, count };
    }
    throw new Error('the last tolerance returns');
  };
  const points = (end: number, effectTrack: number) =>
    marks.map((mark) => {
      const x = (at: number) => start + ((at - from) / (until - from)) * (end - start);
      return {
        mark,
        effect: { x: x(mark.effective), y: effectTrack },
        learned: { x: x(mark.recorded), y: effectTrack + WIDE.between },
      };
    });
  const first = arrange(new Set());
  const lags = placeLags(points(first.end, 0), width);
  const withoutLine = new Set(marks.filter((mark, index) => mark.lag !== null && lags[index] === null));
  const { end, words, rows, count } = withoutLine.size === 0 ? first : arrange(withoutLine);

  const top = WIDE.cursors + LINE + GAP;
  const effectTrack = top + count * LINE + 10;
  const learnedTrack = effectTrack + WIDE.between;
  const placedMarks = points(end, effectTrack);
  const placedLags = placeLags(
    placedMarks.map((each) =>
      withoutLine.has(each.mark) ? { ...each, mark: { ...each.mark, lag: null } } : each,
    ),
    width,
  );
  const { billed, recoverable } = extremesOf(story);
  const bandTop = learnedTrack + 24 + LINE;
  const zero = bandTop + WIDE.band;
  const below =
    recoverable === 0 ? 0 : Math.min(WIDE.band, Math.max(LINE + 2, (WIDE.band * recoverable) / billed));
  const height = Math.ceil(zero + below + 12);
  const x = (at: number) => start + ((at - from) / (until - from)) * (end - start);
  const y = (value: number) =>
    value >= 0 ? zero - (WIDE.band * value) / billed : zero + (below * -value) / Math.max(1, recoverable);
  const rectangle = (begin: number, finish: number, low: number, high: number) => ({
    x: x(begin),
    y: y(high),
    width: Math.max(0, x(finish) - x(begin)),
    height: y(low) - y(high),
  });
  const heading = (text: string, centre: number, strong: boolean) => {
    const fits = shorten(text, lengthOf(start - 12));
    return { ...label([fits], start - 10 - textWidth(fits), centre - LINE / 2), end: true, strong };
  };
  const axisAmount = (value: number) => {
    const full = amountText(value);
    return textWidth(full) <= start - 14 ? full : shortAmount(value);
  };
  const bandHeading = (known: string) =>
    label(
      [`how ${story.currency} ${axisAmount(billed)} billed is divided, ${known}`],
      start,
      bandTop - LINE - 4,
    );
  return {
    isTurned: false,
    width,
    height,
    zone,
    from,
    until,
    start,
    end,
    marks: placedMarks.map((each, index) => ({ ...each, lag: placedLags[index] ?? null })),
    labels: words.map(({ words: { marks: of }, text, position }, index) => {
      const row = rows[index] ?? 0;
      const box = label([text], position + PAD, effectTrack - 12 - (row + 1) * LINE + 2);
      return {
        ...box,
        marks: of,
        leader: [
          { x: position, y: effectTrack },
          { x: position, y: box.y + 2 },
        ],
      };
    }),
    ticks: placedTicks(
      ticksOf(zone, { from, until }, end - start, 76).map((tick) => ({
        position: x(tick.at),
        label: label([tick.label], x(tick.at) + PAD, WIDE.cursors),
      })),
      width,
    ),
    headings: [
      heading('took effect', effectTrack, true),
      heading('we learned it', learnedTrack, true),
      heading(axisAmount(billed), bandTop + 4, false),
      heading('0.00', zero, false),
      ...(recoverable === 0 ? [] : [heading(axisAmount(-recoverable), zero + below, false)]),
    ].filter((each, index, all) => !all.slice(0, index).some((other) => overlaps(each, other))),
    bandHeading: {
      known_then: bandHeading('as known on each day'),
      known_now: bandHeading('as known now'),
    },
    effectTrack,
    learnedTrack,
    across: { from: WIDE.cursors, until: zero + below },
    band: { zero, billed: bandTop, below: zero + below },
    parts: {
      known_then: bandParts(story, 'known_then', { from, until }, rectangle, true),
      known_now: bandParts(story, 'known_now', { from, until }, rectangle, true),
    },
  };
}

/** Removes the labels of ticks that would meet the label of the tick before, or leave the picture. */
function placedTicks(
  ticks: readonly { readonly position: number; readonly label: Label }[],
  width: number,
): { position: number; label: Label | null }[] {
  let last: Label | null = null;
  return ticks.map(({ position, label: each }) => {
    const fits = each.x + each.width <= width && (last === null || !overlaps(each, last, 2));
    if (fits) last = each;
    return { position, label: fits ? each : null };
  });
}

/** The columns of a turned picture in pixels. */
const TURNED = {
  ticks: 2,
  band: 62,
  bandWidth: 48,
  effectTrack: 130,
  learnedTrack: 164,
  labels: 178,
  top: 46,
  bottom: 24,
  calendar: 360,
  /** The longest column of labels in pixels. */
  longest: 1_100,
};

function wrap(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shorten(word, length));
  }
  return lines;
}

/** The lines of a label in a turned picture: name, amount and lag. */
function linesOf(marks: readonly Mark[], width: number): string[] {
  const [mark] = marks;
  const length = lengthOf(width);
  if (mark === undefined) return [];
  if (marks.length > 1) return [shorten(`${marks.length} facts`, length)];
  const amount = mark.amount === null ? [] : [amountText(mark.amount)];
  const lines = amount.map((text) =>
    text.length <= length ? text : shorten(shortAmount(mark.amount ?? 0), length),
  );
  return [...wrap(mark.name, length), ...lines, ...(mark.lag === null ? [] : [shorten(mark.lag, length)])];
}

/**
 * Moves boxes apart along one axis, as little as possible, in their order. Returns the first pixel of each.
 *
 * @param wanted the centres, ascending, and the sizes
 */
function spread(
  wanted: readonly { readonly centre: number; readonly size: number }[],
  from: number,
  until: number,
): number[] {
  const starts: number[] = [];
  let free = from;
  for (const { centre, size } of wanted) {
    const start = Math.max(free, centre - size / 2);
    starts.push(start);
    free = start + size + 2;
  }
  let limit = until;
  for (let index = wanted.length - 1; index >= 0; index--) {
    const size = wanted[index]?.size ?? 0;
    const start = Math.min(starts[index] ?? 0, limit - size);
    starts[index] = start;
    limit = start - 2;
  }
  return starts;
}

/** Lays a picture out whose calendar goes from top to bottom, for narrow screens. @param width in pixels, at least 280 */
export function layOutTurned(story: Story, width: number): Scene {
  const zone = new Zone(story.time_zone);
  const marks = drawnMarksOf(story);
  const { from, until } = spanOf(marks, Date.parse(story.now));
  const start = TURNED.top;
  const labelWidth = width - TURNED.labels - PAD;
  const order = (length: number, tolerance: number) => {
    const placed = marks
      .map((mark) => ({ mark, position: start + ((mark.recorded - from) / (until - from)) * length }))
      .sort((a, b) => a.position - b.position);
    return groupsOf(placed, tolerance).map((group) => {
      const of = group.map(({ mark }) => mark);
      const lines = linesOf(of, labelWidth);
      return { marks: of, lines, position: group[0]?.position ?? start, size: lines.length * LINE };
    });
  };
  const arrange = () => {
    for (const tolerance of TOLERANCES) {
      const words = order(TURNED.calendar, tolerance);
      const needed = words.reduce((sum, { size }) => sum + size + 2, 0);
      if (needed > TURNED.longest && tolerance !== TOLERANCES.at(-1)) continue;
      const length = Math.max(TURNED.calendar, needed);
      return { length, words: order(length, tolerance) };
    }
    throw new Error('the last tolerance returns');
  };
  const { length, words } = arrange();
  const needed = words.reduce((sum, { size }) => sum + size + 2, 0);
  const end = start + Math.max(length, needed);
  const height = Math.ceil(end + TURNED.bottom);
  const y = (at: number) => start + ((at - from) / (until - from)) * (end - start);
  const starts = spread(
    words.map(({ marks: of, size }) => ({ centre: y(of[0]?.recorded ?? from), size })),
    start - 8,
    end + TURNED.bottom - 6,
  );
  const { billed, recoverable } = extremesOf(story);
  const share = recoverable === 0 ? 0 : Math.min(0.5, Math.max(0.15, recoverable / (billed + recoverable)));
  const zero = TURNED.band + TURNED.bandWidth * share;
  const x = (value: number) =>
    value >= 0
      ? zero + ((TURNED.band + TURNED.bandWidth - zero) * value) / billed
      : zero - ((zero - TURNED.band) * -value) / Math.max(1, recoverable);
  const rectangle = (begin: number, finish: number, low: number, high: number) => ({
    x: x(low),
    y: y(begin),
    width: x(high) - x(low),
    height: Math.max(0, y(finish) - y(begin)),
  });
  const heading = (text: string, centre: number, row: number) => {
    const box = label([text], 0, row * LINE + 2);
    return {
      ...box,
      x: Math.min(width - box.width - 2, Math.max(2, centre - box.width / 2)),
      end: false,
      strong: true,
    };
  };
  const bandHeading = heading('amounts', TURNED.band + TURNED.bandWidth / 2, 1);
  return {
    isTurned: true,
    width,
    height,
    zone,
    from,
    until,
    start,
    end,
    marks: marks.map((mark) => ({
      mark,
      effect: { x: TURNED.effectTrack, y: y(mark.effective) },
      learned: { x: TURNED.learnedTrack, y: y(mark.recorded) },
      lag: null,
    })),
    labels: words.map(({ marks: of, lines }, index) => {
      const box = label(lines, TURNED.labels, starts[index] ?? start);
      const learned = y(of[0]?.recorded ?? from);
      return {
        ...box,
        marks: of,
        leader: [
          { x: TURNED.learnedTrack, y: learned },
          { x: TURNED.labels - 2, y: box.y + LINE / 2 },
        ],
      };
    }),
    ticks: placedTicks(
      ticksOf(zone, { from, until }, end - start, 40).map((tick) => ({
        position: y(tick.at),
        label: label(
          wrap(tick.label, lengthOf(TURNED.band - TURNED.ticks - 4)),
          TURNED.ticks,
          y(tick.at) + 1,
        ),
      })),
      width,
    ).map((tick) =>
      tick.label !== null && tick.label.y + tick.label.height > height ? { ...tick, label: null } : tick,
    ),
    headings: [
      heading('took effect', TURNED.effectTrack, 0),
      heading('we learned it', TURNED.learnedTrack + 20, 1),
    ],
    bandHeading: { known_then: bandHeading, known_now: bandHeading },
    effectTrack: TURNED.effectTrack,
    learnedTrack: TURNED.learnedTrack,
    across: { from: TURNED.band, until: TURNED.learnedTrack + 8 },
    band: { zero, billed: TURNED.band + TURNED.bandWidth, below: TURNED.band },
    parts: {
      known_then: bandParts(story, 'known_then', { from, until }, rectangle, false),
      known_now: bandParts(story, 'known_now', { from, until }, rectangle, false),
    },
  };
}

/** Returns the boxes of all texts of a scene that stand at fixed places. */
export function textsOf({ labels, marks, ticks, headings, bandHeading, parts }: Scene, axis: Axis): Label[] {
  return [
    bandHeading[axis],
    ...labels,
    ...marks.flatMap(({ lag }) => lag ?? []),
    ...ticks.flatMap((tick) => tick.label ?? []),
    ...headings,
    ...parts[axis].flatMap((part) => part.label ?? []),
  ];
}
