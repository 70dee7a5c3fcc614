/**
 * Bundles workflows for the worker's sandbox: at build time with `node bundle-workflow.js SOURCE TARGET`, in tests with
 * {@link workflowBundle}. Both bundle the TypeScript sources.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Returns the code of the bundle. @param source the TypeScript file that exports the workflows */
export async function bundleWorkflows(source: string): Promise<string> {
  const libs = join(repositoryRoot(), 'libs');
  const quiet = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: resolve(source),
    workflowInterceptorModules: [join(libs, 'platform/src/workflow/tracing.ts')],
    logger: {
      log: quiet,
      trace: quiet,
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (message) => process.stderr.write(`${message}\n`),
    },
    webpackConfigHook: (config) => ({
      ...config,
      resolve: {
        ...config.resolve,
        alias: {
          ...config.resolve?.alias,
          '@carecover/platform/workflow$': join(libs, 'platform/src/workflow/index.ts'),
          '@carecover/setup/search-attributes$': join(libs, 'setup/src/search-attributes.ts'),
          '@carecover/contract$': join(libs, 'contract/src/index.ts'),
        },
      },
    }),
  });
  return code;
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && statSync(path).isFile())
    .sort();
}

/** Returns the path of a bundle of `workflows/<name>` for tests. The bundle is rebuilt if the sources changed. */
export async function workflowBundle(name: 'claim' | 'preauthorization' | 'remittance'): Promise<string> {
  const root = repositoryRoot();
  const folder = join(root, 'workflows', name, 'src');
  const hash = createHash('sha256');
  const shared = [
    ...sourcesUnder(join(root, 'libs/platform/src/workflow')),
    join(root, 'libs/setup/src/search-attributes.ts'),
  ];
  for (const path of [...sourcesUnder(folder), ...shared]) {
    hash.update(path).update(readFileSync(path));
  }
  const target = join(root, '.carecover', 'bundles', `${name}-${hash.digest('hex').slice(0, 16)}.js`);
  if (!existsSync(target)) {
    mkdirSync(dirname(target), { recursive: true });
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, await bundleWorkflows(join(folder, 'index.ts')));
    renameSync(partial, target);
  }
  return target;
}

if (require.main === module) {
  const [source, target] = process.argv.slice(2);
  if (source === undefined || target === undefined) throw new Error('usage: bundle-workflow SOURCE TARGET');
  void bundleWorkflows(source).then((code) => writeFileSync(target, code));
}
