import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { type ExampleServer, startExampleServer } from './testing/example-server.ts';

const run = promisify(execFile);
const PACKAGE = join(__dirname, '..');
const ROOT = join(PACKAGE, '../..');
const consumer = mkdtempSync(join(tmpdir(), 'carecover-consumer-'));
let server: ExampleServer;

/**
 * The commands of the README that build, pack and install the client. The tests only add the folder for the packed file, and npm's options for
 * offline use.
 */
const [build = '', pack = '', install = ''] =
  /```sh\n(.*)\n(.*)\n(.*)\n```/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))?.slice(1) ?? [];

// Installs the packed client in an empty folder.
beforeAll(async () => {
  server = await startExampleServer();
  await run('sh', ['-ec', `${build}; ${pack} --pack-destination '${consumer}'`], { cwd: ROOT });
  write('package.json', '{ "private": true }');
  await run('sh', ['-ec', `${install} --offline --no-audit --no-fund`], { cwd: consumer });
}, 120_000);

afterAll(async () => {
  await server.close();
  rmSync(consumer, { recursive: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(consumer, name), text);
}

async function node(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, {
    cwd: consumer,
    env: { PATH: process.env.PATH, CARECOVER_URL: server.baseUrl, CARECOVER_KEY: 'sk_test_readme' },
  });
  return stdout.trim();
}

/**
 * Type-checks files in the folder of a program that has installed the package, including the package's declarations. Returns the compiler's
 * output.
 */
async function typeCheck(files: string[], ...options: string[]): Promise<string> {
  const args = [
    '--strict',
    '--target',
    'es2022',
    '--typeRoots',
    join(ROOT, 'node_modules/@types'),
    ...options,
  ];
  return run(join(ROOT, 'node_modules/.bin/tsc'), [...args, ...files], { cwd: consumer }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const USAGE = `import { type BookingId, Carecover, type Claim, type ClaimId, hasCode } from '@carecover/client';
const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'https://localhost/v1' });
export const claim: Promise<Claim> = client.claims.retrieve('clm_1');
// @ts-expect-error an identifier is a string
client.claims.retrieve(1);
declare const bookingId: BookingId;
// @ts-expect-error the identifier of a booking is not the identifier of a claim
client.claims.retrieve(bookingId);
declare const column: string;
// @ts-expect-error a string from a database needs a cast
client.claims.retrieve(column);
client.claims.retrieve(column as ClaimId);
// @ts-expect-error no such code
hasCode(null, 'no_such_code');
export async function useResponses() {
  const redelivered = await client.webhookEndpoints.redeliver('whe_1', 'evt_1');
  redelivered.attempts.toFixed();
  // @ts-expect-error only the list of deliveries contains the attempts
  redelivered.history;
  for await (const { history } of client.webhookEndpoints.deliveries('whe_1')) history.length.toFixed();
  const endpoint = await client.webhookEndpoints.create({ url: 'https://localhost/hook', events: ['claim.settled'] });
  // @ts-expect-error the response to a repeated request has no secret
  endpoint.signing_secret.trim();
  endpoint.signing_secret?.trim();
  // @ts-expect-error another operation's body
  await client.transport.call('cancelClaim', { body: { status: 'granted' } });
}
`;

test('the package can be imported as an ES module and required as CommonJS', async () => {
  const program = `.Carecover({ apiKey: 'k', baseUrl: process.env.CARECOVER_URL }).api.retrieve().then((api) => console.log(api.version))`;
  expect(
    await node(
      '--input-type=module',
      '-e',
      `import * as carecover from '@carecover/client'; new carecover${program}`,
    ),
  ).toBe('v1');
  expect(await node('--input-type=commonjs', '-e', `new (require('@carecover/client'))${program}`)).toBe(
    'v1',
  );
  const resolved = await node(
    '--input-type=module',
    '-e',
    `import { createRequire } from 'node:module';
     console.log(import.meta.resolve('@carecover/client'), createRequire(import.meta.url).resolve('@carecover/client'))`,
  );
  expect(resolved).toMatch(/dist\/esm\/index\.js .*dist\/cjs\/index\.js$/);
});

test('an error that the ES module created is recognized by the CommonJS module, and the reverse', async () => {
  const printed = await node(
    '--input-type=module',
    '-e',
    `import { createRequire } from 'node:module';
     import * as esm from '@carecover/client';
     const cjs = createRequire(import.meta.url)('@carecover/client');
     const answer = { error: { code: 'invalid_state', message: 'm', docs: 'd' } };
     for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
       const options = { baseUrl: 'https://api.example/v1', apiKey: 'sk_test_x', maxRetries: 0 };
       const rejected = new one.Carecover({ ...options, fetch: async () => Response.json(answer, { status: 409 }) });
       const lost = new one.Carecover({ ...options, fetch: async () => { throw new Error('lost'); } });
       const error = await rejected.claims.cancel('clm_1', { reason_code: 'in_error' }).catch((thrown) => thrown);
       console.log(one === other, other.hasCode(error, 'invalid_state'), error instanceof other.CarecoverError);
       const noAnswer = await lost.api.retrieve().catch((thrown) => thrown);
       console.log(noAnswer instanceof other.CarecoverConnectionError, noAnswer instanceof other.CarecoverError);
     }`,
  );
  expect(printed).toBe('false true true\ntrue false\nfalse true true\ntrue false');
});

test('a program that ends because of its key or prints its client writes no key', async () => {
  const key = `sk_test_${'A'.repeat(38)}`;
  const create = (end: string) =>
    `new (require('@carecover/client').Carecover)({ baseUrl: 'https://api.example/v1', apiKey: process.argv[1]${end} })`;
  const output = await node(
    '-e',
    `console.log(${create('')}); console.dir(${create('')}, { depth: 9 })`,
    '--',
    key,
  );
  expect(output).toContain('Carecover');
  const failed = await node('-e', create(" + '\\n'"), '--', key).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('it has a line end') });
  expect(output + (failed as { stderr: string }).stderr).not.toContain('AAAA');
});

test.each([
  ['node16', ['--module', 'node16', '--types', 'node']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node']],
  ['a browser', ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable']],
])('the types are valid with the module settings of %s', async (_name, options) => {
  write('use.mts', USAGE);
  write('use.cts', USAGE);
  expect(await typeCheck(['use.mts', 'use.cts'], '--noEmit', ...options)).toBe('');
});

test('the package contains only code, types and README', () => {
  const folder = join(consumer, 'node_modules/@carecover/client');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const expected =
    /^(README\.md|package\.json|dist(\/(cjs|esm)(\/(generated|resources))?(\/[\w-]+(\.d\.ts|\.js))?)?|dist\/esm\/package\.json)$/;
  expect(files.filter((file) => !expected.test(file))).toEqual([]);
  expect(files.filter((file) => /[.]test[.]|testing|render/.test(file))).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
});

test("the README's program runs unchanged", async () => {
  const readme = readFileSync(join(consumer, 'node_modules/@carecover/client/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);
  write('readme.mts', blocks.join('\n'));
  expect(await typeCheck(['readme.mts'], '--module', 'node16', '--types', 'node')).toBe('');
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
  const event = JSON.stringify({
    id: 'evt_1',
    type: 'claim.settled',
    data: { id: 'clm_9', amount: { settled: 7 } },
  });
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', new Date(), event),
  };
  write(
    'run.mjs',
    `import { receive } from './readme.mjs';
     const request = (body) => new Request('http://localhost', { ...${JSON.stringify({ method: 'POST', headers })}, body });
     for (const body of [${JSON.stringify(event)}, '{}']) {
       console.log((await receive(request(body), '${secret}')).status);
     }`,
  );
  const printed = await node(pathToFileURL(join(consumer, 'run.mjs')).pathname);
  expect(printed).toMatch(/^eligible \[ 'eligible' \]\n[\s\S]*clm_9 7\n204\n400$/);
  expect(server.calls.slice(-6)).toEqual([
    'createEligibilityCheck',
    'createClaim',
    'listClaims',
    'listClaims',
    'cancelClaim',
    'createWebhookEndpoint',
  ]);
});
