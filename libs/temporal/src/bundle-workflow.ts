/**
 * Bundles the workflows of a worker for the workflow sandbox: at build time with `node bundle-workflow.js TARGET SOURCE…`, in tests with
 * {@link workflowBundle}. In both cases the TypeScript sources are bundled.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Returns the code of the bundle. @param sources the TypeScript files that export the workflows, at least one */
export async function bundleWorkflows(sources: readonly string[]): Promise<string> {
  const root = repositoryRoot();
  const libs = join(root, 'libs');
  // The generated entry file of the bundle is below the root of the repository, so that it can import packages by name.
  mkdirSync(join(root, '.carecover'), { recursive: true });
  const folder = mkdtempSync(join(root, '.carecover', 'workflows-'));
  const entry = join(folder, 'index.ts');
  const exported = sources.map((source) => `export * from ${JSON.stringify(resolve(source))};\n`);
  writeFileSync(entry, exported.join(''));
  try {
    return await bundleEntry(entry, libs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bundleEntry(entry: string, libs: string): Promise<string> {
  const quiet = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
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
          '@carecover/temporal/workflow$': join(libs, 'temporal/src/workflow/index.ts'),
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

export type WorkflowName = 'bulk-job' | 'claim' | 'preauthorization' | 'remittance' | 'valuation';

/**
 * Returns the path of a bundle that tests use. The bundle contains the workflows in `workflows/<name>` for each of `names`, and is rebuilt
 * if their sources changed.
 */
export async function workflowBundle(...names: readonly WorkflowName[]): Promise<string> {
  const root = repositoryRoot();
  const folders = names.map((name) => join(root, 'workflows', name, 'src'));
  const hash = createHash('sha256');
  const shared = [
    ...sourcesUnder(join(root, 'libs/temporal/src/workflow')),
    join(root, 'libs/setup/src/search-attributes.ts'),
  ];
  for (const path of [...folders.flatMap(sourcesUnder), ...shared]) {
    hash.update(path).update(readFileSync(path));
  }
  const target = join(
    root,
    '.carecover',
    'bundles',
    `${names.join('-')}-${hash.digest('hex').slice(0, 16)}.js`,
  );
  if (!existsSync(target)) {
    mkdirSync(dirname(target), { recursive: true });
    const partial = `${target}.${process.pid}`;
    const entries = folders.map((folder) => join(folder, 'index.ts'));
    writeFileSync(partial, await bundleWorkflows(entries));
    renameSync(partial, target);
  }
  return target;
}

if (require.main === module) {
  const [target, ...sources] = process.argv.slice(2);
  if (target === undefined || sources.length === 0) throw new Error('usage: bundle-workflow TARGET SOURCE…');
  void bundleWorkflows(sources).then((code) => writeFileSync(target, code));
}
