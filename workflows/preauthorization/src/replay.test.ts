import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '@carecover/platform/bundle';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/** Recorded from the tests of whole lives, with RECORD_HISTORIES set; kept, so that a later release is held against them. */
const FOLDER = join(__dirname, '../histories');
const names = readdirSync(FOLDER).sort();

let codePath: string;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  codePath = await workflowBundle('preauthorization');
}, 60_000);

test('there is a history of every end and of every way back', () => {
  expect(names).toEqual(
    expect.arrayContaining([
      'undecided-for-14-days.json',
      'decided-just-in-time.json',
      'decided-too-late.json',
      'denied.json',
      'care-refused.json',
      'approved-and-unused.json',
      'approved-and-used.json',
      'freed-and-unused.json',
      'cancelled-on-day-3.json',
      'expired-by-helper.json',
      'revived.json',
    ]),
  );
});

test.each(names)('the code of today does again what it did then: %s', async (name) => {
  const history: unknown = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, history);
});
