-- Up Migration
-- Members, the coverages that payers stated for them, and the eligibility checks that were decided from these coverages. Recorded
-- statements and eligibility checks never change.

create table members (
  id         text collate "C" primary key,
  project_id text not null,
  reference  text collate "C",
  created_at timestamptz(3) not null default platform.now(),
  erased_at  timestamptz(3),
  unique (project_id, reference),
  check ((reference is null) = (erased_at is not null))
);
comment on table members is
  'The only table with a member''s reference; other tables have the member''s ID. An erasure sets the reference of the row to null.';

create table consents (
  id         text collate "C" primary key,
  project_id text not null,
  member_id  text collate "C" not null unique references members,
  status     text not null check (status in ('granted', 'withdrawn')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create table consent_facts (
  sequence    bigint generated always as identity primary key,
  project_id  text not null,
  consent_id  text collate "C" not null references consents,
  status      text not null check (status in ('granted', 'withdrawn')),
  authority   text not null,
  recorded_at timestamptz(3) not null
);
comment on table consent_facts is 'Every statement of consent by a member; the table consents has the latest statement of each member.';

create table coverages (
  id                          text collate "C" primary key,
  project_id                  text not null,
  source_contract_reference   text collate "C" not null,
  external_coverage_reference text collate "C" not null,
  snapshot_version            integer not null default 0 check (snapshot_version >= 0),
  snapshot_observation_id     text collate "C",
  observed_at                 timestamptz(3),
  member_id                   text collate "C" references members,
  service_code                text collate "C",
  currency                    text,
  created_at                  timestamptz(3) not null default platform.now(),
  unique (project_id, source_contract_reference, external_coverage_reference),
  check ((snapshot_version = 0) = (snapshot_observation_id is null))
);
comment on table coverages is
  'One row per coverage, with its snapshot: the observation with the latest observed_at. Recording an observation and reserving a session lock the row.';
create index coverages_of_member on coverages (member_id, service_code, currency);

create table coverage_observations (
  id                     text collate "C" primary key,
  recording              bigint generated always as identity,
  project_id             text not null,
  coverage_id            text collate "C" not null references coverages,
  source                 text not null check (source in ('payer_api', 'batch_file')),
  source_version         text not null,
  content_hash           bytea not null,
  member_id              text collate "C" not null references members,
  service_code           text collate "C" not null,
  plan_name              text not null,
  status                 text not null check (status in ('active', 'paused', 'exhausted', 'expired')),
  currency               text not null,
  amount_limit           bigint not null check (amount_limit between 1 and 9007199254740991),
  remaining_sessions     integer not null check (remaining_sessions between 0 and 100000),
  authorization_required boolean not null,
  coordination_priority  smallint check (coordination_priority between 1 and 100),
  valid_from             timestamptz(3) not null,
  valid_until            timestamptz(3) not null,
  observed_at            timestamptz(3) not null,
  evidence_references    text[] not null,
  snapshot_version       integer not null check (snapshot_version >= 1),
  recorded_at            timestamptz(3) not null,
  unique (coverage_id, source_version),
  check (valid_from < valid_until)
);
comment on column coverage_observations.content_hash is
  'Keyed hash of the content of the payer''s statement, with references of persons. Statements with equal content have equal hashes.';
comment on column coverage_observations.snapshot_version is 'The coverage''s snapshot version after this observation was recorded.';

-- The erasure of a member finds the member's observations with this index.
create index coverage_observations_of_member on coverage_observations (member_id);
-- A retrospective eligibility check finds the observation that was in effect at an instant, and those after it.
create index coverage_observations_by_time on coverage_observations (coverage_id, observed_at, recording);

create table coverage_batches (
  id                        text collate "C" primary key,
  project_id                text not null,
  source_contract_reference text not null,
  batch_reference           text not null,
  batch_version             text not null,
  generated_at              timestamptz(3) not null,
  artifact_reference        text not null,
  artifact_sha256           text not null check (artifact_sha256 ~ '^[0-9a-f]{64}$'),
  total                     integer not null,
  recorded                  integer not null,
  recorded_at               timestamptz(3) not null
);
comment on table coverage_batches is 'Each accepted coverage batch, with the SHA-256 digest of the request body and the reference under which the payer keeps these bytes.';

-- An erasure finds the stored responses that contain a member's observations.
create index commands_of_observation on commands (resource_id) where operation = 'createCoverage';
create index commands_of_batches on commands (project_id, id) where operation = 'createCoverageBatch';

create table eligibility_checks (
  id                      text collate "C" primary key,
  project_id              text not null,
  member_id               text collate "C" not null references members,
  status                  text not null check (status in ('eligible', 'ineligible')),
  reason_codes            text[] not null,
  service_code            text not null,
  scheduled_at            timestamptz(3) not null,
  requested_amount        bigint not null check (requested_amount between 1 and 9007199254740991),
  currency                text not null,
  coverage_id             text collate "C" references coverages,
  coverage_observation_id text collate "C" references coverage_observations,
  maximum_per_session     bigint,
  authorization_required  boolean not null,
  remaining_sessions      integer,
  coverage_valid_until    timestamptz(3),
  checked_at              timestamptz(3) not null,
  retrospective           boolean not null,
  check ((status = 'eligible') = (reason_codes = array['eligible'])),
  check (status = 'ineligible' or coverage_id is not null)
);

do $$
begin
  execute format('grant select, insert on consent_facts, coverage_observations, coverage_batches, eligibility_checks to %I', current_schema());
  execute format('grant select, insert, update on members, consents, coverages to %I', current_schema());
end $$;
