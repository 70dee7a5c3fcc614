/** Recorded histories of every release replay on this code: a run that began under an older release goes on under this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '@carecover/platform/bundle';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

const FOLDER = join(__dirname, '../histories');

const recorded = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ workflowId: name, text: readFileSync(join(FOLDER, name), 'utf8') }));

beforeAll(() => Runtime.install({ logger: new DefaultLogger('ERROR') }));

/** What is wrong, a line for each history that does not replay. */
async function replay(histories: typeof recorded): Promise<string[]> {
  const workflowBundleOption = { codePath: await workflowBundle('claim') };
  const failures: string[] = [];
  const parsed = histories.map(({ workflowId, text }) => ({ workflowId, history: JSON.parse(text) }));
  for await (const result of Worker.runReplayHistories({ workflowBundle: workflowBundleOption }, parsed)) {
    if (result.error) failures.push(`${result.workflowId}: ${result.error.message}`);
  }
  return failures;
}

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replay(recorded)).toEqual([]);
}, 60_000);

test('a history that this code would not have written is found out', async () => {
  const cancelled = recorded.filter(({ workflowId }) => workflowId.endsWith('cancelled.json'));
  const altered = cancelled.map(({ workflowId, text }) => ({
    workflowId,
    text: text.replaceAll('freeFromClaim', 'keepForClaim'),
  }));
  expect(await replay(altered)).toHaveLength(cancelled.length);
}, 60_000);
