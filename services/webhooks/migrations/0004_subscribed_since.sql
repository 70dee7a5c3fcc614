-- Up Migration
-- Since when an endpoint has listened to each type: an event that comes late is owed to those who did when it happened.

alter table endpoints add column events_since timestamptz(3)[];
comment on column endpoints.events_since is
  'Beside each of events, since when the endpoint has been open for it; null stands for since its creation.';
