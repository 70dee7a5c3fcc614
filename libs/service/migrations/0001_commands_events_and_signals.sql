-- Up Migration Tables of every service with commands: the writes that the service accepted or rejected, the events to publish, and the
-- workflows to signal.

-- The update that stores a command's response is a heap-only update: it changes no indexed column, and the fill factor leaves space on
-- the page.
create table commands (
  id            text collate "C" primary key,
  project_id    text  not null,
  operation     text  not null,
  key_digest    uuid  not null unique,
  request_hash  bytea not null,
  resource_id   text  not null,
  response_status smallint,
  response        bytea,
  check ((response_status is null) = (response is null))
) with (fillfactor = 90);
alter table commands alter column response set storage external;
comment on table commands is
  'One row per write. It is pending while response_status is null. It is kept with its response for as long as its resource; a rejection deletes it.';
comment on column commands.key_digest is
  'The first 128 bits of SHA-256 of project, operation and idempotency key. The key itself can have 255 characters and is not stored.';
comment on column commands.response is 'The response''s JSON, compressed by the service (libs/commands/src/stored-response.ts).';

-- pending_commands is small, because it has a row only for a command without a response.
create table pending_commands (
  id            text collate "C" primary key references commands on delete cascade,
  workflow_id   text not null,
  caller        jsonb not null,
  body          jsonb,
  response_body jsonb,
  traceparent   text check (char_length(traceparent) = 55),
  created_at    timestamptz(3) not null default platform.real_now(),
  leased_until  timestamptz(3) not null,
  attempted_at  timestamptz(3)
);
comment on table pending_commands is
  'What a pending command needs until it has its response. The row is written with the command''s row, and deleted with the response.';
comment on column pending_commands.workflow_id is
  'The resource whose workflow finishes the command if its execution is interrupted.';
comment on column pending_commands.response_body is
  'The body of the response to a command whose facts are committed and whose notifications another service must still record.';
comment on column pending_commands.traceparent is
  'The W3C traceparent of the request, with which an interrupted command continues; null where the request is not traced.';
comment on column pending_commands.leased_until is
  'Until when the process that executes the command is expected to end it, by the machine''s clock. After it, a sweep asks the workflow to finish the command.';
comment on column pending_commands.attempted_at is
  'When a sweep last asked the workflow to finish the command, or the workflow last tried it, by the machine''s clock; null if neither has.';
create index pending_commands_by_lease on pending_commands (leased_until);
create index pending_commands_by_workflow on pending_commands (workflow_id);

create table rejected_commands (
  id           text collate "C" primary key,
  project_id   text not null,
  resource_id  text not null,
  operation    text not null,
  actor        text not null,
  request_id   text not null,
  code         text not null,
  message      text not null,
  rejected_at  timestamptz(3) not null default platform.real_now()
);
comment on table rejected_commands is
  'Commands that a rule rejected, for operators. A row has no input and no member reference, and is deleted after the retention of the service''s setting.';
create index rejected_commands_by_resource on rejected_commands (resource_id, rejected_at);
create index rejected_commands_by_project on rejected_commands (project_id, rejected_at);
create index rejected_commands_by_time on rejected_commands (rejected_at);

create table outbox (
  seq                bigint generated always as identity primary key,
  event_id           text not null unique,
  project_id         text not null,
  resource_id        text not null,
  type               text not null,
  payload            text not null,
  created_at         timestamptz(3) not null default platform.real_now(),
  traceparent        text check (char_length(traceparent) = 55),
  dead_lettered_at   timestamptz(3),
  dead_letter_reason text
);
comment on table outbox is 'Events that were committed with their facts and are not yet stored in the stream.';
comment on column outbox.dead_lettered_at is
  'When the stream rejected the event. The relay leaves it out until an operator decides; null for all others.';
create index outbox_of_simulated_project on outbox (project_id, seq) where platform.is_simulated(project_id);
create index outbox_dead_lettered on outbox (dead_lettered_at) where dead_lettered_at is not null;

create table published_events (
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
comment on table published_events is
  'Events in the stream that the webhook service may not have stored. A row is deleted when the stream has delivered the event. If the stream is lost, the rows return to the outbox.';
create index published_events_of_simulated_project on published_events (project_id, seq) where platform.is_simulated(project_id);
create index published_events_places on published_events (stream, stream_seq);

create table workflow_signals (
  resource_id  text primary key,
  project_id   text not null,
  environment  text not null,
  changes      jsonb not null,
  enqueued_at  timestamptz(3) not null default clock_timestamp(),
  leased_until timestamptz(3)
);
comment on table workflow_signals is
  'Changes of resources that their workflows have not received. The transaction that changes a resource writes its row. The row is deleted when the workflow was signalled.';
comment on column workflow_signals.changes is
  'What changed, in order: an array of {what, at, actor, requestId}. A signal that was sent removes the changes that it contained.';
comment on column workflow_signals.enqueued_at is
  'When the first of the changes was written, by the machine''s clock. The signal is sent a few seconds later, so that it contains the changes that follow soon.';
comment on column workflow_signals.leased_until is 'Until when one process has the row, by the machine''s clock; after it, any process can take the row.';
create index workflow_signals_in_order on workflow_signals (enqueued_at);

-- The service's database role has the same name as its schema.
do $$
begin
  execute format('grant usage on schema %I to %I', current_schema(), current_schema());
  execute format('grant select, insert, update, delete on commands, pending_commands, outbox, workflow_signals to %I', current_schema());
  execute format('grant select, insert, delete on published_events, rejected_commands to %I', current_schema());
end $$;
