-- Up Migration
-- Remittances with their allocations, settlements, and the notifications to the claims service.

create table remittances (
  id              text collate "C" primary key,
  project_id      text   not null,
  environment     text   not null check (environment in ('sandbox', 'production')),
  payer_reference text   not null,
  payer_reference_key    text collate "C" not null check (payer_reference_key <> ''),
  payer_reference_search text collate "C" not null,
  currency        text   not null check (currency ~ '^[A-Z]{3}$'),
  total           bigint not null check (total >= 0),
  rest            bigint not null default 0,
  net             bigint not null generated always as (total + rest) stored,
  forwarded       bigint not null default 0,
  payer           text,
  payer_key       text   collate "C",
  adjustments     jsonb  not null default '[]',
  received_at     timestamptz(3) not null,
  deadline        timestamptz(3) not null,
  status          text   not null default 'received' check (status in ('received', 'reconciled', 'exception')),
  reconciled_at   timestamptz(3),
  version         integer not null default 0,
  created_at      timestamptz(3) not null default platform.now(),
  constraint remittances_reference_once unique (project_id, payer_reference_key),
  check ((status = 'reconciled') = (reconciled_at is not null))
);
comment on column remittances.version is 'Resource version of the remittance''s last event; 0 before the first event.';
comment on column remittances.payer_reference_key is
  'The normal form of payer_reference in which uniqueness compares it: referenceKey of the contract. payer_reference_search also ignores case.';
comment on table remittances is
  'Payment advices. The allocations of an advice are a remittance, whose ID has the opaque part of the advice''s ID.';
comment on column remittances.rest is 'The sum of the adjustments less that of the recoveries, in minor units.';
comment on column remittances.net is 'What the payer transfers, in minor units; below zero, what it deducts later.';
comment on column remittances.forwarded is
  'The sum of the adjustments of the kind forwarded_balance: below zero, it deducts balances of earlier advices.';
comment on column remittances.payer_key is 'The normal form of payer by which balances are summed; null without a payer.';
create index remittances_by_reference on remittances (project_id, payer_reference_search, created_at, id);
create index remittances_of_project on remittances (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status for the only one while all rows have it (docs/decisions/0046).
alter table remittances alter column status set (n_distinct = 3);
create index remittances_by_status on remittances (project_id, status, created_at, id);
create index remittances_by_deadline on remittances (deadline) where status = 'received' and not platform.is_simulated(project_id);
create index remittances_by_simulated_deadline on remittances (project_id, deadline)
  where status = 'received' and platform.is_simulated(project_id);
create index remittances_open on remittances (id) where status <> 'reconciled';

create index remittances_forwarding on remittances (project_id, currency, created_at, id) where net < 0 or forwarded <> 0;

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

create table remittance_recoveries (
  id            text     collate "C" primary key,
  remittance_id text     collate "C" not null references remittances,
  claim_id      text     collate "C" not null references claim_accounts,
  position      smallint not null,
  amount        bigint   not null check (amount > 0),
  settled       bigint   not null default 0,
  reason_codes  jsonb    not null,
  unique (remittance_id, claim_id),
  check (settled between 0 and amount)
);
comment on table remittance_recoveries is 'The amounts that advices take back for claims.';
comment on column remittance_recoveries.settled is 'The amount of this recovery that matched settlements of the advice have proved.';
create index remittance_recoveries_of_claim on remittance_recoveries (claim_id);

create table remittance_denials (
  remittance_id text     collate "C" not null references remittances,
  claim_id      text     collate "C" not null,
  position      smallint not null,
  reason_codes  jsonb    not null,
  primary key (remittance_id, position),
  unique (remittance_id, claim_id)
);
comment on table remittance_denials is 'The claims for which advices pay nothing.';
create index remittance_denials_of_claim on remittance_denials (claim_id);

create table netted_advices (
  remittance_id text collate "C" primary key references remittances,
  settled_at    timestamptz(3) not null default platform.now()
);
comment on table netted_advices is 'The advices whose net, which is not above zero, is settled without a transfer.';

create view remittance_claims as
  select remittance_id, claim_id from remittance_allocations
  union
  select remittance_id, claim_id from remittance_recoveries;
comment on view remittance_claims is 'The claims whose accounts an advice changes.';

-- The columns of a remittance's API resource: the row and its allocations.
create view remittance_resources as
  select remittance.*,
    (select coalesce(jsonb_agg(jsonb_build_object('claim_id', claim_id, 'paid_amount', paid_amount, 'reason_codes', reason_codes)
                               order by position), '[]')
     from remittance_allocations where remittance_id = remittance.id) as allocations
  from remittances remittance;

-- The columns of a payment advice's API resource. Its ID is that of the remittance.
create view payment_advice_resources as
  select remittance.*,
    (select coalesce(jsonb_agg(jsonb_build_object('claim_id', claim_id, 'reason_codes', reason_codes) order by position), '[]')
     from remittance_denials where remittance_id = remittance.id) as denials,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'claim_id', claim_id, 'amount', amount, 'reason_codes', reason_codes)
                               order by position), '[]')
     from remittance_recoveries where remittance_id = remittance.id) as recoveries
  from remittance_resources remittance;

create table bank_entries (
  id               bigint generated always as identity primary key,
  project_id       text     not null,
  entry_key        text     collate "C" not null,
  type             text     not null check (type in ('credit', 'takeback', 'debit', 'debit_reversal')),
  account          text     not null,
  statement        text     not null,
  booked_on        text     collate "C" not null check (booked_on ~ '^\d{4}-\d{2}-\d{2}$'),
  bank_reference   text     not null,
  source_reference text     not null,
  source_reference_key text collate "C" not null,
  payer_reference  text,
  payment_references text[] not null,
  reference_keys   text[]   collate "C" not null,
  currency         text     not null check (currency ~ '^[A-Z]{3}$'),
  amount           bigint   not null check (amount > 0),
  observed_at      timestamptz(3) not null,
  doubt            text,
  file             text     not null,
  line             integer  not null check (line >= 1),
  imported_at      timestamptz(3) not null default platform.now(),
  recorded         bigint   not null default 0 check (recorded >= 0),
  returned         bigint   not null default 0 check (returned >= 0),
  returned_entry_id bigint  references bank_entries,
  dismissed_at     timestamptz(3),
  constraint bank_entries_once unique (project_id, entry_key),
  constraint bank_entries_not_exceeded check (recorded + returned <= amount),
  check (recorded + returned = 0 or type = 'credit'),
  check (returned_entry_id is null or type = 'takeback')
);
comment on table bank_entries is
  'The booked entries of imported bank files, each once. A credit is open until settlements record its amount, the bank takes it back, or an operator dismisses it. A takeback is open until an operator has reversed what it takes back, or dismisses it.';
comment on column bank_entries.entry_key is
  'A digest of what identifies the entry: account, booking date or statement, the bank''s references and amount. See rules/bank-entry.ts.';
comment on column bank_entries.payer_reference is
  'The first reference of the row that can be a remittance''s; null if it names none. Its free text is not stored, because it can name persons.';
comment on column bank_entries.source_reference is 'The source_reference of the first settlement that records the entry.';
comment on column bank_entries.source_reference_key is 'The normal form of source_reference: referenceKey of the contract.';
comment on column bank_entries.doubt is 'Why a person must decide about the entry before a settlement records it; null if it is certain.';
comment on column bank_entries.recorded is 'The sum of the unreversed settlements that record the entry.';
comment on column bank_entries.returned is 'The sum of the takebacks that returned the credit, in minor units.';
comment on column bank_entries.returned_entry_id is 'The credit that the takeback returned; null while it is open.';
create index bank_entries_open on bank_entries (project_id, id)
  where dismissed_at is null and returned_entry_id is null and type in ('credit', 'takeback') and recorded + returned < amount;
create index bank_entries_by_reference on bank_entries using gin (reference_keys);
create index bank_entries_by_source_reference on bank_entries (project_id, source_reference_key);

create table bank_entry_keys (
  project_id text   not null,
  key        text   collate "C" not null,
  statement  text   collate "C" not null,
  entry_id   bigint not null references bank_entries,
  primary key (project_id, key, statement, entry_id)
);
comment on table bank_entry_keys is
  'The keys under which an entry of another statement finds a bank entry that it can repeat. See comparedKeys in rules/bank-entry.ts.';

create table bank_statements (
  project_id  text    not null,
  account     text    not null,
  statement   text    not null,
  page        integer not null,
  number      bigint,
  differences jsonb   not null,
  file        text    not null,
  line        integer not null,
  imported_at timestamptz(3) not null default platform.now(),
  primary key (project_id, account, statement, page)
);
comment on table bank_statements is 'The imported statements of bank accounts, with the differences between their balances and their entries.';
create index bank_statements_by_number on bank_statements (project_id, account, number) where number is not null;

create table bank_accounts (
  project_id text not null,
  account    text not null,
  time_zone  text not null,
  primary key (project_id, account)
);
comment on table bank_accounts is 'Settings of bank accounts that differ from those of their project.';

create table settlements (
  id               text     collate "C" primary key,
  project_id       text     not null,
  remittance_id    text     collate "C" not null references remittances,
  position         integer  not null check (position >= 1),
  source_reference text     not null,
  source_reference_key    text collate "C" not null check (source_reference_key <> ''),
  source_reference_search text collate "C" not null,
  bank_entry_id    bigint   references bank_entries,
  currency         text     not null check (currency ~ '^[A-Z]{3}$'),
  amount           bigint   not null check (amount >= 0),
  allocations      jsonb    not null,
  recoveries       jsonb    not null default '[]',
  status           text     not null default 'unmatched' check (status in ('matched', 'unmatched', 'reversed')),
  observed_at      timestamptz(3) not null,
  created_at       timestamptz(3) not null default platform.now(),
  constraint settlements_reference_once unique (project_id, source_reference_key),
  unique (remittance_id, position)
);
comment on column settlements.source_reference_key is
  'The normal form of source_reference in which uniqueness compares it: referenceKey of the contract. source_reference_search also ignores case.';
comment on column settlements.bank_entry_id is 'The bank entry of which the settlement records the whole amount or a part; null without one.';
create index settlements_by_reference on settlements (project_id, source_reference_search, created_at, id);
create index settlements_of_entry on settlements (bank_entry_id) where bank_entry_id is not null;
create index settlements_of_project on settlements (project_id, created_at, id);
alter table settlements alter column status set (n_distinct = 3);
create index settlements_by_status on settlements (project_id, status, created_at, id);
create index settlements_of_remittance on settlements (project_id, remittance_id, created_at, id);
comment on column settlements.allocations is
  'The amounts per claim that a matched settlement settles. For an unmatched settlement: the amounts that its request named; empty if it named none.';

comment on column settlements.amount is 'In minor units; 0 only for the settlement of an advice without a transfer.';
comment on column settlements.recoveries is 'The amounts per claim of the advice''s recoveries that a matched settlement proves.';

create table settlement_reversals (
  settlement_id text        collate "C" primary key references settlements,
  command_id    text        not null unique,
  reason_code   text        not null,
  authority     text        not null,
  reversed_at   timestamptz(3) not null default platform.now()
);

create table claims_notifications (
  cause_id      text   primary key,
  sequence      bigint generated always as identity unique,
  remittance_id text   collate "C" not null references remittances,
  kind          text   not null check (kind in ('remittance', 'settlement', 'remittance_recovered')),
  input         jsonb  not null,
  recorded_at       timestamptz(3),
  created_at    timestamptz(3) not null default platform.now()
);
comment on table claims_notifications is
  'Notifications to the claims service about remittances and settlements, by sequence. recorded_at is null until the claims service has recorded the notification. Rows are kept so that they can be sent again.';
create index claims_notifications_of_remittance on claims_notifications (remittance_id, sequence);
create index claims_notifications_pending on claims_notifications (created_at) where recorded_at is null;

grant select, insert on remittances, remittance_allocations, settlements, settlement_reversals, claims_notifications to payments;
grant select, insert on bank_entries, bank_entry_keys, bank_statements to payments;
grant update (type, recorded, returned, returned_entry_id, dismissed_at) on bank_entries to payments;
grant update (differences, file, line, imported_at) on bank_statements to payments;
grant select, insert, update, delete on bank_accounts to payments;
grant update (status, reconciled_at, version) on remittances to payments;
grant select, insert on remittance_recoveries, remittance_denials, netted_advices to payments;
grant select on remittance_claims to payments;
grant update (settled) on remittance_allocations to payments;
grant update (settled) on remittance_recoveries to payments;
grant update (status, allocations, recoveries, bank_entry_id) on settlements to payments;
grant update (recorded_at) on claims_notifications to payments;
grant select on remittance_resources, payment_advice_resources to payments;

-- Operators search remittances, settlements and rows of settlement files by the beginning of a reference, and by the amount.
create index remittances_by_searched_reference
  on remittances (project_id, translate(lower(payer_reference collate "C"), ' -_/.:#', ''));
create index remittances_by_total on remittances (project_id, total);
create index settlements_by_searched_reference
  on settlements (project_id, translate(lower(source_reference collate "C"), ' -_/.:#', ''));
create index settlements_by_amount on settlements (project_id, amount);
create index bank_entries_by_searched_reference
  on bank_entries (project_id, translate(lower(source_reference collate "C"), ' -_/.:#', ''));
create index bank_entries_by_amount on bank_entries (project_id, amount);
