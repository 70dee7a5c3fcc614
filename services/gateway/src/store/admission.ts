/**
 * The one database round trip of a request: credential, project, scopes and rate limit. Nothing of it is kept in memory, so
 * a revocation or rotation holds on the next request of every replica.
 *
 * Failure policy: closed; without the database nobody is let in (503).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@carecover/contract';
import { SpanKind, type Sql, storedTenant, type Tenant, unavailable, withSpan } from '@carecover/platform';
import { Batcher } from '../batcher';

/** A live credential as of now, its request counted. */
export interface Admission {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly consentDefault: 'granted' | 'withdrawn';
  readonly allowedOrigins: readonly string[];
  readonly keyId: string;
  readonly keyGeneration: number;
  /** Null where the secret key itself was presented. */
  readonly tokenId: string | null;
  readonly scopes: readonly string[];
  /** Null where the credential reaches all of the project's resources. */
  readonly resourceIds: readonly string[] | null;
  /** Active webhook endpoints. */
  readonly endpointLimit: number;
  /** Requests a minute. */
  readonly rateLimit: number;
  /** Requests of this project in this minute, this one included. */
  readonly used: number;
  /** When the request was counted. */
  readonly countedAt: Date;
}

interface AdmissionRow {
  ordinal: number;
  project_id: string;
  environment: Environment;
  consent_default: 'granted' | 'withdrawn';
  rate_limit: number;
  endpoint_limit: number;
  allowed_origins: string[];
  key_id: string;
  key_generation: number;
  token_id: string | null;
  scopes: string[];
  resource_ids: string[] | null;
  used: number;
  now: Date;
}

const BATCHES_AT_ONCE = 2;
const BATCH_SIZE = 256;
const MAX_WAITING = 10_000;
/** A database that takes longer is as good as away. */
const ANSWER_LIMIT_MS = 5_000;
/** Between two look-ups for callers that may be guessing. */
const LOOK_UP_PAUSE_MS = 50;

/** Hashes as the text of a PostgreSQL array of bytea. */
function arrayOf(hashes: readonly Buffer[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash.toString('hex')}"`).join(',')}}`;
}

function toAdmission(row: AdmissionRow): Admission {
  return {
    tenant: storedTenant(row.project_id),
    environment: row.environment,
    consentDefault: row.consent_default,
    allowedOrigins: row.allowed_origins,
    keyId: row.key_id,
    keyGeneration: row.key_generation,
    tokenId: row.token_id,
    scopes: row.scopes,
    resourceIds: row.resource_ids,
    endpointLimit: row.endpoint_limit,
    rateLimit: row.rate_limit,
    used: row.used,
    countedAt: row.now,
  };
}

export class AdmissionStore {
  private readonly admissions: Batcher<Buffer, Admission | null>;
  private readonly origins: Batcher<string, boolean>;
  private readonly lookUps: Batcher<Buffer, boolean>;

  constructor(private readonly sql: Sql) {
    const limits = {
      size: BATCH_SIZE,
      waiting: MAX_WAITING,
      limitMs: ANSWER_LIMIT_MS,
      unanswered: () => unavailable('The check of keys'),
    };
    this.admissions = new Batcher((hashes) => this.admitAll(hashes), {
      ...limits,
      concurrency: BATCHES_AT_ONCE,
    });
    // Asked without a key, so it may never take more than one connection.
    this.origins = new Batcher((origins) => this.findOrigins(origins), { ...limits, concurrency: 1 });
    this.lookUps = new Batcher((hashes) => this.findLive(hashes), { ...limits, concurrency: 1 });
  }

  /** The credential with this hash, its request counted; null where there is no live one. */
  admit(hash: Buffer): Promise<Admission | null> {
    return withSpan('check the key', SpanKind.INTERNAL, () => this.admissions.answer(hash));
  }

  /**
   * Whether a live credential has this hash; nothing is counted. For callers that may be guessing: however many ask, a process
   * sends at most 20 queries per second, of at most 256 credentials each.
   */
  isLive(hash: Buffer): Promise<boolean> {
    return this.lookUps.answer(hash);
  }

  /** Whether any project accepts tokens from pages of this origin. */
  isAllowedOrigin(origin: string): Promise<boolean> {
    return this.origins.answer(origin);
  }

  private async admitAll(hashes: readonly Buffer[]): Promise<(Admission | null)[]> {
    const rows = await this.sql<AdmissionRow[]>`select * from admit(${arrayOf(hashes)}::text::bytea[])`;
    const answers = Array<Admission | null>(hashes.length).fill(null);
    for (const row of rows) answers[row.ordinal - 1] = toAdmission(row);
    return answers;
  }

  private async findLive(hashes: readonly Buffer[]): Promise<boolean[]> {
    await sleep(LOOK_UP_PAUSE_MS);
    const rows = await this.sql<{ secret_hash: Buffer }[]>`
      with asked as (select unnest(${arrayOf(hashes)}::text::bytea[]) as secret_hash)
      select k.secret_hash from asked join keys k using (secret_hash) where k.revoked_at is null
      union
      select t.secret_hash from asked join tokens t using (secret_hash) join keys k on k.id = t.key_id
      where k.revoked_at is null and k.generation = t.key_generation and t.expires_at > platform.now()`;
    const live = new Set(rows.map(({ secret_hash }) => secret_hash.toString('hex')));
    return hashes.map((hash) => live.has(hash.toString('hex')));
  }

  private async findOrigins(origins: readonly string[]): Promise<boolean[]> {
    const rows = await this.sql<{ origin: string }[]>`
      select distinct origin from allowed_origins where origin = any(${[...origins]})`;
    const known = new Set(rows.map(({ origin }) => origin));
    return origins.map((origin) => known.has(origin));
  }

  /** Forgets the counts of minutes that are over. */
  async deleteOldCounts(): Promise<void> {
    await this.sql`delete from request_counts where minute < platform.now() - interval '5 minutes'`;
  }
}
