/**
 * Replays the recorded histories of every release. This tests that a run that an older release started can continue under the current
 * release.
 */
import { join } from 'node:path';
import { recordedHistories, replayHistories, withStepRenamed } from '@carecover/temporal/replay';

const recorded = recordedHistories(join(__dirname, '../histories'));

test('every recorded history replays', async () => {
  expect(recorded.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['0.1.0/completed.json', '0.1.0/paused.json']),
  );
  expect(await replayHistories('bulk-job', recorded)).toEqual([]);
});

test('a history that this code would not write is detected', async () => {
  const altered = recorded.map((history) => withStepRenamed(history, 'executeLines', 'executeRows'));
  expect(await replayHistories('bulk-job', altered)).toHaveLength(altered.length);
});
