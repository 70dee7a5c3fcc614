-- Up Migration
-- Sums over the claims of a project, stored as deltas. The transaction that writes facts also writes the deltas derived from them.

create table portfolio_deltas (
  claim_id               text collate "C" not null references claims (id),
  recorded_at            timestamptz(3) not null,
  effective_at           timestamptz(3) not null,
  status                 text not null,
  project_id             text not null,
  claims                 smallint not null,
  outstanding_claims     smallint not null,
  adjudicated_claims     smallint not null,
  billed                 bigint not null,
  payer_liability        bigint not null,
  patient_responsibility bigint not null,
  adjustment             bigint not null,
  remitted               bigint not null,
  settled                bigint not null,
  outstanding            bigint not null,
  check (effective_at <= recorded_at)
);
comment on table portfolio_deltas is
  'What each commit on a claim changes in the sums over the claims of a status: the sums known at K and in effect through E are the totals of all deltas with recorded_at <= K and effective_at <= E.';
-- The table has no primary key, because an index over the four columns of such a key would be as large as the table. The index below stores
-- equal values only once.
create index portfolio_deltas_of_claim on portfolio_deltas (claim_id);
alter table portfolio_deltas replica identity full;
create index portfolio_deltas_of_project on portfolio_deltas (project_id, recorded_at, effective_at);

create table portfolios (
  project_id     text primary key,
  closed_through timestamptz(3) not null
);
comment on column portfolios.closed_through is
  'The latest cutoff for which sums over the project''s claims were answered. Later facts of all its claims have a later recorded_at.';

grant select, insert, delete on portfolio_deltas to claims;
grant select, insert, update on portfolios to claims;
