import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderOperations, renderTypes } from './render.ts';

// The test formats with Biome. Prettier, a dependency of json-schema-to-typescript, can't be loaded in jest on Node 20.
jest.mock('prettier', () => ({}));

/** Formats a text as the project's formatter does, so that the comparison ignores formatting. */
function formatText(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-generate-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, text);
    const root = join(__dirname, '../../../..');
    execFileSync(
      join(root, 'node_modules/.bin/biome'),
      ['format', '--write', `--config-path=${root}`, '--vcs-enabled=false', path],
      { stdio: 'ignore' },
    );
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ['types.ts', renderTypes],
  ['operations.ts', async () => renderOperations()],
])('%s is up to date with the contract', async (name, render) => {
  const path = join(__dirname, name);
  const text = formatText(name, await render());
  if (process.env.CARECOVER_GENERATE === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
