/**
 * Finds the executables of the servers that are not npm packages: the one that a setting names, otherwise one of the required version on
 * the PATH, otherwise the cached build. Builds the server if there is none. A missing build tool is reported in one sentence.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cached, cacheFolder } from './cache';
import { ensureSpace, type FreeSpace, freeSpaceOnDisk, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { showProgress } from './progress';
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
  /** Source files of the server in this repository, in addition to go.mod and go.sum. */
  sources: readonly string[];
  versionFlag: string;
  /** Matches the output of an executable of the required version. */
  version: RegExp;
  /** Title of the build step, which is shown while it runs. */
  buildTitle: string;
  /** Where a user can get an executable, for the error message. */
  source: string;
}

const TEMPORAL: GoServer = {
  name: 'Temporal',
  executable: 'carecover-temporal',
  setting: 'CARECOVER_TEMPORAL',
  goPackage: './temporal',
  sources: ['temporal/main.go'],
  versionFlag: '--version',
  version: /^carecover-temporal 1\.31\.2$/m,
  buildTitle: 'building the Temporal server (about four minutes, the first time only)',
  source: 'built in a clone on another machine: go build ./temporal in deploy/toolchain',
};

const NATS: GoServer = {
  name: 'NATS',
  executable: 'nats-server',
  setting: 'CARECOVER_NATS_SERVER',
  goPackage: 'github.com/nats-io/nats-server/v2',
  sources: [],
  versionFlag: '--version',
  version: /\bv2\.15\.2\b/,
  buildTitle: 'building the NATS server (the first time only)',
  source: 'version 2.15.2 from https://github.com/nats-io/nats-server/releases',
};

/** Returns the path of the executable with Temporal's server, UI and schemas. @throws StartFailure */
export const temporalExecutable = (tools = toolchain()): Promise<string> => findGoServer(TEMPORAL, tools);

/** Returns the path of the `nats-server` executable. @throws StartFailure */
export const natsExecutable = (tools = toolchain()): Promise<string> => findGoServer(NATS, tools);

/**
 * Returns the path of an executable that runs Temporal's time-skipping test server on the port in its first argument. An executable on the
 * PATH is not used, because the server does not report its version.
 *
 * @throws StartFailure
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
        await showProgress("fetching Temporal's test server with Maven (the first time only)", () =>
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
 * Script that starts Temporal's time-skipping test server. It uses `exec`, because Temporal's SDK kills only its direct child. The loop
 * ends the server if the process that started it has ended without killing it.
 */
const TEST_SERVER_SCRIPT = `#!/bin/sh
parent=$PPID
server=$$
( while kill -0 $parent && kill -0 $server; do sleep 1; done; kill $server ) </dev/null >/dev/null 2>&1 &
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$1"
`;

async function findGoServer(server: GoServer, tools: Toolchain): Promise<string> {
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
            `Go is missing: the ${server.name} server is built with it, and there is no go on the PATH. Install Go 1.26.4 or newer (https://go.dev/dl), or set ${server.setting} to an executable (${server.source}).`,
          );
        }
        await ensureSpace(tools.cache, BUILD_BYTES, `build the ${server.name} server`, tools.freeSpace);
        const output = join(unfinished, server.executable);
        await showProgress(server.buildTitle, () =>
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
    // The file does not exist, or this user can't execute it.
    return false;
  }
}

async function hasVersion(path: string, server: GoServer): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, [server.versionFlag], { timeout: 10_000 });
    return server.version.test(stdout);
  } catch {
    // An executable that does not report its version is not used.
    return false;
  }
}
