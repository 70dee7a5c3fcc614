/** Runs the program of the Go client's README in a module that has the client as the README says. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';
import { startExampleServer } from '../../../libs/client/src/testing/example-server';
import { CLIENT, hasGo } from './tools';

const run = promisify(execFile);
const PROGRAM = join(CLIENT, 'examples/readme/main.go');

// The first run compiles the standard library.
jest.setTimeout(300_000);

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

async function readBlocks(language: string): Promise<string[]> {
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const blocks = readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, text = '']) => text);
}

test('every excerpt of the README is a part of its program', async () => {
  const program = collapseSpaces(await readFile(PROGRAM, 'utf8'));
  const excerpts = await readBlocks('go');
  expect(excerpts.length).toBeGreaterThan(5);
  for (const excerpt of excerpts) expect(program).toContain(collapseSpaces(excerpt));
});

test('a module gets the client by the commands of the README, without a network, and runs its program', async () => {
  if (!(await hasGo())) return;
  const folder = await mkdtemp(join(tmpdir(), 'carecover-go-'));
  const server = await startExampleServer();
  const env = {
    ...process.env,
    GOPROXY: 'off',
    CARECOVER_URL: server.baseUrl,
    CARECOVER_KEY: 'sk_test_readme',
  };
  try {
    await run('go', ['mod', 'init', 'example.com/consumer'], { cwd: folder, env });
    await copyFile(PROGRAM, join(folder, 'main.go'));
    const [commands = ''] = await readBlocks('sh');
    const install = commands.replace('CLONE', repositoryRoot());
    await run('sh', ['-ec', install], { cwd: folder, env });
    const { stdout } = await run('go', ['run', '.'], { cwd: folder, env });
    expect(stdout).toMatch(
      /^prc_\w+ Amina Otieno\neligible clm_\w+ 350000\nclm_\w+ \w+\na secret of \d+ characters\n$/,
    );
    expect(server.calls).toEqual([
      'listPractitioners',
      'createEligibilityCheck',
      'createClaim',
      'listClaims',
      'cancelClaim',
      'createWebhookEndpoint',
    ]);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
