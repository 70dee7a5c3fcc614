import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generate, readGenerated } from './generate';
import { CLIENT, pythonTools } from './tools';

// The first run installs the tools.
jest.setTimeout(300_000);

test('the generated files of the Python client are up to date with the contract', async () => {
  const env = await pythonTools();
  if (env === null) return;
  const files = await generate(env);
  if (process.env.CARECOVER_GENERATE === '1') {
    for (const part of ['api', 'models'])
      await rm(join(CLIENT, 'carecover', part), { recursive: true, force: true });
    for (const [name, text] of files) {
      const path = join(CLIENT, 'carecover', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
  expect(Object.fromEntries(await readGenerated())).toEqual(Object.fromEntries(files));
});
