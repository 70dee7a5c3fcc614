import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { actionlintExecutable } from '@carecover/testing/servers';
import { parse } from 'yaml';

const ROOT = resolve(__dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const run = async (program: string, args: string[]) =>
  (await promisify(execFile)(program, args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })).stdout;

const WORKFLOWS = '.github/workflows';
const workflowFiles = () => readdirSync(join(ROOT, WORKFLOWS)).map((file) => join(WORKFLOWS, file));

test('actionlint accepts the workflows of the hosted CI, and rejects an unknown input', async () => {
  const actionlint = await actionlintExecutable();
  expect(workflowFiles().length).toBeGreaterThan(0);
  const folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  try {
    for (const file of workflowFiles()) {
      // actionlint knows the inputs of actions by their versions, not by their commits.
      const withVersions = read(file).replace(/@[0-9a-f]{40} # (v\d+)\S*$/gm, '@$1');
      const copy = join(folder, basename(file));
      writeFileSync(copy, withVersions);
      await run(actionlint, ['-no-color', copy]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const wrong = `${__dirname}/../fixtures/unknown-input.yml`;
  await expect(run(actionlint, ['-no-color', wrong])).rejects.toMatchObject({
    stdout: expect.stringContaining('node-versions'),
  });
}, 180_000);

test('every action of the hosted CI is pinned by the hash of a commit, with its version', () => {
  const uses = workflowFiles().flatMap((file) => read(file).match(/\buses:.*$/gm) ?? []);
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the hosted CI runs the same check as a clone, on every supported Node version', () => {
  const { jobs } = parse(read(`${WORKFLOWS}/ci.yml`));
  expect(jobs.check.strategy.matrix.node).toEqual([20, 22, 24]);
  expect(jobs.check.steps.at(-1)).toEqual({ run: '.ci/run' });
  expect(read('.nvmrc').trim()).toBe('24');
});

test('issue forms and the Renovate configuration can be parsed', () => {
  for (const form of ['bug', 'feature']) {
    const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}.yml`));
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    expect(
      body.every((field: { type: string }) => ['markdown', 'textarea', 'input'].includes(field.type)),
    ).toBe(true);
  }
  expect(JSON.parse(read('.github/renovate.json')).extends).toContain('config:recommended');
});

test('THIRD_PARTY_LICENSES.md has every package of the lock file: npm run licenses writes it', async () => {
  expect(read('THIRD_PARTY_LICENSES.md')).toBe(
    await run(process.execPath, ['deploy/licenses.mjs', '--print']),
  );
});

test('the SBOM names every package that runs in production', async () => {
  const sbom = JSON.parse(await run(process.execPath, ['deploy/sbom.mjs']));
  expect(sbom.bomFormat).toBe('CycloneDX');
  const names = sbom.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['koa', 'pg', '@temporalio/worker']));
  expect(names).not.toContain('jest');
});
