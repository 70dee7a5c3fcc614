import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, GatewayFixture, type TestGateway } from '@carecover/gateway/testing';
import { runCommand } from './testing/run-command';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterAll(() => fixture.stop());

const run = (args: readonly string[], env?: Record<string, string>, input?: string) =>
  runCommand(
    args,
    env ?? { CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl, CARECOVER_OPERATOR: 'amina' },
    input,
  );

async function json<T>(...args: string[]): Promise<T> {
  const { code, output, errors } = await run([...args, '--json']);
  if (code !== 0) throw new Error(errors);
  return JSON.parse(output) as T;
}

interface Created {
  project_id: string;
  key_id: string;
  secret_key: string;
}

const createProject = () => json<Created>('projects', 'create', 'Clinic', '--environment', 'sandbox');

test('a project is created with a key that works', async () => {
  const { project_id, secret_key } = await createProject();
  expect(project_id).toMatch(/^prj_/);
  expect(secret_key).toMatch(/^sk_test_/);
  expect((await gateway.request('/v1/', { key: secret_key })).status).toBe(200);
});

test('a seed belongs to a project with simulated time, and to one project alone', async () => {
  const create = ['projects', 'create', 'Golden', '--environment', 'sandbox', '--seed', 'golden'];
  const clock = ['--clock', 'simulated', '--now', '2022-01-01T00:00:00Z'];
  expect(await run(create)).toMatchObject({ code: 1, errors: expect.stringContaining('seed') });
  expect((await json<Created>(...create, ...clock)).project_id).toMatch(/^prj_.*_sim$/);
  expect(await run([...create, ...clock])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('seed'),
  });
});

test('a key has exactly the given scopes, and a rotated or revoked secret is invalid', async () => {
  const { project_id } = await createProject();
  const key = await json<Created>(
    'keys',
    'create',
    '--project',
    project_id,
    '--scopes',
    'claims:read, bookings:read',
  );
  expect(Object.keys(key)).toEqual(['key_id', 'secret_key']);
  expect(
    await json('keys', 'create', '--project', project_id, '--scopes', '*', '--name', 'billing'),
  ).toBeDefined();
  expect(await json('keys', 'list', '--project', project_id)).toMatchObject([
    { name: 'billing', scopes: ['*'], last_used_at: null },
    { id: key.key_id, name: null, prefix: key.secret_key.slice(0, 12) },
    { name: null },
  ]);
  const request = async (secret: string, path = '/v1/claims') => gateway.request(path, { key: secret });
  expect((await request(key.secret_key)).status).toBe(200);
  expect(codeOf(await request(key.secret_key, '/v1/practitioners'))).toBe('permission_denied');
  const rotated = await json<Created>('keys', 'rotate', key.key_id);
  expect((await request(key.secret_key)).status).toBe(401);
  expect((await request(rotated.secret_key)).status).toBe(200);
  await json('keys', 'revoke', key.key_id);
  expect((await request(rotated.secret_key)).status).toBe(401);
  expect(await run(['keys', 'rotate', key.key_id])).toMatchObject({ code: 1 });
});

test("a project's settings are changed independently and take effect from the next request", async () => {
  const { project_id, secret_key } = await createProject();
  const project = await json<object>(
    ...[
      'projects',
      'set',
      project_id,
      '--rate-limit',
      '7',
      '--allowed-origins',
      'https://App.example.com:443',
    ],
  );
  expect(project).toMatchObject({
    rate_limit_per_minute: 7,
    allowed_origins: ['https://app.example.com'],
    consent_default: 'granted',
  });
  const changed = await json<object>('projects', 'set', project_id, '--consent-default', 'withdrawn');
  expect(changed).toMatchObject({
    rate_limit_per_minute: 7,
    endpoint_limit: 50,
    consent_default: 'withdrawn',
  });
  expect(await json<object>('projects', 'set', project_id, '--endpoint-limit', '3')).toMatchObject({
    rate_limit_per_minute: 7,
    endpoint_limit: 3,
  });
  expect(await json<object>('projects', 'set', project_id, '--agent-writes', 'confirmed')).toMatchObject({
    endpoint_limit: 3,
    agent_writes: 'confirmed',
  });
  const language = ['--locale', 'sw-KE', '--time-zone', 'Africa/Nairobi'];
  expect(await json<object>('projects', 'set', project_id, ...language)).toMatchObject({
    rate_limit_per_minute: 7,
    locale: 'sw-KE',
    time_zone: 'Africa/Nairobi',
  });
  expect(await json<object>('projects', 'set', project_id, '--currencies', 'KES,USD')).toMatchObject({
    currencies: ['KES', 'USD'],
    locale: 'sw-KE',
  });
  expect(await json<object>('projects', 'set', project_id, '--currencies', '')).toMatchObject({
    currencies: null,
  });
  const answer = await gateway.request('/v1/', { key: secret_key });
  expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
  expect(await json<object>('projects', 'set', project_id, '--allowed-origins', '')).toMatchObject({
    allowed_origins: [],
  });
});

test("the default consent of a production project's members is withdrawn", async () => {
  await json('projects', 'create', 'Live', '--environment', 'production');
  expect((await json<object[]>('projects', 'list'))[0]).toMatchObject({
    name: 'Live',
    environment: 'production',
    consent_default: 'withdrawn',
    agent_writes: 'off',
    rate_limit_per_minute: 1000,
  });
});

test('every change is logged with its author and without secrets, and the log is append-only', async () => {
  const { project_id, secret_key } = await createProject();
  const { key_id } = await json<Created>('keys', 'create', '--project', project_id, '--scopes', '*');
  await json('keys', 'rotate', key_id);
  const entries = await json<object[]>('audit', 'list', '--limit', '3');
  expect(entries).toMatchObject([
    { actor: 'amina', action: 'key.rotate', subject: key_id },
    { actor: 'amina', action: 'key.create', subject: key_id, details: { project_id, scopes: ['*'] } },
    { actor: 'amina', action: 'project.create', subject: project_id },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret_key);
  await expect(fixture.sql`update gateway.audit_log set actor = 'mallory'`).rejects.toThrow('append-only');
  await expect(fixture.sql`delete from gateway.audit_log`).rejects.toThrow('append-only');
  await expect(fixture.sql`truncate gateway.audit_log`).rejects.toThrow('append-only');
});

test('a rejected change has no audit entry', async () => {
  const before = await json<object[]>('audit', 'list', '--limit', '1');
  expect(await run(['projects', 'set', 'prj_unknown', '--rate-limit', '5'])).toMatchObject({ code: 1 });
  expect(await run(['keys', 'create', '--project', 'prj_unknown', '--scopes', '*'])).toMatchObject({
    code: 1,
  });
  expect(await json('audit', 'list', '--limit', '1')).toEqual(before);
});

test.each([
  [['projects', 'create', 'Clinic']],
  [['projects', 'create', 'Clinic', '--environment', 'staging']],
  [['projects', 'set', 'prj_1', '--rate-limit', '0']],
  [['projects', 'set', 'prj_1', '--endpoint-limit', '10001']],
  [['keys', 'create', '--project', 'prj_1']],
  [['nothing']],
  [['keys', 'list', '--nothing']],
])('%j is wrong usage: exit code 2 with a hint', async (args) => {
  const { code, output, errors } = await run(args);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toContain('--help');
});

test.each([
  [['keys', 'create', '--project', 'prj_1', '--scopes', 'claims:everything'], 'claims:read'],
  [['projects', 'create', ' ', '--environment', 'sandbox'], 'name'],
  [['keys', 'revoke', 'key_unknown'], 'key_unknown'],
])('%j is rejected with exit code 1, and the message says what is expected', async (args, hint) => {
  const { code, output, errors } = await run(args);
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(hint);
});

test('every command has --help, with exit code 0', async () => {
  for (const args of [[], ['projects'], ['projects', 'create'], ['keys', 'rotate'], ['audit', 'list']]) {
    const { code, output } = await run([...args, '--help']);
    expect(code).toBe(0);
    expect(output).toContain('Usage: carecover');
  }
});

test('without a credential the message says how to set one', async () => {
  const { code, errors } = await run(['projects', 'list'], { CARECOVER_HOME: '/nowhere' });
  expect(code).toBe(1);
  expect(errors).toContain('CARECOVER_ADMIN_DATABASE_URL_FILE=');
  expect(await run(['projects', 'list'], { CARECOVER_ADMIN_DATABASE_URL: 'mysql://x' })).toMatchObject({
    code: 1,
  });
});

test("the administrator's database address is read from the file that a setting names", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-credential-'));
  const file = join(folder, 'address');
  await writeFile(file, `${fixture.database.adminUrl}\n`);
  const named = { CARECOVER_ADMIN_DATABASE_URL_FILE: file };
  expect(await run(['projects', 'list', '--json'], named)).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
  expect(await run(['projects', 'list'], named)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('ENOENT'),
  });
});

describe('a leaked secret', () => {
  const findBySecret = (secret: string) =>
    run(['keys', 'find', '--secret-stdin', '--json'], undefined, `${secret}\n`);

  test('identifies its key by standard input for find, rotate and revoke, and is not printed or logged', async () => {
    const { project_id, key_id, secret_key } = await createProject();
    const found = await findBySecret(secret_key);
    expect(JSON.parse(found.output)).toMatchObject({
      key_id,
      project_id,
      found_by: 'secret key',
      revoked_at: null,
    });
    const rotated = await run(['keys', 'rotate', '--secret-stdin', '--json'], undefined, secret_key);
    const { secret_key: next } = JSON.parse(rotated.output) as Created;
    expect(await findBySecret(secret_key)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No key has this secret'),
    });
    const revoked = await run(['keys', 'revoke', '--secret-stdin', '--json'], undefined, next);
    expect(JSON.parse(revoked.output)).toEqual({ key_id, revoked: true });
    expect((await gateway.request('/v1/', { key: next })).status).toBe(401);
    const log = await run(['audit', 'list', '--limit', '5', '--json']);
    for (const { output, errors } of [found, revoked, log]) {
      expect(output + errors).not.toContain(secret_key.slice(8));
      expect(output + errors).not.toContain(next.slice(8));
    }
  });

  test("a token's secret identifies the key that created it", async () => {
    const { key_id, secret_key } = await createProject();
    const response = await gateway.request('/v1/tokens', {
      key: secret_key,
      body: { scopes: ['claims:read'], expires_in: 300 },
    });
    const { token } = response.body as { token: string };
    expect(JSON.parse((await findBySecret(token)).output)).toMatchObject({ key_id, found_by: 'token' });
  });

  test.each(['sk_test_tooshort', 'something else', ''])(
    '%j on standard input is rejected and not printed',
    async (secret) => {
      const { code, errors } = await findBySecret(secret);
      expect([code, errors]).toEqual([1, expect.stringContaining('no complete secret key')]);
      if (secret !== '') expect(errors).not.toContain(secret);
    },
  );

  test.each([
    ['keys revoke SECRET'],
    ['keys rotate SECRET'],
    ['keys SECRET'],
    ['SECRET'],
    ['projects set SECRET --rate-limit 5'],
    ['keys list --project SECRET'],
    ['keys list --project=SECRET'],
    ['dead-letters show SECRET'],
    ['members erase --SECRET'],
    ['settlements import SECRET --project prj_1'],
  ])('%s: nothing is changed, and the secret is not printed', async (line) => {
    const { secret_key } = await createProject();
    for (const secret of [
      secret_key,
      secret_key.replace('sk_', 'pt_'),
      'whsec_aGVsbG8gd29ybGQ=',
      'postgres://postgres:hunter2-aGVsbG8@db',
    ]) {
      const { code, output, errors } = await run(
        line.split(' ').map((word) => word.replace('SECRET', secret)),
      );
      expect([code, output]).toEqual([2, '']);
      expect(errors).toContain('keys find --secret-stdin');
      expect(errors).not.toContain(secret.slice(-8));
    }
    expect((await gateway.request('/v1/', { key: secret_key })).status).toBe(200);
  });

  test.each(['revoke', 'rotate'])('keys %s: a malformed ID is rejected and not printed', async (act) => {
    const { code, errors } = await run(['keys', act, 'k_live_0123456789']);
    expect([code, errors]).toEqual([1, expect.stringContaining('starts with key_')]);
    expect(errors).not.toContain('0123456789');
    expect(await run(['keys', act])).toMatchObject({ code: 1 });
    expect(await run(['keys', act, 'key_1', '--secret-stdin'])).toMatchObject({ code: 1 });
  });
});

test("without settings the running local stack's credential is used", async () => {
  const home = await mkdtemp(join(tmpdir(), 'carecover-home-'));
  await writeFile(join(home, 'stack.json'), JSON.stringify({ database_url: fixture.database.adminUrl }));
  expect(await run(['projects', 'list', '--json'], { CARECOVER_HOME: home })).toMatchObject({ code: 0 });
  await rm(home, { recursive: true });
});

test('without --json the output is a table', async () => {
  const { project_id } = await createProject();
  const { output } = await run(['projects', 'list']);
  expect(output.split('\n')[0]).toMatch(/^id +name +environment/);
  expect(output).toContain(project_id);
});

test('an unreachable database: exit code 1 and a reason', async () => {
  const { code, errors } = await run(['projects', 'list'], {
    CARECOVER_ADMIN_DATABASE_URL: 'postgres://postgres:x@127.0.0.1:1/none',
  });
  expect(code).toBe(1);
  expect(errors).toContain('ECONNREFUSED');
});
