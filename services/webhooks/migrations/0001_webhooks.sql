-- Up Migration
-- Endpoints with their signing secrets, stored events, their deliveries and attempts, ended periods, recoveries, and dead-lettered messages.

create table endpoints (
  id               text collate "C" primary key,
  project_id       text        not null,
  url              text        not null,
  destination      text collate "C" not null,
  events           text[]      not null check (cardinality(events) between 1 and 32),
  events_since     timestamptz(3)[],
  status           text        not null default 'active' check (status in ('active', 'disabled')),
  disabled_at      timestamptz(3),
  disabled_reason  text check (disabled_reason in ('requested', 'gone', 'failing')),
  first_failure_at timestamptz(3),
  period           integer     not null default 1,
  created_at       timestamptz(3) not null default platform.now(),
  check ((status = 'disabled') = (disabled_at is not null)),
  check ((status = 'disabled') = (disabled_reason is not null))
);
comment on column endpoints.disabled_reason is
  'requested: a client disabled the endpoint; gone: the receiver responded with 410; failing: all attempts failed for 5 days.';
comment on column endpoints.destination is
  'The host and port of the URL in canonical form. A dispatcher leases no more deliveries of a destination than it can attempt soon.';
comment on column endpoints.events_since is
  'For each element of events, the time since which the endpoint is subscribed to it; null means since its creation. A late event is delivered to the endpoints that were subscribed at the event''s created_at.';
comment on column endpoints.first_failure_at is 'The end of the first failed attempt since the last successful one; null if the last attempt succeeded or none was made.';
comment on column endpoints.period is
  'Number of the current period, from 1. A new period starts when the endpoint is disabled or an event type is removed from it.';
create index endpoints_of_project on endpoints (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table endpoints alter column status set (n_distinct = 2);
create index endpoints_by_status on endpoints (project_id, status, created_at, id);
create index endpoints_by_destination on endpoints (destination) where status = 'active';
create index endpoints_active on endpoints (project_id) where status = 'active';

create table signing_secrets (
  id          bigint generated always as identity primary key,
  endpoint_id text   not null references endpoints,
  key_id      text   not null,
  ciphertext  bytea  not null,
  created_at  timestamptz(3) not null default platform.real_now(),
  expires_at  timestamptz(3)
);
comment on table signing_secrets is
  'Signing secrets, encrypted by AES-256-GCM with the configured encryption key key_id. Replaced secrets sign too until expires_at.';
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
  received_at timestamptz(3) not null default platform.real_now(),
  traceparent text check (char_length(traceparent) = 55)
);
comment on column events.payload is 'The JSON of the event, byte for byte as receivers get it.';
comment on column events.traceparent is
  'W3C traceparent of the request that caused the event. Attempts resume this trace; null if the request is not traced.';
create index events_of_project on events (project_id, created_at, id);
alter table events alter column type set (n_distinct = 20);
create index events_of_project_by_type on events (project_id, type, created_at, id);
create index events_of_resource on events (resource_id, id);
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
  period          integer  not null default 1,
  response_status smallint check (response_status between 100 and 599),
  next_attempt_at timestamptz(3),
  leased_until    timestamptz(3),
  simulated_at    timestamptz(3),
  primary key (endpoint_id, id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check (status = 'pending' or leased_until is null),
  check (simulated_at is null or (status = 'pending' and platform.is_simulated(project_id)))
) with (fillfactor = 70);
comment on table deliveries is
  'One row per event and endpoint, even if the stream sends the event twice. id and created_at are those of the event.';
comment on column deliveries.round is
  'Number of the current round of attempts, from 1. A redelivery or recovery starts a new round; the outcome of an attempt of an earlier round no longer changes the delivery.';
comment on column deliveries.round_attempts is 'Attempts made in the current round.';
comment on column deliveries.period is 'The period of the endpoint in which the current round started.';
comment on column deliveries.leased_until is
  'The end of the lease of the process that makes the next attempt; null if the delivery is not leased. No index has the column, and pages have free space (fillfactor), so that a lease changes no index.';
comment on column deliveries.simulated_at is
  'In a project with simulated time: the instant of the attempt that the dispatcher makes now. Null for a retry that waits for an advance of the clock, and in all projects with real time.';
create index deliveries_due on deliveries (endpoint_id, next_attempt_at)
  where status = 'pending' and (simulated_at is not null or not platform.is_simulated(project_id));
create index deliveries_due_by_clock on deliveries (project_id, next_attempt_at)
  where status = 'pending' and simulated_at is null and platform.is_simulated(project_id);
create index deliveries_simulated_now on deliveries (project_id) where simulated_at is not null;
alter table deliveries alter column status set (n_distinct = 3);
create index deliveries_by_status on deliveries (endpoint_id, status, created_at, id);
create index deliveries_of_event on deliveries (id);
create index deliveries_of_endpoint on deliveries (endpoint_id, created_at, id);

create table ended_periods (
  id          bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references endpoints,
  through     integer          not null,
  types       text[],
  after_at    timestamptz(3)   not null default 'epoch',
  after_id    text collate "C" not null default ''
);
comment on table ended_periods is
  'The pending deliveries of the endpoint''s periods up to "through" have ended: none is attempted, and clients see it as failed. A sweep sets them to failed and then deletes the row.';
comment on column ended_periods.types is 'The event types whose deliveries have ended; null means all.';
comment on column ended_periods.after_id is 'The sweep has processed the deliveries up to (after_at, after_id), in the order of created_at and id.';
create index ended_periods_of_endpoint on ended_periods (endpoint_id);

create view deliveries_in_full as
  select d.*, d.status = 'pending' and exists (
    select from ended_periods p
    where p.endpoint_id = d.endpoint_id and d.period <= p.through and (p.types is null or d.type = any(p.types))) as has_ended
  from deliveries d;

create table attempts (
  seq              bigint generated always as identity,
  endpoint_id      text collate "C" not null,
  event_id         text collate "C" not null,
  started_at       timestamptz(3) not null,
  response_status  smallint check (response_status between 100 and 599),
  duration_ms      integer not null check (duration_ms >= 0),
  error            text,
  response_excerpt text,
  primary key (endpoint_id, event_id, seq),
  foreign key (endpoint_id, event_id) references deliveries (endpoint_id, id) on delete cascade
);
comment on table attempts is 'Append-only: one row per attempt. A sweep deletes the rows together with old events.';

-- The service's role can't delete attempts, but it can delete an old event with all of its attempts. If they are too many for one
-- statement, this function first deletes a part of them. All names in it are schema-qualified.
create function delete_attempts(of_event text, up_to integer) returns bigint language sql security definer
  set search_path = pg_catalog, pg_temp as $$
  with deleted as (
    delete from webhooks.attempts where (endpoint_id, event_id, seq) in (
      select a.endpoint_id, a.event_id, a.seq from webhooks.deliveries d
      join webhooks.attempts a on a.endpoint_id = d.endpoint_id and a.event_id = d.id
      where d.id = of_event limit up_to)
    returning 1)
  select count(*) from deleted
$$;

create table dead_lettered_messages (
  digest    bytea primary key,
  subject   text        not null,
  stream_seq bigint     not null,
  data      bytea       not null,
  reason    text        not null,
  dead_lettered_at timestamptz(3) not null default platform.real_now()
);
comment on table dead_lettered_messages is 'Messages of the stream that could not be parsed or stored, until an operator publishes them again or discards them.';

create table recoveries (
  endpoint_id   text collate "C" primary key references endpoints,
  after_at      timestamptz(3)   not null,
  after_id      text collate "C" not null,
  until         timestamptz(3)   not null,
  next_after_at timestamptz(3),
  next_until    timestamptz(3),
  check ((next_after_at is null) = (next_until is null))
);
comment on table recoveries is
  'The remaining range of each endpoint''s unfinished recovery: the project''s events after (after_at, after_id) in the order of created_at and id, and before until. Recoveries that were requested meanwhile follow it as one range, from next_after_at until next_until.';

create index commands_of_resource on commands (resource_id);

grant select, insert, update on endpoints, deliveries to webhooks;
grant select, insert, update, delete on signing_secrets, ended_periods, recoveries to webhooks;
grant select on deliveries_in_full to webhooks;
grant execute on function delete_attempts(text, integer) to webhooks;
grant select, insert, delete on events, dead_lettered_messages to webhooks;
grant select, insert on attempts to webhooks;
