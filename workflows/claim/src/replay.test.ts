/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import { recordedHistories, replayHistories, withStepRenamed } from '@carecover/platform/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replayHistories('claim', recorded)).toEqual([]);
});

test('a history that this code would not write is detected', async () => {
  const altered = recorded
    .filter(({ name }) => name.endsWith('cancelled.json'))
    .map((history) => withStepRenamed(history, 'releaseFromClaim', 'keepForClaim'));
  expect(altered.length).toBeGreaterThan(0);
  expect(await replayHistories('claim', altered)).toHaveLength(altered.length);
});
