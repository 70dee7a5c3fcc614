import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../testing/run-command';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'carecover-mcp-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand(['mcp', ...args], { CARECOVER_HOME: home });

function writeStack() {
  const stack = {
    base_url: 'https://localhost:8443/v1',
    ca_certificate: '/x/ca.pem',
    secret_key: 'sk_test_local',
  };
  writeFileSync(join(home, 'stack.json'), JSON.stringify(stack));
}

test('the configurations of clients name the running stack, its key and its certificate', async () => {
  writeStack();
  const { code, output } = await run();
  expect(code).toBe(0);
  for (const name of ['Claude Code', 'VS Code', 'Cursor', 'Inspector']) expect(output).toContain(name);
  expect(output).toContain('"url": "https://localhost:8443/v1/mcp"');
  expect(output).toContain('"Authorization": "Bearer sk_test_local"');
  expect(output).toContain("NODE_EXTRA_CA_CERTS='/x/ca.pem'");
});

test('the key of the running stack is printed for no other address', async () => {
  writeStack();
  const { output } = await run('--base-url', 'https://api.example.com/v1/');
  expect(output).toContain('https://api.example.com/v1/mcp');
  expect(output).not.toContain('sk_test_local');
  expect(output).toContain('Bearer <secret key>');
});

test('without a stack and an address the command says what to do', async () => {
  const { code, errors } = await run();
  expect([code, errors]).toEqual([1, expect.stringContaining('--base-url')]);
});
