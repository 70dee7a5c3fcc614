-- Up Migration
-- Where events are sent, the events themselves, and what became of sending each to each.

create table endpoints (
  id               text collate "C" primary key,
  project_id       text        not null,
  url              text        not null,
  events           text[]      not null check (cardinality(events) between 1 and 32),
  status           text        not null default 'active' check (status in ('active', 'disabled')),
  disabled_at      timestamptz(3),
  disabled_reason  text check (disabled_reason in ('requested', 'gone', 'failing')),
  first_failure_at timestamptz(3),
  created_at       timestamptz(3) not null default platform.now(),
  check ((status = 'disabled') = (disabled_at is not null)),
  check ((status = 'disabled') = (disabled_reason is not null))
);
comment on column endpoints.disabled_reason is
  'requested: by its owner; gone: it answered 410; failing: every try failed for days.';
comment on column endpoints.first_failure_at is 'Since when every try has failed; null after any success.';
create index endpoints_of_project on endpoints (project_id, id desc);

create table signing_secrets (
  id          bigint generated always as identity primary key,
  endpoint_id text   not null references endpoints,
  key_id      text   not null,
  sealed      bytea  not null,
  created_at  timestamptz(3) not null default platform.now(),
  expires_at  timestamptz(3)
);
comment on table signing_secrets is
  'Sealed by AES-256-GCM under the configured key key_id. Replaced ones sign beside the current until they expire.';
create unique index signing_secrets_current on signing_secrets (endpoint_id) where expires_at is null;
create index signing_secrets_of_endpoint on signing_secrets (endpoint_id, id desc);
create index signing_secrets_expiring on signing_secrets (expires_at) where expires_at is not null;
create index signing_secrets_by_key on signing_secrets (key_id);

create table events (
  id          text collate "C" primary key,
  project_id  text not null,
  resource_id text not null,
  type        text not null,
  payload     text not null,
  created_at  timestamptz(3) not null,
  received_at timestamptz(3) not null default platform.now()
);
comment on column events.payload is 'The JSON that receivers get, byte for byte.';
create index events_of_project on events (project_id, id desc);
create index events_of_project_by_type on events (project_id, type, id desc);
create index events_of_project_by_time on events (project_id, created_at);
create index events_by_age on events (received_at);

create table deliveries (
  id              text collate "C" not null references events on delete cascade,
  endpoint_id     text collate "C" not null references endpoints,
  project_id      text     not null,
  type            text     not null,
  created_at      timestamptz(3) not null,
  status          text     not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts        integer  not null default 0,
  round           integer  not null default 1,
  round_attempts  smallint not null default 0,
  response_status smallint check (response_status between 100 and 599),
  next_attempt_at timestamptz(3),
  due_at          timestamptz(3),
  primary key (endpoint_id, id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (due_at is not null))
);
comment on table deliveries is
  'One row for an event and an endpoint, whatever the stream repeats. id and created_at are the event''s.';
comment on column deliveries.round is
  'A redelivery begins a new round of tries. What a try of an earlier round comes to no longer changes the state.';
comment on column deliveries.round_attempts is 'Attempts made in the present round.';
comment on column deliveries.due_at is
  'When a dispatcher may take it: next_attempt_at, or the end of the lease of the one that has taken it.';
create index deliveries_due on deliveries (endpoint_id, due_at) where status = 'pending';
create index deliveries_by_status on deliveries (endpoint_id, status, id desc);
create index deliveries_of_event on deliveries (id);

create table attempts (
  seq              bigint generated always as identity primary key,
  endpoint_id      text collate "C" not null,
  event_id         text collate "C" not null,
  started_at       timestamptz(3) not null,
  response_status  smallint check (response_status between 100 and 599),
  duration_ms      integer not null check (duration_ms >= 0),
  error            text,
  response_excerpt text,
  foreign key (endpoint_id, event_id) references deliveries (endpoint_id, id) on delete cascade
);
comment on table attempts is 'Append-only: one row a try. Retention removes it with its event.';
create index attempts_of_delivery on attempts (endpoint_id, event_id, seq);

create table dead_lettered_messages (
  digest    bytea primary key,
  subject   text        not null,
  stream_seq bigint     not null,
  data      bytea       not null,
  reason    text        not null,
  dead_lettered_at timestamptz(3) not null default platform.now()
);
comment on table dead_lettered_messages is 'Messages of the stream that could not be understood, for an operator to look at.';

create index commands_of_resource on commands (resource_id);

grant select, insert, update on endpoints, deliveries to webhooks;
grant select, insert, update, delete on signing_secrets to webhooks;
grant select, insert, delete on events, dead_lettered_messages to webhooks;
grant select, insert on attempts to webhooks;
