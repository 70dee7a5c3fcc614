/**
 * Builds the Java client with Maven, runs its tests, checks what would be published, and runs the program of its README and a journey with
 * the largest amount. Maven downloads the generator and the libraries, so only the soak runs the suite: `npm run test:java`.
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { useWorld } from '@carecover/testing/stack';
import { startExampleServer } from '../../../libs/client/src/testing/example-server';
import { describeForJava } from './description';
import { CLIENT, DESCRIPTION, execute, hasJava, maven } from './tools';

const LARGEST = Number.MAX_SAFE_INTEGER;

jest.setTimeout(1_800_000);

(process.env.SOAK === '1' ? describe : describe.skip)('the Java client', () => {
  const running = useWorld();
  let folder: string;
  /** The jars that a program needs, and the folder; undefined without Java. */
  let classpath: string | undefined;
  let jar: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carecover-java-'));
    if (!(await hasJava())) return;
    await writeFile(DESCRIPTION, JSON.stringify(describeForJava()));
    const libraries = join(folder, 'classpath.txt');
    await maven('clean', 'package', 'dependency:build-classpath', `-Dmdep.outputFile=${libraries}`);
    const { version } = JSON.parse(await readFile(join(repositoryRoot(), 'package.json'), 'utf8'));
    jar = join(CLIENT, `target/carecover-client-${version}`);
    classpath = [folder, `${jar}.jar`, (await readFile(libraries, 'utf8')).trim()].join(delimiter);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Compiles a program with the jar of the client, and runs it. Returns what it prints; undefined without Java. */
  async function runProgram(path: string, name: string, env: NodeJS.ProcessEnv) {
    if (classpath === undefined) return undefined;
    await copyFile(join(repositoryRoot(), path, `${name}.java`), join(folder, `${name}.java`));
    const options = ['--release', '17', '-Xlint:all', '-Werror', '-classpath', classpath];
    await execute(folder, 'javac', [...options, `${name}.java`]);
    return execute(folder, 'java', ['-classpath', classpath, name], env);
  }

  test('the jars contain only the code, its sources and its documentation, with a licence and few dependencies', async () => {
    if (classpath === undefined) return;
    const list = async (suffix: string) =>
      (await execute(CLIENT, 'jar', ['--list', '--file', `${jar}${suffix}.jar`]))
        .split('\n')
        .filter((name) => /[^/]$/.test(name));
    const isExpected = (type: string) =>
      new RegExp(
        `^(example/carecover/(model/)?[\\w$-]+\\.${type}|META-INF/(MANIFEST\\.MF|maven/example\\.carecover/carecover-client/pom\\.(xml|properties)))$`,
      );
    const [classes, sources, documentation] = [
      await list(''),
      await list('-sources'),
      await list('-javadoc'),
    ];
    expect(classes.filter((name) => !isExpected('class').test(name))).toEqual([]);
    expect(sources.filter((name) => !isExpected('java').test(name))).toEqual([]);
    expect(classes).toEqual(
      expect.arrayContaining([
        'example/carecover/Carecover.class',
        'example/carecover/ClaimsService.class',
        'example/carecover/model/Claim.class',
        'META-INF/maven/example.carecover/carecover-client/pom.xml',
      ]),
    );
    expect(sources).toEqual(
      expect.arrayContaining(['example/carecover/Carecover.java', 'example/carecover/model/Claim.java']),
    );
    expect(documentation).toContainEqual(expect.stringMatching(/example\/carecover\/ClaimsService\.html$/));
    const pom = await readFile(join(CLIENT, 'pom.xml'), 'utf8');
    for (const element of ['name', 'description', 'license']) expect(pom).toContain(`<${element}>`);
    const names = classpath
      .split(delimiter)
      .slice(2)
      .map((path) => path.split('/').at(-1));
    const runtime = names.filter((name) => !/junit|opentest4j|apiguardian/.test(name ?? ''));
    expect(runtime.map((name) => name?.replace(/-[\d.]+\.jar$/, '')).sort()).toEqual([
      'jackson-annotations',
      'jackson-core',
      'jackson-databind',
      'jackson-datatype-jsr310',
      'jakarta.annotation-api',
    ]);
  });

  test('the program of the README runs', async () => {
    const server = await startExampleServer();
    const env = { CARECOVER_URL: server.baseUrl, CARECOVER_KEY: 'sk_test_readme' };
    try {
      const printed = await runProgram('libs/client-java/examples', 'Readme', env);
      if (printed === undefined) return;
      expect(printed).toMatch(
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
    }
  });

  test('the story of the quick start with the largest amount ends with a settled claim and a verified webhook', async () => {
    const { base_url, secret_key, ca_certificate } = running.stack.file;
    const printed = await runProgram('test/java/src/programs', 'Journey', {
      CARECOVER_URL: base_url,
      CARECOVER_KEY: secret_key,
      SSL_CERT_FILE: ca_certificate,
    });
    if (printed === undefined) return;
    const paid = LARGEST - 2;
    expect(printed.trim().split('\n')).toEqual([
      'untrusted true',
      `eligible ${LARGEST}`,
      'pre-authorization approved',
      `claim submitted ${LARGEST}`,
      'one claim true',
      `received claim.settled ${paid}`,
      `valued partially_approved remitted 0 settled 0 outstanding ${paid}`,
      `valued settled remitted ${paid} settled ${paid} outstanding 0`,
      'listed true',
      '404 resource_not_found true',
    ]);
  });
});
