/**
 * Finds the servers that npm doesn't bring: the executable that a setting names, else one of the right version on the
 * PATH, else the one built earlier, else it is built. Whatever is missing for that is one sentence to the user.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cached, cacheFolder } from './cache';
import { ensureSpace, type FreeSpace, freeSpaceOnDisk, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { showing } from './progress';
import { runTool } from './run-tool';

const MODULE = join(__dirname, '../../toolchain');
const BUILD_BYTES = 3_000 * MEGABYTE;
const COPY_BYTES = 500 * MEGABYTE;

export interface Toolchain {
  env: NodeJS.ProcessEnv;
  freeSpace: FreeSpace;
  cache: string;
}

function toolchain(env: NodeJS.ProcessEnv = process.env): Toolchain {
  return { env, freeSpace: freeSpaceOnDisk, cache: cacheFolder(env) };
}

interface GoServer {
  name: string;
  executable: string;
  setting: string;
  goPackage: string;
  /** Files of ours that it is built from, beside go.mod and go.sum. */
  sources: readonly string[];
  versionFlag: string;
  /** What the right version says of itself. */
  version: RegExp;
  builds: string;
  elsewhere: string;
}

const TEMPORAL: GoServer = {
  name: 'Temporal',
  executable: 'carecover-temporal',
  setting: 'CARECOVER_TEMPORAL',
  goPackage: './temporal',
  sources: ['temporal/main.go'],
  versionFlag: '--version',
  version: /^carecover-temporal 1\.31\.2$/m,
  builds: 'building the Temporal server (about four minutes, the first time only)',
  elsewhere: 'built in a clone on another machine: go build ./temporal in deploy/toolchain',
};

const NATS: GoServer = {
  name: 'NATS',
  executable: 'nats-server',
  setting: 'CARECOVER_NATS_SERVER',
  goPackage: 'github.com/nats-io/nats-server/v2',
  sources: [],
  versionFlag: '--version',
  version: /\bv2\.15\.2\b/,
  builds: 'building the NATS server (the first time only)',
  elsewhere: 'version 2.15.2 from https://github.com/nats-io/nats-server/releases',
};

/** Path of the executable with Temporal's server, UI and schemas. @throws StartFailure */
export const temporalExecutable = (tools = toolchain()): Promise<string> => goServer(TEMPORAL, tools);

/** Path of the `nats-server` executable. @throws StartFailure */
export const natsExecutable = (tools = toolchain()): Promise<string> => goServer(NATS, tools);

/**
 * Path of an executable that runs Temporal's time-skipping test server on the port in its first argument. It has no way
 * to tell its version, so none is looked for on the PATH. @throws StartFailure
 */
export async function temporalTestServerExecutable(tools = toolchain()): Promise<string> {
  const named = namedExecutable('CARECOVER_TEMPORAL_TEST_SERVER', tools.env);
  if (named !== undefined) return named;
  const instead =
    'or set CARECOVER_TEMPORAL_TEST_SERVER to an executable of it (https://github.com/temporalio/sdk-java/releases, temporal-test-server 1.38.0).';
  const java = onPath('java', tools.env);
  if (java === undefined) {
    throw new StartFailure(
      `Java is missing: the tests run Temporal's time-skipping test server with it, and there is no java on the PATH. Install Java 11 or newer, ${instead}`,
    );
  }
  const pom = join(MODULE, 'pom.xml');
  const folder = await cached(
    {
      name: 'temporal-test-server',
      input: [await readFile(pom, 'utf8'), TEST_SERVER_SCRIPT],
      make: async (unfinished) => {
        const maven = onPath('mvn', tools.env);
        if (maven === undefined) {
          throw new StartFailure(
            `Maven is missing: it fetches Temporal's time-skipping test server for the tests, and there is no mvn on the PATH. Install Maven 3.8 or newer, ${instead}`,
          );
        }
        await ensureSpace(tools.cache, COPY_BYTES, "keep Temporal's test server", tools.freeSpace);
        const jars = join(unfinished, 'jars');
        await mkdir(jars);
        await showing("fetching Temporal's test server with Maven (the first time only)", () =>
          runTool(
            maven,
            ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`],
            {
              env: tools.env,
            },
          ),
        );
        const script = join(unfinished, 'temporal-test-server');
        await writeFile(script, TEST_SERVER_SCRIPT);
        await chmod(script, 0o755);
      },
    },
    tools.cache,
  );
  return join(folder, 'temporal-test-server');
}

/**
 * Temporal's SDK starts it and kills its direct child alone, hence `exec`. The loop ends the server when the process
 * that started it is gone without having done so.
 */
const TEST_SERVER_SCRIPT = `#!/bin/sh
parent=$PPID
server=$$
( while kill -0 $parent && kill -0 $server; do sleep 1; done; kill $server ) </dev/null >/dev/null 2>&1 &
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$1"
`;

async function goServer(server: GoServer, tools: Toolchain): Promise<string> {
  const named = namedExecutable(server.setting, tools.env);
  if (named !== undefined) return named;
  const installed = onPath(server.executable, tools.env);
  if (installed !== undefined && (await hasVersion(installed, server))) return installed;

  const sources = ['go.mod', 'go.sum', ...server.sources].map((file) =>
    readFileSync(join(MODULE, file), 'utf8'),
  );
  const folder = await cached(
    {
      name: server.executable,
      input: [...sources, server.goPackage],
      make: async (unfinished) => {
        const go = onPath('go', tools.env);
        if (go === undefined) {
          throw new StartFailure(
            `Go is missing: the ${server.name} server is built with it, and there is no go on the PATH. Install Go 1.26.4 or newer (https://go.dev/dl), or set ${server.setting} to an executable (${server.elsewhere}).`,
          );
        }
        await ensureSpace(tools.cache, BUILD_BYTES, `build the ${server.name} server`, tools.freeSpace);
        const output = join(unfinished, server.executable);
        await showing(server.builds, () =>
          runTool(go, ['build', '-trimpath', '-ldflags', '-s -w', '-o', output, server.goPackage], {
            cwd: MODULE,
            env: { ...tools.env, GOWORK: 'off', CGO_ENABLED: '0' },
          }),
        );
      },
    },
    tools.cache,
  );
  return join(folder, server.executable);
}

function namedExecutable(setting: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = env[setting];
  if (path === undefined || path === '') return undefined;
  if (isExecutable(path)) return path;
  const why = existsSync(path) ? 'is not a file that can be run' : 'does not exist';
  throw new StartFailure(
    `${setting} names ${path}, which ${why}: set it to the server's executable, or unset it.`,
  );
}

function onPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, not ours to run, or no longer there: in each case it can't be used.
    return false;
  }
}

async function hasVersion(path: string, server: GoServer): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, [server.versionFlag], { timeout: 10_000 });
    return server.version.test(stdout);
  } catch {
    // An executable that can't tell its version isn't known to be the right one.
    return false;
  }
}
