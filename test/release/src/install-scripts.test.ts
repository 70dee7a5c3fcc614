/**
 * The install scripts of dependencies never run, neither in the commands with which this repository installs packages nor in those that a
 * user types in a clone. npm's own list of allowed scripts (`allowScripts` in package.json) is no protection: most versions of npm ignore it.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { npmProgram } from '@carecover/testing/servers';

const ROOT = resolve(__dirname, '../../..');
const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Versions of Node 20, 22 and 24, and the one of package.json. */
const NPM_VERSIONS = ['10.8.2', '10.9.9', '11.12.0', packageManager.replace('npm@', '')];
const run = promisify(execFile);

/** Files that can contain a command. The names of tests are left out, because this one contains what it looks for. */
const CAN_CONTAIN_COMMANDS = /(^|\/)(Dockerfile|run)$|(?<!\.test)\.(cjs|js|json|md|mjs|sh|ts|ya?ml)$/;
/** A command that installs packages, or its arguments in a program. In a sentence, `npm ci` without arguments is only a name. */
const INSTALLS = /\bnpm (add|ci|i|install) [-"$.\w]|^ *npm ci$|\['(ci|install)', '-/;
/** The one package that users install in their own projects. It has neither install scripts nor dependencies. */
const CLIENT = /npm install \.\/carecover-client-/;

test('every command that installs packages has --ignore-scripts, or --only-binary for Python', async () => {
  const { stdout } = await run('git', ['ls-files'], { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  const commands = stdout
    .split('\n')
    .filter((file) => CAN_CONTAIN_COMMANDS.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => INSTALLS.test(line) && !CLIENT.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(commands.filter((command) => !/--ignore-scripts|--only-binary/.test(command))).toEqual([]);
  for (const file of ['.github/workflows/ci.yml', 'deploy/bootstrap.mjs', 'deploy/compose/Dockerfile'])
    expect(commands).toContainEqual(expect.stringContaining(file));
});

describe.each(NPM_VERSIONS)('npm %s', (version) => {
  let folder: string;
  let npm: (...args: string[]) => Promise<unknown>;
  const project = () => join(folder, 'project');
  const hasRun = () => existsSync(join(folder, 'has-run'));

  /** Creates a project whose only dependency has an install script, and its lock file. */
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carecover-scripts-'));
    const write = (path: string, content: object) =>
      writeFileSync(join(folder, path), JSON.stringify({ version: '1.0.0', ...content }));
    mkdirSync(join(folder, 'package'));
    mkdirSync(project());
    write('package/package.json', { name: 'dependency', scripts: { postinstall: 'touch ../../../has-run' } });
    await run('tar', ['-czf', 'dependency.tgz', 'package'], { cwd: folder });
    write('project/package.json', {
      name: 'project',
      dependencies: { dependency: 'file:../dependency.tgz' },
    });
    const program = await npmProgram(version);
    const env = { PATH: process.env.PATH, HOME: folder };
    npm = (...args) =>
      run(process.execPath, [program, '--offline', '--no-audit', ...args], { cwd: project(), env });
    await npm('install', '--package-lock-only', '--ignore-scripts');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a command of this repository runs no install script', async () => {
    await npm('ci', '--ignore-scripts');
    expect([existsSync(join(project(), 'node_modules/dependency')), hasRun()]).toEqual([true, false]);
  });

  test('a command that a user types in a clone runs no install script', async () => {
    cpSync(join(ROOT, '.npmrc'), join(project(), '.npmrc'));
    await npm('ci');
    expect([existsSync(join(project(), 'node_modules/dependency')), hasRun()]).toEqual([true, false]);
  });
});
