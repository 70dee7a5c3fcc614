/**
 * Clients of six generators call a running stack with the largest amount, 2^53 - 1. The suite takes a long time and downloads the generators,
 * so only the soak runs it: `npm run generators`, or one of them with `npm run generators -- -t Rust`. Its table is in
 * docs/guides/versioning.md.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@carecover/contract/openapi';
import { useWorld } from '@carecover/testing/stack';
import { generators } from './generators';

const run = promisify(execFile);
const MOST = Number.MAX_SAFE_INTEGER;

jest.setTimeout(3_600_000);

(process.env.SOAK === '1' ? describe : describe.skip)('generated clients', () => {
  const running = useWorld();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carecover-generated-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(generators.map((generator) => [generator.name, generator] as const))(
    '%s: the client is compiled, sends and reads the largest amount, and reads an error',
    async (name, { tools, build }) => {
      const missing = await findMissing(tools);
      if (missing.length > 0) {
        process.stderr.write(`SKIPPED: the client of ${name}, because ${missing.join(' and ')} is missing\n`);
        return;
      }
      const own = await mkdtemp(join(folder, 'client-'));
      const { base_url, secret_key, ca_certificate } = running.stack.file;
      await writeFile(join(own, 'openapi.json'), JSON.stringify(openApiDocument({ serverUrl: base_url })));
      const [program = '', ...args] = await build(own);
      const { stdout } = await run(program, [...args, `member-${crypto.randomUUID()}`], {
        env: {
          ...process.env,
          CARECOVER_URL: base_url,
          CARECOVER_KEY: secret_key,
          SSL_CERT_FILE: String(ca_certificate),
          ...(tools.includes('java') ? await javaTrust(own, String(ca_certificate)) : {}),
        },
      });
      expect(stdout.trim()).toMatch(
        new RegExp(`^${MOST} ${MOST} ${MOST} eligible 404 resource_not_found$`, 'i'),
      );
    },
  );
});

async function findMissing(tools: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    tools.map((tool) =>
      run('which', [tool]).then(
        () => undefined,
        () => tool,
      ),
    ),
  );
  return found.filter((tool) => tool !== undefined);
}

/** Returns the variables with which Java trusts the authority of the stack. */
async function javaTrust(folder: string, authority: string): Promise<NodeJS.ProcessEnv> {
  const store = join(folder, 'trust.p12');
  const args = ['-importcert', '-noprompt', '-alias', 'stack', '-file', authority, '-keystore', store];
  await run('keytool', [...args, '-storepass', 'changeit', '-storetype', 'PKCS12']);
  return {
    JDK_JAVA_OPTIONS: `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=changeit`,
  };
}
