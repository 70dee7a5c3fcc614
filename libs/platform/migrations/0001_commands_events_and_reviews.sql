-- Up Migration Tables of every service with commands: the writes that the service accepted, the events to publish, and the workflows to
-- signal.

-- The update that stores a command's response is a heap-only update: it changes no indexed column, and the fill factor leaves space on
-- the page.
create table commands (
  id            text collate "C" primary key,
  project_id    text  not null,
  operation     text  not null,
  key_digest    uuid  not null unique,
  request_hash  bytea not null,
  resource_id   text  not null,
  answer_status smallint,
  answer        bytea,
  check ((answer_status is null) = (answer is null))
) with (fillfactor = 90);
alter table commands alter column answer set storage external;
comment on table commands is
  'One row per write. It is pending while answer_status is null. It is kept with its answer for as long as its resource; a rejection deletes it.';
comment on column commands.key_digest is
  'The first 128 bits of SHA-256 of project, operation and idempotency key. The key itself can have 255 characters and is not stored.';
comment on column commands.answer is 'The response''s JSON, compressed by the service (libs/platform/src/commands/stored-answer.ts).';

-- pending_commands is small, because it has a row only for a command without a response.
create table pending_commands (
  id          text collate "C" primary key references commands on delete cascade,
  update_name text,
  caller      jsonb not null,
  body        jsonb,
  traceparent text check (char_length(traceparent) = 55),
  created_at  timestamptz(3) not null default platform.now()
);
comment on table pending_commands is
  'What a pending command needs until it has its answer. The row is written with the command''s row, and deleted with the answer.';
comment on column pending_commands.update_name is
  'The Update of the workflow that executes the command; null for a command that no workflow executes.';
comment on column pending_commands.traceparent is
  'The W3C traceparent of the request, with which a command continues that is sent again; null where the request is not traced.';

create table outbox (
  seq                bigint generated always as identity primary key,
  event_id           text not null unique,
  project_id         text not null,
  resource_id        text not null,
  type               text not null,
  payload            text not null,
  created_at         timestamptz(3) not null default platform.now(),
  traceparent        text check (char_length(traceparent) = 55),
  dead_lettered_at   timestamptz(3),
  dead_letter_reason text
);
comment on table outbox is 'Events that were committed with their facts and are not yet stored in the stream.';
comment on column outbox.dead_lettered_at is
  'When the stream rejected the event. The relay leaves it out until an operator decides; null for all others.';
create index outbox_dead_lettered on outbox (dead_lettered_at) where dead_lettered_at is not null;

create function outbox_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $$;
create trigger outbox_notifies_relay after insert on outbox for each statement execute function outbox_notify();

create table published (
  seq         bigint primary key,
  event_id    text not null,
  project_id  text not null,
  resource_id text not null,
  type        text not null,
  payload     text not null,
  created_at  timestamptz(3) not null,
  stream      text not null,
  stream_seq  bigint not null,
  traceparent text check (char_length(traceparent) = 55)
);
comment on table published is
  'Events in the stream that the webhook service may not have stored. A row is deleted when the stream has delivered the event. If the stream is lost, the rows return to the outbox.';
create index published_places on published (stream, stream_seq);

create table workflow_reviews (
  resource_id  text primary key,
  project_id   text not null,
  environment  text not null,
  generation   integer not null default 1,
  requested_at timestamptz(3) not null default platform.now(),
  leased_until timestamptz(3)
);
comment on table workflow_reviews is
  'Resources that changed outside of their workflows. A row is written in the transaction that changes the resource and deleted when its workflow was signalled. If a row is deleted by hand, the workflow stays open until a command reaches its resource.';
comment on column workflow_reviews.generation is 'Grows with each change, so that a signal sent before the last change does not count for it.';
comment on column workflow_reviews.leased_until is 'Until when one process has the row, by the machine''s clock; after it, any process can take the row.';
create index workflow_reviews_in_order on workflow_reviews (requested_at);

-- The service's database role has the same name as its schema.
do $$
begin
  execute format('grant usage on schema %I to %I', current_schema(), current_schema());
  execute format('grant select, insert, update, delete on commands, pending_commands, outbox, workflow_reviews to %I', current_schema());
  execute format('grant select, insert, delete on published to %I', current_schema());
end $$;
