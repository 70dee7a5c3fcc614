/** Tests that `npm run lint` finds statements that nothing awaits: they are never sent. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The folder of the packages that are installed in the repository. */
const MODULES = dirname(dirname(require.resolve('oxlint/package.json')));

/** Statements of which none is awaited, one per line, and then functions without a mistake. */
const UNAWAITED = [
  'tx`select 1`;',
  'void tx`select 1`;',
  'databaseNow(tx);',
  'void databaseNow(tx);',
  'tx.pipeline([databaseNow(tx)]);',
  '[1, 2].map(() => tx`select 1`);',
  'read(tx);',
];
const SAMPLE = `import { databaseNow, type Query, type Tx } from '@carecover/postgres';
export const read = async (tx: Tx): Promise<Date> => databaseNow(tx);
export const lock = (tx: Tx): Query<unknown> => tx\`select 1\`;
export const both = async (tx: Tx): Promise<void> => {
  await tx.pipeline([lock(tx), databaseNow(tx)]);
};
`;

interface Report {
  readonly diagnostics: readonly {
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'carecover-lint-')));
  await symlink(MODULES, join(folder, 'node_modules'));
  await copyFile(join(MODULES, '../.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true},"include":["services"]}',
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the numbers of the lines of a file in which the linter finds a mistake. */
async function linesFoundIn(path: string, text: string): Promise<number[]> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  const oxlint = join(folder, 'node_modules/oxlint/bin/oxlint');
  const run = promisify(execFile)(process.execPath, [oxlint, '--type-aware', '--format', 'json', path], {
    cwd: folder,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { diagnostics }: Report = JSON.parse(stdout);
  return diagnostics.map(({ labels }) => labels[0]?.span.line ?? 0).sort((a, b) => a - b);
}

test('`npm run lint` finds each statement of a store that nothing awaits, and no other line', async () => {
  const calls = UNAWAITED.map((call) => `  ${call}\n`).join('');
  const text = `${SAMPLE}export const unawaited = (tx: Tx) => {\n${calls}};\n`;
  const first = SAMPLE.split('\n').length + 1;
  expect(await linesFoundIn('services/sample/src/store/sample.ts', text)).toEqual(
    UNAWAITED.map((_, index) => first + index),
  );
});
