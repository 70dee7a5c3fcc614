import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';

const { LISTED } = jest.requireActual('./suite-order.cjs') as { LISTED: readonly string[] };

test.each(LISTED)('%s is a folder or a suite', (entry) => {
  const path = join(repositoryRoot(), entry);
  expect([path, `${path}.test.ts`].some(existsSync)).toBe(true);
});
