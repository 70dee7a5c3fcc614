-- Up Migration
-- Recoveries of ranges too large for one transaction, and how far each has come.

create table recoveries (
  id          bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references endpoints,
  after_at    timestamptz(3)   not null,
  after_id    text collate "C" not null,
  until       timestamptz(3)   not null,
  begun_at    timestamptz(3)   not null default platform.now()
);
comment on table recoveries is
  'What is left of each: the project''s events after (after_at, after_id), by created_at and id, up to until. Gone when done.';

grant select, insert, update, delete on recoveries to webhooks;
