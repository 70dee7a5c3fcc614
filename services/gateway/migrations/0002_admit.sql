-- Up Migration
-- Authenticates and counts many requests in one round trip. For each hash it returns the valid credential with its project, and counts
-- the hash's requests in the project's current minute, for the rate limit. The count is exact for any number of gateways, because a project
-- has one row per minute, which the increment locks. Rows are locked in the order of project IDs, so two batches can't deadlock.

create function admit(asked bytea[], requests integer[])
returns table (
  ordinal integer, project_id text, environment text, consent_default text, rate_limit integer, endpoint_limit integer,
  allowed_origins text[],
  key_id text, key_generation integer, token_id text, scopes text[], resource_ids text[], used bigint, now timestamptz
)
language sql volatile as $$
  with clock as materialized (
    select platform.now() as now
  ),
  request as (
    select hash, requests, ordinality::integer as ordinal
    from unnest(asked, requests) with ordinality as listed (hash, requests, ordinality)
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
  select live.ordinal, p.id, p.environment, p.consent_default, p.rate_limit_per_minute, p.endpoint_limit,
         (select coalesce(array_agg(o.origin), '{}') from allowed_origins o where o.project_id = p.id),
         live.key_id, live.generation, live.token_id, live.scopes, live.resource_ids,
         -- The project's count after the last request with this hash; requests with later hashes of the project are not counted in it.
         counted.used + live.requests - sum(live.requests) over (partition by live.project_id order by live.ordinal desc),
         clock.now
  from live
  join projects p on p.id = live.project_id
  join counted on counted.project_id = live.project_id
  cross join clock
$$;
grant execute on function admit(bytea[], integer[]) to gateway;
