import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runCommand } from './testing/run-command';

/** Completes the last word of a command line in bash. */
async function complete(...words: string[]): Promise<string[]> {
  const { output: script } = await runCommand(['completion', 'bash'], {});
  const line = `${script}COMP_WORDS=(carecover "$@"); COMP_CWORD=$#; _carecover; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', line, 'bash', ...words]);
  return stdout.split('\n').filter((word) => word !== '');
}

test('commands, subcommands, options and choices are completed', async () => {
  expect(await complete('pr')).toEqual(['projects', 'practitioners']);
  expect(await complete('keys', 'r')).toEqual(['rotate', 'revoke']);
  expect(await complete('keys', 'list', '--p')).toEqual(['--project']);
  expect(await complete('keys', 'list', '--project', 'prj_1', '--j')).toEqual(['--json']);
  expect(await complete('completion', '')).toEqual(['bash', 'zsh']);
  expect(await complete('keys', 'find', '')).toEqual([]);
});

test('the script for zsh loads the completion functions of bash, and other shells are rejected', async () => {
  expect((await runCommand(['completion', 'zsh'], {})).output).toMatch(/^autoload -U \+X bashcompinit/);
  expect(await runCommand(['completion', 'fish'], {})).toMatchObject({ code: 2 });
});

test('the list of commands has the description of each command', async () => {
  const { output } = await runCommand(['--help'], {});
  expect(output).toMatch(/^ {2}keys +create, list, rotate and revoke projects' keys$/m);
  const { output: keys } = await runCommand(['help', 'keys'], {});
  expect(keys).toContain("create, list, rotate and revoke projects' keys");
  expect(keys).toContain('rotate [options] [key]');
});
