-- Up Migration
-- Remittances with their allocations, settlements, and the notifications to the claims service.

create table remittances (
  id              text collate "C" primary key,
  project_id      text   not null,
  environment     text   not null check (environment in ('sandbox', 'production')),
  payer_reference text   not null,
  currency        text   not null check (currency ~ '^[A-Z]{3}$'),
  total           bigint not null check (total > 0),
  received_at     timestamptz(3) not null,
  deadline        timestamptz(3) not null,
  status          text   not null default 'received' check (status in ('received', 'reconciled', 'exception')),
  reconciled_at   timestamptz(3),
  version         integer not null default 0,
  created_at      timestamptz(3) not null default platform.now(),
  unique (project_id, payer_reference),
  check ((status = 'reconciled') = (reconciled_at is not null))
);
comment on column remittances.version is 'Resource version of the remittance''s last event; 0 before the first event.';
create index remittances_of_project on remittances (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table remittances alter column status set (n_distinct = 3);
create index remittances_by_status on remittances (project_id, status, created_at, id);
create index remittances_by_deadline on remittances (deadline) where status = 'received';
create index remittances_open on remittances (id) where status <> 'reconciled';

create table remittance_allocations (
  remittance_id        text     collate "C" not null references remittances,
  claim_id             text     collate "C" not null references claim_accounts,
  position             smallint not null,
  paid_amount          bigint   not null check (paid_amount > 0),
  settled              bigint   not null default 0,
  reason_codes         jsonb    not null,
  adjudication_version integer  not null,
  primary key (remittance_id, position),
  unique (remittance_id, claim_id),
  check (settled between 0 and paid_amount)
);
comment on column remittance_allocations.settled is 'The amount of this allocation that matched settlements of the remittance have settled.';
create index remittance_allocations_of_claim on remittance_allocations (claim_id);

-- The columns of a remittance's API resource: the row and its allocations.
create view remittance_resources as
  select remittance.*,
    (select jsonb_agg(jsonb_build_object('claim_id', claim_id, 'paid_amount', paid_amount, 'reason_codes', reason_codes)
                      order by position)
     from remittance_allocations where remittance_id = remittance.id) as allocations
  from remittances remittance;

create table settlements (
  id               text     collate "C" primary key,
  project_id       text     not null,
  remittance_id    text     collate "C" not null references remittances,
  position         integer  not null check (position >= 1),
  source_reference text     not null,
  currency         text     not null check (currency ~ '^[A-Z]{3}$'),
  amount           bigint   not null check (amount > 0),
  allocations      jsonb    not null,
  status           text     not null default 'unmatched' check (status in ('matched', 'unmatched', 'reversed')),
  observed_at      timestamptz(3) not null,
  created_at       timestamptz(3) not null default platform.now(),
  unique (project_id, source_reference),
  unique (remittance_id, position)
);
create index settlements_of_project on settlements (project_id, created_at, id);
alter table settlements alter column status set (n_distinct = 3);
create index settlements_by_status on settlements (project_id, status, created_at, id);
create index settlements_of_remittance on settlements (project_id, remittance_id, created_at, id);
comment on column settlements.allocations is
  'The amounts per claim that a matched settlement settles. For an unmatched settlement: the amounts that its request named; empty if it named none.';

create table unmatched_rows (
  id               bigint generated always as identity primary key,
  project_id       text     not null,
  source_reference text     not null,
  payer_reference  text,
  currency         text     not null check (currency ~ '^[A-Z]{3}$'),
  amount           bigint   not null check (amount > 0),
  observed_at      timestamptz(3) not null,
  file             text     not null,
  line             integer  not null check (line >= 1),
  imported_at      timestamptz(3) not null default platform.now(),
  dismissed_at     timestamptz(3),
  assigned_reference text,
  unique (project_id, source_reference)
);
comment on table unmatched_rows is
  'Credits of settlement files that matched no remittance, or whose settlement was reversed. A row is open until an unreversed settlement records it, or an operator dismisses it.';
comment on column unmatched_rows.assigned_reference is
  'The source_reference of the settlement as which an operator recorded the row last. It differs from that of the row if a reversed settlement has the row''s.';
comment on column unmatched_rows.payer_reference is
  'The reference that the row names; null if it names none. Its free text is not stored, because it can name persons.';

create table settlement_reversals (
  settlement_id text        collate "C" primary key references settlements,
  command_id    text        not null unique,
  reason_code   text        not null,
  authority     text        not null,
  reversed_at   timestamptz(3) not null default platform.now()
);

create table claims_records (
  cause_id      text   primary key,
  sequence      bigint generated always as identity unique,
  remittance_id text   collate "C" not null references remittances,
  kind          text   not null check (kind in ('remittance', 'settlement')),
  input         jsonb  not null,
  recorded_at       timestamptz(3),
  created_at    timestamptz(3) not null default platform.now()
);
comment on table claims_records is
  'Notifications to the claims service about remittances and settlements, by sequence. recorded_at is null until the claims service has recorded the notification. Rows are kept so that they can be sent again.';
create index claims_records_of_remittance on claims_records (remittance_id, sequence);
create index claims_records_pending on claims_records (created_at) where recorded_at is null;

grant select, insert on remittances, remittance_allocations, settlements, settlement_reversals, claims_records to payments;
grant select, insert on unmatched_rows to payments;
grant update (payer_reference, file, line, imported_at, dismissed_at, assigned_reference) on unmatched_rows to payments;
grant update (status, reconciled_at, version) on remittances to payments;
grant update (settled) on remittance_allocations to payments;
grant update (status, allocations) on settlements to payments;
grant update (recorded_at) on claims_records to payments;
grant select on remittance_resources to payments;
