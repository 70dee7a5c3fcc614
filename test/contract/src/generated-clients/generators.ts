/**
 * Generates clients of the API description with the generators that people use, and compiles each with a small program that calls the API.
 * The generators and the libraries of the clients come from the registries of their languages.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = join(__dirname, 'programs');

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OGEN = 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0';
const OPENAPI_GENERATOR = '7.25.0';

export interface Generator {
  readonly name: string;
  /** The programs that must be on the PATH. */
  readonly tools: readonly string[];
  /** Generates and compiles in a folder that contains `openapi.json`. Returns the command that runs the compiled program. */
  build(folder: string): Promise<readonly string[]>;
}

/** Runs a command. @throws Error with the end of what it printed */
async function execute(folder: string, program: string, ...args: string[]): Promise<void> {
  await run(program, args, { cwd: folder, maxBuffer: 256 * 1024 * 1024 }).catch((error) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-5_000)}`, { cause: error });
  });
}

async function copyProgram(folder: string, from: string, to: string): Promise<void> {
  await mkdir(join(folder, to, '..'), { recursive: true });
  await cp(join(PROGRAMS, from), join(folder, to));
}

async function buildGo(folder: string, program: string): Promise<readonly string[]> {
  await copyProgram(folder, program, 'main.go');
  await execute(folder, 'go', 'mod', 'tidy');
  await execute(folder, 'go', 'build', '-o', 'journey', '.');
  return [join(folder, 'journey')];
}

async function startGoModule(folder: string): Promise<void> {
  await mkdir(join(folder, 'api'));
  await writeFile(join(folder, 'go.mod'), 'module example.com/generated\n\ngo 1.24\n');
}

/** Generates with the command line of openapi-generator, from Maven Central. */
async function openapiGenerator(folder: string, name: string, ...options: string[]): Promise<void> {
  const jar = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  const copy = [
    'dependency:copy',
    `-Dartifact=${jar}`,
    '-Dmdep.stripVersion=true',
    '-DoutputDirectory=generator',
  ];
  await execute(folder, 'mvn', '--batch-mode', '--quiet', ...copy);
  const args = ['-i', 'openapi.json', '-g', name, '-o', 'client', '--global-property'];
  const documents = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';
  const program = join(folder, 'generator/openapi-generator-cli.jar');
  await execute(folder, 'java', '-jar', program, 'generate', ...args, documents, ...options);
}

/** Compiles a Maven project, and returns the command that runs its class `main`. */
async function buildMaven(folder: string, main: string): Promise<readonly string[]> {
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
  await execute(folder, 'mvn', '--batch-mode', '--quiet', '-DskipTests', ...goals);
  const libraries = await readFile(join(folder, 'classpath.txt'), 'utf8');
  return ['java', '-cp', `${join(folder, 'target/classes')}:${libraries.trim()}`, main];
}

function java(library: 'default' | 'native', connection: string): Generator {
  return {
    name: `openapi-generator, Java, ${library}`,
    tools: ['java', 'mvn'],
    async build(folder) {
      await openapiGenerator(folder, 'java', ...(library === 'native' ? ['--library', 'native'] : []));
      await copyProgram(folder, 'Journey.java', 'client/src/main/java/Journey.java');
      await copyProgram(folder, connection, 'client/src/main/java/Connection.java');
      return buildMaven(join(folder, 'client'), 'Journey');
    },
  };
}

export const generators: readonly Generator[] = [
  {
    name: 'oapi-codegen, Go',
    tools: ['go'],
    async build(folder) {
      await startGoModule(folder);
      const options = ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go'];
      await execute(folder, 'go', 'run', OAPI_CODEGEN, ...options, 'openapi.json');
      return buildGo(folder, 'oapi-codegen.go');
    },
  },
  {
    name: 'ogen, Go',
    tools: ['go'],
    async build(folder) {
      await startGoModule(folder);
      const options = ['--target', 'api', '--package', 'api', '--clean'];
      await execute(folder, 'go', 'run', OGEN, ...options, 'openapi.json');
      return buildGo(folder, 'ogen.go');
    },
  },
  java('default', 'ConnectionOfDefault.java'),
  java('native', 'ConnectionOfNative.java'),
  {
    name: 'openapi-generator, Kotlin',
    tools: ['java', 'mvn'],
    async build(folder) {
      await openapiGenerator(folder, 'kotlin');
      // The generator writes a build file for Gradle alone.
      await copyProgram(folder, 'kotlin.pom.xml', 'client/pom.xml');
      await copyProgram(folder, 'Journey.kt', 'client/src/main/kotlin/Journey.kt');
      return buildMaven(join(folder, 'client'), 'JourneyKt');
    },
  },
  {
    name: 'openapi-generator, Rust',
    tools: ['java', 'mvn', 'cargo'],
    async build(folder) {
      await openapiGenerator(folder, 'rust');
      await copyProgram(folder, 'journey.cargo.toml', 'journey/Cargo.toml');
      await copyProgram(folder, 'main.rs', 'journey/src/main.rs');
      await execute(join(folder, 'journey'), 'cargo', 'build', '--quiet');
      return [join(folder, 'journey/target/debug/journey')];
    },
  },
];
