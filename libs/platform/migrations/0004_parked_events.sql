-- Up Migration
-- Events that the stream refuses for what they are, set aside so that they hold up no others.

alter table outbox add column parked_at timestamptz(3), add column parked_reason text;
comment on column outbox.parked_at is 'Since when the relay passes it over, until an operator decides; null for the others.';
create index outbox_parked on outbox (parked_at) where parked_at is not null;
