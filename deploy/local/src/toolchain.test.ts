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
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { StartFailure } from './failure';
import {
  helmExecutable,
  natsExecutable,
  type Toolchain,
  temporalExecutable,
  temporalTestServerExecutable,
} from './toolchain';

let folder: string;
let programs: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-toolchain-'));
  programs = join(folder, 'programs');
  mkdirSync(programs);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a toolchain with an empty cache, no network, and the programs in `scripts`, which are shell scripts by the program's name. */
function createMachine(scripts: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}): Toolchain {
  for (const [name, script] of Object.entries(scripts)) writeProgram(name, script);
  return {
    env: { PATH: programs, CARECOVER_OFFLINE: '1', ...env },
    freeSpace: async () => 50e9,
    cache: join(folder, 'cache'),
    responseMs: 1_000,
    print: () => undefined,
  };
}

function writeProgram(name: string, script: string): string {
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin${delimiter}/bin\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const cacheContent = (tools: Toolchain) => (existsSync(tools.cache) ? readdirSync(tools.cache) : []);

/** A shell script that replaces the Go compiler: lists one package, writes the output file and logs the build. */
const WORKING_GO = `if [ "$1" = list ]; then echo one; exit; fi
echo built >> "$0.log"
while [ "$1" != -o ]; do shift; done
sleep 0.2; echo made > "$2"`;

test.each([
  ['Go', /^Go is missing: .*NATS.*Install Go.*or set CARECOVER_NATS_SERVER/, natsExecutable, {}],
  ['Go', /^Go is missing: .*Temporal.*or set CARECOVER_TEMPORAL /, temporalExecutable, {}],
  ['Go', /^Go is missing: Helm is built with it.*or set CARECOVER_HELM /, helmExecutable, {}],
  [
    'Java',
    /^Java is missing: .*tests.*or set CARECOVER_TEMPORAL_TEST_SERVER/,
    temporalTestServerExecutable,
    {},
  ],
  ['Maven', /^Maven is missing: .*tests.*Install Maven/, temporalTestServerExecutable, { java: 'exit 0' }],
] as const)('one sentence says that %s is missing', async (_, sentence, find, scripts) => {
  const tools = createMachine(scripts);
  const failure = await find(tools).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  expect((failure as Error).message).toMatch(sentence);
  expect((failure as Error).message).not.toContain('\n');
  expect(cacheContent(tools)).toEqual([]);
});

test('too little free disk space is reported before anything is built', async () => {
  const tools = { ...createMachine({ go: WORKING_GO }), freeSpace: async () => 2e9 };
  await expect(natsExecutable(tools)).rejects.toThrow(
    /^Too little free disk space: 3\.0 GB is needed to build the NATS server in .*, and 2\.0 GB is free\.$/,
  );
  expect(existsSync(join(programs, 'go.log'))).toBe(false);
});

test('a setting that names no executable is rejected and not replaced', async () => {
  const missing = createMachine({}, { CARECOVER_NATS_SERVER: join(folder, 'nowhere') });
  await expect(natsExecutable(missing)).rejects.toThrow(
    /^CARECOVER_NATS_SERVER names .*nowhere, which does not exist/,
  );
  const data = createMachine({}, { CARECOVER_TEMPORAL: __filename });
  await expect(temporalExecutable(data)).rejects.toThrow(
    /^CARECOVER_TEMPORAL names .*is not a file that can be run/,
  );
});

test('an executable that a setting names is preferred to all others', async () => {
  const named = writeProgram('my-nats', 'exit 0');
  const tools = createMachine(
    { 'nats-server': 'echo "nats-server: v2.15.2"' },
    { CARECOVER_NATS_SERVER: named },
  );
  await expect(natsExecutable(tools)).resolves.toBe(named);
});

test('a server of the right version on the PATH is used, one of another version is not', async () => {
  const right = createMachine({ 'nats-server': 'echo "nats-server: v2.15.2"' });
  await expect(natsExecutable(right)).resolves.toBe(join(programs, 'nats-server'));
  const wrong = createMachine({ 'nats-server': 'echo "nats-server: v2.9.10"' });
  await expect(natsExecutable(wrong)).rejects.toThrow(/^Go is missing/);
});

test('two concurrent calls build a server once, and a third builds nothing', async () => {
  const tools = createMachine({ go: WORKING_GO });
  const [one, two] = await Promise.all([natsExecutable(tools), natsExecutable(tools)]);
  expect(two).toBe(one);
  await expect(natsExecutable(tools)).resolves.toBe(one);
  expect(readFileSync(one, 'utf8')).toBe('made\n');
  expect(readFileSync(join(programs, 'go.log'), 'utf8')).toBe('built\n');
});

test('a failed build is reported with its reason, and does not block the next one', async () => {
  const tools = createMachine({ go: 'echo "no route to the module proxy" >&2; exit 1' });
  await expect(natsExecutable(tools)).rejects.toThrow(/go ended with code 1\.\nno route to the module proxy/);
  expect(cacheContent(tools)).toEqual([]);
  writeProgram('go', WORKING_GO);
  await expect(natsExecutable(tools)).resolves.toMatch(/nats-server$/);
});

test('the next build removes the files of a killed one', async () => {
  const tools = createMachine({ go: WORKING_GO });
  const path = await natsExecutable(tools);
  const entry = join(path, '..');
  rmSync(entry, { recursive: true });
  mkdirSync(`${entry}.unfinished`);
  writeFileSync(join(`${entry}.unfinished`, 'half'), '');
  await expect(natsExecutable(tools)).resolves.toBe(path);
  expect(readdirSync(entry)).toEqual(['nats-server']);
});
