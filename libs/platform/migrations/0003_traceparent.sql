-- Up Migration
-- The trace of the request that caused a row, as W3C's traceparent; null where it is not traced. A command that is sent again
-- and an event that is relayed later go on with it.

alter table commands add column traceparent text,
  add constraint commands_traceparent check (char_length(traceparent) = 55) not valid;
alter table outbox add column traceparent text,
  add constraint outbox_traceparent check (char_length(traceparent) = 55) not valid;
alter table published add column traceparent text,
  add constraint published_traceparent check (char_length(traceparent) = 55) not valid;
