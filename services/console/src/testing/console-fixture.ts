/** A console in the process of a test. Its identity provider and its services are HTTP servers of the test. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '@carecover/config';
import { ClientAddress, CONTEXT_HEADER, RESPONSE_SIGNATURE_HEADER } from '@carecover/http';
import { createLog, HttpMetrics } from '@carecover/telemetry';
import { contextSettings, signerOf, verifyForAny } from '@carecover/testing/services';
import { SCRIPT } from '@carecover/two-times/assets';
import { buildSync } from 'esbuild';
import { exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { createConsole } from '../app';
import { Services } from '../operations';
import { SETTINGS } from '../settings';
import { SignIn } from '../sign-in';
import { createHttpServer } from '../start';

/** A request that the services received from the console. */
interface ReceivedRequest {
  readonly authority: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The file that the request has as its body; absent for any other request. */
  readonly file?: { readonly headers: IncomingMessage['headers']; readonly bytes: Buffer };
}

/** A sign-in that a browser has started at the console. */
export interface StartedSignIn {
  readonly cookie: string;
  /** The path of the callback, with a code that the identity provider accepts if {@link ConsoleFixture.claims} is not null. */
  readonly callback: string;
  readonly nonce: string | null;
}

/** The project of the tests, and the services' time. The console's clock differs from it. */
export const PROJECT = {
  ...{ id: 'prj_1', name: 'One', environment: 'sandbox', created_at: '2026-01-01T00:00:00.000Z' },
  ...{ rate_limit_per_minute: 100, endpoint_limit: 10, consent_default: 'granted', allowed_origins: [] },
  agent_writes: 'off',
  currencies: null,
  ...{ locale: 'en', time_zone: 'UTC', now: '2026-02-12T00:00:00.000Z' },
};

/** The routes that return names. The services of the tests know none. */
const NAMES = ['/operator/claims/parties', '/operator/practitioners/names', '/operator/payers/names'];

/** The keys of the identity provider. */
const SIGNING_KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Signs an answer as the gateway does. */
function signResponse(
  { method = '', url: path = '', headers }: IncomingMessage,
  status: number,
  text: string,
) {
  const { [CONTEXT_HEADER]: context, 'x-request-id': requestId } = headers;
  const request = { context: String(context), requestId: String(requestId), method, path };
  return signerOf('gateway').signResponse({ ...request, status, text });
}

export class ConsoleFixture {
  /** The claims of the next ID tokens; null: the identity provider rejects the codes. */
  claims: Record<string, unknown> | null = null;
  /** How long the identity provider's token endpoint takes for a response. */
  tokenResponseMs = 0;
  /** The number of requests to the token endpoint, and how many of them were in progress at the same time at most. */
  tokenRequests = 0;
  mostConcurrent = 0;
  /** Whether the gateway signs its answers. */
  signsAnswers = true;
  /** What the services respond to requests of a path: the status and the body, which is JSON or the text of a file. */
  readonly responses = new Map<string, readonly [number, object | string]>();
  /** Chooses the response to a request of a path, before {@link responses}; undefined if it chooses none. */
  respond: (path: string) => readonly [number, object | string] | undefined = () => undefined;
  /** The requests that the services received. */
  readonly received: ReceivedRequest[] = [];
  /** The lines of the console's log, from the level `warn`. */
  readonly lines: Record<string, unknown>[] = [];
  /** Whether the identity provider sends its keys. */
  hasKeys = true;
  private readonly servers: Server[] = [];
  private services: Services | undefined;
  private issuer = '';
  /** The address of the console. */
  origin = '';
  private concurrent = 0;

  private constructor(private readonly url: string) {}

  /** Starts a console. @param url the public origin of the console, which differs from the address that the test calls */
  static async start(url = 'http://console.example'): Promise<ConsoleFixture> {
    // Unit tests need no build, but the console serves this script.
    if (!existsSync(SCRIPT))
      buildSync({
        entryPoints: [join(__dirname, '../../../../libs/two-times/src/browser.ts')],
        bundle: true,
        format: 'esm',
        outfile: SCRIPT,
      });
    const fixture = new ConsoleFixture(url);
    fixture.issuer = await fixture.listen(
      createServer(async (request, response) => {
        const [status, body] = await fixture.respondAsProvider(request.url);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
    );
    const service = await fixture.listen(
      createServer(async (request, response) => {
        const verified = verifyForAny(request.headers[CONTEXT_HEADER], '');
        const authority = verified?.caller.authority;
        const [status, body] = fixture.respondAsService(request, authority, await readBody(request));
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        if (verified?.service === 'gateway' && fixture.signsAnswers)
          response.setHeader(RESPONSE_SIGNATURE_HEADER, signResponse(request, status, text));
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      }),
    );
    const names = ['GATEWAY', 'CARE', 'BENEFITS', 'CLAIMS', 'PAYMENTS', 'WEBHOOKS'];
    const settings = loadConfig(SETTINGS, {
      ...Object.fromEntries(names.map((name) => [`${name}_URL`, service])),
      CARECOVER_ENVIRONMENT: 'sandbox',
      CARECOVER_MODE: 'local',
      ...contextSettings('console'),
      CONSOLE_URL: url,
      OIDC_ISSUER: fixture.issuer,
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'the secret of the console',
      TRUSTED_PROXY: '127.0.0.1',
    });
    const log = createLog('console', 'warn', { write: (line) => void fixture.lines.push(JSON.parse(line)) });
    fixture.services = new Services(settings);
    const addresses = new ClientAddress(settings.TRUSTED_PROXY);
    const app = createConsole({
      services: fixture.services,
      signIn: new SignIn(settings, addresses, log),
      addresses,
      temporalUi: null,
      origin: new URL(url).origin,
      rolesClaim: settings.OIDC_ROLES_CLAIM,
      hsts: true,
      metrics: new HttpMetrics('console'),
      log,
    });
    const server = createHttpServer(settings, addresses).on('request', app.callback());
    fixture.origin = await fixture.listen(server);
    return fixture;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) server.close().closeAllConnections();
    await this.services?.close();
  }

  /** Sends a request to the console. A redirect is not followed. */
  request(path: string, cookie = '', init: RequestInit = {}): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie };
    return fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' });
  }

  /** Starts a sign-in. @param query the query of the address, such as `?next=/` */
  async startSignIn(query = ''): Promise<StartedSignIn> {
    const response = await this.request(`/sign-in${query}`);
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    return {
      cookie: cookieOf(response, /^sign-in-/),
      callback: `/sign-in/callback?code=x&state=${searchParams.get('state')}`,
      nonce: searchParams.get('nonce'),
    };
  }

  /** Signs in with the claims, and returns the console's response. @param cookie further cookies of the browser */
  async signIn(claims: Record<string, unknown>, cookie = '', query = ''): Promise<Response> {
    const started = await this.startSignIn(query);
    this.claims = { nonce: started.nonce, roles: ['operator'], ...claims };
    return this.request(started.callback, `${started.cookie}; ${cookie}`);
  }

  /** Signs in with the claims, and returns the cookie of the session. */
  async sessionOf(claims: Record<string, unknown>): Promise<string> {
    return cookieOf(await this.signIn(claims), 'session');
  }

  private async listen(server: Server): Promise<string> {
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  private async respondAsProvider(path: string | undefined): Promise<[number, object]> {
    if (path === '/token') return this.respondToTokenRequest();
    if (path !== '/jwks') return [200, this.metadata()];
    return this.hasKeys
      ? [200, { keys: [{ ...(await exportJWK(SIGNING_KEYS.publicKey)), kid: 'k' }] }]
      : [503, {}];
  }

  /** Returns an access token of the identity provider for the MCP endpoint, with changed claims, header or key. */
  accessToken(
    claims: JWTPayload,
    header: Partial<JWTHeaderParameters> = {},
    key: KeyObject = SIGNING_KEYS.privateKey,
  ): Promise<string> {
    return new SignJWT({ iss: this.issuer, aud: `${this.url}/mcp`, roles: ['viewer'], ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt', ...header })
      .setIssuedAt()
      .setExpirationTime(claims.exp ?? '5 min')
      .sign(key);
  }

  private metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
  }

  private async respondToTokenRequest(): Promise<[number, object]> {
    this.tokenRequests += 1;
    this.concurrent += 1;
    this.mostConcurrent = Math.max(this.mostConcurrent, this.concurrent);
    await new Promise((resolve) => setTimeout(resolve, this.tokenResponseMs));
    this.concurrent -= 1;
    if (this.claims === null) return [400, { error: 'invalid_grant' }];
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.issuer, aud: 'console', iat: now, exp: now + 60, ...this.claims };
    // The console gets the token from the provider itself, so it does not check the signature (OpenID Connect Core 1.0, section 3.1.3.7).
    const idToken = `${encode({ alg: 'RS256' })}.${encode(payload)}.${encode({})}`;
    return [200, { access_token: 'a', token_type: 'bearer', id_token: idToken }];
  }

  private respondAsService(
    { method, url: path, headers }: IncomingMessage,
    authority: string | undefined,
    bytes: Buffer,
  ): readonly [number, object | string] {
    const isJson = headers['content-type'] === 'application/json';
    const body = isJson ? JSON.parse(bytes.toString('utf8')) : null;
    const file = isJson || bytes.length === 0 ? {} : { file: { headers, bytes } };
    this.received.push({ authority, method, path, body, ...file });
    const prepared = this.respond(path ?? '') ?? this.responses.get(path?.split('?')[0] ?? '');
    if (prepared !== undefined) return prepared;
    if (path?.startsWith('/operator/projects?')) return [200, { data: [], has_more: false }];
    if (path === '/operator/projects/prj_1') return [200, PROJECT];
    if (path !== undefined && NAMES.includes(path)) return [200, { data: [] }];
    if (path === '/operator/audit_entries') return [200, { recorded: true }];
    return [404, { error: { code: 'resource_not_found', message: 'There is no such resource.' } }];
  }
}

/** Returns the cookie with the name, as a browser sends it, that the response sets; an empty text if the response does not set it. */
export function cookieOf(response: Response, name: RegExp | string): string {
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
  const isSet = (cookie: string) =>
    typeof name === 'string' ? cookie.startsWith(`${name}=`) : name.test(cookie) && !cookie.endsWith('=');
  return cookies.find(isSet) ?? '';
}
