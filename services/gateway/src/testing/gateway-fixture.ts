/** Real gateways for tests: one database, one upstream service, and any number of gateways. */

import { loadConfig } from '@carecover/config';
import type { Environment, GrantedScope, ServiceName } from '@carecover/contract';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { contextSettings } from '@carecover/testing/services';
import { SETTINGS } from '../settings';
import { startGateway } from '../start';
import { createKey } from '../store/keys';
import { createProject, setProject } from '../store/projects';
import { type SmallUpstream, startSmallUpstream } from './small-upstream';

export { startSmallUpstream };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The length of the body, without a content encoding. */
  readonly bytes: number;
  /** The parsed JSON body; undefined for another content type. */
  readonly body: unknown;
}

/** Returns the code of an error response, or null for another response. */
export function codeOf({ body }: Answer): string | null {
  const { error } = (body ?? {}) as { error?: { code: string } };
  return error?.code ?? null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent as JSON; a string or a buffer is sent unchanged. */
  readonly body?: unknown;
}

export interface TestGateway {
  readonly port: number;
  readonly origin: string;
  /** Sends a request as a proxy that terminates TLS does. `path` starts at the gateway's root. */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
}

async function sendRequest(origin: string, path: string, options: RequestOptions): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', key, headers, body } = options;
  const response = await fetch(origin + path, {
    method,
    body: bodyOf(body),
    headers: {
      'x-forwarded-proto': 'https',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString('utf8');
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes: bytes.length,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

export class GatewayFixture {
  private readonly gateways: TestGateway[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly sql: Sql,
    readonly upstream: SmallUpstream,
  ) {}

  /** Creates a database and an upstream service. @param cluster the PostgreSQL cluster of the database; default: the test run's cluster */
  static async start(
    services: readonly ServiceName[] = ['gateway'],
    cluster?: string,
  ): Promise<GatewayFixture> {
    const database = await createTestDatabase({ services, ...(cluster === undefined ? {} : { cluster }) });
    return new GatewayFixture(
      database,
      connectPostgres(database.adminUrl, 2, 'test'),
      await startSmallUpstream(),
    );
  }

  /** Starts another gateway on the same database; `settings` replace the defaults. */
  async gateway(settings: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
    const { url } = this.upstream;
    const started = await startGateway(
      loadConfig(SETTINGS, {
        CARECOVER_ENVIRONMENT: 'sandbox',
        CARECOVER_MODE: 'test',
        LOG_LEVEL: 'silent',
        DATABASE_URL: this.database.url('gateway'),
        ...contextSettings('gateway'),
        TRUSTED_PROXY: '127.0.0.1/32',
        CARE_URL: url,
        BENEFITS_URL: url,
        CLAIMS_URL: url,
        PAYMENTS_URL: url,
        WEBHOOKS_URL: url,
        ...settings,
      }),
    );
    const origin = `http://127.0.0.1:${started.port}`;
    const gateway = {
      port: started.port,
      origin,
      request: (path: string, options: RequestOptions = {}) => sendRequest(origin, path, options),
      stop: () => started.stop(),
    };
    this.gateways.push(gateway);
    return gateway;
  }

  /** Starts another gateway of the production environment, which requires production mode. */
  productionGateway(settings: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
    return this.gateway({
      CARECOVER_ENVIRONMENT: 'production',
      CARECOVER_MODE: 'production',
      PUBLIC_URL: 'https://api.example.com',
      ...settings,
    });
  }

  /** Creates a project with a key that has all scopes. @param now the time of a simulated project */
  project(environment: Environment = 'sandbox', now?: Date) {
    return createProject(this.sql, 'tests', { name: 'Test', environment, ...(now && { now }) });
  }

  /** Reads the time of a simulated project. */
  async clockOf(projectId: string): Promise<Date | undefined> {
    const [clock] = await this.sql<
      { now: Date }[]
    >`select now from platform.project_clocks where project_id = ${projectId}`;
    return clock?.now;
  }

  /** Creates a project and returns a key with only the given scopes. */
  async keyWith(...scopes: GrantedScope[]): Promise<string> {
    const { project_id } = await this.project();
    return (await createKey(this.sql, 'tests', project_id, scopes)).secret_key;
  }

  /** Lets a project be over its limit of requests in this minute and the next ones, whenever a test's requests come. */
  async exhaustLimit(projectId: string): Promise<void> {
    await setProject(this.sql, 'tests', projectId, { rateLimitPerMinute: 1 });
    await this.sql`
      insert into gateway.request_counts (project_id, minute, used)
      select ${projectId}, date_trunc('minute', platform.real_now()) + n * interval '1 minute', 1 from generate_series(0, 9) n`;
  }

  async stop(): Promise<void> {
    for (const gateway of this.gateways) await gateway.stop();
    await this.upstream.close();
    await this.sql.end();
    await this.database.drop();
  }
}
