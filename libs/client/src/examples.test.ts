/** Runs the example in the comment of every method with a server that validates requests by the contract, and checks its types. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Carecover } from './index.ts';
import { type ExampleServer, startExampleServer } from './testing/example-server.ts';

const ROOT = join(__dirname, '../../..');
const COMMENTED = / {2}\/\*\*\n((?: {3}\*.*\n)+?) {3}\*\/\n {2}(\w+): \(/g;

interface Documented {
  readonly method: string;
  readonly comment: string;
  readonly example: string;
}

/** Reads the comment of every method of the groups. */
async function readMethods(): Promise<Documented[]> {
  const folder = join(__dirname, 'resources');
  const files = (await readdir(folder)).sort().map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(files)).flatMap((text) =>
    text.split('export const ').flatMap((part) => {
      const group = /^\w+/.exec(part)?.[0];
      return [...part.matchAll(COMMENTED)].map(([, lines = '', method]) => {
        const comment = lines.replaceAll(/^ {3}\* ?/gm, '');
        return { method: `${group}.${method}`, comment, example: comment.split('@example\n')[1] ?? '' };
      });
    }),
  );
}

let server: ExampleServer;
let client: Carecover;
let methods: Documented[];

beforeAll(async () => {
  server = await startExampleServer();
  client = new Carecover({ baseUrl: server.baseUrl, apiKey: 'sk_test_example' });
  methods = await readMethods();
});
afterAll(() => server.close());

test('every method has a comment with an example, and names the unit of the amounts', () => {
  const { transport: _transport, ...groups } = client;
  const expected = Object.entries(groups).flatMap(([group, operations]) =>
    Object.keys(operations).map((method) => `${group}.${method}`),
  );
  expect(methods.map(({ method }) => method).sort()).toEqual(expected.sort());
  for (const { method, comment, example } of methods) {
    expect([method, example]).toEqual([method, expect.stringContaining(`carecover.${method}(`)]);
    if (/amount|billed/.test(example))
      expect([method, comment]).toEqual([method, expect.stringContaining('minor units')]);
  }
});

test('every example sends valid requests', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const AsyncFunction = (async () => undefined).constructor as new (
    ...args: string[]
  ) => (client: Carecover) => Promise<void>;
  try {
    for (const { method, example } of methods) {
      const before = server.calls.length;
      await new AsyncFunction('carecover', example)(client);
      const calls = server.calls.slice(before);
      expect([method, calls]).toEqual([method, calls.map(() => expect.stringMatching(/^\w+$/))]);
      expect([method, calls.length]).not.toEqual([method, 0]);
    }
  } finally {
    log.mockRestore();
  }
});

/** Checks the types of statements that use the client `carecover`. Returns the output of the compiler. */
async function checkTypes(statements: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-examples-'));
  try {
    const head = `import type { Carecover } from '@carecover/client';\ndeclare const carecover: Carecover;\n`;
    await writeFile(join(folder, 'examples.mts'), head + statements);
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        typeRoots: [join(ROOT, 'node_modules/@types')],
        types: ['node'],
        paths: { '@carecover/client': [join(ROOT, 'libs/client/src/index.ts')] },
      },
      files: ['examples.mts'],
      include: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('every example has valid types', async () => {
  const functions = methods.map(({ example }) => `(async () => {\n${example}\n});`);
  expect(await checkTypes(functions.join('\n'))).toBe('');
});

test('the compiler names the method that a misspelt one means', async () => {
  expect(await checkTypes('carecover.claims.sumbit;\ncarecover.claim;')).toMatch(
    /'sumbit' does not exist on type 'ClaimsMethods'\. Did you mean 'submit'\?[\s\S]*Did you mean 'claims'\?/,
  );
});
