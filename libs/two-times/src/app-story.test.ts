/** Tests of the story that the app makes of valuations: it is the story that the claims service returns. */
import { type Axis, rowsOfTable, type Story } from '.';
import { cutoffsOf, instantsOf, storyOf, type Valuation } from './app-story';
import { stepAt } from './story';
import { STORIES } from './testing/stories';

/** Values a claim as the API does. */
function valuationAt({ now, currency, facts, ...steps }: Story, axis: Axis, at: string): Valuation {
  const step = stepAt(steps[axis], Date.parse(at));
  if (step === null) throw new Error(`the claim does not exist at ${at}`);
  const { status, amount } = step;
  return { claim_id: 'clm_1', valuation_at: now, currency, status, amount, events: facts };
}

function readAll(story: Story): Story {
  const latest = valuationAt(story, 'known_then', story.now);
  const stepsOf = (axis: Axis) =>
    instantsOf(latest, axis)
      .filter((at) => stepAt(story[axis], Date.parse(at)) !== null)
      .map((at) => {
        const { status, amount } = valuationAt(story, axis, at);
        return { at, status, amount };
      });
  return storyOf(latest, stepsOf('known_then'), stepsOf('known_now'), story.time_zone);
}

const cases = Object.entries(STORIES);

test('there are stories', () => expect(cases.length).toBeGreaterThan(3));

test.each(cases)('%s: the table at every instant is that of the service', (_name, story) => {
  const read = readAll(story);
  for (const axis of ['known_then', 'known_now'] as const) {
    const instants = [...story[axis].map(({ at }) => Date.parse(at)), Date.parse(story.now)];
    for (const at of instants) {
      const view = { at, other: null, axis };
      expect(rowsOfTable(read, view)).toEqual(rowsOfTable(story, view));
    }
  }
});

test.each(cases)('%s: each amount of a fact that is shown is that of the service', (_name, story) => {
  const read = readAll(story);
  const shown = read.facts.filter(({ amount }) => amount !== null);
  expect(shown.length).toBeGreaterThan(0);
  for (const { sequence, amount } of shown)
    expect([sequence, story.facts.find((fact) => fact.sequence === sequence)?.amount ?? 0]).toEqual([
      sequence,
      amount,
    ]);
});

test('two settlements of one commit have no amount, because a valuation has only their sum', () => {
  const story = Object.values(STORIES)[0] as Story;
  const at = story.now;
  const fact = { effective_at: at, recorded_at: at, previous_status: null, next_status: null };
  const latest: Valuation = {
    ...valuationAt(story, 'known_then', at),
    events: [1, 2].map((sequence) => ({ ...fact, sequence, type: 'settled' })),
  };
  const [step] = story.known_then.slice(-1);
  const read = storyOf(latest, [{ ...step, at } as Story['known_then'][number]], [], 'UTC');
  expect(read.facts.map(({ amount }) => amount)).toEqual([null, null]);
});

test('what was known then has one cutoff, and what is known now has two', () => {
  expect(cutoffsOf('known_then', 'A', 'NOW')).toEqual({ valuation_at: 'A' });
  expect(cutoffsOf('known_now', 'A', 'NOW')).toEqual({ valuation_at: 'NOW', effective_through: 'A' });
});
