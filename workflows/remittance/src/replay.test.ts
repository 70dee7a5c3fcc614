/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import { recordedHistories, replayHistories, withStepRenamed } from '@carecover/temporal/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replayHistories('remittance', recorded)).toEqual([]);
});

test('a history that this code would not have written does not replay', async () => {
  const altered = recorded
    .filter(({ name }) => name.endsWith('/reconciled.json'))
    .map((history) => withStepRenamed(history, 'review', 'deleteRemittance'));
  expect(altered.length).toBeGreaterThan(0);
  expect(await replayHistories('remittance', altered)).toHaveLength(altered.length);
});
