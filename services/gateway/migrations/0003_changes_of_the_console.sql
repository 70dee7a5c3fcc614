-- Up Migration
-- Administrators change settings and keys in the console; the gateway executes the changes with their audit entries.
grant update (rate_limit_per_minute, endpoint_limit, consent_default, locale, time_zone, agent_writes, currencies) on projects to gateway;
grant insert, delete on allowed_origins to gateway;
grant insert, update (secret_hash, prefix, generation, rotated_at, revoked_at) on keys to gateway;
