/** The lint rule private-api.grit rejects each way into the internals of Node.js and of libraries. Its exceptions are listed here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

const REJECTED = [
  "import { historyToJSON } from '@temporalio/common/lib/proto-utils';",
  "import type { Query } from 'pg/lib/query';",
  "export * from 'koa/lib/context';",
  "import { y } from 'node:internal/util';",
  "const inner = require('jest/build/index');",
  "const later = import('typebox/build/index.mjs');",
  'socket._destroy = () => undefined;',
  'const handle = socket._handle;',
  'class Own extends Query { run() { return this._result; } }',
  "process.removeAllListeners('warning');",
  'process.emitWarning = () => undefined;',
  "import swc from '@swc/core'; swc.parseFileSync = () => undefined;",
  "import * as vm from 'node:vm'; vm.compileFunction = () => undefined;",
  "const timers = require('node:timers'); timers.setTimeout = () => undefined;",
  'Socket.prototype.destroy = () => undefined;',
];

const ACCEPTED = [
  "import Ajv2020 from 'ajv/dist/2020';",
  "import { eventually } from '@carecover/testing/servers';",
  "import { build } from '../src/build';",
  "import { setTimeout as sleep } from 'node:timers/promises';",
  'process.exitCode = 1;',
  "process.env.NODE_ENV = 'test';",
  "socket.off('error', onError);",
  'this.destroyed = true;',
  'const { _ignored, ...rest } = value;',
];

/** Lints each source with private-api.grit only. Returns the sources that have an error. */
function rejectedOf(sources: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-lint-'));
  try {
    const config = { plugins: [join(ROOT, 'private-api.grit')], linter: { rules: { preset: 'none' } } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    sources.forEach((source, index) => {
      writeFileSync(join(folder, `sample-${index}.ts`), source);
    });
    const { stdout } = spawnSync(
      join(ROOT, 'node_modules/.bin/biome'),
      ['lint', '--reporter=json', '--max-diagnostics=none', '.'],
      { cwd: folder, encoding: 'utf8' },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: unknown } }[] };
    const paths = diagnostics.map(({ location }) => JSON.stringify(location.path));
    return sources.filter((_, index) => paths.some((path) => path.includes(`sample-${index}.ts`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every way into the internals of others is rejected, and public API is not', () => {
  expect(rejectedOf(REJECTED)).toEqual(REJECTED);
  expect(rejectedOf(ACCEPTED)).toEqual([]);
});

test('the exceptions are these two, each with its reason', () => {
  const lines = execFileSync(
    'git',
    [
      'grep',
      '-h',
      '-E',
      '^ *// biome-ignore lint/plugin: .{40}',
      '--',
      '*.ts',
      '*.tsx',
      '*.cjs',
      '*.mjs',
      '*.js',
    ],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  const reasons = lines
    .trim()
    .split('\n')
    .map((line) => line.replace(/^ *\/\/ biome-ignore lint\/plugin: /, ''));
  expect(reasons).toEqual([
    "Temporal's SDK exports no other function that writes a history in the format that its replay reads.",
    "Node's own listener for handshakes must get only the connections that start with one, so it is called below.",
  ]);
});

test('each forced version of a dependency has its reason beside it', () => {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(root['//overrides'])).toEqual(Object.keys(root.overrides));
});
