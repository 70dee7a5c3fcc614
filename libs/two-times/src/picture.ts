/** Renders a scene and a view as SVG. It contains no inline code or style, so that it is valid under a strict content security policy. */
import { amountText, escapeText } from './amounts';
import {
  type BandPart,
  type Box,
  type Label,
  LINE,
  type PlacedMark,
  partName,
  type Scene,
  textWidth,
} from './layout';
import {
  countsFrom,
  drawnMarksOf,
  labelOf,
  type Mark,
  marksOf,
  PARTS,
  type Story,
  stackOf,
  stepAt,
  stepsOn,
  type View,
} from './story';
import { descriptionOf, instantText } from './words';
import { DAY_MS, MINUTE_MS } from './zone';

const round = (value: number) => String(Math.round(value * 100) / 100);
/** From the top of a line of text to its base, in pixels. */
const FONT_BASE = 10.5;

type Attributes = Readonly<Record<string, string | number>>;

function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escapeText(value)}"`)
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

function text({ lines, x, y, width }: Label, className: string, atEnd = false): string {
  const anchor = atEnd ? x + width : x;
  return lines
    .map((line, index) =>
      element(
        'text',
        { class: `${className}${atEnd ? ' tt-end' : ''}`, x: anchor, y: y + FONT_BASE + index * LINE },
        escapeText(line),
      ),
    )
    .join('');
}

function centred({ lines, x, y, width }: Label, className: string): string {
  const [line = ''] = lines;
  return element('text', { class: className, x: x + width / 2, y: y + FONT_BASE }, escapeText(line));
}

function rectangle(className: string, { x, y, width, height }: Box): string {
  return element('rect', { class: className, x, y, width, height });
}

/** Maps an instant to a pixel along the calendar, within it. */
function positionOf(
  { from, until, start, end }: Pick<Scene, 'from' | 'until' | 'start' | 'end'>,
  at: number,
): number {
  const part = Math.min(1, Math.max(0, (at - from) / (until - from)));
  return start + part * (end - start);
}

/** The state of a fact in a view: whether it counts at A, and whether it lies between A and B. */
function classesOf(mark: Mark, { at, other, axis }: View): string {
  const counted = countsFrom(mark, axis);
  const isBetween = other !== null && counted > Math.min(at, other) && counted <= Math.max(at, other);
  return `${counted <= at ? 'tt-known' : 'tt-unknown'}${isBetween ? ' tt-between' : ''}`;
}

/** A line of less than two pixels' slant is drawn vertical. */
function markOf({ mark, effect, learned, lag }: PlacedMark, view: View): string {
  const circle = (className: string, { x, y }: { x: number; y: number }, radius: number) =>
    element('circle', { class: className, cx: x, cy: y, r: radius });
  const isBetween = classesOf(mark, view).includes('tt-between');
  return element(
    'g',
    { class: `tt-mark ${classesOf(mark, view)}` },
    [
      element('title', {}, escapeText(`${labelOf(mark)}${mark.lag === null ? '' : `, learned ${mark.lag}`}`)),
      element('line', {
        class: mark.lag === null ? 'tt-line' : 'tt-line tt-late',
        x1: effect.x,
        y1: effect.y,
        x2: learned.x,
        y2: learned.y,
      }),
      circle('tt-dot', effect, 5),
      circle('tt-dot', learned, 5),
      isBetween ? circle('tt-ring', effect, 9) + circle('tt-ring', learned, 9) : '',
      lag === null ? '' : text(lag, 'tt-lag'),
    ].join(''),
  );
}

/** Splits the parts of the band at A: what was shown after it was not known at A. */
function bandOf(parts: readonly BandPart[], scene: Scene, view: View): string {
  const cut = positionOf(scene, view.at);
  return parts
    .map((part) => {
      const names = `tt-part tt-${part.part}`;
      const [begin, size] = scene.isTurned ? [part.y, part.height] : [part.x, part.width];
      const known = Math.max(0, Math.min(size, cut - begin));
      const piece = (offset: number, length: number): Box =>
        scene.isTurned
          ? { ...part, y: part.y + offset, height: length }
          : { ...part, x: part.x + offset, width: length };
      const label =
        part.label === null ? '' : rectangle('tt-plate-in', part.label) + centred(part.label, 'tt-in');
      return [
        known > 0 ? rectangle(names, piece(0, known)) : '',
        known < size ? rectangle(`${names} tt-later`, piece(known, size - known)) : '',
        label,
      ].join('');
    })
    .join('');
}

/** The line of a cursor, and its tag: beside the calendar in a turned picture, otherwise above it. */
interface Cursor {
  readonly line: string;
  readonly tag: string;
}

/** A line with a border in the colour of the ground, so that it can be seen on every part of the band. */
function withHalo(line: Attributes): string {
  return element('line', { ...line, class: 'tt-halo' }) + element('line', line);
}

/** The instant of a cursor in the width of the calendar's column: the day, or the time of day where all facts are within two days. */
function tagText({ zone, from, until }: Scene, at: number): string {
  const span = until - from;
  return span > 2 * DAY_MS ? zone.day(at) : zone.time(at, span < 10 * MINUTE_MS);
}

function cursorOf(
  scene: Scene,
  name: 'A' | 'B',
  at: number,
  story: Story,
  tagAt: number,
  isRight: boolean,
): Cursor {
  const position = positionOf(scene, at);
  const className = `tt-cursor tt-cursor-${name.toLowerCase()}`;
  const { across, width } = scene;
  const grouped = (line: string, tag: string) => ({
    line: element('g', { class: className }, line),
    tag: element('g', { class: className }, tag),
  });
  if (scene.isTurned) {
    const tag = `${name} ${tagText(scene, at)}`;
    const box = { x: 1, y: tagAt, width: textWidth(tag) + 4, height: LINE };
    return grouped(
      withHalo({ x1: box.x + box.width, y1: position, x2: across.until, y2: position }),
      rectangle('tt-plate', box) + text({ ...box, x: box.x + 2, lines: [tag] }, 'tt-tag'),
    );
  }
  const tag = `${name}: ${instantText(story, at)}`;
  const tagWidth = textWidth(tag);
  const [left, right] = [position - 4 - tagWidth, position + 4];
  const x = (isRight && right + tagWidth <= width - 2) || left < 2 ? right : left;
  return grouped(
    withHalo({ x1: position, y1: tagAt + 2, x2: position, y2: across.until }),
    text({ x, y: tagAt, width: tagWidth, height: LINE, lines: [tag] }, 'tt-tag'),
  );
}

/** Returns the first pixels of the tags of A and B across their lines, so that they do not meet. */
function tagPlaces(scene: Scene, { at, other }: View): { a: number; b: number } {
  if (!scene.isTurned) return { a: 1, b: 1 + LINE + 2 };
  const top = (instant: number) =>
    Math.min(scene.height - LINE - 1, Math.max(1, positionOf(scene, instant) - LINE / 2));
  const a = top(at);
  if (other === null) return { a, b: a };
  const b = top(other);
  if (Math.abs(a - b) >= LINE) return { a, b };
  const moved = other < at ? a - LINE : a + LINE;
  return { a, b: Math.min(scene.height - LINE - 1, Math.max(1, moved)) };
}

function boxOf(scene: Scene, begin: number, finish: number, from: number, until: number): Box {
  return scene.isTurned
    ? { x: from, y: begin, width: until - from, height: finish - begin }
    : { x: begin, y: from, width: finish - begin, height: until - from };
}

/** Renders a picture. @param className the class of the SVG element, such as the widths at which it is shown */
export function renderScene(scene: Scene, story: Story, view: View, className: string): string {
  const { width, height, across, start, end, effectTrack, learnedTrack, isTurned } = scene;
  const line = (name: string, along: readonly [number, number], crossing: readonly [number, number]) =>
    element('line', {
      class: name,
      ...(isTurned
        ? { x1: crossing[0], y1: along[0], x2: crossing[1], y2: along[1] }
        : { x1: along[0], y1: crossing[0], x2: along[1], y2: crossing[1] }),
    });
  const tags = tagPlaces(scene, view);
  // The tag of B points away from A, whose line goes through its row.
  const cursors = [
    ...(view.other === null ? [] : [cursorOf(scene, 'B', view.other, story, tags.b, view.other > view.at)]),
    cursorOf(scene, 'A', view.at, story, tags.a, true),
  ];
  const plates = isTurned
    ? [tags.a, ...(view.other === null ? [] : [tags.b])].map((y) => ({ x: 0, y, width: 62, height: LINE }))
    : [];
  const meetsPlate = (box: Box) =>
    plates.some((plate) => box.y < plate.y + plate.height && plate.y < box.y + box.height);
  const cut = positionOf(scene, view.at);
  const veilEnd = isTurned ? width - 1 : width;
  const content = [
    element(
      'title',
      {},
      escapeText(`Facts of the claim on two times, and what it was worth on each day, ${story.currency}`),
    ),
    element('desc', {}, escapeText(descriptionOf(story))),
    ...scene.ticks.map((tick) =>
      line('tt-grid', [tick.position, tick.position], [across.from, across.until]),
    ),
    cut < end
      ? rectangle('tt-veil', boxOf(scene, cut, end, across.from, isTurned ? veilEnd : across.until))
      : '',
    ...scene.ticks.flatMap(({ label }) =>
      label === null || meetsPlate(label) ? [] : [text(label, 'tt-tick')],
    ),
    bandOf(scene.parts[view.axis], scene, view),
    line('tt-zero', [start, end], [scene.band.zero, scene.band.zero]),
    line('tt-track', [start, end], [effectTrack, effectTrack]),
    line('tt-track', [start, end], [learnedTrack, learnedTrack]),
    ...cursors.map((cursor) => cursor.line),
    text(scene.bandHeading[view.axis], 'tt-heading'),
    ...scene.headings.map((heading) => text(heading, heading.strong ? 'tt-heading' : 'tt-tick', heading.end)),
    ...scene.labels.map((label) => {
      const isKnown = label.marks.every((mark) => countsFrom(mark, view.axis) <= view.at);
      const points = label.leader.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
      return element(
        'g',
        { class: isKnown ? 'tt-known' : 'tt-unknown' },
        element('polyline', { class: 'tt-leader', points }) + text(label, 'tt-label'),
      );
    }),
    ...scene.marks.map((mark) => markOf(mark, view)),
    ...cursors.map(({ tag }) => tag),
  ];
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: className,
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      role: 'img',
      'data-from': String(scene.from),
      'data-until': String(scene.until),
      'data-start': start,
      'data-end': end,
      ...(isTurned ? { 'data-turned': '' } : {}),
    },
    content.join(''),
  );
}

/** The key of the band's colours as HTML, with the amounts at A. */
export function keyOf(story: Story, { at, axis }: View): string {
  const step = stepAt(stepsOn(story, axis), at);
  const stack = step === null ? null : stackOf(step.amount);
  const shown = [...PARTS, 'recoverable' as const].filter((part) =>
    [...story.known_then, ...story.known_now].some(({ amount }) => {
      const { parts, recoverable } = stackOf(amount);
      return (part === 'recoverable' ? recoverable : parts[part]) > 0;
    }),
  );
  const amountAt = (part: (typeof shown)[number]) =>
    stack === null ? 'no claim' : amountText(part === 'recoverable' ? stack.recoverable : stack.parts[part]);
  const items = shown.map(
    (part) =>
      `<li><svg class="tt-swatch" viewBox="0 0 12 12" aria-hidden="true"><rect class="tt-part tt-${part}" x="0.5" y="0.5" width="11" height="11"/></svg> ${escapeText(partName(part))} <b>${escapeText(amountAt(part))}</b></li>`,
  );
  const [all, drawn] = [marksOf(story).length, drawnMarksOf(story).length];
  const note =
    all === drawn
      ? ''
      : `<p class="tt-hint">The picture shows the newest ${drawn} of ${all} changes. The table of facts has all.</p>`;
  return `${note}<p class="tt-key-head">${escapeText(`At A, ${instantText(story, at)}, ${story.currency}:`)}</p><ul class="tt-key">${items.join('')}</ul>`;
}
