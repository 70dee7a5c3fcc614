/** Registers the suites of a folder, which run one after the other on the stack of the folder's `world.ts`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @param names the files of the folder, except `world.ts`, in the order in which they run */
export function runSuites(folder: string, names: readonly string[]): void {
  // Its hooks are registered here, so that they belong to no single suite.
  jest.requireActual(`./${folder}/world`);

  test('every suite in the folder runs', () => {
    const found = readdirSync(join(__dirname, folder)).map((file) => file.replace(/\.ts$/, ''));
    expect(['world', ...names].sort()).toEqual(found.sort());
  });

  describe.each(names)('%s', (name) => {
    jest.requireActual(`./${folder}/${name}`);
  });
}
