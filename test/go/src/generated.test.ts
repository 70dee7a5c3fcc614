import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate, readGenerated } from './generate';
import { CLIENT, hasGo } from './tools';

test('the generated files of the Go client are up to date with the contract', async () => {
  if (!(await hasGo())) return;
  const files = await generate();
  if (process.env.CARECOVER_GENERATE === '1') {
    for (const [name, text] of Object.entries(files)) await writeFile(join(CLIENT, name), text);
  }
  expect(await readGenerated()).toEqual(files);
});
