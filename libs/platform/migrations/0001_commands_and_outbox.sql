-- Up Migration
-- Every service has the same two tables: the commands it accepted, and the events it still owes the stream.

create table commands (
  id              text primary key,
  project_id      text        not null,
  operation       text        not null,
  idempotency_key text        not null,
  request_hash    bytea       not null,
  resource_id     text        not null,
  caller          jsonb       not null,
  body            jsonb,
  answer_status   smallint,
  answer_body     text,
  created_at      timestamptz(3) not null default platform.now(),
  unique (project_id, operation, idempotency_key),
  check ((answer_status is null) = (answer_body is null))
);
comment on table commands is
  'One row a write: pending while answer_status is null, kept with its answer for as long as its resource. A rejection deletes it.';
create index commands_pending on commands (created_at) where answer_status is null;

create table outbox (
  seq         bigint generated always as identity primary key,
  event_id    text not null unique,
  project_id  text not null,
  resource_id text not null,
  type        text not null,
  payload     text not null,
  created_at  timestamptz(3) not null default platform.now()
);
comment on table outbox is 'Events committed with their facts and not yet on the stream''s disk.';

create function outbox_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $$;
create trigger outbox_wakes_relay after insert on outbox for each statement execute function outbox_notify();

-- The service's role has the name of its schema.
do $$
begin
  execute format('grant usage on schema %I to %I', current_schema(), current_schema());
  execute format('grant select, insert, update, delete on commands, outbox to %I', current_schema());
end $$;
