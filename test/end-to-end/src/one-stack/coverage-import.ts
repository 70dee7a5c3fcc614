/** Runs `carecover coverages import` against a stack. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLI, running } from './world';

const ROWS = 1_200;

let files = 0;

const record = (row: number, changes: object = {}) => ({
  coverage_reference: `policy-${row}`,
  record_version: '1',
  tenant_reference: 'group/nairobi',
  member_reference: `member:${row}`,
  service_code: 'psy.individual.50',
  plan_name: 'Outpatient, plus',
  status: 'active',
  currency: 'KES',
  amount_limit: 400_000,
  remaining_sessions: 12,
  authorization_required: row % 2 === 0,
  coordination_priority: row % 2 === 0 ? 1 : null,
  valid_from: '2026-01-01T00:00:00Z',
  valid_until: '2028-01-01T00:00:00Z',
  ...changes,
});

const cells = (values: readonly unknown[]) => values.map((value) => `"${value ?? ''}"`).join(',');

/**
 * Imports a file of coverages with the operator CLI. Returns the exit code, the rejected rows in order, and the counts that the CLI prints.
 */
async function imported(name: string, lines: readonly string[]) {
  const { home, file: stack } = running.stack;
  const file = join(home.folder, `${files++}-${name}`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const args = [
    'coverages',
    'import',
    file,
    '--contract',
    'contract/1',
    '--generated-at',
    '2026-01-02T00:00:00Z',
    '--json',
  ];
  const env = { ...process.env, CARECOVER_HOME: home.folder, CARECOVER_SECRET_KEY: stack.secret_key };
  const { stdout, code } = await promisify(execFile)(process.execPath, [CLI, ...args], { env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (failed: { readonly stdout: string; readonly code: number }) => failed,
  );
  await rm(file);
  const printed: Record<string, number>[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const counts = printed.pop();
  return { code, rejected: printed.sort((a, b) => Number(a.line) - Number(b.line)), counts };
}

test('a file of any length is recorded in batches, and a repeated import changes nothing', async () => {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    if (row === 3) return record(row, { amount_limit: 'much' });
    return row === 700 ? record(row, { valid_until: '2025-01-01T00:00:00Z' }) : record(row);
  });
  const lines = [Object.keys(record(0)).join(','), ...rows.map((row) => cells(Object.values(row)))];
  const first = await imported('coverages.csv', lines);
  expect(first).toEqual({
    code: 1,
    rejected: [
      { line: 5, reason: expect.stringContaining('/amount_limit') },
      { line: 702, reason: expect.stringContaining('/valid_until') },
    ],
    counts: { rows: ROWS, recorded: ROWS - 2, known: 0, rejected: 2 },
  });
  expect(await imported('again.csv', lines)).toEqual(first);

  // The same records in another file have other idempotency keys, but their observations are already recorded.
  const json = rows.map((row) => JSON.stringify(row));
  expect((await imported('coverages.jsonl', json)).counts).toEqual({
    rows: ROWS,
    recorded: 0,
    known: ROWS - 2,
    rejected: 2,
  });
}, 120_000);

test('a record that the API rejects is reported, and the others of its batch are recorded', async () => {
  const versions = ['1', '2', '3'].map((version) => record(5_000, { record_version: version }));
  const changed = record(5_000, { record_version: '1', plan_name: 'Another' });
  const lines = [...versions, changed, record(5_001)].map((row) => JSON.stringify(row));
  const { code, rejected, counts } = await imported('changed.jsonl', ['', ...lines, '{"coverage']);
  expect(code).toBe(1);
  expect(rejected).toEqual([
    { line: 5, reason: expect.stringContaining('/record_version was already recorded') },
    { line: 7, reason: 'it is no JSON' },
  ]);
  expect(counts).toEqual({ rows: 6, recorded: 4, known: 0, rejected: 2 });
}, 120_000);
