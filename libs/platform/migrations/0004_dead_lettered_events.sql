-- Up Migration
-- Events that the stream rejects for what they are, set aside so that they hold up no others.

alter table outbox add column dead_lettered_at timestamptz(3), add column dead_letter_reason text;
comment on column outbox.dead_lettered_at is 'Since when the relay passes it over, until an operator decides; null for the others.';
create index outbox_dead_lettered on outbox (dead_lettered_at) where dead_lettered_at is not null;
