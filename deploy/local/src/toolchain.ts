/**
 * Finds the executables of servers and check tools that are not npm packages: the one that a setting names, otherwise one of the required
 * version on the PATH, otherwise the cached one. If there is none, the executable is downloaded in the release archive of its software
 * project, or built if the archive can't be used (decision 0035). A missing build tool is reported in one sentence.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { showProgress } from '../process/progress.cjs';
import { cached, cacheFolder } from './cache';
import { ensureSpace, type FreeSpace, freeSpaceOnDisk, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { fetchReleaseArchive, type ReleaseArchive, ReleaseUnavailable, releaseHost } from './release-archive';
import { runTool } from './run-tool';

const MODULE = join(__dirname, '../toolchain');
const BUILD_BYTES = 3_000 * MEGABYTE;
const COPY_BYTES = 500 * MEGABYTE;
const ARCHIVE_BYTES = 1_000 * MEGABYTE;
const RESPONSE_MS = 10_000;

export interface Toolchain {
  env: NodeJS.ProcessEnv;
  freeSpace: FreeSpace;
  cache: string;
  /** Milliseconds after which a request to a release host without a response is cancelled. */
  responseMs: number;
  print: (line: string) => void;
}

function toolchain(env: NodeJS.ProcessEnv = process.env): Toolchain {
  return {
    env,
    freeSpace: freeSpaceOnDisk,
    cache: cacheFolder(env),
    responseMs: RESPONSE_MS,
    print: (line) => void process.stderr.write(`${line}\n`),
  };
}

const readSource = (file: string) => readFileSync(join(MODULE, file), 'utf8');

/** Returns the version that a file of the toolchain requires. `pattern` is a regular expression whose only group matches the version. */
function requiredVersion(file: string, pattern: RegExp): string {
  const version = pattern.exec(readSource(file))?.[1];
  if (version === undefined) throw new Error(`${file} does not have ${pattern}`);
  return version;
}

const VERSIONS = {
  go: requiredVersion('go.mod', /^go (\S+)$/m),
  temporal: requiredVersion('go.mod', /\sgo\.temporal\.io\/server v(\S+)$/m),
  ui: requiredVersion('go.mod', /\sgithub\.com\/temporalio\/ui-server\/v2 v(\S+)$/m),
  nats: requiredVersion('go.mod', /\sgithub\.com\/nats-io\/nats-server\/v2 v(\S+)/m),
  actionlint: requiredVersion('checks/go.mod', /\sgithub\.com\/rhysd\/actionlint v(\S+)/),
  oasdiff: requiredVersion('checks/go.mod', /\sgithub\.com\/oasdiff\/oasdiff v(\S+)/),
  helm: requiredVersion('helm/go.mod', /\shelm\.sh\/helm\/v4 v(\S+)/m),
  porcupine: requiredVersion(
    '../../../test/linearizability/checker/go.mod',
    /\sgithub\.com\/anishathalye\/porcupine v(\S+)/,
  ),
  testServer: requiredVersion('pom.xml', /temporal-test-server<\/artifactId>\s*<version>([^<]+)</),
};

type Archives = (os: string, arch: string) => readonly ReleaseArchive[];

/** Returns the platform in the names of release archives; undefined if none are published for it. */
function releasePlatform(): [os: string, arch: string] | undefined {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  return arch === undefined || !['linux', 'darwin'].includes(process.platform)
    ? undefined
    : [process.platform, arch];
}

interface GoProgram {
  /** Name of the program with its article, for messages, such as `the program`. */
  name: string;
  /** Folder of the Go module that has the program among its dependencies, in the folder of the toolchain. */
  module: string;
  executable: string;
  setting: string;
  goPackage: string;
  /** Source files of the program in this repository, in addition to go.mod and go.sum of the module. */
  sources: readonly string[];
  versionFlag: string;
  /** A text that the version output of an executable contains if the executable has the required version. */
  version: string;
  /** How long the build takes, for the title of the build step. */
  buildTime?: string;
  /** Where a user can get an executable, for the error message. */
  source: string;
  /** The archives with the executables, and files of this repository that are copied beside them. */
  release?: {
    archives: Archives;
    files: readonly string[];
  };
}

const TEMPORAL: GoProgram = {
  name: 'the Temporal server',
  module: '.',
  executable: 'carecover-temporal',
  setting: 'CARECOVER_TEMPORAL',
  goPackage: './temporal',
  sources: ['temporal/main.go'],
  versionFlag: '--version',
  version: `carecover-temporal ${VERSIONS.temporal}\n`,
  buildTime: 'about four minutes, ',
  source: 'built in a clone on another machine: go build ./temporal in deploy/local/toolchain',
  release: {
    archives: (os, arch) => [
      {
        repository: 'temporalio/temporal',
        tag: `v${VERSIONS.temporal}`,
        archive: `temporal_${VERSIONS.temporal}_${os}_${arch}.tar.gz`,
        checksums: 'checksums.txt',
        members: ['temporal-server', 'temporal-sql-tool'],
      },
      {
        repository: 'temporalio/ui-server',
        tag: `v${VERSIONS.ui}`,
        archive: `ui-server_${VERSIONS.ui}_${os}_${arch}.tar.gz`,
        checksums: `ui-server_${VERSIONS.ui}_checksums.txt`,
        members: ['ui-server'],
      },
    ],
    files: [
      'temporal/release/carecover-temporal',
      'temporal/release/setup-schema.mjs',
      'temporal/release/ui.yaml',
    ],
  },
};

const NATS: GoProgram = {
  name: 'the NATS server',
  module: '.',
  executable: 'nats-server',
  setting: 'CARECOVER_NATS_SERVER',
  goPackage: 'github.com/nats-io/nats-server/v2',
  sources: [],
  versionFlag: '--version',
  version: `nats-server: v${VERSIONS.nats}\n`,
  source: `version ${VERSIONS.nats} from https://github.com/nats-io/nats-server/releases`,
  release: {
    archives: (os, arch) => [
      {
        repository: 'nats-io/nats-server',
        tag: `v${VERSIONS.nats}`,
        archive: `nats-server-v${VERSIONS.nats}-${os}-${arch}.tar.gz`,
        checksums: 'SHA256SUMS',
        members: [`nats-server-v${VERSIONS.nats}-${os}-${arch}/nats-server`],
      },
    ],
    files: [],
  },
};

/**
 * Returns the path of the executable with Temporal's server, UI and schemas. @throws StartFailure if no executable is found and none can
 * be built
 */
export const temporalExecutable = (tools = toolchain()): Promise<string> => findGoProgram(TEMPORAL, tools);

/** Returns the path of the `nats-server` executable. @throws StartFailure if no executable is found and none can be built */
export const natsExecutable = (tools = toolchain()): Promise<string> => findGoProgram(NATS, tools);

const ACTIONLINT: GoProgram = {
  name: 'actionlint',
  module: 'checks',
  executable: 'actionlint',
  setting: 'CARECOVER_ACTIONLINT',
  goPackage: 'github.com/rhysd/actionlint/cmd/actionlint',
  sources: [],
  versionFlag: '--version',
  version: `${VERSIONS.actionlint}\n`,
  source: `version ${VERSIONS.actionlint} from https://github.com/rhysd/actionlint/releases`,
  release: {
    archives: (os, arch) => [
      {
        repository: 'rhysd/actionlint',
        tag: `v${VERSIONS.actionlint}`,
        archive: `actionlint_${VERSIONS.actionlint}_${os}_${arch}.tar.gz`,
        checksums: `actionlint_${VERSIONS.actionlint}_checksums.txt`,
        members: ['actionlint'],
      },
    ],
    files: [],
  },
};

const OASDIFF: GoProgram = {
  name: 'oasdiff',
  module: 'checks',
  executable: 'oasdiff',
  setting: 'CARECOVER_OASDIFF',
  goPackage: 'github.com/oasdiff/oasdiff',
  sources: [],
  versionFlag: '--version',
  version: `oasdiff version ${VERSIONS.oasdiff}\n`,
  source: `version ${VERSIONS.oasdiff} from https://github.com/oasdiff/oasdiff/releases`,
  release: {
    archives: (os, arch) => [
      {
        repository: 'oasdiff/oasdiff',
        tag: `v${VERSIONS.oasdiff}`,
        archive: `oasdiff_${VERSIONS.oasdiff}_${os}_${os === 'darwin' ? 'all' : arch}.tar.gz`,
        checksums: 'checksums.txt',
        members: ['oasdiff'],
      },
    ],
    files: [],
  },
};

/** Returns the path of the `actionlint` executable. @throws StartFailure if no executable is found and none can be built */
export const actionlintExecutable = (tools = toolchain()): Promise<string> =>
  findGoProgram(ACTIONLINT, tools);

/** Returns the path of the `oasdiff` executable. @throws StartFailure if no executable is found and none can be built */
export const oasdiffExecutable = (tools = toolchain()): Promise<string> => findGoProgram(OASDIFF, tools);

/** Helm is in a separate Go module, because it requires other versions of packages. Its release archives are on a host other than GitHub. */
const HELM: GoProgram = {
  name: 'Helm',
  module: 'helm',
  executable: 'helm',
  setting: 'CARECOVER_HELM',
  goPackage: 'helm.sh/helm/v4/cmd/helm',
  sources: [],
  versionFlag: 'version',
  version: `"v${VERSIONS.helm}`,
  buildTime: 'about two minutes, ',
  source: `version ${VERSIONS.helm} from https://github.com/helm/helm/releases`,
};

/** Returns the path of the `helm` executable. @throws StartFailure if no executable is found and none can be built */
export const helmExecutable = (tools = toolchain()): Promise<string> => findGoProgram(HELM, tools);

const LINEARIZABILITY_MODULE = '../../../test/linearizability/checker';

const LINEARIZABILITY_CHECKER: GoProgram = {
  name: 'the linearizability checker',
  module: LINEARIZABILITY_MODULE,
  executable: 'linearizability-checker',
  setting: 'CARECOVER_LINEARIZABILITY_CHECKER',
  goPackage: '.',
  sources: ['main.go', 'history.go', 'models.go'].map((file) => join(LINEARIZABILITY_MODULE, file)),
  versionFlag: '--version',
  version: `linearizability-checker github.com/anishathalye/porcupine v${VERSIONS.porcupine}\n`,
  source: 'built in a clone on another machine: go build in test/linearizability/checker',
};

/**
 * Returns the path of the executable that checks histories of the API with porcupine. @throws StartFailure if no executable is found and
 * none can be built
 */
export const linearizabilityChecker = (tools = toolchain()): Promise<string> =>
  findGoProgram(LINEARIZABILITY_CHECKER, tools);

const TEST_SERVER_NAME = "Temporal's time-skipping test server";

/**
 * Returns the path of an executable that runs Temporal's time-skipping test server on the port in its first argument. An executable on the
 * PATH is not used, because the server does not report its version.
 *
 * @throws StartFailure if the executable can be neither downloaded nor built
 */
export async function temporalTestServerExecutable(tools = toolchain()): Promise<string> {
  const named = namedExecutable('CARECOVER_TEMPORAL_TEST_SERVER', tools.env);
  if (named !== undefined) return named;
  const folder = await cached(
    {
      name: 'temporal-test-server',
      input: [readSource('pom.xml'), JAVA_TEST_SERVER, NATIVE_TEST_SERVER],
      make: async (unfinished) => {
        const script = join(unfinished, 'temporal-test-server');
        const problem = await useRelease(TEST_SERVER_NAME, testServerArchives, unfinished, tools, () =>
          reportsItsUsage(script),
        );
        if (problem === undefined) await rename(script, join(unfinished, 'native'));
        else await fetchWithMaven(unfinished, tools, problem);
        await writeFile(script, problem === undefined ? NATIVE_TEST_SERVER : JAVA_TEST_SERVER);
        await chmod(script, 0o755);
      },
    },
    tools.cache,
  );
  // If the cached server runs on Java, Java must still be installed. Java can have been removed since the server's jars were downloaded.
  if (existsSync(join(folder, 'jars'))) findJava(tools.env);
  return join(folder, 'temporal-test-server');
}

function testServerArchives(os: string, arch: string): readonly ReleaseArchive[] {
  const name = `temporal-test-server_${VERSIONS.testServer}_${os === 'darwin' ? 'macOS' : os}_${arch}`;
  return [
    {
      repository: 'temporalio/sdk-java',
      tag: `v${VERSIONS.testServer}`,
      archive: `${name}.tar.gz`,
      checksums: 'SHA256SUMS',
      members: [`${name}/temporal-test-server`],
    },
  ];
}

const INSTEAD_OF_JAVA = `or set CARECOVER_TEMPORAL_TEST_SERVER to an executable of it (https://github.com/temporalio/sdk-java/releases, temporal-test-server ${VERSIONS.testServer}).`;

/** Checks that Java is installed. @throws StartFailure if it is missing */
function findJava(env: NodeJS.ProcessEnv, because = ''): void {
  if (onPath('java', env) !== undefined) return;
  throw new StartFailure(
    `Java is missing: the tests run ${TEST_SERVER_NAME} with it${because}, and there is no java on the PATH. Install Java 11 or newer, ${INSTEAD_OF_JAVA}`,
  );
}

async function fetchWithMaven(folder: string, tools: Toolchain, problem: string): Promise<void> {
  const because = `, because its release archive can't be used (${problem})`;
  findJava(tools.env, because);
  const maven = onPath('mvn', tools.env);
  if (maven === undefined) {
    throw new StartFailure(
      `Maven is missing: it fetches ${TEST_SERVER_NAME} for the tests${because}, and there is no mvn on the PATH. Install Maven 3.8 or newer, ${INSTEAD_OF_JAVA}`,
    );
  }
  await ensureSpace(tools.cache, COPY_BYTES, "keep Temporal's test server", tools.freeSpace);
  const jars = join(folder, 'jars');
  await mkdir(jars);
  await showProgress("fetching Temporal's test server with Maven, the first time only", () =>
    runTool(
      maven,
      [
        '-q',
        '-B',
        '-f',
        join(MODULE, 'pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${jars}`,
      ],
      { env: tools.env },
    ),
  );
}

/**
 * Returns whether the executable of the test server runs on this machine: it must print its usage, because it has no option that prints
 * its version.
 */
async function reportsItsUsage(path: string): Promise<boolean> {
  const output = await promisify(execFile)(path, [], { timeout: 10_000 }).catch((error) => error);
  return `${output.stdout}${output.stderr}`.includes('<port>');
}

/**
 * Returns a shell script that starts Temporal's time-skipping test server. The script uses `exec`, because Temporal's SDK kills only its
 * direct child process. The loop in the script ends the server if the script's parent process ends without killing the server.
 */
const testServerScript = (command: string) => `#!/bin/sh
parent=$PPID
server=$$
( while kill -0 $parent && kill -0 $server; do sleep 1; done; kill $server ) </dev/null >/dev/null 2>&1 &
exec ${command} "$1"
`;
const JAVA_TEST_SERVER = testServerScript(
  'java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer',
);
const NATIVE_TEST_SERVER = testServerScript('"$(dirname "$0")/native"');

/** Resolves at the end of the last build. Builds run one after the other, because each uses all processors. */
let lastBuild: Promise<unknown> = Promise.resolve();

async function findGoProgram(program: GoProgram, tools: Toolchain): Promise<string> {
  const named = namedExecutable(program.setting, tools.env);
  if (named !== undefined) return named;
  const installed = onPath(program.executable, tools.env);
  if (installed !== undefined && (await hasVersion(installed, program))) return installed;

  const modules = ['go.mod', 'go.sum'].map((file) => join(program.module, file));
  const sources = [...modules, ...program.sources, ...(program.release?.files ?? [])];
  const folder = await cached(
    {
      name: program.executable,
      input: [...sources.map(readSource), program.goPackage],
      make: async (unfinished) => {
        const problem = await useRelease(
          program.name,
          program.release?.archives,
          unfinished,
          tools,
          async () => {
            for (const file of program.release?.files ?? []) {
              await copyFile(join(MODULE, file), join(unfinished, file.slice(file.lastIndexOf('/') + 1)));
            }
            return hasVersion(join(unfinished, program.executable), program);
          },
        );
        if (problem === undefined) return;
        const build = lastBuild.then(() => buildGoProgram(program, unfinished, tools, problem));
        lastBuild = build.catch(() => undefined);
        await build;
      },
    },
    tools.cache,
  );
  return join(folder, program.executable);
}

/**
 * Fetches the executables of a server into an empty folder. Returns undefined, or the reason if a release archive can't be used; the
 * folder is then empty again.
 *
 * @param isUsable returns whether the executables run on this machine; called after all of them are in the folder
 */
async function useRelease(
  name: string,
  archives: Archives | undefined,
  folder: string,
  tools: Toolchain,
  isUsable: () => Promise<boolean>,
): Promise<string | undefined> {
  const host = releaseHost(tools.env, tools.responseMs);
  const platform = releasePlatform();
  if (host === undefined) return 'CARECOVER_OFFLINE is 1';
  if (archives === undefined) return 'GitHub has none';
  if (platform === undefined) return 'none is published for this platform';
  await ensureSpace(tools.cache, ARCHIVE_BYTES, `unpack ${name}`, tools.freeSpace);
  try {
    await showProgress(`fetching ${name}, the first time only`, async (report) => {
      const releases = archives(...platform);
      for (const release of releases) await fetchReleaseArchive(release, host, folder, report);
      if (!(await isUsable())) {
        const files = releases.map(({ archive }) => archive).join(' or ');
        throw new ReleaseUnavailable(`the executable in ${files} does not run here or has another version`);
      }
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ReleaseUnavailable)) throw error;
    tools.print(`… the release archive of ${name} can't be used: ${error.message}`);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    return error.message;
  }
}

async function buildGoProgram(
  program: GoProgram,
  folder: string,
  tools: Toolchain,
  problem: string,
): Promise<void> {
  const go = onPath('go', tools.env);
  if (go === undefined) {
    throw new StartFailure(
      `Go is missing: ${program.name} is built with it, because its release archive can't be used (${problem}), and there is no go on the PATH. Install Go ${VERSIONS.go} or newer (https://go.dev/dl), or set ${program.setting} to an executable (${program.source}).`,
    );
  }
  await ensureSpace(tools.cache, BUILD_BYTES, `build ${program.name}`, tools.freeSpace);
  const options = {
    cwd: join(MODULE, program.module),
    env: { ...tools.env, GOWORK: 'off', CGO_ENABLED: '0' },
  };
  const title = `building ${program.name} (${program.buildTime ?? ''}the first time only)`;
  await showProgress(title, async (report) => {
    report('fetching modules');
    const packages = (await runTool(go, ['list', '-deps', program.goPackage], options)).trim().split('\n');
    await runTool(
      go,
      [
        'build',
        // The option `-v` prints the name of each package that is compiled, for the progress bar.
        '-v',
        '-trimpath',
        '-ldflags',
        '-s -w',
        '-o',
        join(folder, program.executable),
        program.goPackage,
      ],
      { ...options, onErrorOutput: countLines((lines) => report(`${lines} of ${packages.length} packages`)) },
    );
  });
}

/** Returns a function that counts the lines in the chunks that it receives. */
function countLines(use: (lines: number) => void): (chunk: string) => void {
  let lines = 0;
  return (chunk) => {
    lines += chunk.split('\n').length - 1;
    use(lines);
  };
}

/** Files of a Go module. */
export interface GoModuleFiles {
  module: string;
  version: string;
  /** The module's checksum, in the form of a line in go.sum. */
  checksum: string;
  /** Paths in the module. */
  files: readonly string[];
}

/**
 * Returns a folder with files of a Go module, under their paths in the module. Downloads the module if the files are not cached. @throws
 * StartFailure if the module can't be downloaded
 */
export function goModuleFiles(wanted: GoModuleFiles, tools = toolchain()): Promise<string> {
  const { module, version, checksum, files } = wanted;
  const name = module.split('/').at(-1) ?? module;
  return cached(
    {
      name: `${name}-files`,
      input: [module, version, checksum, ...files],
      make: async (unfinished) => {
        const go = onPath('go', tools.env);
        if (go === undefined) {
          throw new StartFailure(
            `Go is missing: the tests download ${module} with it, and there is no go on the PATH. Install Go ${VERSIONS.go} or newer (https://go.dev/dl).`,
          );
        }
        await ensureSpace(tools.cache, COPY_BYTES, `download ${module}`, tools.freeSpace);
        const downloads = join(unfinished, 'downloads');
        const output = await showProgress(`downloading ${module}, the first time only`, () =>
          runTool(go, ['mod', 'download', '-json', '-modcacherw', `${module}@${version}`], {
            cwd: unfinished,
            env: { ...tools.env, GOWORK: 'off', GOMODCACHE: downloads },
          }),
        );
        const { Dir: source, Sum: found }: { Dir: string; Sum: string } = JSON.parse(output);
        if (found !== checksum)
          throw new StartFailure(
            `${module} ${version} has the checksum ${found}, but must have ${checksum}.`,
          );
        for (const file of files) {
          await mkdir(dirname(join(unfinished, file)), { recursive: true });
          await copyFile(join(source, file), join(unfinished, file));
        }
        await rm(downloads, { recursive: true });
      },
    },
    tools.cache,
  );
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
    // A file that does not exist, or that this user can't execute, is not an executable.
    return false;
  }
}

async function hasVersion(path: string, program: GoProgram): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, [program.versionFlag], { timeout: 10_000 });
    return stdout.includes(program.version);
  } catch {
    // An executable that fails to print its version is not used.
    return false;
  }
}
