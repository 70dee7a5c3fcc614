import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderOperations, renderTypes } from './render.ts';

// The project's own formatter does the formatting, and this one can't be loaded inside jest on Node 20.
jest.mock('prettier', () => ({}));

/** As the formatter would have it, so that the comparison is of meaning. */
function formatted(name: string, text: string): string {
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
])('%s is what the contract says today', async (name, render) => {
  const path = join(__dirname, name);
  const text = formatted(name, await render());
  if (process.env.CARECOVER_GENERATE === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
