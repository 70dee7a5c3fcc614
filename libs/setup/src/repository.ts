/** The location of the repository, from which builds, migrations and tests read files. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the root folder of the repository. It returns the same folder from the sources and from the build of this package. */
export function repositoryRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'services'))) folder = dirname(folder);
  return folder;
}
