-- Up Migration
-- Projects, their secret keys, the tokens made with keys, and the number of requests per minute. Operators change projects and keys with
-- the command line, as the database's owner. The gateway reads projects and keys, makes tokens and counts requests.

create table projects (
  id                    text collate "C" primary key,
  name                  text not null check (length(name) between 1 and 200),
  environment           text not null check (environment in ('sandbox', 'production')),
  rate_limit_per_minute integer not null default 1000 check (rate_limit_per_minute between 1 and 1000000),
  endpoint_limit        integer not null default 50 check (endpoint_limit between 1 and 10000),
  consent_default       text not null check (consent_default in ('granted', 'withdrawn')),
  locale                text not null default 'en' check (locale ~ '^[A-Za-z0-9-]{2,35}$'),
  time_zone             text not null default 'UTC' check (time_zone ~ '^[A-Za-z0-9_+/:-]{1,64}$'),
  agent_writes          text not null default 'off' check (agent_writes in ('off', 'confirmed')),
  currencies            text[] check (cardinality(currencies) >= 1),
  created_at            timestamptz(3) not null default platform.real_now()
);
comment on column projects.endpoint_limit is
  'How many webhook endpoints of the project can be active at the same time. The webhook service enforces it; it receives the value in the caller''s context.';
comment on column projects.consent_default is 'The consent of a member for whom none was recorded.';
comment on column projects.locale is 'The language tag (BCP 47) by which amounts and dates that a person types are read.';
comment on column projects.time_zone is 'The time zone (IANA) of the days that a person types.';
comment on column projects.currencies is 'The currencies (ISO 4217) that requests can use; null for all that the API has.';
comment on column projects.agent_writes is
  'Whether the tools of the MCP endpoint can write: off, or after a person has confirmed each call.';

create table allowed_origins (
  origin     text collate "C" not null,
  project_id text collate "C" not null references projects,
  primary key (origin, project_id)
);
comment on table allowed_origins is 'Origins of web pages from which a project''s tokens are accepted.';
create index allowed_origins_project on allowed_origins (project_id);

create table keys (
  id          text collate "C" primary key,
  project_id  text collate "C" not null references projects,
  name        text check (length(name) between 1 and 200),
  prefix      text not null,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  generation  integer not null default 1 check (generation >= 1),
  scopes      text[] not null check (cardinality(scopes) >= 1),
  created_at  timestamptz(3) not null default platform.real_now(),
  rotated_at  timestamptz(3),
  revoked_at  timestamptz(3)
);
comment on column keys.prefix is 'The first characters of the secret, by which people recognize it.';
comment on column keys.generation is 'Grows with each rotation; a token of an earlier generation is no longer valid.';
create index keys_project on keys (project_id);

-- The last use of each key. It is not a column of `keys`, because the gateway can only read that table, and every request with a key reads
-- it. Each gateway process writes the uses of a minute together, so no request writes this table.
create table key_uses (
  key_id  text collate "C" primary key references keys,
  used_at timestamptz(0) not null
);
comment on table key_uses is 'The minute in which a key, or a token made with it, was last used.';

create table tokens (
  id             text collate "C" primary key,
  secret_hash    bytea not null unique check (octet_length(secret_hash) = 32),
  key_id         text collate "C" not null references keys,
  key_generation integer not null,
  scopes         text[] not null check (cardinality(scopes) >= 1),
  resource_ids   text[],
  expires_at     timestamptz(3) not null,
  created_at     timestamptz(3) not null default platform.real_now()
);
comment on column tokens.resource_ids is 'Null if the token is not limited to some resources.';
create index tokens_expiry on tokens (expires_at);

-- The number of requests per project and minute. Every request updates a row, so the table is unlogged: a transaction that writes only
-- unlogged tables does not wait for the write-ahead log. A crash of the database empties the table, and the counts start again from zero.
-- The key begins with the minute, by which old counts are deleted.
create unlogged table request_counts (
  project_id text collate "C" not null,
  minute     timestamptz(0) not null,
  used       bigint not null,
  primary key (minute, project_id)
) with (fillfactor = 50);

create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz(3) not null default platform.real_now(),
  actor      text not null,
  action     text not null,
  subject    text not null,
  details    jsonb not null default '{}'
);
comment on table audit_log is 'Changes made with the command line, and who made them. Append-only; contains no secret.';

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_append_only();

grant usage on schema gateway to gateway;
grant select on projects, allowed_origins, keys to gateway;
grant select, insert, update on key_uses to gateway;
grant select, insert, delete on tokens to gateway;
grant select, insert, update, delete on request_counts to gateway;
