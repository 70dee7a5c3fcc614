-- Up Migration
-- Which approvals confirmed a booking. An approval that is rejected after care confirmed the booking withdraws its own confirmation.

create table booking_confirmations (
  booking_id          text collate "C" not null references bookings,
  approval_id         text collate "C" not null,
  preauthorization_id text collate "C" not null,
  confirmed_at        timestamptz(3),
  withdrawn_at        timestamptz(3),
  primary key (booking_id, approval_id),
  check (confirmed_at is not null or withdrawn_at is not null)
);
comment on table booking_confirmations is
  'One row per approval. A row with withdrawn_at rejects a confirm request of the same approval that arrives late.';
comment on column booking_confirmations.approval_id is 'The id of the command that approves: a second approval of the same pre-authorization has another.';

insert into booking_confirmations (booking_id, approval_id, preauthorization_id, confirmed_at)
select id, confirmed_by, confirmed_by, created_at from bookings where confirmed_by is not null;
alter table bookings drop column confirmed_by;

grant select, insert, update on booking_confirmations to care;
