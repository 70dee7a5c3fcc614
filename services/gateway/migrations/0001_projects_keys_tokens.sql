-- Up Migration
-- Who may call: projects, their secret keys, the tokens that keys make, and how often. Operators change the first three by the
-- command-line tool as the database's owner; the gateway itself only reads them, makes tokens and counts requests.

create table projects (
  id                    text collate "C" primary key,
  name                  text not null check (length(name) between 1 and 200),
  environment           text not null check (environment in ('sandbox', 'production')),
  rate_limit_per_minute integer not null default 1000 check (rate_limit_per_minute between 1 and 1000000),
  consent_default       text not null check (consent_default in ('granted', 'withdrawn')),
  created_at            timestamptz(3) not null default platform.now()
);
comment on column projects.consent_default is 'What counts for a member whose consent was never recorded.';

create table allowed_origins (
  origin     text collate "C" not null,
  project_id text collate "C" not null references projects,
  primary key (origin, project_id)
);
comment on table allowed_origins is 'Origins from whose pages a project''s tokens are accepted.';
create index allowed_origins_project on allowed_origins (project_id);

create table keys (
  id          text collate "C" primary key,
  project_id  text collate "C" not null references projects,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  generation  integer not null default 1 check (generation >= 1),
  scopes      text[] not null check (cardinality(scopes) >= 1),
  created_at  timestamptz(3) not null default platform.now(),
  rotated_at  timestamptz(3),
  revoked_at  timestamptz(3)
);
comment on column keys.generation is 'Grows with each rotation; a token of an earlier generation is dead.';
create index keys_project on keys (project_id);

create table tokens (
  id             text collate "C" primary key,
  secret_hash    bytea not null unique check (octet_length(secret_hash) = 32),
  key_id         text collate "C" not null references keys,
  key_generation integer not null,
  scopes         text[] not null check (cardinality(scopes) >= 1),
  resource_ids   text[],
  expires_at     timestamptz(3) not null,
  created_at     timestamptz(3) not null default platform.now()
);
comment on column tokens.resource_ids is 'Null where the token is not narrowed to some resources.';
create index tokens_expiry on tokens (expires_at);

-- Counted by the request, so it must cost no disk: a transaction that touches unlogged tables alone does not wait for the log.
-- A crash of the database empties it, which resets the minute.
create unlogged table request_counts (
  project_id text collate "C" not null,
  minute     timestamptz(0) not null,
  used       bigint not null,
  primary key (project_id, minute)
) with (fillfactor = 50);

create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz(3) not null default platform.now(),
  actor      text not null,
  action     text not null,
  subject    text not null,
  details    jsonb not null default '{}'
);
comment on table audit_log is 'Who changed what by the command-line tool. Append-only; never a secret.';

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_append_only();

grant usage on schema gateway to gateway;
grant select on projects, allowed_origins, keys to gateway;
grant select, insert, delete on tokens to gateway;
grant select, insert, update, delete on request_counts to gateway;
