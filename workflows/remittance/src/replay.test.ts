/** Recorded histories of every release replay on this code: a run that began under an older release goes on under this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '@carecover/platform/bundle';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/** Recorded by the payments service's tests of whole lives, with RECORD_HISTORIES set. */
const FOLDER = join(__dirname, '../histories');

const recorded = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ workflowId: name, text: readFileSync(join(FOLDER, name), 'utf8') }));

beforeAll(() => Runtime.install({ logger: new DefaultLogger('ERROR') }));

/** What is wrong, a line for each history that does not replay. */
async function replay(histories: typeof recorded): Promise<string[]> {
  const bundle = { codePath: await workflowBundle('remittance') };
  const parsed = histories.map(({ workflowId, text }) => ({ workflowId, history: JSON.parse(text) }));
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, parsed)) {
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return failures;
}

test('every recorded history replays', async () => {
  expect(recorded.length).toBeGreaterThan(0);
  expect(await replay(recorded)).toEqual([]);
}, 60_000);

test('a history that this code would not have written is found out', async () => {
  const reconciled = recorded.filter(({ workflowId }) => workflowId.endsWith('/reconciled.json'));
  const altered = reconciled.map(({ workflowId, text }) => ({
    workflowId,
    text: text.replaceAll('recordSettlement', 'forgetSettlement'),
  }));
  expect(await replay(altered)).toHaveLength(reconciled.length);
}, 60_000);
