-- Up Migration
-- What the stream has and the webhook service may not have stored yet: a stream that is lost or made again loses no event.

create table published (
  seq         bigint primary key,
  event_id    text not null,
  project_id  text not null,
  resource_id text not null,
  type        text not null,
  payload     text not null,
  created_at  timestamptz(3) not null,
  stream      text not null,
  stream_seq  bigint not null
);
comment on table published is
  'Events on the stream named, at this place of it. Forgotten when that stream has let go of them; back to the outbox where it lost them.';
create index published_places on published (stream, stream_seq);

-- The service's role has the name of its schema.
do $$
begin
  execute format('grant select, insert, delete on published to %I', current_schema());
end $$;
