/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import { recordedHistories, replayHistories, withStepRenamed } from '@carecover/platform/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every end and every repeated start has a history', () => {
  expect(recorded.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      '0.1.0/undecided-for-14-days.json',
      '0.1.0/decided-just-in-time.json',
      '0.1.0/decided-too-late.json',
      '0.1.0/denied.json',
      '0.1.0/care-rejected.json',
      '0.1.0/valid-until-passed.json',
      '0.1.0/approved-and-unused.json',
      '0.1.0/approved-and-used.json',
      '0.1.0/released-and-unused.json',
      '0.1.0/cancelled-on-day-3.json',
      '0.1.0/expired-by-helper.json',
      '0.1.0/revived.json',
    ]),
  );
});

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replayHistories('preauthorization', recorded)).toEqual([]);
});

test('a history that differs from this code is detected', async () => {
  const altered = recorded
    .filter(({ name }) => name.endsWith('approved-and-used.json'))
    .map((history) => withStepRenamed(history, 'confirmBooking', 'cancelBooking'));
  expect(altered.length).toBeGreaterThan(0);
  expect(await replayHistories('preauthorization', altered)).toHaveLength(altered.length);
});
