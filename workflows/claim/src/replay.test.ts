/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import {
  type RecordedHistory,
  recordedHistories,
  replayHistories,
  withStepRenamed,
} from '@carecover/temporal/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every recorded history replays', async () => {
  expect(recorded.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      ['lapsed', 'settled', 'continued-as-new', 'interrupted-adjudication', 'interrupted-submission'].map(
        (name) => `0.1.0/${name}.json`,
      ),
    ),
  );
  expect(await replayHistories('claim', recorded)).toEqual([]);
});

test.each<[string, (history: RecordedHistory) => RecordedHistory]>([
  ['that reads the claim by another step', (history) => withStepRenamed(history, 'reviewClaim', 'readClaim')],
  [
    'that finishes interrupted commands by another activity',
    ({ name, text }) => ({
      name,
      text: text.replaceAll('"name": "finishCommand"', '"name": "resendCommand"'),
    }),
  ],
])('a history of a workflow %s is detected', async (_which, alter) => {
  const altered = recorded.map(alter).filter(({ text }, index) => text !== recorded[index]?.text);
  expect(altered.length).toBeGreaterThan(0);
  expect(await replayHistories('claim', altered)).toHaveLength(altered.length);
});
