/** Sentences, tables, moves and presets. The five questions at the end are those that a reader who has not seen the picture answered from it. */
import {
  instantText,
  moved,
  presetsOf,
  renderTwoTimes,
  rowsOfTable,
  type Story,
  sentenceOf,
  type View,
} from '.';
import { marksOf } from './story';
import { nairobi, STORIES, storyOf, submission } from './testing/stories';
import { lagOf, Zone } from './zone';

const story = STORIES['late-money'] as Story;
const end = (day: string) => nairobi(`${day} 23:59`) + 59_999;
const view = (at: string, other: string | null = null, axis: View['axis'] = 'known_then'): View => ({
  at: end(at),
  other: other === null ? null : end(other),
  axis,
});
const row = (of: View, name: string) => rowsOfTable(story, of).find((each) => each.name === name);

test('one sentence says what was learned between two cutoffs, whichever is the earlier', () => {
  const expected =
    'Between 31 Oct and 7 Nov we learned of 1 fact: remittance of 5,084.00, effective 15 Oct, 21 days late. The status stayed partially approved.';
  expect(sentenceOf(story, view('2026-11-07', '2026-10-31'))).toBe(expected);
  expect(sentenceOf(story, view('2026-10-31', '2026-11-07'))).toBe(expected);
});

test('a comparison names what changed although every amount is equal, and says so if nothing was learned', () => {
  const lapse = {
    type: 'queried',
    effective: nairobi('2026-11-09 09:00'),
    recorded: nairobi('2026-11-09 09:00'),
    status: 'queried',
  };
  const asked = storyOf(
    [...submission(nairobi('2026-11-01 09:00'), 100), lapse],
    nairobi('2026-11-27 09:00'),
  );
  const compared = view('2026-11-10', '2026-11-08');
  expect(sentenceOf(asked, compared)).toBe(
    'Between 8 Nov and 10 Nov we learned of 1 fact: question. The status changed from submitted to queried.',
  );
  expect(
    rowsOfTable(asked, compared)
      .filter(({ differs }) => differs)
      .map(({ name }) => name),
  ).toEqual(['status']);
  expect(sentenceOf(asked, view('2026-11-08', '2026-11-05'))).toBe(
    'Between 5 Nov and 8 Nov we learned nothing. The status stayed submitted.',
  );
});

test('a comparison with an instant before the claim existed has a table and a sentence', () => {
  const compared = view('2026-08-08', '2026-07-31');
  expect(sentenceOf(story, compared)).toBe(
    'Between 31 Jul and 8 Aug we learned of 2 facts: submission of 6,200.00; partial approval of 5,084.00. The claim did not exist on 31 Jul; on 8 Aug it was partially approved.',
  );
  expect(row(compared, 'billed')).toMatchObject({
    other: 'no claim',
    at: '6,200.00',
    change: '+6,200.00',
    differs: true,
  });
  expect(row(compared, 'settled')).toMatchObject({
    other: 'no claim',
    at: '0.00',
    change: 'changed',
    differs: true,
  });
  expect(sentenceOf(story, view('2026-07-31', '2026-07-30'))).toContain('The claim did not exist at either.');
});

test('changes have signs, and a decision that is gone is not an amount', () => {
  const settled = view('2026-11-18', '2026-11-07');
  expect(row(settled, 'settled')).toMatchObject({ change: '+5,084.00' });
  expect(row(settled, 'outstanding')).toMatchObject({ change: '−5,084.00' });
  const reversed = STORIES['reversed-after-payment'] as Story;
  const liability = rowsOfTable(reversed, view('2026-11-21', '2026-11-19')).find(
    ({ name }) => name === 'payer_liability',
  );
  expect(liability).toMatchObject({ other: '5,084.00', at: 'no decision', change: '−5,084.00' });
});

test('as known now, an instant has what took effect by then', () => {
  expect(row(view('2026-10-31', null, 'known_then'), 'settled')?.at).toBe('0.00');
  expect(row(view('2026-10-31', null, 'known_now'), 'settled')?.at).toBe('5,084.00');
  expect(sentenceOf(story, view('2026-10-31', '2026-10-14', 'known_now'))).toBe(
    'Between 14 Oct and 31 Oct 4 facts took effect, as known now: approval of 6,200.00; partial approval of 5,084.00; remittance of 5,084.00, learned 21 days later; settlement of 5,084.00, learned 26 days later. The status changed from partially approved to settled.',
  );
});

test('an instant is written in the time zone of the story, and the end of a day as such', () => {
  expect(instantText(story, end('2026-11-07'))).toBe('7 Nov 2026, end of day');
  expect(instantText(story, end('2026-11-07') + 1)).toBe('8 Nov 2026, 00:00');
  expect(instantText({ ...story, time_zone: 'UTC' }, end('2026-11-07'))).toBe('7 Nov 2026, 20:59');
});

test('the lag counts local days, hours or minutes, and days of 23 and 25 hours count as one', () => {
  const at = (text: string) => Date.parse(text);
  const paris = new Zone('Europe/Paris');
  expect(lagOf(paris, at('2026-03-28T12:00:00Z'), at('2026-03-29T11:00:00Z'))).toBe('1 day later');
  expect(lagOf(paris, at('2026-10-24T12:00:00Z'), at('2026-10-25T13:00:00Z'))).toBe('1 day later');
  expect(lagOf(paris, at('2026-03-28T22:30:00Z'), at('2026-03-28T23:30:00Z'))).toBe('1 hour later');
  expect(lagOf(paris, at('2026-03-28T12:00:00Z'), at('2026-03-28T12:02:30Z'))).toBe('2 minutes later');
  expect(lagOf(paris, at('2026-03-28T12:00:00Z'), at('2026-03-28T12:00:59Z'))).toBeNull();
  expect(paris.endOfDay(at('2026-03-29T12:00:00Z'))).toBe(at('2026-03-29T22:00:00Z') - 1);
});

test('moves go to facts, ends of days and the ends of the calendar, and not beyond', () => {
  const from = nairobi('2026-07-29 18:00');
  const now = Date.parse(story.now);
  const learned = nairobi('2026-11-05 18:00');
  const move = (at: number, name: Parameters<typeof moved>[3]) => moved(story, 'known_then', at, name, from);
  expect(move(end('2026-11-07'), 'fact-before')).toBe(learned);
  expect(move(learned, 'fact-before')).toBe(nairobi('2026-10-28 18:00'));
  expect(move(learned, 'fact-after')).toBe(nairobi('2026-11-17 18:00'));
  expect(move(now, 'fact-after')).toBe(now);
  expect(move(learned, 'day-before')).toBe(end('2026-11-04'));
  expect(move(learned, 'day-after')).toBe(end('2026-11-05'));
  expect(move(end('2026-11-05'), 'day-after')).toBe(end('2026-11-06'));
  expect([move(learned, 'first'), move(learned, 'now'), move(from, 'day-before')]).toEqual([from, now, from]);
  expect(moved(story, 'known_now', learned, 'fact-before', from)).toBe(nairobi('2026-10-28 18:00') - 20);
});

test('a person can ask for now, the end of last month, and the instant before the last change', () => {
  expect(presetsOf(story, 'known_then')).toEqual([
    { label: 'now', at: Date.parse(story.now) },
    { label: 'end of last month', at: end('2026-10-31') },
    { label: 'before the last change', at: nairobi('2026-11-17 18:00') - 1 },
  ]);
  expect(
    presetsOf(STORIES['submitted-minutes-ago'] as Story, 'known_then').map(({ label }) => label),
  ).toEqual(['now']);
});

test('facts of one commit that took effect together are one mark, and a settlement that is reversed has its sign', () => {
  expect(marksOf(story).map(({ name, amount, lag }) => [name, amount, lag])).toEqual([
    ['submitted', 620_000, null],
    ['partly approved', 508_400, null],
    ['approved', 620_000, null],
    ['partly approved', 508_400, null],
    ['remittance', 508_400, '21 days later'],
    ['settled', 508_400, '26 days later'],
    ['reconciled', null, null],
  ]);
  const at = nairobi('2026-11-20 09:00');
  const back = storyOf(
    [
      ...submission(at, 100),
      { type: 'settled', effective: at + 1, recorded: at + 1, status: 'approved', amount: -100 },
    ],
    at + 9,
  );
  expect(marksOf(back).at(-1)).toMatchObject({ name: 'settlement reversed', amount: -100 });
});

test('a recovery and its settlement are named with what they take back, as each was learned', () => {
  const takenBack = STORIES['taken-back'] as Story;
  expect(
    marksOf(takenBack)
      .slice(-2)
      .map(({ name, amount }) => [name, amount]),
  ).toEqual([
    ['taken back', -200_000],
    ['recovery settled', -200_000],
  ]);
  expect(sentenceOf(takenBack, view('2026-11-26', '2026-11-19'))).toBe(
    'Between 19 Nov and 26 Nov we learned of 2 facts: recovery of −2,000.00, effective 18 Nov, 2 days late; settled recovery of −2,000.00, effective 21 Nov, 3 days late. The status changed from settled to partially approved.',
  );
});

test('texts of a story are escaped, and nothing in the component is inline code or style', () => {
  const hostile = '"><script>alert(1)</script>';
  const [first, ...rest] = story.facts;
  if (first === undefined) throw new Error('the story has facts');
  const html = renderTwoTimes(
    {
      ...story,
      currency: hostile,
      facts: [first, ...rest.map((fact) => ({ ...fact, type: hostile }))],
      known_then: story.known_then.map((step) => ({ ...step, status: hostile })),
    },
    view('2026-11-07', '2026-10-31'),
    { address: `/claims/${hostile}` },
  );
  expect(html).not.toMatch(/<script|style=|\son\w+=/);
});

/** Questions about the story of late money with A at the end of 31 October, and the words of the page in which the answer stands. */
const QUESTIONS: readonly (readonly [string, string, (html: string) => boolean])[] = [
  [
    'What did we not know on 31 October?',
    'A remittance of 5,084.00 of 15 October and a settlement of 5,084.00 of 22 October',
    (html) =>
      html.includes(
        'Not known yet: remittance of 5,084.00, effective 15 Oct, 21 days late; settlement of 5,084.00, effective 22 Oct, 26 days late.',
      ),
  ],
  [
    'How late did we learn of the settlement?',
    '26 days',
    (html) => html.includes('<text class="tt-lag"') && html.includes('>26 days later</text>'),
  ],
  [
    'How much had the payer paid, as we knew it then?',
    'Nothing',
    (html) => /settled <b>0\.00<\/b>/.test(html),
  ],
  [
    'How much did the payer still owe, as we knew it then?',
    '5,084.00',
    (html) =>
      /data-name="outstanding"><th scope="row">Outstanding from the payer<\/th><td[^>]*>5,084\.00</.test(
        html,
      ),
  ],
  ['What does the patient owe?', '620.00', (html) => /patient <b>620\.00<\/b>/.test(html)],
];

test.each(QUESTIONS)('the page answers: %s %s', (_question, _answer, isAnswered) => {
  expect(isAnswered(renderTwoTimes(story, view('2026-10-31'), { address: '/c' }))).toBe(true);
});
