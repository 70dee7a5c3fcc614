-- Up Migration
-- What a day of a bank account consists of: the balances of statements, which entries each statement lists, and what persons decide about
-- entries that are not matched.

alter table bank_statements
  add column currency  text,
  add column opening   bigint,
  add column closing   bigint,
  add column has_final_closing boolean,
  add column closes_on text collate "C",
  add column rejected  integer;
comment on column bank_statements.opening is
  'The opening balance of the page in minor units, negative if it is a debit balance; null if the file does not say it.';
comment on column bank_statements.closing is 'The closing balance of the page, in the same form.';
comment on column bank_statements.has_final_closing is
  'Whether the closing balance is that of the whole statement, and not the interim balance of a page.';
comment on column bank_statements.closes_on is 'The date of the closing balance, or else of the last entry, YYYY-MM-DD; null without both.';
comment on column bank_statements.rejected is 'The number of rows of the page that could not be stored, in its last import.';

create table bank_statement_entries (
  project_id text    not null,
  account    text    not null,
  statement  text    not null,
  page       integer not null,
  entry_id   bigint  not null references bank_entries,
  primary key (project_id, account, statement, page, entry_id)
);
comment on table bank_statement_entries is
  'The entries that each page of a statement lists. An entry that several files list is stored once and listed by several pages.';
create index bank_statement_entries_by_entry on bank_statement_entries (entry_id);

alter table bank_entries add column expected_until timestamptz(3);
comment on column bank_entries.expected_until is
  'The instant until which a person expects the entry to be resolved, so that it is no exception; null without one.';

create table bank_entry_resolutions (
  id             bigint generated always as identity primary key,
  project_id     text   not null,
  entry_id       bigint not null references bank_entries,
  kind           text   not null check (kind in ('expected', 'not_ours', 'reopened')),
  reason         text   not null check (reason <> ''),
  expected_until timestamptz(3),
  authority      text   not null,
  decided_at     timestamptz(3) not null default platform.now(),
  check ((kind = 'expected') = (expected_until is not null))
);
comment on table bank_entry_resolutions is 'What persons decided about bank entries, and why. The last row of an entry is valid.';
create index bank_entry_resolutions_of_entry on bank_entry_resolutions (entry_id, id);

grant select, insert on bank_statement_entries, bank_entry_resolutions to payments;
grant update (expected_until) on bank_entries to payments;
grant update (currency, opening, closing, has_final_closing, closes_on, rejected) on bank_statements to payments;
