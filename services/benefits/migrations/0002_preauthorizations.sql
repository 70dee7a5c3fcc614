-- Up Migration
-- Pre-authorizations, the benefit sessions that they reserve, and the claims that use them.

create table bookings (
  booking_id   text collate "C" primary key,
  project_id   text not null,
  cancelled_at timestamptz(3)
);
comment on table bookings is
  'Bookings of care that have a pre-authorization or that care reported as cancelled. Creating a pre-authorization and recording a cancellation lock the row.';

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
  pending_command_id     text,
  pending_rejection      jsonb,
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
  check (pending_command_id is null or status = 'pending'),
  check (pending_rejection is null or pending_command_id is not null)
);
comment on column preauthorizations.pending_command_id is
  'The command of an approval in progress: the session is reserved, and care confirms the booking. While the command is pending, decide_by counts as met.';
comment on column preauthorizations.pending_rejection is
  'Why the approval in progress is rejected: {code, message}. It is stored before care withdraws the confirmation of the booking. After that, no executor records the approval.';
create unique index preauthorizations_one_open_a_booking on preauthorizations (booking_id)
  where status in ('pending', 'approved');
create unique index preauthorizations_one_a_claim on preauthorizations (used_by_claim_id)
  where used_by_claim_id is not null;
create index preauthorizations_of_project on preauthorizations (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table preauthorizations alter column status set (n_distinct = 5);
create index preauthorizations_by_status on preauthorizations (project_id, status, created_at, id);
create index preauthorizations_of_booking on preauthorizations (project_id, booking_id, created_at, id);
create index preauthorizations_undecided on preauthorizations (decide_by)
  where status = 'pending' and not platform.is_simulated(project_id);
create index preauthorizations_undecided_at_simulated_time on preauthorizations (project_id, decide_by)
  where status = 'pending' and platform.is_simulated(project_id);
create index preauthorizations_unused on preauthorizations (valid_until)
  where status = 'approved' and used_by_claim_id is null and not platform.is_simulated(project_id);
create index preauthorizations_unused_of_project on preauthorizations (project_id, valid_until)
  where status = 'approved' and used_by_claim_id is null;
create index preauthorizations_waiting on preauthorizations (id)
  where status in ('pending', 'approved') and used_by_claim_id is null;

create table preauthorization_facts (
  preauthorization_id text collate "C" not null references preauthorizations,
  version             integer not null,
  project_id          text not null,
  type                text not null
    check (type in ('requested', 'approved', 'denied', 'expired', 'cancelled', 'used', 'released')),
  authority           text not null,
  reason_code         text,
  claim_id            text collate "C",
  decision            jsonb,
  recorded_at         timestamptz(3) not null,
  primary key (preauthorization_id, version)
);
comment on table preauthorization_facts is 'The changes of each pre-authorization, by version; the row in preauthorizations has the state after the last change.';

create table reservations (
  id                  text collate "C" primary key,
  project_id          text not null,
  coverage_id         text collate "C" not null references coverages,
  preauthorization_id text collate "C" not null references preauthorizations,
  reserved_at         timestamptz(3) not null,
  released_at         timestamptz(3)
);
-- No query uses the primary key of reservations. It is needed because logical replication identifies rows by it.
comment on table reservations is 'One row reserves one session of a benefit, from reserved_at until released_at.';
create unique index reservations_one_a_preauthorization on reservations (preauthorization_id) where released_at is null;
create index reservations_held on reservations (coverage_id, reserved_at) where released_at is null;

create table payer_contracts (
  id         text collate "C" primary key,
  project_id text not null,
  reference  text collate "C" not null,
  unique (project_id, reference)
);
comment on table payer_contracts is
  'The surrogate of each payer''s contract reference that a claim relies on. Other services store only the surrogate, because the reference can name a person.';

create table claim_uses (
  claim_id            text collate "C" primary key,
  project_id          text not null,
  preauthorization_id text collate "C" references preauthorizations,
  currency            text,
  payer_id            text collate "C" references payer_contracts,
  plan                text,
  used_at             timestamptz(3),
  released_at         timestamptz(3),
  check (used_at is not null or released_at is not null),
  check ((used_at is null) = (currency is null) and (used_at is null) = (payer_id is null) and (used_at is null) = (plan is null))
);
comment on table claim_uses is
  'The response of benefits to a claim''s submission, returned to a repeated submission. A claim with released_at can use no pre-authorization.';

do $$
begin
  execute format('grant select, insert on preauthorization_facts, payer_contracts to %I', current_schema());
  execute format('grant select, insert, update on bookings, preauthorizations, reservations, claim_uses to %I', current_schema());
end $$;
