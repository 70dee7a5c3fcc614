/**
 * Attacks the guarantee that a compromised process can only act as itself: with the key of each issuer, states every authority to every
 * service, and calls every route. The cases are generated from the issuers, the operations and the kinds of routes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ISSUERS, type Issuer } from '@carecover/config';
import { expandPath, operationList, type ServiceName } from '@carecover/contract';
import { storedTenant } from '@carecover/domain';
import { GatewayFixture } from '@carecover/gateway/testing';
import {
  CONTEXT_HEADER,
  createServiceApp,
  type Handlers,
  isResponseOf,
  operatorAuthority,
  projectAuthority,
  serviceAuthority,
  signStatement,
  startHttpServer,
} from '@carecover/http';
import { repositoryRoot } from '@carecover/setup/repository';
import { createLog } from '@carecover/telemetry';
import { drawCases } from '@carecover/testing';
import { freePort, testSize } from '@carecover/testing/servers';
import { keysOfIssuer, SERVICE_SECRET, TEST_ISSUER_KEYS } from '@carecover/testing/services';

const SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
const TENANT = storedTenant('prj_attacked');

/** A statement that an attacker signs with the key of an issuer. The default is one that the gateway may make. */
interface Forged {
  readonly issuer: Issuer;
  readonly authority?: string;
  readonly tenant?: string;
  readonly audience: ServiceName;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
}

function forge({ issuer, audience, ...stated }: Forged): string {
  const {
    authority = AUTHORITIES.key,
    tenant = TENANT,
    issuedAt = Date.now(),
    expiresAt = issuedAt + 60_000,
  } = stated;
  const identity = {
    tenant: storedTenant(tenant),
    environment: 'sandbox',
    authority,
    scopes: ['*'],
    resourceIds: null,
    consentDefault: 'granted',
    endpointLimit: 50,
  } as const;
  const key = keysOfIssuer(issuer).CONTEXT_PRIVATE_KEY;
  return signStatement(issuer, key, { identity, audience, issuedAt, expiresAt });
}

const AUTHORITIES = {
  key: projectAuthority(TENANT, 'key_1', null),
  token: projectAuthority(TENANT, 'key_1', 'tok_1'),
  operator: operatorAuthority('17'),
  ...(Object.fromEntries(
    [...ISSUERS, 'webhooks' as const].map((name) => [`service ${name}`, serviceAuthority(name)]),
  ) as Record<`service ${Issuer | 'webhooks'}`, string>),
};
type AuthorityName = keyof typeof AUTHORITIES;
const AUTHORITY_NAMES = Object.keys(AUTHORITIES) as AuthorityName[];

/** What each issuer may state. It repeats the table of the platform, so that a change there has to be made here too. */
const MAY_STATE: Readonly<Record<Issuer, readonly AuthorityName[]>> = {
  gateway: ['key', 'token'],
  console: ['operator'],
  care: ['service care'],
  benefits: ['service benefits'],
  claims: ['service claims'],
  payments: ['service payments'],
};
const MAY_CALL: Readonly<Record<Issuer, readonly ServiceName[]>> = {
  gateway: SERVICES,
  console: ['gateway', ...SERVICES],
  care: ['benefits'],
  benefits: ['care'],
  claims: ['care', 'benefits', 'payments'],
  payments: ['claims'],
};

interface Route {
  readonly method: string;
  readonly path: string;
  /** Who may call the route. */
  readonly issuers: readonly Issuer[];
}

const MESSAGE = 'reached';
/** How often a handler of the service was called. */
let reached = 0;
const reach = async () => {
  reached += 1;
  return { status: 200, body: MESSAGE };
};

const ports = new Map<ServiceName, number>();
const stops: (() => Promise<unknown>)[] = [];
let gatewayFixture: GatewayFixture;

function routesOf(service: ServiceName): Route[] {
  const own = operationList.filter((operation) => operation.service === service);
  return [
    ...own.map(({ method, path }) => ({
      method,
      path: `/v1${expandPath(path, () => 'x')}`,
      issuers: ['gateway', 'console'] as const,
    })),
    ...ISSUERS.map((issuer) => ({ method: 'POST', path: `/internal/for/${issuer}`, issuers: [issuer] })),
    { method: 'GET', path: '/operator/list', issuers: ['console'] },
    { method: 'POST', path: '/operator/change', issuers: ['console'] },
  ];
}

beforeAll(async () => {
  for (const service of SERVICES) {
    const ids = operationList.filter((operation) => operation.service === service).map(({ id }) => id);
    const app = createServiceApp({
      service,
      handlers: Object.fromEntries(ids.map((id) => [id, reach])) as Handlers,
      internal: ISSUERS.map((caller) => ({ method: 'POST', path: `/for/${caller}`, caller, handle: reach })),
      operator: [
        { method: 'GET', path: '/list', handle: reach },
        { method: 'POST', path: '/change', handle: reach },
      ],
      contextKeys: TEST_ISSUER_KEYS,
      hashSecret: SERVICE_SECRET,
      log: createLog(service, 'silent'),
      ready: async () => undefined,
    });
    const server = await startHttpServer(app, '127.0.0.1', 0);
    ports.set(service, server.port);
    stops.push(() => server.close());
  }
  gatewayFixture = await GatewayFixture.start();
  const port = await freePort();
  await gatewayFixture.gateway({ OPERATOR_PORT: String(port) });
  ports.set('gateway', port);
  stops.push(() => gatewayFixture.stop());
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly signature: string | null;
}

async function send(
  service: ServiceName,
  { method, path }: Route,
  context: string,
  body?: object,
): Promise<Sent> {
  const response = await fetch(`http://127.0.0.1:${ports.get(service)}${path}`, {
    method,
    headers: {
      [CONTEXT_HEADER]: context,
      'x-request-id': 'req_1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    text: await response.text(),
    signature: response.headers.get('x-carecover-answer'),
  };
}

describe.each(ISSUERS)('with the key of %s,', (issuer) => {
  test.each(SERVICES)(
    'a route of %s is reached only with its own authority, and only if it may call it',
    async (service) => {
      const routes = routesOf(service);
      for (const authority of AUTHORITY_NAMES) {
        const isValid = MAY_STATE[issuer].includes(authority) && MAY_CALL[issuer].includes(service);
        // A context that is invalid for the service is rejected before the route matters, so `npm test` draws the routes.
        for (const route of isValid ? routes : drawCases(routes, testSize({ ci: 4, soak: routes.length }))) {
          reached = 0;
          const context = forge({ issuer, authority: AUTHORITIES[authority], audience: service });
          const { status } = await send(service, route, context);
          const expected = !isValid ? 401 : route.issuers.includes(issuer) ? 200 : 403;
          expect([route.method, route.path, authority, status, reached]).toEqual([
            route.method,
            route.path,
            authority,
            expected,
            expected === 200 ? 1 : 0,
          ]);
        }
      }
    },
  );

  test('a context that was made for one service is rejected by every other', async () => {
    const [authority = 'key'] = MAY_STATE[issuer];
    for (const audience of ['gateway', ...SERVICES] as const) {
      const context = forge({ issuer, authority: AUTHORITIES[authority], audience });
      for (const service of SERVICES.filter((other) => other !== audience))
        for (const route of drawCases(routesOf(service), testSize({ ci: 4, soak: 9 })))
          expect([audience, route.path, (await send(service, route, context)).status]).toEqual([
            audience,
            route.path,
            401,
          ]);
    }
  });

  test('a context is rejected that is old, from the future, valid for too long, cut, or of another key', async () => {
    const [authority = 'key'] = MAY_STATE[issuer];
    const [audience = 'care'] = MAY_CALL[issuer].filter((service) => service !== 'gateway');
    const route = routesOf(audience).find(({ issuers }) => issuers.includes(issuer));
    if (route === undefined) throw new Error(`${issuer} has no route at ${audience}`);
    const stated = { issuer, authority: AUTHORITIES[authority], audience } as const;
    const nowMs = Date.now();
    const valid = forge(stated);
    const [name, payload, signature] = valid.split('.');
    const [other = 'gateway'] = ISSUERS.filter((each) => each !== issuer);
    const invalid = {
      old: forge({ ...stated, issuedAt: nowMs - 60_100 }),
      'from the future': forge({ ...stated, issuedAt: nowMs + 40_000 }),
      'valid for too long': forge({ ...stated, expiresAt: nowMs + 3_600_000 }),
      'valid for ever': forge({ ...stated, expiresAt: Number.MAX_SAFE_INTEGER }),
      'without a signature': `${name}.${payload}.`,
      cut: valid.slice(0, -10),
      'with a signature of its statement without the last character': `${name}.${payload?.slice(0, -1)}.${signature}`,
      'of another key': forge({ ...stated, issuer: other }).replace(other, issuer),
      'of another issuer': `${other}.${payload}.${signature}`,
    };
    expect((await send(audience, route, valid)).status).toBe(200);
    for (const [kind, context] of Object.entries(invalid))
      expect([kind, (await send(audience, route, context)).status]).toEqual([kind, 401]);
  });
});

test('a context of the gateway for one project is rejected with the project of another', async () => {
  const [route] = routesOf('claims');
  if (route === undefined) throw new Error('claims has no route');
  for (const tenant of ['prj_other', `${TENANT}2`, TENANT.slice(0, -1), ''])
    expect([
      tenant,
      (await send('claims', route, forge({ issuer: 'gateway', tenant, audience: 'claims' }))).status,
    ]).toEqual([tenant, 401]);
});

describe("the gateway's operators' routes", () => {
  /** The routes, read from the gateway's source, so that a new route is attacked without a change. */
  const source = readFileSync(join(repositoryRoot(), 'services/gateway/src/operator-routes.ts'), 'utf8');
  const routes: readonly Route[] = [...source.matchAll(/^ {4}'(GET|POST) (\/[^']*)':/gm)].map(
    ([, method = '', path = '']) => ({ method, path: `/operator${path}`, issuers: ['console'] }),
  );
  const at = (route: Route, project: string, key = 'key_x') => ({
    ...route,
    path: route.path.replace(':project', project).replace(':key', key),
  });
  const BODY = { name: 'stolen', scopes: ['claims:read'], action: 'a', subject: 'b', details: {} };

  const keysOf = async (project: string) =>
    (await gatewayFixture.sql`select id from gateway.keys where project_id = ${project}`).length;

  test('are found in the source', () => {
    expect(routes.length).toBeGreaterThan(8);
  });

  test.each(ISSUERS)(
    'with the key of %s, no authority creates a key or reads anything, but the console as an operator',
    async (issuer) => {
      const { project_id } = await gatewayFixture.project();
      for (const route of routes)
        for (const authority of AUTHORITY_NAMES) {
          const isOperator = issuer === 'console' && authority === 'operator';
          if (isOperator) continue;
          const context = forge({ issuer, authority: AUTHORITIES[authority], audience: 'gateway' });
          const body = route.method === 'POST' ? BODY : undefined;
          const { status, signature } = await send('gateway', at(route, project_id), context, body);
          expect([route.path, authority, status, signature]).toEqual([route.path, authority, 401, null]);
        }
      expect(await keysOf(project_id)).toBe(1);
    },
  );

  test('answer the console alone with a signature, also an error, and each for one request', async () => {
    const { project_id } = await gatewayFixture.project();
    const context = forge({
      issuer: 'console',
      authority: AUTHORITIES.operator,
      tenant: '',
      audience: 'gateway',
    });
    for (const route of routes) {
      const { method, path } = at(route, project_id);
      const body = method === 'POST' ? BODY : undefined;
      const { status, text, signature } = await send('gateway', { ...route, path }, context, body);
      const answer = { context, requestId: 'req_1', method, path, status, text };
      expect([path, status, isResponseOf('gateway', TEST_ISSUER_KEYS, answer, signature)]).toEqual([
        path,
        // The project has no clock.
        path.includes('key_x') || path.includes('/clock') ? 404 : 200,
        true,
      ]);
      const ofAnother = { ...answer, path: '/operator/audit_entries?limit=1' };
      expect(isResponseOf('gateway', TEST_ISSUER_KEYS, ofAnother, signature)).toBe(false);
    }
    expect(await keysOf(project_id)).toBe(2);
  });

  test('are on no other port, and reject requests from outside the networks of the console', async () => {
    const [metricsPort, operatorPort] = [await freePort(), await freePort()];
    const gateway = await gatewayFixture.gateway({
      METRICS_PORT: String(metricsPort),
      OPERATOR_PORT: String(operatorPort),
      CONSOLE_NETWORKS: '192.0.2.0/28',
    });
    const context = forge({
      issuer: 'console',
      authority: AUTHORITIES.operator,
      tenant: '',
      audience: 'gateway',
    });
    const ask = (port: number) =>
      fetch(`http://127.0.0.1:${port}/operator/projects`, {
        headers: { [CONTEXT_HEADER]: context, 'x-request-id': 'req_1', 'x-forwarded-proto': 'https' },
      });
    const statuses = await Promise.all(
      [metricsPort, gateway.port, operatorPort].map(async (port) => (await ask(port)).status),
    );
    expect(statuses).toEqual([404, 404, 403]);
    expect((await ask(ports.get('gateway') ?? 0)).status).toBe(200);
  });
});
