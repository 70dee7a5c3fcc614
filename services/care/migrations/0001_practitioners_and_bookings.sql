-- Up Migration
-- Practitioners with their weekly hours, the bookings of their time, and the approvals that confirmed a booking.

create table practitioners (
  id                 text collate "C" primary key,
  project_id         text not null,
  external_reference text not null,
  name               text not null,
  profession         text not null,
  city               text not null,
  country            text not null check (country ~ '^[A-Z]{2}$'),
  fee_amount         bigint not null check (fee_amount between 1 and 9007199254740991),
  fee_currency       text not null check (fee_currency in ('KES', 'USD', 'EUR', 'GBP')),
  timezone           text not null,
  weekly_hours       jsonb not null check (jsonb_typeof(weekly_hours) = 'array'),
  created_at         timestamptz(3) not null default platform.now(),
  unique (project_id, id),
  unique (project_id, external_reference)
);
create index practitioners_of_project on practitioners (project_id, created_at, id);
comment on column practitioners.external_reference is
  'Identifies the practitioner when a directory is imported or generated again.';
comment on column practitioners.weekly_hours is
  'In the form of the API: [{weekday, start, end, formats}], local times of the time zone.';

-- A booking and its session are one row, so one row lock orders all concurrent changes of both.
create table bookings (
  id                   text collate "C" primary key,
  project_id           text not null,
  session_id           text collate "C" not null unique,
  practitioner_id      text collate "C" not null,
  starts_at            timestamptz(3) not null,
  ends_at              timestamptz(3) not null,
  timezone             text not null,
  format               text not null check (format in ('online', 'in_person', 'phone')),
  payment_source       text not null check (payment_source in ('self_pay', 'covered')),
  status               text not null check (status in ('reserved', 'confirmed', 'cancelled')),
  created_at           timestamptz(3) not null,
  cancelled_at         timestamptz(3),
  cancellation_reason  text,
  delivered_at         timestamptz(3),
  benefits_notified_at timestamptz(3),
  recorded_by          text,
  external_reference        text,
  external_reference_key    text collate "C" check (external_reference_key <> ''),
  external_reference_search text collate "C",
  foreign key (project_id, practitioner_id) references practitioners (project_id, id),
  constraint bookings_of_project unique (project_id, id),
  check (ends_at > starts_at and ends_at <= starts_at + interval '8 hours'),
  check (payment_source = 'covered' or status <> 'reserved'),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((cancelled_at is null) = (cancellation_reason is null)),
  check (cancelled_at is null or delivered_at is null),
  check (benefits_notified_at is null or cancelled_at is not null),
  check ((external_reference is null) = (external_reference_key is null)),
  check ((external_reference is null) = (external_reference_search is null)),
  check (external_reference is null or recorded_by is not null),
  constraint bookings_one_at_a_time
    exclude using gist (practitioner_id with =, tstzrange(starts_at, ends_at) with &&)
    where (status <> 'cancelled' and recorded_by is null)
);
comment on constraint bookings_one_at_a_time on bookings is
  'Two active bookings of a practitioner never overlap. The bookings of recorded sessions are outside the calendar and take no slot.';
comment on column bookings.recorded_by is
  'The API key that recorded the session outside the calendar, at created_at; null if the session was booked in a slot.';
comment on column bookings.external_reference is 'The reference of a recorded session in the system that sent it, as it was given.';
comment on column bookings.external_reference_key is
  'The normal form of external_reference in which uniqueness compares it: referenceKey of the contract. external_reference_search also ignores case.';
comment on column bookings.timezone is 'The practitioner''s time zone when the booking was created.';
comment on column bookings.delivered_at is 'Set if the session was delivered before its end; otherwise the session is delivered at its end.';
comment on column bookings.benefits_notified_at is 'When benefits confirmed the notification of the cancellation.';

-- The lists of bookings and of sessions have the same order, so that one index serves both. starts_at is in the indexes so that a filter by
-- start reads no row that does not meet it.
create index bookings_by_creation on bookings (project_id, created_at, id, starts_at);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table bookings alter column status set (n_distinct = 3);
create index bookings_by_status on bookings (project_id, status, created_at, id, starts_at);
create unique index bookings_session_reference_once on bookings (project_id, external_reference_key)
  where external_reference_key is not null;
create index bookings_by_session_reference on bookings (project_id, external_reference_search, created_at, id)
  where external_reference_search is not null;
create index bookings_of_practitioner on bookings (project_id, practitioner_id, created_at, id, starts_at);
-- These indexes find the bookings and sessions that start in a period, the sessions that are in progress, and the upcoming sessions.
create index bookings_by_start on bookings (project_id, starts_at, ends_at);
create index bookings_by_status_and_start on bookings (project_id, status, starts_at) where delivered_at is null;
-- This index finds the project's longest time between the creation of a booking and its start. A list filtered by start uses this time to
-- limit the creation times that it reads.
create index bookings_by_lead on bookings (project_id, (starts_at - created_at));
create index bookings_benefits_pending on bookings (cancelled_at)
  where status = 'cancelled' and payment_source = 'covered' and benefits_notified_at is null;

-- The rows of bookings, as sessions. A session's status is computed from these columns and the clock.
create view sessions as
  select session_id as id, project_id, id as booking_id, practitioner_id, starts_at, ends_at, timezone, format,
         payment_source, status as booking_status, delivered_at, created_at, recorded_by, external_reference_search
  from bookings;

create table booking_confirmations (
  project_id          text not null,
  booking_id          text collate "C" not null,
  approval_id         text collate "C" not null,
  preauthorization_id text collate "C" not null,
  confirmed_at        timestamptz(3),
  withdrawn_at        timestamptz(3),
  primary key (project_id, booking_id, approval_id),
  foreign key (project_id, booking_id) references bookings (project_id, id),
  check (confirmed_at is not null or withdrawn_at is not null)
);
comment on table booking_confirmations is
  'One row per approval. A row with withdrawn_at rejects a confirm request of the same approval that arrives late.';
comment on column booking_confirmations.approval_id is
  'The ID of the command that approves: a second approval of the same pre-authorization has another ID.';

-- The role of the care service can neither change the booked time nor delete a booking.
grant select, insert, update on practitioners to care;
grant select, insert on bookings to care;
grant update (status, cancelled_at, cancellation_reason, delivered_at, benefits_notified_at) on bookings to care;
grant select on sessions to care;
grant select, insert, update on booking_confirmations to care;
