-- Up Migration
-- Pre-authorizations, the sessions of a benefit that they reserve, and the claims that use them.

create table bookings (
  booking_id   text collate "C" primary key,
  project_id   text not null,
  cancelled_at timestamptz(3)
);
comment on table bookings is
  'A booking as far as benefits knows of it. Its row''s lock orders the creation of a pre-authorization against the booking''s cancellation.';

create table preauthorizations (
  id                      text collate "C" primary key,
  project_id              text not null,
  environment             text not null check (environment in ('sandbox', 'production')),
  eligibility_check_id    text collate "C" not null references eligibility_checks,
  booking_id              text collate "C" not null references bookings,
  coverage_id             text collate "C" not null references coverages,
  coverage_observation_id text collate "C" not null references coverage_observations,
  status                  text not null check (status in ('pending', 'approved', 'denied', 'expired', 'cancelled')),
  version                 integer not null default 1 check (version >= 1),
  requested_amount        bigint not null check (requested_amount between 1 and 9007199254740991),
  currency                text not null,
  decide_by               timestamptz(3) not null,
  deciding_command_id     text,
  approved_amount         bigint check (approved_amount between 1 and requested_amount),
  valid_until             timestamptz(3),
  decision                jsonb,
  used_by_claim_id        text collate "C",
  created_at              timestamptz(3) not null,
  updated_at              timestamptz(3) not null,
  check ((approved_amount is null) = (valid_until is null)),
  check (status <> 'pending' or decision is null),
  check (status <> 'approved' or approved_amount is not null),
  check (status <> 'denied' or (decision is not null and approved_amount is null)),
  check (used_by_claim_id is null or status = 'approved'),
  check (deciding_command_id is null or status = 'pending')
);
comment on column preauthorizations.deciding_command_id is
  'The approval in progress: its session is reserved, its booking is being confirmed. Until that ends, the deadline to decide has been met.';
create unique index preauthorizations_one_open_a_booking on preauthorizations (booking_id)
  where status in ('pending', 'approved');
create unique index preauthorizations_one_a_claim on preauthorizations (used_by_claim_id)
  where used_by_claim_id is not null;
create index preauthorizations_of_project on preauthorizations (project_id, id);
create index preauthorizations_undecided on preauthorizations (decide_by) where status = 'pending';
create index preauthorizations_unused on preauthorizations (valid_until)
  where status = 'approved' and used_by_claim_id is null;
create index preauthorizations_waiting on preauthorizations (id)
  where status in ('pending', 'approved') and used_by_claim_id is null;

create table preauthorization_facts (
  preauthorization_id text collate "C" not null references preauthorizations,
  version             integer not null,
  project_id          text not null,
  type                text not null
    check (type in ('requested', 'approved', 'denied', 'expired', 'cancelled', 'used', 'freed')),
  authority           text not null,
  reason_code         text,
  claim_id            text collate "C",
  decision            jsonb,
  recorded_at         timestamptz(3) not null,
  primary key (preauthorization_id, version)
);
comment on table preauthorization_facts is 'What happened to each pre-authorization, in order; its row is where that led.';

create table reservations (
  id                  text collate "C" primary key,
  project_id          text not null,
  coverage_id         text collate "C" not null references coverages,
  preauthorization_id text collate "C" not null references preauthorizations,
  reserved_at         timestamptz(3) not null,
  released_at         timestamptz(3)
);
comment on table reservations is 'One session of a benefit each, from reserved_at until released_at.';
create unique index reservations_one_a_preauthorization on reservations (preauthorization_id) where released_at is null;
create index reservations_held on reservations (coverage_id, reserved_at) where released_at is null;

create table claim_uses (
  claim_id            text collate "C" primary key,
  project_id          text not null,
  preauthorization_id text collate "C" references preauthorizations,
  currency            text,
  used_at             timestamptz(3),
  released_at            timestamptz(3),
  check (used_at is not null or released_at is not null)
);
comment on table claim_uses is
  'What benefits answered to a claim''s submission, so that a repeated step finds it. Freed once, a claim uses nothing again.';

do $$
begin
  execute format('grant select, insert on preauthorization_facts to %I', current_schema());
  execute format('grant select, insert, update on bookings, preauthorizations, reservations, claim_uses to %I', current_schema());
end $$;
