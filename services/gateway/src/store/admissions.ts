/**
 * Reads a request's credential, project and scopes, and counts the request for the rate limit, in one database round trip. Nothing is
 * cached here, so a revocation or rotation takes effect on the next request of every replica.
 *
 * Failure policy: closed; without the database every request with a key gets 503.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@carecover/contract';
import { storedTenant, type Tenant, unavailable } from '@carecover/domain';
import { type Db, DELETION_BATCH, isOnlyDeletion, type Sql } from '@carecover/postgres';
import { Batcher } from '@carecover/process';
import { SpanKind, withSpan } from '@carecover/telemetry';
import { KeyUses } from './key-uses';
import type { AgentWrites } from './projects';

/** A valid credential with its project, and the number of the project's requests in this minute. */
export interface Admission {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly consentDefault: 'granted' | 'withdrawn';
  readonly agentWrites: AgentWrites;
  readonly allowedOrigins: readonly string[];
  readonly keyId: string;
  readonly keyGeneration: number;
  /** ID of the token; null if the credential is a secret key. */
  readonly tokenId: string | null;
  readonly scopes: readonly string[];
  /** The only resources that the credential can use; null: all resources of the project. */
  readonly resourceIds: readonly string[] | null;
  /** The project's maximum number of active webhook endpoints. */
  readonly endpointLimit: number;
  /** The currencies that the project accepts in requests; null: all of the contract. */
  readonly currencies: readonly string[] | null;
  /** The project's maximum number of requests per minute. */
  readonly rateLimit: number;
  /** The number of the project's requests in this minute, including this one. */
  readonly used: number;
  /** The database's time at which the request was counted. */
  readonly countedAt: Date;
}

interface AdmissionRow {
  /** The position of the row's {@link Group} in the list of groups, counted from 1. */
  ordinal: number;
  project_id: string;
  environment: Environment;
  consent_default: 'granted' | 'withdrawn';
  agent_writes: AgentWrites;
  rate_limit: number;
  endpoint_limit: number;
  currencies: string[] | null;
  allowed_origins: string[];
  key_id: string;
  key_generation: number;
  token_id: string | null;
  scopes: string[];
  resource_ids: string[] | null;
  /** The number of the project's requests in this minute, including the last request of the row's {@link Group}. */
  used: number;
  now: Date;
}

const ADMISSION_CONCURRENCY = 2;
const BATCH_SIZE = 256;
const MAX_WAITING = 10_000;
/** After this time in milliseconds without a result, the database is treated as unavailable. */
const TIMEOUT_MS = 5_000;
/**
 * The pause in milliseconds before each batch of lookups of credentials that clients may have guessed. It limits how fast clients can
 * guess.
 */
const LOOKUP_PAUSE_MS = 50;

/** The requests of one batch that have the same credential. */
interface Group {
  readonly hash: Buffer;
  /** The indexes of the group's requests in the batch, from 0. */
  readonly positions: number[];
}

function groupEqual(hashes: readonly Buffer[]): Group[] {
  const groups = new Map<string, Group>();
  hashes.forEach((hash, position) => {
    const text = hash.toString('latin1');
    const known = groups.get(text);
    if (known === undefined) groups.set(text, { hash, positions: [position] });
    else known.positions.push(position);
  });
  return [...groups.values()];
}

/**
 * Makes the admission of one request from the row of its group.
 *
 * @param later number of requests of the group that are counted after this request
 */
function toAdmission(row: AdmissionRow, later: number): Admission {
  return {
    tenant: storedTenant(row.project_id),
    environment: row.environment,
    consentDefault: row.consent_default,
    agentWrites: row.agent_writes,
    allowedOrigins: row.allowed_origins,
    keyId: row.key_id,
    keyGeneration: row.key_generation,
    tokenId: row.token_id,
    scopes: row.scopes,
    resourceIds: row.resource_ids,
    endpointLimit: row.endpoint_limit,
    currencies: row.currencies,
    rateLimit: row.rate_limit,
    used: row.used - later,
    countedAt: row.now,
  };
}

export class AdmissionStore {
  private readonly admissions: Batcher<Buffer, Admission | null>;
  private readonly origins: Batcher<string, boolean>;
  private readonly lookups: Batcher<Buffer, boolean>;
  readonly keyUses: KeyUses;

  constructor(private readonly sql: Sql) {
    this.keyUses = new KeyUses(sql);
    const limits = {
      maxWaiting: MAX_WAITING,
      timeoutMs: TIMEOUT_MS,
      rejection: () => unavailable('The check of keys'),
    };
    const options = { size: BATCH_SIZE, limits };
    this.admissions = new Batcher((hashes) => this.admitAll(hashes), {
      ...options,
      concurrency: ADMISSION_CONCURRENCY,
    });
    // Requests without a valid key cause lookups of origins and of credentials, so each kind of lookup uses at most one database
    // connection.
    this.origins = new Batcher((origins) => this.findOrigins(origins), { ...options, concurrency: 1 });
    this.lookups = new Batcher((hashes) => this.findValid(hashes), { ...options, concurrency: 1 });
  }

  /** Returns the valid credential with the given hash and counts the request; null if there is none. */
  admit(hash: Buffer): Promise<Admission | null> {
    return withSpan('check the key', SpanKind.INTERNAL, () => this.admissions.submit(hash));
  }

  /**
   * Returns whether a valid credential has this hash, without counting a request. Clients that may guess credentials cause these lookups,
   * so a process sends at most 20 queries per second, of at most 256 credentials each.
   */
  isValid(hash: Buffer): Promise<boolean> {
    return this.lookups.submit(hash);
  }

  /** Returns whether any project allows pages of the origin to use its tokens. */
  isAllowedOrigin(origin: string): Promise<boolean> {
    return this.origins.submit(origin);
  }

  private async admitAll(hashes: readonly Buffer[]): Promise<(Admission | null)[]> {
    const groups = groupEqual(hashes);
    const rows = await this.admitGroups(groups);
    const admissions = Array<Admission | null>(hashes.length).fill(null);
    for (const row of rows) {
      this.keyUses.record(row.key_id, row.now);
      const { positions } = groups[row.ordinal - 1] ?? { positions: [] };
      positions.forEach((position, index) => {
        admissions[position] = toAdmission(row, positions.length - 1 - index);
      });
    }
    return admissions;
  }

  /**
   * Returns the valid credentials of the groups with their projects, and adds the number of each group's requests to the count of its
   * project in the current minute. The count is exact for any number of gateways, because a project has one row per minute, which the
   * increment locks. Rows are locked in the order of project IDs, so two batches can't deadlock.
   */
  private async admitGroups(groups: readonly Group[]): Promise<AdmissionRow[]> {
    return this.sql<AdmissionRow[]>`
      with clock as materialized (
        select platform.real_now() as now
      ),
      request as (
        select hash, requests, ordinality::integer as ordinal
        from unnest(
          ${groups.map(({ hash }) => hash)}::bytea[], ${groups.map(({ positions }) => positions.length)}::integer[]
        ) with ordinality as listed (hash, requests, ordinality)
      ),
      live as materialized (
        select request.ordinal, request.requests, k.project_id, k.id as key_id, k.generation, null::text as token_id, k.scopes,
               null::text[] as resource_ids
        from request join keys k on k.secret_hash = request.hash
        where k.revoked_at is null
        union all
        select request.ordinal, request.requests, k.project_id, k.id, k.generation, t.id, t.scopes, t.resource_ids
        from request join tokens t on t.secret_hash = request.hash join keys k on k.id = t.key_id
        cross join clock
        where k.revoked_at is null and k.generation = t.key_generation and t.expires_at > clock.now
      ),
      counted as (
        insert into request_counts as c (project_id, minute, used)
        select live.project_id, date_trunc('minute', max(clock.now)), sum(live.requests)
        from live cross join clock group by live.project_id order by live.project_id
        on conflict on constraint request_counts_pkey do update set used = c.used + excluded.used
        returning c.project_id, c.used
      )
      select live.ordinal, p.id as project_id, p.environment, p.consent_default, p.agent_writes, p.rate_limit_per_minute as rate_limit,
             p.endpoint_limit, p.currencies,
             (select coalesce(array_agg(o.origin), '{}') from allowed_origins o where o.project_id = p.id) as allowed_origins,
             live.key_id, live.generation as key_generation, live.token_id, live.scopes, live.resource_ids,
             -- The project's count after the last request with this hash; requests with later hashes of the project are not counted in it.
             counted.used + live.requests - sum(live.requests) over (partition by live.project_id order by live.ordinal desc) as used,
             clock.now
      from live
      join projects p on p.id = live.project_id
      join counted on counted.project_id = live.project_id
      cross join clock`;
  }

  private async findValid(hashes: readonly Buffer[]): Promise<boolean[]> {
    await sleep(LOOKUP_PAUSE_MS);
    const rows = await this.sql<{ secret_hash: Buffer }[]>`
      with presented as (select unnest(${hashes}::bytea[]) as secret_hash)
      select k.secret_hash from presented join keys k using (secret_hash) where k.revoked_at is null
      union
      select t.secret_hash from presented join tokens t using (secret_hash) join keys k on k.id = t.key_id
      where k.revoked_at is null and k.generation = t.key_generation and t.expires_at > platform.real_now()`;
    const valid = new Set(rows.map(({ secret_hash }) => secret_hash.toString('hex')));
    return hashes.map((hash) => valid.has(hash.toString('hex')));
  }

  private async findOrigins(origins: readonly string[]): Promise<boolean[]> {
    const rows = await this.sql<{ origin: string }[]>`
      select distinct origin from allowed_origins where origin = any(${[...origins]})`;
    const known = new Set(rows.map(({ origin }) => origin));
    return origins.map((origin) => known.has(origin));
  }
}

/**
 * Deletes a batch of the counts of minutes that began more than five minutes ago. The rate limit reads only the current minute. Returns the
 * number of deleted counts.
 */
export async function deleteOldCounts(db: Db, batch = DELETION_BATCH): Promise<number> {
  const deleted = await db`
    delete from request_counts where (minute, project_id) in (
      select minute, project_id from request_counts
      where minute < (select platform.real_now()) - interval '5 minutes' and ${isOnlyDeletion(db, 'request_counts')}
      order by minute limit ${batch})
    returning 1`;
  return deleted.length;
}
