-- Up Migration
-- The trace of the request that caused an event, as W3C's traceparent; null where it is not traced. Its tries go on with it.

alter table events add column traceparent text,
  add constraint events_traceparent check (char_length(traceparent) = 55) not valid;
