import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ISSUERS, newPrivateKey, publicKeyOf } from '@carecover/config';
import { ISSUER_RULES } from '@carecover/http';
import { drawCases } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { networksOf, readComposeFile, secretsOf } from '../../compose/src/compose-file';
import { certificateIn } from '../../local/src/certificate';
import { settings as localSettings } from '../../local/src/services';
import { CHART, engine, type Manifest, MINIMUM, parseManifests, RELEASE, renderChart, runHelm } from './helm';
import { documentedPaths, ofKind, processOf, RULES } from './rules';
import { loadSchemas, type Validate } from './schemas';
import {
  environmentOf,
  mountedKeys,
  SDK_SETTING,
  SERVICES,
  SETTINGS_OF,
  type Service,
  serviceOf,
  settingsProblems,
} from './settings';

const folder = mkdtempSync(join(tmpdir(), 'carecover-chart-'));
const secrets = join(folder, 'secrets');
let secretManifests: Manifest[];
let validate: Validate;

beforeAll(async () => {
  const script = join(CHART, 'make-secrets.mjs');
  secretManifests = JSON.parse(execFileSync(process.execPath, [script, secrets], { encoding: 'utf8' })).items;
  // make-secrets.mjs does not create the API key: in an installation, the operator creates it in Temporal Cloud.
  writeFileSync(join(secrets, 'temporal_api_key'), 'a-key-of-temporal-cloud');
  // make-secrets.mjs does not create the console's client secret: in an installation, the identity provider creates it.
  writeFileSync(join(secrets, 'oidc_client_secret'), 'a secret of the identity provider');
  const { leaf, key } = await certificateIn(join(folder, 'tls'));
  copyFileSync(leaf, join(secrets, 'tls.crt'));
  copyFileSync(key, join(secrets, 'tls.key'));
  validate = await loadSchemas();
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The choices that an operator has in the values of the chart, each with its alternatives. In `npm run soak` the tests render every
 * combination of alternatives, in `npm test` as many as are needed to have each pair of alternatives once.
 */
const CHOICES = {
  tls: {
    certificate: {},
    proxy: { gateway: { tlsSecret: '', trustedProxies: ['10.0.0.0/8'], serviceType: 'ClusterIP' } },
  },
  temporal: {
    certificate: {},
    apiKey: {
      temporal: {
        address: 'eu-west-1.aws.api.temporal.io:7233',
        namespace: 'care.a1b2c',
        authentication: 'apiKey',
        peers: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'temporal' } } }],
      },
    },
  },
  autoscaling: Object.fromEntries(['none', 'cpu', 'keda'].map((mode) => [mode, { autoscaling: { mode } }])),
  traces: {
    no: {},
    yes: {
      traces: {
        endpoint: 'http://collector.monitoring:4318',
        sampler: 'parentbased_traceidratio',
        samplerArgument: '0.1',
        peers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      },
    },
  },
  prometheus: {
    no: {},
    yes: {
      prometheus: {
        peers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      },
    },
  },
  others: {
    defaults: {},
    changed: {
      environment: 'sandbox',
      image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
      gateway: { serviceAnnotations: { a: 'b' } },
      processes: {
        gateway: { settings: { DATABASE_POOL: 20, UNAUTHENTICATED_LIMIT: 1000 } },
        'payments-server': { replicas: 3, settings: { RECONCILIATION_SECONDS: 86400 } },
        'webhooks-worker': { settings: { WEBHOOK_RETENTION_DAYS: 90 } },
      },
      operator: { storageClass: 'fast' },
      console: {
        enabled: true,
        url: 'https://console.example.com',
        trustedProxies: ['10.0.0.0/8'],
        issuer: 'https://id.example.com/tenant',
        clientId: 'console',
        temporalUiUrl: 'https://temporal.example.com',
        peers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
        issuerPeers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'identity' } } }],
      },
    },
  },
} as const;

/** Merges values as Helm does. */
function mergeValues(...all: readonly object[]): object {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of all.flatMap((each) => Object.entries(each))) {
    const before = merged[key];
    const isMap = (each: unknown): each is object =>
      typeof each === 'object' && each !== null && !Array.isArray(each);
    merged[key] = isMap(before) && isMap(value) ? mergeValues(before, value) : value;
  }
  return merged;
}

interface Combination {
  /** The chosen alternatives, such as `tls=proxy`. */
  readonly chosen: readonly string[];
  readonly values: object;
}

const allCombinations = Object.entries(CHOICES).reduce<readonly Combination[]>(
  (known, [choice, alternatives]) =>
    known.flatMap(({ chosen, values }) =>
      Object.entries(alternatives).map(([alternative, more]) => ({
        chosen: [...chosen, `${choice}=${alternative}`],
        values: mergeValues(values, more),
      })),
    ),
  [{ chosen: [], values: MINIMUM }],
);

/** Returns combinations that together have each pair of alternatives. */
function coverPairs(combinations: readonly Combination[]): Combination[] {
  const pairsOf = ({ chosen }: Combination) =>
    chosen.flatMap((first, index) => chosen.slice(index + 1).map((second) => `${first} ${second}`));
  const missing = new Set(combinations.flatMap(pairsOf));
  const covering: Combination[] = [];
  while (missing.size > 0) {
    const countNew = (each: Combination) => pairsOf(each).filter((pair) => missing.has(pair)).length;
    const best = combinations.reduce((a, b) => (countNew(b) > countNew(a) ? b : a));
    for (const pair of pairsOf(best)) missing.delete(pair);
    covering.push(best);
  }
  return covering;
}

const combinations = testSize({ ci: coverPairs(allCombinations), soak: allCombinations });

/** The functions that find problems in the rendered chart, by the name of the check: the rules, and the checks of schemas and settings. */
const FINDERS: Readonly<Record<string, (manifests: readonly Manifest[]) => string[]>> = {
  ...Object.fromEntries(RULES.map(({ name, find }) => [name, find])),
  'each object is valid': (manifests) => manifests.flatMap(validate),
  'the settings are those that the code reads': (manifests) => settingsProblems(manifests, secrets),
};

/** Returns the problems of the rendered chart by the name of the check that found them; checks without a problem are absent. */
const findProblems = (manifests: readonly Manifest[]) =>
  Object.fromEntries(
    Object.entries(FINDERS)
      .map(([name, find]) => [name, find(manifests)] as const)
      .filter(([, problems]) => problems.length > 0),
  );

/** Number of concurrent Helm processes. */
const PROCESSES = 4;

/** Renders or lints the chart with each combination, and expects that `find` returns no problem. */
async function expectNoProblem(
  combinations: readonly Combination[],
  find: (values: object) => Promise<readonly string[]>,
): Promise<void> {
  const problems: Record<string, readonly string[]> = {};
  const check = async ({ chosen, values }: Combination) => {
    const found = await find(values);
    if (found.length > 0) problems[chosen.join(' ')] = found;
  };
  for (let first = 0; first < combinations.length; first += PROCESSES)
    await Promise.all(combinations.slice(first, first + PROCESSES).map(check));
  expect(problems).toEqual({});
}

test(`${combinations.length} combinations of values are valid and keep every rule`, () =>
  expectNoProblem(combinations, async (values) =>
    Object.entries(findProblems(await renderChart(values))).map(([name, found]) => `${name}: ${found}`),
  ));

/** Helm renders the chart again to find faults, so that `npm test` draws some of the combinations. */
const linted = testSize({ ci: drawCases(combinations, 2), soak: combinations });

test(`Helm finds no fault with ${linted.length} combinations of values`, () =>
  expectNoProblem(linted, async (values) => {
    const { code, stdout } = await runHelm(['lint', '--strict', CHART], values);
    return code !== 0 || /\[(WARNING|ERROR)\]/.test(stdout) ? [stdout] : [];
  }));

test('the schemas reject an unknown field, a missing field and a wrong type', () => {
  const policy = (spec: object) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'a' },
    spec,
  });
  expect(validate(policy({ podSelector: {}, ingress: [] }))).toEqual([]);
  expect(validate(policy({ podSelector: {}, ingres: [] }))).toEqual([expect.stringContaining('ingres')]);
  expect(validate(policy({ podSelector: [] }))).toEqual([expect.stringContaining('must be object')]);
  const scaled = {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'a' },
    spec: { triggers: [{ type: 'cpu', metadata: {} }] },
  };
  expect(validate(scaled)).toEqual([expect.stringContaining('scaleTargetRef')]);
  expect(validate({ apiVersion: 'v2', kind: 'Pod' })).toEqual(['Pod undefined: no schema of v2']);
});

describe('every setting and secret', () => {
  const compose = readComposeFile();
  const names = (environment: Readonly<Record<string, string>>) =>
    Object.keys(environment)
      .map((name) => name.replace(/_FILE$/, ''))
      .sort();
  let deployments: Manifest[];
  let others: Manifest[];
  beforeAll(async () => {
    const { console } = CHOICES.others.changed;
    const all = mergeValues(MINIMUM, CHOICES.traces.yes, {
      gateway: { trustedProxies: ['10.0.0.0/8'] },
      console,
    });
    deployments = ofKind(await renderChart(all), 'Deployment');
    // The tests that compare the chart with the compose file and the local stack leave out the console: the compose file does not contain it, and the local stack starts it by a separate function.
    others = deployments.filter((each) => processOf(each) !== 'console');
  });

  test('of the compose file is set, and no other', () => {
    for (const deployment of others) {
      const service = serviceOf(processOf(deployment));
      const { environment = {} } = compose.services[service] ?? {};
      // The compose file needs no TEMPORAL_TLS_SERVER_NAME, because the name in the certificate of Temporal's server is the host of the
      // address. In the chart, a network policy has the effect of CONSOLE_NETWORKS.
      const ofChart = names(environmentOf(deployment)).filter((name) => name !== 'TEMPORAL_TLS_SERVER_NAME');
      const ofCompose = names(environment).filter((name) => name !== 'CONSOLE_NETWORKS');
      expect([processOf(deployment), ofChart]).toEqual([processOf(deployment), ofCompose]);
    }
  });

  test('has the value of the compose file, but for addresses and what an operator chooses', () => {
    const chosen =
      /_URL$|_ADDRESS$|^CONSOLE_NETWORKS$|^OTEL_|^PUBLIC_URL$|^TRUSTED_PROXY$|^CARECOVER_ENVIRONMENT$|^TLS_|^TEMPORAL_TLS_SERVER_NAME$/;
    for (const deployment of others) {
      const { environment = {} } = compose.services[serviceOf(processOf(deployment))] ?? {};
      const fixed = (all: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => !chosen.test(name)));
      expect(fixed(environmentOf(deployment))).toEqual(fixed(environment));
    }
  });

  test('and secret of the compose file is mounted, and no other', () => {
    for (const deployment of others) {
      const mounted = mountedKeys(deployment);
      const service = compose.services[serviceOf(processOf(deployment))];
      // The gateway's certificate and key are in a separate Secret, of the type that certificate issuers write.
      const expected =
        service && secretsOf(service).filter((name) => !/^gateway_(certificate|key)$/.test(name));
      expect([processOf(deployment), mounted]).toEqual([processOf(deployment), expected]);
    }
  });

  test('of the local stack is set, and the rest is what a single machine does not need', () => {
    const onlyInCluster =
      /^(TEMPORAL_TLS_|OTEL_|METRICS_HOST|OPERATOR_HOST|PUBLIC_URL|TRUSTED_PROXY|LOG_LEVEL|TEMPORAL_NAMESPACE)/;
    for (const deployment of others) {
      const service = serviceOf(processOf(deployment));
      const { local, chart } = {
        // The local stack sets the addresses of all services for every service, so only the settings that the service reads are compared.
        // The stack adds the address of its console to the gateway's settings.
        local: names({
          ...localSettingsOf(service as Exclude<Service, 'console'>),
          ...(service === 'gateway' && { CONSOLE_PUBLIC_URL: '' }),
        }).filter((name) => name in SETTINGS_OF[service] && name !== 'CONSOLE_NETWORKS'),
        chart: names(environmentOf(deployment)).filter((name) => !onlyInCluster.test(name)),
      };
      expect([processOf(deployment), chart]).toEqual([processOf(deployment), local]);
    }
  });

  test('that the code reads is set, or is a value of the process', () => {
    const { processes } = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')).properties;
    for (const deployment of deployments) {
      const process = processOf(deployment);
      const values = Object.keys(processes.properties[process].properties.settings.properties);
      const set = [...names(environmentOf(deployment)), ...values];
      const read = [...Object.keys(SETTINGS_OF[serviceOf(process)]), SDK_SETTING];
      // Settings that the chart does not set: it sets OTEL_EXPORTER_OTLP_ENDPOINT instead of the traces endpoint, and a client certificate
      // instead of Temporal's API key. Its workers have no build ID (decision 0033).
      const alternatives = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'TEMPORAL_API_KEY', 'WORKER_BUILD_ID'];
      expect([process, set.sort()]).toEqual([
        process,
        read.filter((name) => !alternatives.includes(name)).sort(),
      ]);
    }
  });

  test('of the jobs and of the operator is that of the compose file', async () => {
    const manifests = await renderChart(MINIMUM);
    const containers = {
      migrate: 'migrate',
      stream: 'nats-stream',
      namespace: 'temporal-namespace',
      operator: 'operator',
    };
    for (const [name, container] of Object.entries(containers)) {
      const [manifest] = ofKind(manifests, 'Job', 'StatefulSet').filter((each) => processOf(each) === name);
      const service = compose.services[container];
      const added = ['HOME', 'TEMPORAL_TLS_SERVER_NAME'];
      expect([name, names(environmentOf(manifest)).filter((each) => !added.includes(each))]).toEqual([
        name,
        names(service?.environment ?? {}),
      ]);
      expect([name, mountedKeys(manifest)]).toEqual([name, service && secretsOf(service)]);
    }
  });

  test('of the keys of signed contexts is the own private key of an issuer alone', () => {
    for (const deployment of deployments) {
      const service = serviceOf(processOf(deployment));
      const keys = mountedKeys(deployment).filter((key) => key.startsWith('context_'));
      const own = ISSUERS.some((issuer) => issuer === service) ? [`context_${service}_key`] : [];
      expect([processOf(deployment), keys]).toEqual([processOf(deployment), [...own, 'context_public_keys']]);
    }
    for (const service of SERVICES.filter((each) => each !== 'console')) {
      const { CONTEXT_PRIVATE_KEY, CONTEXT_PUBLIC_KEYS = '', ...rest } = localSettingsOf(service);
      const own =
        CONTEXT_PRIVATE_KEY === undefined ? undefined : `${service}:${publicKeyOf(CONTEXT_PRIVATE_KEY)}`;
      expect([service, CONTEXT_PUBLIC_KEYS.split(',').find((each) => each === own)]).toEqual([service, own]);
      expect(own === undefined).toBe(service === 'webhooks');
      expect(JSON.stringify(rest)).not.toContain('PRIVATE KEY');
    }
  });

  test('of the addresses names the services that accept contexts of the process, and no others', () => {
    for (const [issuer, { audiences }] of Object.entries(ISSUER_RULES)) {
      const deployment = deployments.find((each) => serviceOf(processOf(each)) === issuer);
      const addresses = names(environmentOf(deployment)).flatMap((name) => {
        const [, service] = /^(GATEWAY|CARE|BENEFITS|CLAIMS|PAYMENTS|WEBHOOKS)_URL$/.exec(name) ?? [];
        return service === undefined ? [] : [service.toLowerCase()];
      });
      expect([issuer, addresses]).toEqual([issuer, [...audiences].sort()]);
    }
  });

  test('is in the Secrets that make-secrets.mjs prints, with the names that the chart and the engines use', async () => {
    const keysOf = Object.fromEntries(
      secretManifests.map(({ metadata, data }) => [metadata.name, Object.keys(data)]),
    );
    expect(secretManifests.flatMap(validate)).toEqual([]);
    const manifests = await renderChart(MINIMUM);
    for (const each of ofKind(manifests, 'Deployment', 'Job', 'StatefulSet'))
      for (const key of mountedKeys(each)) expect(keysOf.carecover).toContain(key);
    const [cluster] = parseManifests(engine('postgres.yaml'));
    for (const { name, passwordSecret } of cluster.spec.managed.roles) {
      const { data } = secretManifests.find(({ metadata }) => metadata.name === passwordSecret.name);
      expect(Buffer.from(data.username, 'base64').toString()).toBe(name);
      expect(Object.keys(data)).toContain('password');
    }
    expect(keysOf['carecover-temporal-tls']).toEqual(['tls.crt', 'tls.key', 'ca.crt']);
    const admin = new URL(readFileSync(join(secrets, 'admin_database_url'), 'utf8'));
    expect([admin.username, admin.hostname]).toEqual([
      cluster.spec.bootstrap.initdb.owner,
      `${cluster.metadata.name}-rw`,
    ]);
    expect(admin.password).toBe(readFileSync(join(secrets, 'postgres_password'), 'utf8'));
  });
});

/** Returns the settings that the local stack gives to a service. */
function localSettingsOf(service: Exclude<Service, 'console'>): Record<string, string> {
  // biome-ignore lint/suspicious/noExplicitAny: values do not matter, only names
  const anything: any = new Proxy({}, { get: (_, name) => (name === 'map' ? () => [] : anything) });
  const contextKeys = Object.fromEntries(ISSUERS.map((name) => [name, newPrivateKey()]));
  const context = {
    ...anything,
    secrets: Object.assign(Object.create(anything), { contextKeys }),
    certificate: anything,
    innerPorts: anything,
    databaseUrl: () => '',
    buildId: () => null,
  };
  return localSettings({ service, replica: 0, port: 1, healthPort: 2, operatorPort: 3 }, context) as Record<
    string,
    string
  >;
}

describe('the engines', () => {
  test('PostgreSQL loses no confirmed commit when one instance is lost', () => {
    const manifests = parseManifests(engine('postgres.yaml'));
    expect(manifests.flatMap(validate)).toEqual([]);
    const [{ spec }, ...databases] = manifests;
    expect(spec).toMatchObject({
      instances: 3,
      affinity: { podAntiAffinityType: 'required' },
      postgresql: {
        synchronous: { method: 'any', number: 1, dataDurability: 'required', failoverQuorum: true },
      },
    });
    expect(databases.map((each) => each.spec.name)).toEqual(['temporal', 'temporal_visibility']);
  });

  test('NATS stores each message three times and on disk, with the accounts of the other deployments', () => {
    const [values] = parseManifests(engine('nats.yaml'));
    expect(values.config).toMatchObject({
      cluster: { enabled: true, replicas: 3 },
      jetstream: { enabled: true, merge: { sync_interval: 'always' } },
      merge: { '00$include': '../nats-authorization/authorization.conf' },
    });
    const volume = values.podTemplate.patch[0].value;
    const [{ configMap }, { secret }] = volume.projected.sources;
    const items = readdirSync(join(CHART, '../nats')).map((name) => ({ key: name, path: name }));
    expect(configMap.items).toEqual(items);
    expect(secret.items).toEqual([{ key: 'nats_passwords', path: 'passwords.conf' }]);
    expect(values.config.cluster.merge.authorization.user).toBe('server');
    const [mount, probe] = values.container.patch;
    expect(probe).toMatchObject({ op: 'add', path: '/livenessProbe' });
    const [, , command] = probe.value.exec.command;
    expect(command).toContain(`sh ${mount.value.mountPath}/check-writes.sh && wget`);
    const conf = readFileSync(join(CHART, '../compose/nats/nats.conf'), 'utf8');
    expect(conf).toContain(`max_file_store: ${values.config.jetstream.fileStore.maxSize}B`);
  });

  test('the job creates the stream of the compose file', async () => {
    const manifests = await renderChart(MINIMUM);
    const [{ data }] = ofKind(manifests, 'ConfigMap');
    for (const [name, text] of Object.entries(data))
      expect(text).toBe(readFileSync(join(CHART, '../compose/nats', name), 'utf8'));
    expect(Object.keys(data)).toEqual(['create-stream.sh', 'stream.json']);
  });

  test('Temporal has the configuration of the compose file', () => {
    const { environment = {} } = readComposeFile().services.temporal ?? {};
    const [{ server }] = parseManifests(engine('temporal.yaml'));
    const { persistence } = server.config;
    expect(String(persistence.numHistoryShards)).toBe(environment.NUM_HISTORY_SHARDS);
    for (const [store, database] of [
      ['default', environment.DBNAME],
      ['visibility', environment.VISIBILITY_DBNAME],
    ]) {
      const { sql } = persistence.datastores[String(store)];
      expect(sql).toMatchObject({
        databaseName: database,
        pluginName: environment.DB,
        user: environment.POSTGRES_USER,
        manageSchema: true,
        existingSecret: 'carecover-postgres-temporal',
      });
      expect(sql.password).toBeUndefined();
    }
    const [compose] = parseManifests(
      readFileSync(join(CHART, '../compose/temporal/dynamic-config.yaml'), 'utf8'),
    );
    expect(server.dynamicConfig).toEqual(compose);
    for (const part of ['internode', 'frontend'])
      expect(server.tls[part]).toMatchObject({
        enabled: true,
        requireClientAuth: true,
        serverName: environment.TEMPORAL_TLS_FRONTEND_SERVER_NAME,
      });
  });
});

test('the architecture names the same callers as targets, and the networks of the compose file', () => {
  const text = readFileSync(join(CHART, '../../docs/architecture.md'), 'utf8');
  const paths = documentedPaths();
  expect(paths.length).toBeGreaterThan(40);
  for (const service of SERVICES.filter((each) => each !== 'gateway' && each !== 'console')) {
    const [, cell = ''] = new RegExp(`^\\| ${service}-server \\| ([^|]*) \\|`, 'm').exec(text) ?? [];
    const callers = paths
      .filter((path) => path.endsWith(`-> ${service}-server`))
      .map((path) => serviceOf(path.split(' ')[0] ?? ''));
    expect([service, cell.split(', ').sort()]).toEqual([service, [...new Set(callers)].sort()]);
  }
  const networks: Record<string, string> = { PostgreSQL: 'database', Temporal: 'workflows', NATS: 'events' };
  const compose = readComposeFile();
  for (const [engineName, network] of Object.entries(networks)) {
    const members = SERVICES.filter((name) =>
      networksOf(compose.services[name] ?? { image: '' }).includes(network),
    );
    const documented = paths
      .filter((path) => path.endsWith(`-> ${engineName}`))
      .map((path) => path.split(' ')[0] ?? '');
    const services = documented.map(serviceOf).filter((name) => SERVICES.includes(name));
    expect([engineName, [...new Set(services)].sort()]).toEqual([engineName, members.sort()]);
  }
});

test.each([
  [{ publicUrl: '' }, 'publicUrl is not set: it must be the origin of the API'],
  [{ publicUrl: 'http://api.example.com' }, "at '/publicUrl': 'http://api.example.com' does not match"],
  [{ publicUrl: 'https://api.example.com/v1' }, "at '/publicUrl'"],
  [{ environment: 'test' }, "at '/environment': value must be one of 'sandbox', 'production'"],
  [{ gateway: { tlsSecret: '' } }, 'gateway.tlsSecret and gateway.trustedProxies are both empty'],
  [{ gateway: { trustedProxies: ['10.0.0.1'] } }, "at '/gateway/trustedProxies/0'"],
  [
    { processes: { 'claims-server': { replicas: 0 } } },
    "at '/processes/claims-server/replicas': minimum: got 0, want 1",
  ],
  [{ processes: { 'claims-server': { settings: { NOPE: 1 } } } }, "additional properties 'NOPE' not allowed"],
  [{ processes: { claims: {} } }, "at '/processes': additional properties 'claims' not allowed"],
  [{ autoscaling: { mode: 'on' } }, "at '/autoscaling/mode': value must be one of 'none', 'cpu', 'keda'"],
  [{ temporal: { authentication: 'apiKey' } }, 'temporal.authentication is apiKey, for Temporal Cloud: set'],
  [{ temporal: { address: 'temporal' } }, "at '/temporal/address'"],
  [{ temporal: { peers: [] } }, "at '/temporal/peers': minItems: got 0, want 1"],
  [{ postgres: { peers: [{}] } }, "at '/postgres/peers/0': minProperties"],
  [{ nats: { urls: ['nats://claims:password@nats:4222'] } }, "at '/nats/urls/0'"],
  [{ traces: { endpoint: 'http://collector:4318' } }, 'traces.endpoint is set and traces.peers is empty'],
  [{ internet: { except: [] } }, "at '/internet/except': minItems"],
  [{ console: { enabled: true } }, 'console.enabled is true: set console.url, console.issuer'],
  [{ processes: { console: { replicas: 2 } } }, "at '/processes/console/replicas': value must be 1"],
  [{ unknown: true }, "additional properties 'unknown' not allowed"],
])('the values %j are rejected with the reason', async (values, message) => {
  const { code, stderr } = await runHelm(['template', RELEASE, CHART], mergeValues(MINIMUM, values));
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

/**
 * Mutants of the chart (its templates with one deliberate fault each), which the named check must find: part of the check's name, the
 * changed file, the replaced text, its replacement, and the values to render the mutant with.
 */
const MUTANTS: readonly (readonly [
  finder: string,
  file: string,
  text: string,
  replacement: string,
  values?: object | undefined,
])[] = [
  ['network policies', '_processes.tpl', 'calls: [care, benefits, payments]', 'calls: [care, benefits]'],
  ['network policies', '_processes.tpl', 'calls: [benefits]', 'calls: [benefits, payments]'],
  ['network policies', '_processes.tpl', '  internet: true\n', ''],
  ['settings are', '_processes.tpl', 'roles: [worker]\n  calls: [claims]', 'roles: []\n  calls: [claims]'],
  ['network policies', '_processes.tpl', 'migrate: { postgres: true }', 'migrate: {}'],
  [
    'network policies',
    '_processes.tpl',
    'operator: { postgres: true, temporal: true, nats: true }',
    'operator: { postgres: true, temporal: true, nats: true, internet: true, calls: [] }\nextra: { postgres: true }',
  ],
  [
    'settings are',
    '_processes.tpl',
    'payments: { addresses: [claims], secrets: [hash_secret]',
    'payments: { addresses: [claims], secrets: []',
  ],
  [
    'settings are',
    '_processes.tpl',
    'care: { addresses: [benefits], secrets: [hash_secret], issuer: true }',
    'care: { addresses: [benefits], secrets: [hash_secret, webhook_encryption_keys], issuer: true }',
  ],
  ['settings are', '_processes.tpl', 'webhooks: { addresses: []', 'webhooks: { addresses: [claims]'],
  ['settings are', '_helpers.tpl', 'CARECOVER_MODE: production', 'CARECOVER_MODE: local'],
  ['settings are', '_helpers.tpl', 'HOST: 0.0.0.0', 'HOSTNAME: 0.0.0.0'],
  ['settings are', '_helpers.tpl', 'PUBLIC_URL: {{ $root.Values.publicUrl }}', 'PUBLIC_URL: ""'],
  ['settings are', '_helpers.tpl', 'TEMPORAL_TLS_CLIENT_KEY_PATH: /run/secrets/temporal_client_key\n', ''],
  [
    'settings are',
    '_helpers.tpl',
    '$keys = append $keys (printf "nats_%s_password" $service)',
    '$keys = append $keys "nats_operator_password"',
  ],
  ['restricted', '_helpers.tpl', 'runAsNonRoot: true', 'runAsNonRoot: false'],
  [
    'restricted',
    '_helpers.tpl',
    'seccompProfile: { type: RuntimeDefault }',
    'seccompProfile: { type: Unconfined }',
  ],
  ['restricted', '_helpers.tpl', 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false'],
  ['restricted', '_helpers.tpl', 'capabilities: { drop: [ALL] }', 'capabilities: { drop: [NET_RAW] }'],
  ['restricted', '_helpers.tpl', 'automountServiceAccountToken: false', 'automountServiceAccountToken: true'],
  ['network policies', '_helpers.tpl', 'carecover/connects-to-{{ $engine }}', 'carecover/uses-{{ $engine }}'],
  [
    'stopped pod',
    'deployments.yaml',
    'terminationGracePeriodSeconds: 45',
    'terminationGracePeriodSeconds: 30',
  ],
  ['stopped pod', '_helpers.tpl', 'DRAIN_MS: 5000', 'DRAIN_MS: 1000'],
  [
    'probes',
    'deployments.yaml',
    'httpGet: { path: /health/live, port: 8080 }\n            periodSeconds: 10',
    'httpGet: { path: /health/ready, port: 8080 }\n            periodSeconds: 10',
  ],
  ['probes', 'deployments.yaml', 'failureThreshold: 6\n', 'failureThreshold: 2\n'],
  ['loss of a node', 'deployments.yaml', 'maxUnavailable: 0', 'maxUnavailable: 1'],
  [
    'object is valid',
    'deployments.yaml',
    'whenUnsatisfiable: ScheduleAnyway',
    'whenUnsatisfiable: [ScheduleAnyway]',
  ],
  [
    'loss of a node',
    'deployments.yaml',
    'list "topology.kubernetes.io/zone" "kubernetes.io/hostname"',
    'list "topology.kubernetes.io/zone"',
  ],
  ['loss of a node', 'deployments.yaml', 'replicas: {{ $values.replicas }}', 'replicas: 1'],
  ['probes', 'deployments.yaml', 'startupProbe:', 'startUpProbe:'],
  [
    'loss of a node',
    'deployments.yaml',
    '{{- if or $isConsole (eq $.Values.autoscaling.mode "none") }}',
    '{{- if true }}',
    CHOICES.autoscaling.cpu,
  ],
  ['loss of a node', 'disruption-budgets.yaml', 'maxUnavailable: 1', 'maxUnavailable: 2'],
  [
    'loss of a node',
    'disruption-budgets.yaml',
    'include "carecover.selector" (list $ $name)',
    'include "carecover.selector" (list $ "all")',
  ],
  [
    'each selector',
    'network-policies.yaml',
    'name: {{ $.Release.Name }}-deny',
    'name: {{ $.Release.Name }}-dns',
  ],
  [
    'network policies',
    'network-policies.yaml',
    '- from:\n        - podSelector:\n            matchLabels: {{- include "carecover.selector" (list $ .) | nindent 14 }}',
    '- from:\n        - podSelector: {}',
  ],
  [
    'network policies',
    'network-policies.yaml',
    'cidr: 0.0.0.0/0, except: {{ toJson $.Values.internet.except }}',
    'cidr: 0.0.0.0/0',
  ],
  [
    'network policies',
    'network-policies.yaml',
    'policyTypes: [Ingress, Egress]\n  {{- if or',
    'policyTypes: [Ingress]\n  {{- if or',
  ],
  [
    'only the gateway',
    'services.yaml',
    '- { name: http, port: 8080, targetPort: 8080 }\n{{- end }}\n{{- end }}',
    '- { name: http, port: 8080, targetPort: 8080 }\n  type: LoadBalancer\n{{- end }}\n{{- end }}',
  ],
  ['each selector', 'services.yaml', '{{- else if has "server" $process.roles }}', '{{- else }}'],
  [
    'loss of a node',
    'autoscaling.yaml',
    'scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $.Release.Name }}-{{ $name }} }',
    'scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }',
    CHOICES.autoscaling.cpu,
  ],
  [
    'each selector',
    'autoscaling.yaml',
    'authenticationRef: { name: {{ $.Release.Name }}-temporal }',
    'authenticationRef: { name: temporal }',
    CHOICES.autoscaling.keda,
  ],
  [
    'loss of a node',
    'autoscaling.yaml',
    '{{- else }}\n---',
    '{{- end }}\n{{- if true }}\n---',
    CHOICES.autoscaling.keda,
  ],
  [
    'prepared',
    'jobs.yaml',
    'helm.sh/hook: pre-install,pre-upgrade\n    # The job',
    'helm.sh/hook: post-install\n    # The job',
  ],
  [
    'settings are',
    'jobs.yaml',
    '$keys = list "admin_database_url" }}',
    '$keys = list "admin_database_url" "context_gateway_key" }}',
  ],
  ['restricted', 'jobs.yaml', 'restartPolicy: Never', 'restartPolicy: Always\n      hostNetwork: true'],
  [
    'settings are',
    'operator.yaml',
    'HASH_SECRET_FILE, value: /run/secrets/hash_secret',
    'HASH_SECRET, value: secret',
  ],
  [
    'only the console',
    'network-policies.yaml',
    '- ports: [{ protocol: TCP, port: 8443 }]',
    '- ports: [{ protocol: TCP, port: 8443 }, { protocol: TCP, port: 8081 }]',
    CHOICES.others.changed,
  ],
  [
    'only the console',
    'network-policies.yaml',
    '- from: {{- toYaml . | nindent 8 }}\n      ports: [{ protocol: TCP, port: 8080 }]',
    '- from: {{- toYaml . | nindent 8 }}',
    mergeValues(CHOICES.others.changed, CHOICES.prometheus.yes),
  ],
  [
    'only the console',
    '_helpers.tpl',
    '{{- if $root.Values.console.enabled }}\nOPERATOR_HOST',
    '{{- if true }}\nOPERATOR_HOST',
  ],
  ['settings are', '_helpers.tpl', 'context_{{ $service }}_key', 'context_console_key'],
  ['network policies', '_processes.tpl', '  identityProvider: true\n', '', CHOICES.others.changed],
  [
    'network policies',
    'network-policies.yaml',
    'from: {{- toYaml $.Values.console.peers | nindent 8 }}\n      ports',
    'ports',
    CHOICES.others.changed,
  ],
  ['settings are', '_helpers.tpl', 'OIDC_ISSUER: {{ .issuer }}', 'OIDC_ISSUER: id', CHOICES.others.changed],
  [
    'names and labels',
    'services.yaml',
    'name: {{ $.Release.Name }}-{{ $process.service }}',
    'name: {{ $.Release.Name }}_{{ $process.service }}',
  ],
  [
    'names and labels',
    '_helpers.tpl',
    'helm.sh/chart: {{ (index . 0).Chart.Name }}-',
    'helm.sh/chart: {{ (index . 0).Chart.Name }}+',
  ],
  [
    'network policies',
    'network-policies.yaml',
    'policyTypes: [Ingress, Egress]\n---',
    'policyTypes: [Egress]\n---',
  ],
  [
    'network policies',
    'network-policies.yaml',
    '{{- with $.Values.gateway.peers }}',
    '{{- with $.Values.dns.peers }}',
  ],
  [
    'prepared',
    'jobs.yaml',
    'helm.sh/hook-delete-policy: before-hook-creation\ndata',
    'helm.sh/hook-delete-policy: hook-succeeded\ndata',
  ],
];

test.each(MUTANTS)('%s: a change of %s is found: %j', async (...mutant) => {
  const [finder, file, text, replacement, values = {}] = mutant as unknown as (typeof MUTANTS)[number];
  const copy = join(folder, 'mutant');
  rmSync(copy, { recursive: true, force: true });
  cpSync(CHART, copy, {
    recursive: true,
    dereference: true,
    filter: (path) => !/\/(src|engines)$/.test(path),
  });
  const path = join(copy, 'templates', file);
  const original = readFileSync(path, 'utf8');
  expect(original).toContain(text);
  writeFileSync(
    path,
    original.replace(text, () => replacement),
  );
  const found = Object.keys(findProblems(await renderChart(mergeValues(MINIMUM, values), copy)));
  expect(found).toEqual(expect.arrayContaining([expect.stringContaining(finder)]));
});

test('each rule finds a change', () => {
  const finders = MUTANTS.map(([finder]) => finder);
  expect(Object.keys(FINDERS).filter((name) => !finders.some((finder) => name.includes(finder)))).toEqual([]);
});

test('the notes name the next steps', async () => {
  const { code, stdout, stderr } = await runHelm(['install', RELEASE, CHART, '--dry-run=client'], MINIMUM);
  expect([code, stderr.match(/Error.*/)]).toEqual([0, null]);
  const [, notes = ''] = stdout.split('NOTES:');
  expect(notes).toContain('for clients at https://api.example.com');
  expect(notes).toContain('projects create "First project" --environment production');
});
