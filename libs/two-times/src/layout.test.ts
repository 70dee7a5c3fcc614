/** The layout of any claim: no text meets another text or leaves the picture, nothing moves with the cutoffs, and the band is always filled. */
import { fc } from '@carecover/testing';
import { type Layout, layOut, renderPicture } from '.';
import { type Label, type Scene, textsOf } from './layout';
import { type Axis, type Story, stackOf, stepsOn } from './story';
import { STORIES, storyOf, submission, type Told } from './testing/stories';

const LAYOUTS: readonly Layout[] = ['wide', 'medium', 'turned'];
const AXES: readonly Axis[] = ['known_then', 'known_now'];
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;
const START = Date.parse('2024-02-28T21:30:00Z');
const YEAR_MS = 366 * 86_400_000;

const amount = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.maxSafeNat());
const kind = fc.constantFrom(
  'decision',
  'remittance_recorded',
  'remittance_recovered',
  'settled',
  'queried',
  'resubmitted',
  'reversed',
);

/** Claims of 1 to 60 facts within minutes to years. Parts of a commit, late and early facts, reversals of settlements and of claims. */
const story: fc.Arbitrary<Story> = fc
  .record({
    billed: fc.oneof(amount, fc.constant(MAX_AMOUNT)),
    spanMs: fc.oneof(
      fc.integer({ min: 1, max: 600_000 }),
      fc.integer({ min: 1, max: 10 * 86_400_000 }),
      fc.integer({ min: 1, max: 5 * YEAR_MS }),
    ),
    steps: fc.array(
      fc.record({
        kind,
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        before: fc.oneof(fc.constant(0), fc.double({ min: -0.2, max: 0.6, noNaN: true })),
        amount,
        isTogether: fc.boolean(),
        isNegative: fc.boolean(),
      }),
      { maxLength: 57 },
    ),
    zone: fc.constantFrom('Africa/Nairobi', 'UTC', 'America/New_York', 'Asia/Kathmandu'),
    nowMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: YEAR_MS })),
    isShort: fc.boolean(),
  })
  .map(({ billed, spanMs, steps, zone, nowMs, isShort }) => {
    const opening = isShort ? submission(START, billed).slice(0, 1) : submission(START, billed);
    const ordered = steps.toSorted((a, b) => a.at - b.at);
    let remitted = 0;
    let settled = 0;
    let recorded = START;
    const facts = ordered.map((step): Told => {
      if (!step.isTogether) recorded = START + Math.round(step.at * spanMs);
      const effective = recorded - Math.round(step.before * spanMs);
      const base = { effective, recorded, status: 'approved' };
      switch (step.kind) {
        case 'decision': {
          const payer = Math.min(step.amount, billed);
          const patient = Math.floor((billed - payer) / 3);
          const decision = { payer, patient, adjustment: billed - payer - patient };
          return { ...base, type: payer === billed ? 'approved' : 'partially_approved', decision };
        }
        case 'settled': {
          const moved = step.isNegative ? -settled : Math.min(step.amount, MAX_AMOUNT - settled);
          settled += moved;
          return { ...base, type: 'settled', amount: moved };
        }
        case 'remittance_recorded':
          remitted += Math.floor(step.amount / 60);
          return { ...base, type: step.kind, amount: Math.floor(step.amount / 60) };
        case 'remittance_recovered': {
          const takenBack = Math.min(step.amount, remitted);
          remitted -= takenBack;
          return { ...base, type: step.kind, amount: -takenBack };
        }
        default:
          return { ...base, type: step.kind };
      }
    });
    const last = Math.max(...[...opening, ...facts].map((fact) => Math.max(fact.effective, fact.recorded)));
    return storyOf([...opening, ...facts], last + nowMs, zone);
  });

function problemsOf(scene: Scene, axis: Axis): string[] {
  const texts = textsOf(scene, axis);
  const named = (text: Label) => `"${text.lines.join(' / ')}" at ${text.x},${text.y}`;
  const problems: string[] = [];
  texts.forEach((text, index) => {
    if (text.x < 0 || text.y < 0 || text.x + text.width > scene.width || text.y + text.height > scene.height)
      problems.push(`${named(text)} leaves the picture`);
    for (const other of texts.slice(index + 1))
      if (
        text.x < other.x + other.width &&
        other.x < text.x + text.width &&
        text.y < other.y + other.height &&
        other.y < text.y + text.height
      )
        problems.push(`${named(text)} meets ${named(other)}`);
  });
  for (const { leader } of scene.labels) {
    const [from, to] = leader;
    // The leader of a label in a wide picture is vertical.
    if (scene.isTurned || from === undefined || to === undefined) continue;
    for (const text of scene.labels)
      if (text.x < from.x && from.x < text.x + text.width && to.y < text.y && text.y < from.y)
        problems.push(`a leader at ${from.x} goes through ${named(text)}`);
  }
  for (const { x, y, width, height } of scene.parts[axis])
    if (!(x >= 0 && y >= 0 && x + width <= scene.width + 0.01 && y + height <= scene.height + 0.01))
      problems.push(`a part of the band leaves the picture: ${[x, y, width, height]}`);
  for (const { effect, learned } of scene.marks)
    for (const { x, y } of [effect, learned])
      if (!(x >= 0 && x <= scene.width && y >= 0 && y <= scene.height))
        problems.push(`a dot is at ${x},${y}`);
  return problems;
}

test.each(LAYOUTS)(
  'no text meets another one, and all is inside the picture, for any claim (%s)',
  (layout) => {
    fc.assert(
      fc.property(story, (drawn) => {
        const scene = layOut(drawn, layout);
        for (const axis of AXES) expect(problemsOf(scene, axis)).toEqual([]);
        expect(scene.height).toBeLessThan(layout === 'turned' ? 1_300 : 700);
      }),
      { numRuns: 300 },
    );
  },
);

test('the parts of the stack add up to the billed amount, whatever was remitted and settled', () => {
  fc.assert(
    fc.property(story, (drawn) => {
      for (const axis of AXES)
        for (const { amount: amounts } of stepsOn(drawn, axis)) {
          const { parts, recoverable } = stackOf(amounts);
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(amounts.billed);
          expect(Math.min(recoverable, ...Object.values(parts))).toBeGreaterThanOrEqual(0);
          expect(parts.settled + recoverable).toBe(Math.max(0, amounts.settled));
        }
    }),
  );
});

test('the calendar, the dots and their labels stand at the same places whatever the cutoffs are', () => {
  const [late] = Object.values(STORIES);
  if (late === undefined) throw new Error('there is a story');
  const places = (at: number, other: number | null) =>
    [
      ...renderPicture(late, 'wide', { at, other, axis: 'known_then' }).matchAll(
        /<(circle class="tt-dot"|text class="tt-l|polyline)[^>]*/g,
      ),
    ].map(([text]) => text);
  const now = Date.parse(late.now);
  const first = places(now, null);
  expect(first.length).toBeGreaterThan(20);
  for (const at of late.known_then.map((step) => Date.parse(step.at))) expect(places(at, now)).toEqual(first);
});

test('the veil begins at cutoff A, also where A is at a fact or at an end of the calendar', () => {
  const [late] = Object.values(STORIES);
  if (late === undefined) throw new Error('there is a story');
  const scene = layOut(late, 'wide');
  for (const at of [scene.from, ...late.known_then.map((step) => Date.parse(step.at)), scene.until]) {
    const svg = renderPicture(late, 'wide', { at, other: null, axis: 'known_then' });
    const position =
      scene.start + ((at - scene.from) / (scene.until - scene.from)) * (scene.end - scene.start);
    const veil = /class="tt-veil" x="([\d.]+)"[^>]* width="([\d.]+)"/.exec(svg);
    const line = /tt-cursor-a"><line x1="([\d.]+)"/.exec(svg);
    expect(Number(line?.[1])).toBeCloseTo(position, 1);
    if (at === scene.until) expect(veil).toBeNull();
    else
      expect([Number(veil?.[1]), Number(veil?.[1]) + Number(veil?.[2])]).toEqual([
        expect.closeTo(position, 1),
        expect.closeTo(scene.end, 1),
      ]);
  }
});

test('the calendar begins three days before the first fact, and where all facts are within days with a fifth of the picture', () => {
  const DAY = 86_400_000;
  const span = (days: number) => {
    const { from, until } = layOut(storyOf(submission(START, 100), START + days * DAY), 'wide');
    return [(START - from) / DAY, (until - START) / DAY];
  };
  expect(span(100)).toEqual([3, 100]);
  expect(span(4)).toEqual([1, 4]);
});
