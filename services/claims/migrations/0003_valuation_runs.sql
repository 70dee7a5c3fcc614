-- Up Migration
-- Valuation runs: sums over all claims of a project, from the facts that were recorded by one instant and took effect by another.
-- The roll-ups are derived from the deltas of portfolios.

create table valuation_runs (
  id                text collate "C" primary key,
  project_id        text not null,
  environment       text not null check (environment in ('sandbox', 'production')),
  valuation_at      timestamptz(3) not null,
  effective_through timestamptz(3) not null,
  kind              text not null check (kind in ('totals', 'development')),
  group_by          jsonb not null check (jsonb_typeof(group_by) = 'array'),
  development       jsonb,
  status            text not null check (status in ('pending', 'ready', 'failed')),
  progress          smallint not null check (progress between 0 and 100),
  failure           text,
  claims_counted    bigint,
  totals            json,
  groups            json,
  triangle          json,
  result_sha256     text,
  created_at        timestamptz(3) not null,
  started_at        timestamptz(3) not null default platform.real_now(),
  completed_at      timestamptz(3),
  check (effective_through <= valuation_at),
  check ((kind = 'development') = (development is not null)),
  check ((status = 'pending') = (completed_at is null)),
  check ((status = 'failed') = (failure is not null)),
  check ((status = 'ready') = (result_sha256 is not null and claims_counted is not null and totals is not null and groups is not null))
);
comment on column valuation_runs.started_at is 'When the run was created, by the real time.';
comment on column valuation_runs.groups is 'The groups of the result. A payer is stored by its surrogate, because its reference can name a person.';
create index valuation_runs_of_project on valuation_runs (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status or kind for the only one while all rows have it (docs/decisions/0046).
alter table valuation_runs alter column status set (n_distinct = 3), alter column kind set (n_distinct = 2);
create index valuation_runs_by_status on valuation_runs (project_id, status, created_at, id);
create index valuation_runs_by_kind on valuation_runs (project_id, kind, created_at, id);
create index valuation_runs_pending on valuation_runs (id) where status = 'pending';

create view valuation_run_summaries as
  select id, project_id, environment, valuation_at, effective_through, kind, group_by, development, status, progress, failure,
    claims_counted, totals, result_sha256, created_at, completed_at
  from valuation_runs;
comment on view valuation_run_summaries is 'Valuation runs without the parts of their results that can be large.';

grant select, insert, update on valuation_runs to claims;
grant select on valuation_run_summaries to claims;

create table portfolio_rollups (
  project_id             text not null,
  recorded_month         date not null,
  effective_month        date not null,
  service_month          date not null,
  submission_month       date not null,
  currency               text not null,
  status                 text not null,
  practitioner_id        text not null,
  payer_id               text not null,
  plan                   text not null,
  claims                 integer not null,
  outstanding_claims     integer not null,
  billed                 bigint not null,
  payer_liability        bigint not null,
  patient_responsibility bigint not null,
  adjustment             bigint not null,
  remitted               bigint not null,
  settled                bigint not null,
  outstanding            bigint not null
);
comment on table portfolio_rollups is
  'Totals of deltas by month in UTC and by the dimensions of the claims. A month is rolled up after it is closed, in one or several slices, which never change.';
create index portfolio_rollups_of_project on portfolio_rollups (project_id, recorded_month);

create table receivable_rollups (
  project_id         text not null,
  recorded_month     date not null,
  submission_day     date not null,
  currency           text not null,
  practitioner_id    text,
  payer_id           text,
  outstanding_claims integer not null,
  outstanding        bigint not null
);
comment on table receivable_rollups is
  'The outstanding amounts of portfolio_rollups by the day of submission in UTC: for each practitioner, for each payer, and with neither for all claims.';
create index receivable_rollups_of_project on receivable_rollups (project_id, recorded_month);

create table portfolio_rollup_states (
  project_id     text primary key,
  rolled_through timestamptz(3) not null
);
comment on column portfolio_rollup_states.rolled_through is
  'All deltas with an earlier recorded_at are in portfolio_rollups and receivable_rollups. The first instant of a month, or an instant within a month that is being rolled up in slices.';

grant select, insert, delete on portfolio_rollups, receivable_rollups to claims;
grant select, insert, update, delete on portfolio_rollup_states to claims;
