-- Up Migration
-- The clocks of projects whose time is simulated. The time itself is in platform.project_clocks, which the services read.

create table test_clocks (
  project_id    text collate "C" primary key references projects check (platform.is_simulated(project_id)),
  created_by    text collate "C" references projects,
  status        text not null default 'ready' check (status in ('ready', 'advancing', 'failed')),
  target        timestamptz(3),
  authority     text,
  completed     integer not null default 0,
  advanced_to   timestamptz(3),
  failure       text,
  executor      uuid,
  leased_until  timestamptz(3),
  check ((status = 'ready') = (target is null)),
  check ((status = 'failed') = (failure is not null)),
  check ((executor is null) = (leased_until is null))
);
comment on column test_clocks.created_by is 'The project whose key created the clock; null if an operator did.';
comment on column test_clocks.authority is 'The key that asked for the latest advance.';
comment on column test_clocks.completed is 'How many due items the latest advance has executed.';
comment on column test_clocks.advanced_to is
  'The last completed instant of the advances: everything that was due until it has been executed. Null before the first advance.';
comment on column test_clocks.executor is
  'The process that executes the advance until leased_until, by the real time. After it, any gateway continues the advance.';
create index test_clocks_of_creator on test_clocks (created_by);
create index test_clocks_advancing on test_clocks (leased_until nulls first) where status = 'advancing';

create table clock_advances (
  project_id   text collate "C" not null references test_clocks,
  key_digest   uuid not null,
  request_hash bytea not null,
  created_at   timestamptz(3) not null default platform.real_now(),
  primary key (project_id, key_digest)
);
comment on table clock_advances is 'The idempotency keys of the accepted advances. A repeated request gets the clock as it is.';

create table seeded_requests (
  project_id text collate "C" not null references test_clocks,
  scope      uuid not null,
  primary key (project_id, scope)
);
comment on table seeded_requests is
  'The requests of projects with a seed of which IDs follow: operation and idempotency key as a digest. A repeated request makes random IDs, so that no ID is made twice.';

grant insert (id, name, environment, consent_default) on projects to gateway;
grant select, insert, update on test_clocks to gateway;
grant select, insert on clock_advances, seeded_requests to gateway;
