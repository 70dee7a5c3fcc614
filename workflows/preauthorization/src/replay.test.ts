/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import { recordedHistories, replayHistories, withStepRenamed } from '@carecover/temporal/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every end, every repeated start and every interruption has a history', () => {
  expect(recorded.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      '0.1.0/undecided-for-14-days.json',
      '0.1.0/decided-just-in-time.json',
      '0.1.0/decided-too-late.json',
      '0.1.0/denied.json',
      '0.1.0/approved-and-unused.json',
      '0.1.0/approved-and-used.json',
      '0.1.0/released-and-unused.json',
      '0.1.0/cancelled-on-day-3.json',
      '0.1.0/expired-by-helper.json',
      '0.1.0/interrupted-approval.json',
      '0.1.0/interrupted-and-rejected.json',
      '0.1.0/care-away-for-a-while.json',
      '0.1.0/finished-after-the-end.json',
      '0.1.0/continued.json',
      '0.1.0/revived.json',
      '0.1.0/started-by-sweep.json',
    ]),
  );
});

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replayHistories('preauthorization', recorded)).toEqual([]);
});

test.each([
  ['approved-and-used.json', 'review'],
  ['interrupted-approval.json', 'review'],
])('a history that differs from this code is detected: %s with another step than %s', async (file, step) => {
  const altered = recorded
    .filter(({ name }) => name.endsWith(file))
    .map((history) => withStepRenamed(history, step, 'another'));
  expect(altered.length).toBeGreaterThan(0);
  expect(await replayHistories('preauthorization', altered)).toHaveLength(altered.length);
});

test('a history without the activity that finishes an interrupted approval is detected', async () => {
  const altered = recorded
    .filter(({ name }) => name.endsWith('interrupted-approval.json'))
    .map(({ name, text }) => ({ name, text: text.replaceAll('"finishCommand"', '"another"') }));
  expect(await replayHistories('preauthorization', altered)).toHaveLength(1);
});
