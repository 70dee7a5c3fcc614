/** Where this clone lies: for what is read from it at build time, in migrations and in tests. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's root, from either the sources or the build of this package. */
export function repositoryRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'services'))) folder = dirname(folder);
  return folder;
}
