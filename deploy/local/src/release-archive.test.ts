/** The release host in these tests is an HTTP server on the loopback address, which serves archives in the layout of GitHub's releases. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  natsExecutable,
  type Toolchain,
  temporalExecutable,
  temporalTestServerExecutable,
} from './toolchain';

const ARCH = process.arch === 'x64' ? 'amd64' : process.arch;
const NATS_NAME = `nats-server-v2.15.2-${process.platform}-${ARCH}`;
const NATS_PATH = `/nats-io/nats-server/releases/download/v2.15.2/${NATS_NAME}.tar.gz`;
const NATS_SUMS = '/nats-io/nats-server/releases/download/v2.15.2/SHA256SUMS';
const PRINTS_VERSION = '#!/bin/sh\necho "nats-server: v2.15.2"\n';

let folder: string;
let server: Server;
/** The responses of the release host by path: a file's content, or a function that responds. */
let files: Map<string, Buffer | ((response: ServerResponse) => void)>;
let requests: string[];
let printed: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-release-'));
  files = new Map();
  requests = [];
  printed = [];
  server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const respond: RequestListener = (request, response) => {
  requests.push(request.url ?? '');
  const file = files.get(request.url ?? '');
  if (typeof file === 'function') file(response);
  else if (file === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Length': file.length }).end(file);
};

const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/**
 * Returns the toolchain of a simulated machine: an empty cache, the test's release host, and a PATH with only one program, a shell script
 * in place of the Go compiler. Variables in `env` override these settings.
 */
function createMachine(env: NodeJS.ProcessEnv = {}): Toolchain {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const go = `#!/bin/sh
if [ "$1" = list ]; then echo one; exit; fi
while [ "$1" != -o ]; do shift; done
echo built > "$2"
`;
  writeFileSync(join(programs, 'go'), go);
  chmodSync(join(programs, 'go'), 0o755);
  return {
    env: { PATH: programs, CARECOVER_RELEASES: baseUrl(), ...env },
    freeSpace: async () => 50e9,
    cache: join(folder, 'cache'),
    responseMs: 1_000,
    print: (line) => printed.push(line),
  };
}

/** Returns a gzipped tar file with these executables. */
function pack(executables: Record<string, string>): Buffer {
  const content = mkdtempSync(join(folder, 'content-'));
  for (const [path, script] of Object.entries(executables)) {
    mkdirSync(dirname(join(content, path)), { recursive: true });
    writeFileSync(join(content, path), script, { mode: 0o755 });
  }
  const archive = join(folder, 'packed.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', content, ...Object.keys(executables)]);
  return readFileSync(archive);
}

const sumLine = (content: Buffer, name: string) =>
  `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;

function publishNats(script = PRINTS_VERSION): Buffer {
  const archive = pack({ [`${NATS_NAME}/nats-server`]: script });
  files.set(NATS_PATH, archive);
  files.set(
    NATS_SUMS,
    Buffer.from(`${'0'.repeat(64)}  other.zip\n${sumLine(archive, `${NATS_NAME}.tar.gz`)}`),
  );
  return archive;
}

const contentOf = (path: string) => readFileSync(path, 'utf8');

test('a server is fetched once from the release archive of its project, and only its executable is kept', async () => {
  publishNats();
  const tools = createMachine();
  const path = await natsExecutable(tools);
  expect(contentOf(path)).toBe(PRINTS_VERSION);
  expect(readdirSync(dirname(path))).toEqual(['nats-server']);
  expect(await natsExecutable(tools)).toBe(path);
  expect(requests).toEqual([NATS_SUMS, NATS_PATH]);
  expect(printed).toEqual([]);
});

test("Temporal's server, schema tool and UI are fetched from two releases and presented as one program", async () => {
  const temporal = pack({
    'temporal-server': '#!/bin/sh\necho "temporal version 1.31.2"\n',
    'temporal-sql-tool': '#!/bin/sh\n',
    tdbg: '#!/bin/sh\n',
  });
  const ui = pack({ 'ui-server': '#!/bin/sh\n' });
  const [server, uiServer] = [
    '/temporalio/temporal/releases/download/v1.31.2',
    '/temporalio/ui-server/releases/download/v2.50.1',
  ];
  const [name, uiName] = [
    `temporal_1.31.2_${process.platform}_${ARCH}.tar.gz`,
    `ui-server_2.50.1_${process.platform}_${ARCH}.tar.gz`,
  ];
  files.set(`${server}/${name}`, temporal);
  files.set(`${server}/checksums.txt`, Buffer.from(sumLine(temporal, name)));
  files.set(`${uiServer}/${uiName}`, ui);
  files.set(`${uiServer}/ui-server_2.50.1_checksums.txt`, Buffer.from(sumLine(ui, uiName)));
  const path = await temporalExecutable(createMachine());
  expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toBe('carecover-temporal 1.31.2\n');
  expect(readdirSync(dirname(path)).sort()).toEqual([
    'carecover-temporal',
    'setup-schema.mjs',
    'temporal-server',
    'temporal-sql-tool',
    'ui-server',
    'ui.yaml',
  ]);
  expect(printed).toEqual([]);
});

test("the tests' time-skipping server needs neither Java nor Maven if its release archive is fetched", async () => {
  const os = process.platform === 'darwin' ? 'macOS' : process.platform;
  const name = `temporal-test-server_1.38.0_${os}_${ARCH}`;
  const usage =
    '#!/bin/sh\nif [ "$#" = 0 ]; then echo "Usage: <command> <port> <flags>"; else echo "port $1"; fi\n';
  const archive = pack({ [`${name}/temporal-test-server`]: usage });
  const release = '/temporalio/sdk-java/releases/download/v1.38.0';
  files.set(`${release}/${name}.tar.gz`, archive);
  files.set(`${release}/SHA256SUMS`, Buffer.from(sumLine(archive, `./${name}.tar.gz`)));
  const path = await temporalTestServerExecutable(createMachine());
  expect(execFileSync(path, ['7233'], { encoding: 'utf8' })).toBe('port 7233\n');
  expect(printed).toEqual([]);
});

test('redirects to other hosts are followed, as those of GitHub', async () => {
  const archive = publishNats();
  files.set(NATS_PATH, (response) => response.writeHead(302, { Location: '/assets/1?signature=2' }).end());
  files.set('/assets/1?signature=2', archive);
  expect(contentOf(await natsExecutable(createMachine()))).toBe(PRINTS_VERSION);
});

const failures: [string, () => void, RegExp][] = [
  [
    'has the wrong checksum',
    () => files.set(NATS_PATH, pack({ [`${NATS_NAME}/nats-server`]: `${PRINTS_VERSION}# another\n` })),
    /the SHA-256 of nats-server-v2\.15\.2-\S+ is [0-9a-f]{64}, but SHA256SUMS of v2\.15\.2 has [0-9a-f]{64}$/,
  ],
  [
    'has no checksum',
    () => files.set(NATS_SUMS, Buffer.from(`${'0'.repeat(64)}  other.zip\n`)),
    /SHA256SUMS of v2\.15\.2 does not have nats-server/,
  ],
  ['is not published', () => files.delete(NATS_PATH), /responds with status 404$/],
  [
    'ends in the middle',
    () => {
      const archive = files.get(NATS_PATH) as Buffer;
      files.set(NATS_PATH, (response) => {
        response.writeHead(200, { 'Content-Length': archive.length });
        response.write(archive.subarray(0, archive.length / 2), () => response.destroy());
      });
    },
    /tar\.gz can't be fetched: \w/,
  ],
  [
    'does not begin',
    () => files.set(NATS_SUMS, () => undefined),
    /SHA256SUMS can't be fetched: (no response for|not complete after) 1 s$/,
  ],
  [
    'begins and does not continue',
    () => {
      const archive = files.get(NATS_PATH) as Buffer;
      files.set(NATS_PATH, (response) => {
        response.writeHead(200, { 'Content-Length': archive.length });
        response.write(archive.subarray(0, archive.length / 2));
      });
    },
    /tar\.gz can't be fetched: no response for 1 s$/,
  ],
  [
    'is too large',
    () => files.set(NATS_SUMS, (response) => response.writeHead(200).end(Buffer.alloc(1_100_000, 'x'))),
    /is larger than 1 MB$/,
  ],
  [
    'is redirected to a host without TLS',
    () =>
      files.set(NATS_PATH, (response) =>
        response.writeHead(302, { Location: 'http://mirror.example/nats' }).end(),
      ),
    /redirects to http:\/\/mirror\.example\/nats, which is not https$/,
  ],
  [
    'is redirected in a circle',
    () => files.set(NATS_PATH, (response) => response.writeHead(302, { Location: NATS_PATH }).end()),
    /redirects more than 5 times$/,
  ],
  [
    'has an executable of another version',
    () => publishNats('#!/bin/sh\necho "nats-server: v2.15.1"\n'),
    /does not run here or has another version$/,
  ],
  [
    'is not a tar file',
    () => {
      const text = Buffer.from('<html>Sign in</html>');
      files.set(NATS_PATH, text);
      files.set(NATS_SUMS, Buffer.from(sumLine(text, `${NATS_NAME}.tar.gz`)));
    },
    /can't be unpacked: tar ended with code/,
  ],
];

test.each(failures)('an archive that %s is not used, and the server is built', async (_, fail, reason) => {
  publishNats();
  fail();
  const path = await natsExecutable(createMachine());
  expect(contentOf(path)).toBe('built\n');
  expect(readdirSync(dirname(path))).toEqual(['nats-server']);
  expect(printed).toEqual([
    expect.stringMatching(/^… the release archive of the NATS server can't be used: /),
  ]);
  expect(printed[0]).toMatch(reason);
});

test('without a network the server is built, and without a build tool one sentence says what is missing', async () => {
  const tools = createMachine();
  await new Promise((resolve) => server.close(resolve));
  expect(contentOf(await natsExecutable(tools))).toBe('built\n');
  rmSync(join(folder, 'programs', 'go'));
  const failure = await temporalExecutable(tools).catch((error: Error) => error.message);
  expect(failure).toMatch(
    /^Go is missing: the Temporal server is built with it, because its release archive can't be used \(.*ECONNREFUSED\), and there is no go on the PATH\. Install Go/,
  );
  expect(failure).not.toContain('\n');
});

test('CARECOVER_OFFLINE=1 skips the release host', async () => {
  publishNats();
  expect(contentOf(await natsExecutable(createMachine({ CARECOVER_OFFLINE: '1' })))).toBe('built\n');
  expect(requests).toEqual([]);
});

test.each([
  [{ CARECOVER_OFFLINE: 'yes' }, /^CARECOVER_OFFLINE must be 1/],
  [{ CARECOVER_RELEASES: 'http://mirror.example' }, /^CARECOVER_RELEASES must be an https URL/],
  [{ CARECOVER_RELEASES: 'mirror' }, /^CARECOVER_RELEASES must be an https URL/],
])('the invalid setting %p is rejected', async (env, message) => {
  const tools = createMachine(env);
  await expect(natsExecutable(tools)).rejects.toThrow(message);
  expect(existsSync(tools.cache) ? readdirSync(tools.cache) : []).toEqual([]);
});
