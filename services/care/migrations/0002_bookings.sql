-- Up Migration
-- A booking and the session that it makes are one row: whatever races, that row decides.

create table bookings (
  id                  text collate "C" primary key,
  project_id          text not null,
  session_id          text collate "C" not null unique,
  practitioner_id     text collate "C" not null,
  starts_at           timestamptz(3) not null,
  ends_at             timestamptz(3) not null,
  timezone            text not null,
  format              text not null check (format in ('online', 'in_person', 'phone')),
  payment_source      text not null check (payment_source in ('self_pay', 'covered')),
  status              text not null check (status in ('reserved', 'confirmed', 'cancelled')),
  created_at          timestamptz(3) not null,
  confirmed_by        text,
  cancelled_at        timestamptz(3),
  cancellation_reason text,
  delivered_at        timestamptz(3),
  benefits_told_at    timestamptz(3),
  foreign key (project_id, practitioner_id) references practitioners (project_id, id),
  check (ends_at > starts_at and ends_at <= starts_at + interval '8 hours'),
  check (payment_source = 'covered' or status <> 'reserved'),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_at is null) = (cancellation_reason is null)),
  check (cancelled_at is null or delivered_at is null),
  check (benefits_told_at is null or cancelled_at is not null),
  constraint bookings_one_at_a_time
    exclude using gist (practitioner_id with =, tstzrange(starts_at, ends_at) with &&) where (status <> 'cancelled')
);
comment on constraint bookings_one_at_a_time on bookings is 'No two live bookings of a practitioner overlap.';
comment on column bookings.timezone is 'The practitioner''s when it was booked.';
comment on column bookings.confirmed_by is 'The pre-authorization whose approval confirmed it last; null if none did.';
comment on column bookings.delivered_at is 'Set where the session was delivered ahead of its end; else its end delivers it.';
comment on column bookings.benefits_told_at is 'When benefits had heard of the cancellation.';

create index bookings_of_project on bookings (project_id, id);
create index bookings_sessions_of_project on bookings (project_id, session_id);
create index bookings_benefits_pending on bookings (cancelled_at)
  where status = 'cancelled' and payment_source = 'covered' and benefits_told_at is null;

-- The same rows as sessions; their status is computed from these facts and the clock.
create view sessions as
  select session_id as id, project_id, id as booking_id, practitioner_id, starts_at, ends_at, timezone, format,
         payment_source, status as booking_status, delivered_at, created_at
  from bookings;

-- What was booked can't be changed, nor a booking deleted.
grant select, insert on bookings to care;
grant update (status, confirmed_by, cancelled_at, cancellation_reason, delivered_at, benefits_told_at) on bookings to care;
grant select on sessions to care;
