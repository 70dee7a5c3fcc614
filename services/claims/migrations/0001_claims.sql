-- Up Migration
-- Claims and their facts. A row in claims has the claim's state after the last fact; every transaction that appends facts locks this row.

create table claims (
  id                       text collate "C" primary key,
  project_id               text not null,
  environment              text not null check (environment in ('sandbox', 'production')),
  provider_claim_reference text not null,
  provider_claim_reference_key    text collate "C" not null check (provider_claim_reference_key <> ''),
  provider_claim_reference_search text collate "C" not null,
  eligibility_check_id     text not null,
  session_id               text not null,
  booking_id               text not null,
  practitioner_id          text not null,
  preauthorization_id      text,
  payer_id                 text not null,
  plan                     text not null,
  service_starts_at        timestamptz(3) not null,
  service_ends_at          timestamptz(3) not null,
  session_recorded_by      text,
  session_recorded_at      timestamptz(3),
  lines                    json not null,
  currency                 text not null check (currency ~ '^[A-Z]{3}$'),
  billed                   bigint not null check (billed between 1 and 9007199254740991),

  status                   text not null check (status in ('submitted', 'queried', 'approved', 'partially_approved',
                             'denied', 'settled', 'reversed', 'cancelled')),
  submission_version       integer not null check (submission_version >= 1),
  adjudication_version     integer not null check (adjudication_version >= 0),
  decision                 text check (decision in ('approved', 'partially_approved', 'denied')),
  approved                 bigint check (approved between 0 and 9007199254740991),
  patient_responsibility   bigint check (patient_responsibility between 0 and 9007199254740991),
  adjustment               bigint check (adjustment between 0 and 9007199254740991),
  remitted                 bigint check (remitted between 0 and 9007199254740991),
  settled                  bigint check (settled between 0 and 9007199254740991),

  last_sequence            integer not null check (last_sequence >= 1),
  event_version            integer not null check (event_version >= 0),
  last_recorded_at         timestamptz(3) not null,
  last_effective_at        timestamptz(3) not null,
  closed_through           timestamptz(3),
  pending_step             jsonb,
  released_at              timestamptz(3),
  created_at               timestamptz(3) not null,
  submitted_at             timestamptz(3) not null,

  constraint claims_reference_once unique (project_id, provider_claim_reference_key),
  check ((decision is null) = (approved is null)),
  check ((decision is null) = (patient_responsibility is null)),
  check ((decision is null) = (adjustment is null)),
  check (decision is null or adjudication_version >= 1),
  check ((session_recorded_by is null) = (session_recorded_at is null)),
  check (released_at is null or status in ('cancelled', 'reversed'))
);
comment on column claims.payer_id is
  'Surrogate, made by benefits, of the payer''s contract reference at the submission. The reference is not stored, because it can name a person.';
comment on column claims.plan is 'Name of the coverage''s plan at the submission.';
comment on column claims.session_recorded_by is
  'The API key that recorded the session outside the booking calendar, at session_recorded_at; null if the session was booked in a slot.';
comment on column claims.decision is 'Decision of the current adjudication; null if there is none. The reversal of a settlement returns a settled claim to this status.';
comment on column claims.last_recorded_at is 'recorded_at of the newest fact. The recorded_at of the next fact is later, even if the clock is set back.';
comment on column claims.last_effective_at is
  'The latest effective_at of the claim''s facts. A fact that takes effect earlier changes the portfolio''s sums between both instants.';
comment on column claims.closed_through is
  'The latest cutoff for which a valuation was returned. Every later fact has a recorded_at after it, so that the valuation stays valid.';
comment on column claims.pending_step is
  'The adjudication or reversal for which payments was called and whose commit is pending: {command_id, operation, decided_at}. No other command is decided before this one has ended.';
comment on column claims.released_at is
  'When, by the real time, benefits reported the release of the pre-authorization that a cancelled or reversed claim used; set also if it used none.';

create unique index claims_one_live_a_session on claims (project_id, session_id)
  where status not in ('cancelled', 'reversed');
comment on column claims.provider_claim_reference_key is
  'The normal form of provider_claim_reference in which uniqueness compares it: referenceKey of the contract. provider_claim_reference_search also ignores case.';
create index claims_by_reference on claims (project_id, provider_claim_reference_search, created_at, id);
create index claims_of_project on claims (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table claims alter column status set (n_distinct = 8);
create index claims_by_status on claims (project_id, status, created_at, id);
create index claims_of_session on claims (project_id, session_id, created_at, id);
create index claims_of_preauthorization on claims (project_id, preauthorization_id, created_at, id)
  where preauthorization_id is not null;
create index claims_of_practitioner on claims (project_id, practitioner_id, created_at, id);
-- Operators search claims by the beginning of the provider's reference, and by the billed amount.
create index claims_by_searched_reference
  on claims (project_id, translate(lower(provider_claim_reference collate "C"), ' -_/.:#', ''));
create index claims_by_billed on claims (project_id, billed);
create index claims_by_submission on claims (project_id, submitted_at);
create index claims_open on claims (id) where status in ('submitted', 'queried', 'approved', 'partially_approved');
-- A submission finds the ended claims of its session with this index: benefits may not have released their pre-authorization yet.
create index claims_ended_of_session on claims (project_id, session_id) where status in ('cancelled', 'reversed');
create index claims_to_release on claims (id) where status in ('cancelled', 'reversed') and released_at is null;

create table actors (
  digest    uuid primary key,
  authority text not null
);
comment on table actors is
  'The API keys, tokens and services that facts name. A fact has the digest, the first 128 bits of SHA-256, because the text is as long as the rest of the fact.';

create table facts (
  claim_id            text collate "C" not null references claims (id),
  sequence            integer not null check (sequence >= 1),
  previous            integer generated always as (nullif(sequence - 1, 0)) stored,
  type                text not null check (type in ('created', 'validated', 'submitted', 'queried', 'evidence_added',
                        'resubmitted', 'approved', 'partially_approved', 'denied', 'remittance_recorded', 'settled',
                        'reconciled', 'reversed', 'cancelled')),
  cause               text not null,
  authority_digest    uuid not null,
  effective_at        timestamptz(3) not null,
  recorded_at         timestamptz(3) not null,
  previous_status     text,
  next_status         text not null,
  reason_code         text,
  evidence_references jsonb not null check (jsonb_typeof(evidence_references) = 'array'),
  detail              jsonb,
  primary key (claim_id, sequence),
  unique (claim_id, cause, type),
  foreign key (claim_id, previous) references facts (claim_id, sequence),
  check (effective_at <= recorded_at),
  check ((sequence = 1) = (previous_status is null))
);
comment on table facts is 'The changes of each claim. Append-only: the service has no database privilege to update or delete rows.';
comment on column facts.previous is 'Sequence number of the claim''s previous fact; the foreign key makes gaps impossible.';
comment on column facts.cause is
  'ID of the command, information request (lapse), remittance or settlement that caused the fact. A cause has at most one fact per type on a claim.';
comment on column facts.authority_digest is
  'The API key or service that decided or reported the change: a row of actors, which the same statement inserts. No foreign key, which would lock the key''s row for all its claims.';
comment on column facts.detail is
  'Amounts for the valuation: the billed amount, the adjudicated amounts with the policy, or the amount of a remittance or settlement.';

create table information_requests (
  id                       text collate "C" primary key,
  claim_id                 text collate "C" not null references claims (id),
  project_id               text not null,
  number                   integer not null check (number >= 1),
  reason_code              text not null,
  requested_evidence_types jsonb not null check (jsonb_typeof(requested_evidence_types) = 'array'),
  status                   text not null check (status in ('open', 'fulfilled', 'cancelled')),
  due_at                   timestamptz(3),
  created_at               timestamptz(3) not null,
  resolved_at              timestamptz(3),
  unique (claim_id, number),
  check ((status = 'open') = (resolved_at is null))
);
create unique index information_requests_one_open on information_requests (claim_id) where status = 'open';
create index information_requests_due on information_requests (due_at)
  where status = 'open' and due_at is not null and not platform.is_simulated(project_id);
create index information_requests_due_of_project on information_requests (project_id, due_at)
  where status = 'open' and due_at is not null;

create table adjudications (
  claim_id text collate "C" not null references claims (id),
  version  integer not null check (version >= 1),
  id       text not null,
  document json not null,
  primary key (claim_id, version)
);
comment on table adjudications is 'Every adjudication of a claim, including those that a later adjudication replaced.';

create table abandoned_submissions (
  command_id text collate "C" primary key references commands on delete cascade
);
comment on table abandoned_submissions is
  'Rejected submissions whose pre-authorization benefits has not released yet. Such a command creates no claim any more; its row is deleted with the command.';

create view claims_in_full as
  select c.*,
    (select coalesce(jsonb_agg(to_jsonb(r) order by r.number), '[]')
       from information_requests r where r.claim_id = c.id) as information_requests,
    (select a.document from adjudications a
       where a.claim_id = c.id and a.version = c.adjudication_version and c.decision is not null) as adjudication
  from claims c;
comment on view claims_in_full is 'A claim with everything that its API resource contains. One SQL statement reads it, so that all parts are from the same moment.';

grant select, insert, update on claims, information_requests to claims;
grant select, insert on actors, facts, adjudications, abandoned_submissions to claims;
grant select on claims_in_full to claims;
