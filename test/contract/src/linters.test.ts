/** Checks the API description with the linters of Redocly and Spectral, which are installed from the npm registry. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@carecover/contract/openapi';
import { npmPackages } from '@carecover/testing/servers';

// The first run installs the linters.
jest.setTimeout(600_000);

const run = promisify(execFile);
const PACKAGES = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];

/** The rules that the description breaks, each with its reason. A rule that it no longer breaks must be removed here. */
const REDOCLY = {
  'info-license': 'the owner of the service has not decided on a licence',
};
const SPECTRAL = {
  'info-contact': 'each installation has its own contact',
  'oas3-operation-security-defined':
    'OpenAPI 3.1 permits scopes for every scheme, and the linter knows only those of OAuth',
};

let modules: string | null;
let folder: string;

beforeAll(async () => {
  modules = await npmPackages('the linters of the API description', 'description-linters', PACKAGES);
  folder = await mkdtemp(join(tmpdir(), 'carecover-linters-'));
  const document = openApiDocument({ serverUrl: 'https://api.carecover.example/v1' });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a linter on the description. Returns what it printed, also if it ended with another code than 0. */
async function lint(program: string, ...args: string[]): Promise<string> {
  const options = {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  };
  return run(join(String(modules), '.bin', program), ['lint', 'openapi.json', ...args], options).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const sortedRules = (rules: readonly string[]) => [...new Set(rules)].sort();

test('the description breaks no rule of Redocly without a reason', async () => {
  if (modules === null) return;
  const printed = await lint('redocly', '--extends', 'recommended-strict', '--format', 'json');
  const { problems } = JSON.parse(printed) as { problems: { ruleId: string }[] };
  expect(sortedRules(problems.map(({ ruleId }) => ruleId))).toEqual(Object.keys(REDOCLY));
});

test('the description breaks no rule of Spectral without a reason', async () => {
  if (modules === null) return;
  const printed = await lint('spectral', '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet');
  const problems = JSON.parse(printed) as { code: string }[];
  expect(sortedRules(problems.map(({ code }) => code))).toEqual(Object.keys(SPECTRAL));
});
