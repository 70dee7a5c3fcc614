import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ISSUERS, type Issuer, loadConfig, newPrivateKey } from '@carecover/config';
import { STREAM_SETTINGS } from '@carecover/events';
import { ContextSigner, parseNetworks } from '@carecover/http';
import { STOP_LIMIT_MS } from '@carecover/process';
import { MIGRATE_SETTINGS, migrateOptions } from '@carecover/service/migrate-main';
import { certificateIn } from '@carecover/testing/servers';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'yaml';
import { SETTINGS as benefits } from '../../../services/benefits/src/settings';
import { SETTINGS as care } from '../../../services/care/src/settings';
import { SETTINGS as claims } from '../../../services/claims/src/settings';
import { SETTINGS as console } from '../../../services/console/src/settings';
import { SETTINGS as gateway } from '../../../services/gateway/src/settings';
import { UPSTREAM_LIMITS } from '../../../services/gateway/src/upstream';
import { SETTINGS as payments } from '../../../services/payments/src/settings';
import { SETTINGS as webhooks } from '../../../services/webhooks/src/settings';
import { COMPOSE_FOLDER, networksOf, readComposeFile, readRawComposeFile, secretsOf } from './compose-file';

const file = readComposeFile();
const settingsOf = { gateway, care, benefits, claims, payments, webhooks };
const services = Object.keys(settingsOf) as (keyof typeof settingsOf)[];
const secrets = mkdtempSync(join(tmpdir(), 'carecover-secrets-'));

const makeSecrets = () =>
  execFileSync(process.execPath, [join(COMPOSE_FOLDER, 'make-secrets.mjs'), secrets], { encoding: 'utf8' });

/** The files that the operator provides, and make-secrets.mjs does not create. */
const PROVIDED = ['gateway_certificate', 'gateway_key', 'oidc_client_secret'];

beforeAll(async () => {
  expect(makeSecrets().match(/bring your own/g)).toHaveLength(2);
  const { leaf, key } = await certificateIn(join(secrets, 'tls'));
  renameSync(leaf, join(secrets, 'gateway_certificate'));
  renameSync(key, join(secrets, 'gateway_key'));
  rmSync(join(secrets, 'tls'), { recursive: true });
  writeFileSync(join(secrets, 'oidc_client_secret'), 'x'.repeat(32));
});
afterAll(() => rmSync(secrets, { recursive: true }));

/** Returns the environment variables of a service, with paths to the secrets that the test has created. */
function environmentOf(name: string): Record<string, string> {
  const { environment = {} } = file.services[name] ?? {};
  return Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, value.replace('/run/secrets', secrets)]),
  );
}

test('the file is valid under the Compose Specification', () => {
  const schema = JSON.parse(readFileSync(join(COMPOSE_FOLDER, 'schema/compose-spec.json'), 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('duration', /^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/);
  ajv.addFormat('expose', true);
  ajv.addFormat('ports', true);
  ajv.addFormat('subnet_ip_address', true);
  const validate = ajv.compile(schema);
  validate(readRawComposeFile());
  expect(validate.errors).toBeNull();
  expect(validate({ services: { a: { imag: 'b' } } })).toBe(false);
});

test.each(services)('the settings of %s are valid, and every secret is read from a file', (name) => {
  const environment = environmentOf(name);
  const config = loadConfig(settingsOf[name], environment);
  expect(config).toMatchObject({ HOST: '0.0.0.0', CARECOVER_MODE: 'production' });
  const plain = Object.keys(environment).filter((key) => /SECRET|PASSWORD|DATABASE_URL|ENCRYPTION/.test(key));
  expect(plain.filter((key) => !key.endsWith('_FILE'))).toEqual([]);
});

test('the migration job gives each role the password with which its service connects', () => {
  const { adminUrl, passwords } = migrateOptions(loadConfig(MIGRATE_SETTINGS, environmentOf('migrate')));
  expect(new URL(adminUrl).username).toBe('postgres');
  for (const name of services) {
    const { DATABASE_URL } = loadConfig(settingsOf[name], environmentOf(name));
    expect(new URL(DATABASE_URL)).toMatchObject({ username: name, password: passwords[name] });
  }
});

test('a second run of the script that creates secrets changes none', () => {
  const content = () => readdirSync(secrets).map((name) => readFileSync(join(secrets, name), 'utf8'));
  const before = content();
  execFileSync(process.execPath, [join(COMPOSE_FOLDER, 'make-secrets.mjs'), secrets]);
  expect(content()).toEqual(before);
  expect(new Set(before).size).toBe(before.length);
});

test('every secret, configuration, volume and network that a service uses is defined, and each definition is used', () => {
  const used = { secrets: new Set(), configs: new Set(), volumes: new Set(), networks: new Set() };
  for (const service of Object.values(file.services)) {
    const { configs = [], volumes = [] } = service;
    for (const name of secretsOf(service)) used.secrets.add(name);
    for (const { source } of configs) used.configs.add(source);
    for (const volume of volumes) used.volumes.add(volume.split(':')[0]);
    for (const name of networksOf(service)) used.networks.add(name);
  }
  for (const kind of ['secrets', 'configs', 'volumes', 'networks'] as const) {
    expect([...used[kind]].sort()).toEqual(Object.keys(file[kind]).sort());
  }
  for (const { file: path } of Object.values(file.configs)) {
    expect([path, existsSync(join(COMPOSE_FOLDER, path))]).toEqual([path, true]);
  }
  // make-secrets.mjs creates one secret that no container mounts, `nats_server_password`: the NATS servers read it from nats_passwords.
  const files = [...Object.keys(file.secrets), 'nats_server_password'];
  expect(readdirSync(secrets).sort()).toEqual(files.sort());
  expect(Object.keys(file.secrets)).toEqual(expect.arrayContaining(PROVIDED));
});

test('each issuer of signed contexts has a key of its own, and two public keys during a rotation', () => {
  const keysOf = (issuer: Issuer) =>
    loadConfig(settingsOf.claims, environmentOf('claims')).CONTEXT_PUBLIC_KEYS[issuer];
  for (const issuer of ISSUERS) {
    const settings = { console, ...settingsOf }[issuer];
    const config = loadConfig(settings, environmentOf(issuer));
    expect(() => new ContextSigner(issuer, config)).not.toThrow();
    expect([issuer, keysOf(issuer)?.length]).toEqual([issuer, 1]);
  }
  const other = join(secrets, 'context_care_key_other');
  writeFileSync(other, newPrivateKey());
  makeSecrets();
  expect([keysOf('care')?.length, keysOf('claims')?.length]).toEqual([2, 1]);
  rmSync(other);
  makeSecrets();
  expect(keysOf('care')?.length).toBe(1);
});

test('a service mounts every secret that its settings name', () => {
  for (const [name, service] of Object.entries(file.services)) {
    const { environment = {} } = service;
    const mounted = secretsOf(service);
    const named = Object.values(environment).flatMap(
      (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
    );
    expect([name, named.filter((secret) => !mounted.includes(secret))]).toEqual([name, []]);
  }
});

test('each service has two unprivileged replicas, and is addressed by both names', () => {
  for (const name of services) {
    const service = file.services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], deploy: { replicas: 2 } });
    expect(service?.command).toEqual([`services/${name}/dist/main.js`]);
    if (name === 'gateway') continue;
    const { [`${name.toUpperCase()}_URL`]: urls } = file.services.gateway?.environment ?? {};
    expect(urls).toBe([1, 2].map((n) => `http://${file.name}-${name}-${n}:8080`).join(','));
  }
  const dockerfile = readFileSync(join(COMPOSE_FOLDER, 'Dockerfile'), 'utf8');
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toContain('USER node');
});

test('the console has one replica, is started on request, and gets the settings that it reads, and no others', () => {
  const environment = environmentOf('console');
  const config = loadConfig(console, environment);
  expect(config).toMatchObject({ METRICS_PORT: 8080, CARECOVER_MODE: 'production' });
  expect(config.GATEWAY_URL).toEqual(Array(2).fill('http://gateway-operators:8081'));
  const read = new Set([...Object.keys(console), 'OTEL_TRACES_SAMPLER_ARG']);
  expect(Object.keys(environment).filter((key) => !read.has(key.replace(/_FILE$/, '')))).toEqual([]);
  expect(file.services.console).toMatchObject({
    profiles: ['console'],
    command: ['services/console/dist/main.js'],
    deploy: { replicas: 1 },
    read_only: true,
    cap_drop: ['ALL'],
  });
});

test('a stopped container has the time to complete every request that it accepted', () => {
  expect(STOP_LIMIT_MS).toBeGreaterThan(UPSTREAM_LIMITS.responseMs);
  for (const name of services) {
    const [, seconds] = /^(\d+)s$/.exec(file.services[name]?.stop_grace_period ?? '') ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(STOP_LIMIT_MS);
  }
});

test('Prometheus scrapes every replica by name, so that it reports a missing one', () => {
  const { file: path = '' } = file.configs.prometheus ?? {};
  const prometheus: unknown = parse(readFileSync(join(COMPOSE_FOLDER, path), 'utf8'));
  const targets = services.flatMap((name) => [1, 2].map((n) => `${file.name}-${name}-${n}:8080`));
  expect(prometheus).toMatchObject({
    scrape_configs: [{ job_name: 'carecover', static_configs: [{ targets }] }],
  });
  for (const name of services) {
    const { METRICS_PORT, PORT } = environmentOf(name);
    expect([name, METRICS_PORT ?? PORT]).toEqual([name, '8080']);
  }
});

test('every path that the Dockerfile copies exists and is not ignored', () => {
  const text = (name: string) => readFileSync(join(COMPOSE_FOLDER, name), 'utf8');
  const included = text('Dockerfile.dockerignore').split('\n');
  const copied = [...text('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  expect(copied.length).toBeGreaterThan(3);
  for (const path of copied.filter((each) => each !== '.')) {
    expect([path, existsSync(join(COMPOSE_FOLDER, '../..', path))]).toEqual([path, true]);
    expect([path, included.includes(`!${path}`)]).toEqual([path, true]);
  }
});

test('the image contains no source and no test code', () => {
  const kept = [
    'libs/cli/bin/carecover.js',
    'libs/cli/dist/main.js',
    'libs/service/migrations/0001-initial.sql',
    'services/care/dist/store/bookings.js',
    'services/care/node_modules/luxon/luxon.js',
  ];
  const removed = [
    'libs/testing/dist/services/commands.js',
    'libs/postgres/src/connect.ts',
    'services/care/dist/store/bookings.test.js',
    'services/care/dist/testing/fixtures.js',
    'workflows/claim/dist/commands/testing/fixtures.js',
  ];
  const image = mkdtempSync(join(tmpdir(), 'carecover-image-'));
  try {
    mkdirSync(join(image, 'node_modules/@temporalio/core-bridge/releases'), { recursive: true });
    for (const file of [...kept, ...removed]) {
      mkdirSync(dirname(join(image, file)), { recursive: true });
      writeFileSync(join(image, file), '');
    }
    execFileSync('sh', [join(COMPOSE_FOLDER, 'prune.sh')], { cwd: image });
    const found = readdirSync(image, { recursive: true, encoding: 'utf8' });
    expect(found.filter((path) => statSync(join(image, path)).isFile()).sort()).toEqual(kept);
  } finally {
    rmSync(image, { recursive: true });
  }
});

test('only the gateway has a public port, and the inner network has no access to the internet', () => {
  expect(file.networks.inner?.internal).toBe(true);
  for (const [name, { ports = [] }] of Object.entries(file.services)) {
    const open = ports.filter((port) => !port.startsWith('127.0.0.1:'));
    expect([name, open.length]).toEqual([name, name === 'gateway' ? 1 : 0]);
  }
});

/** The networks and the secrets that each container must have, and no others. */
const ACCESS: Readonly<Record<string, readonly [networks: string, secrets: string]>> = {
  gateway: [
    'database inner operators outer',
    'context_gateway_key context_public_keys gateway_certificate gateway_database_url gateway_key',
  ],
  care: ['database inner', 'care_database_url context_care_key context_public_keys hash_secret'],
  benefits: [
    'database events inner workflows',
    'benefits_database_url context_benefits_key context_public_keys hash_secret nats_benefits_password temporal_authority temporal_client_certificate temporal_client_key',
  ],
  claims: [
    'database events inner workflows',
    'claims_database_url context_claims_key context_public_keys hash_secret nats_claims_password temporal_authority temporal_client_certificate temporal_client_key',
  ],
  payments: [
    'database events inner workflows',
    'context_payments_key context_public_keys hash_secret nats_payments_password payments_database_url temporal_authority temporal_client_certificate temporal_client_key',
  ],
  webhooks: [
    'database events inner outer',
    'context_public_keys hash_secret nats_webhooks_password webhook_encryption_keys webhooks_database_url',
  ],
  console: [
    'inner operators outer',
    'context_console_key context_public_keys gateway_certificate gateway_key oidc_client_secret',
  ],
  migrate: [
    'database',
    'admin_database_url benefits_database_url care_database_url claims_database_url gateway_database_url payments_database_url webhooks_database_url',
  ],
  operator: [
    'database events workflows',
    'admin_database_url hash_secret nats_operator_password temporal_authority temporal_client_certificate temporal_client_key',
  ],
  postgres: ['database', 'postgres_password temporal_database_password'],
  'temporal-schema': ['database', 'temporal_database_password'],
  temporal: [
    'database workflows',
    'temporal_authority temporal_database_password temporal_server_certificate temporal_server_key',
  ],
  'temporal-namespace': ['workflows', 'temporal_authority temporal_client_certificate temporal_client_key'],
  'temporal-ui': ['outer workflows', 'temporal_authority temporal_client_certificate temporal_client_key'],
  'nats-1': ['events', 'nats_passwords'],
  'nats-2': ['events', 'nats_passwords'],
  'nats-3': ['events', 'nats_passwords'],
  'nats-stream': ['events', 'nats_operator_password'],
  prometheus: ['inner outer', ''],
  grafana: ['inner outer', 'grafana_password'],
};

test('each container is on the networks and has the secrets that it needs, and no others', () => {
  const access = Object.entries(file.services).map(
    ([name, service]) => [name, [networksOf(service).join(' '), secretsOf(service).join(' ')]] as const,
  );
  expect(Object.fromEntries(access)).toEqual(ACCESS);
  for (const [name, network] of Object.entries(file.networks)) {
    expect([name, network?.internal ?? false]).toEqual([name, name !== 'outer']);
  }
});

test("only the console reaches the gateway's operators' routes", () => {
  const members = Object.keys(ACCESS).filter((name) => ACCESS[name]?.[0].split(' ').includes('operators'));
  expect(members).toEqual(['gateway', 'console']);
  const { OPERATOR_PORT, METRICS_PORT, CONSOLE_NETWORKS } = loadConfig(gateway, environmentOf('gateway'));
  expect([OPERATOR_PORT, METRICS_PORT]).toEqual([8081, 8080]);
  const { subnet } = file.networks.operators?.ipam?.config[0] ?? {};
  expect(CONSOLE_NETWORKS).toEqual(parseNetworks(subnet ?? ''));
  // The name exists only on the network `operators`, so the console's connections have an address of its subnet.
  const { networks } = file.services.gateway ?? {};
  expect(networks).toMatchObject({ operators: { aliases: ['gateway-operators'] }, inner: {} });
});

test.each(services)('%s gets the settings that it reads, and no others', (name) => {
  const read = new Set([...Object.keys(settingsOf[name]), 'OTEL_TRACES_SAMPLER_ARG']);
  const given = Object.keys(file.services[name]?.environment ?? {}).map((key) => key.replace(/_FILE$/, ''));
  expect(given.filter((key) => !read.has(key))).toEqual([]);
});

test('no command line and no variable contains a secret: each is read from its file', () => {
  for (const [name, service] of Object.entries(file.services)) {
    const { command = [], entrypoint = [], environment = {} } = service;
    const words = [...command, ...entrypoint].join(' ');
    expect([name, /password|secret|:\/\/[^ ]*@/i.test(words.replaceAll(/\/run\/secrets\/\w+/g, ''))]).toEqual(
      [name, false],
    );
    for (const [key, value] of Object.entries(environment)) {
      if (/SECRET|PASSWORD|DATABASE_URL|KEYS?(_|$)/.test(key))
        expect([key, value]).toEqual([key, expect.stringMatching(/^\/run\/secrets\//)]);
    }
  }
});

test('the services start after the jobs for migration, namespace and stream', () => {
  const jobs = ['migrate', 'temporal-namespace', 'nats-stream'];
  for (const name of services) {
    expect(file.services[name]?.depends_on).toEqual(
      Object.fromEntries(jobs.map((job) => [job, { condition: 'service_completed_successfully' }])),
    );
  }
  for (const job of [...jobs, 'temporal-schema']) expect(file.services[job]?.restart).toBe('on-failure');
});

test('every service that uses the stream has the addresses of all three servers', () => {
  const names = Object.keys(file.services).filter((name) => /^nats-\d$/.test(name));
  expect(names).toHaveLength(3);
  for (const name of ['benefits', 'claims', 'payments', 'webhooks'] as const) {
    const { NATS_URL } = loadConfig(settingsOf[name], environmentOf(name));
    expect(NATS_URL).toEqual(names.map((server) => `nats://${server}:4222`));
  }
});

test('the job creates the same stream as the services would, with three replicas', () => {
  const stream = JSON.parse(readFileSync(join(COMPOSE_FOLDER, 'nats/stream.json'), 'utf8'));
  expect(stream).toEqual({ ...STREAM_SETTINGS, num_replicas: 3 });
});

test.each([
  'prune.sh',
  'nats/create-stream.sh',
  '../nats/check-writes.sh',
  'postgres/create-temporal-role.sh',
  'temporal/setup-schema.sh',
])('the shell accepts the syntax of %s', (script) => {
  execFileSync('sh', ['-n', join(COMPOSE_FOLDER, script)]);
});
