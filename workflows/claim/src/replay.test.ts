/** Recorded histories of every release replay on this code: a run that began under an older release goes on under this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '@carecover/platform/bundle';
import { Worker } from '@temporalio/worker';

const FOLDER = join(__dirname, '../histories');

const recorded = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);

test('histories are there to replay', () => {
  expect(recorded.length).toBeGreaterThan(0);
});

test('every recorded history replays', async () => {
  const histories = recorded.map((name) => ({
    workflowId: name,
    history: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
  }));
  const bundle = { codePath: await workflowBundle('claim') };
  const failures: string[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) {
    if (result.error) failures.push(`${result.workflowId}: ${result.error.message}`);
  }
  expect(failures).toEqual([]);
}, 60_000);
