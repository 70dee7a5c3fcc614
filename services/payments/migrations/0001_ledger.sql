-- Up Migration
-- The ledger. A posting moves an amount from one account of a claim to another account of that claim, so that every posting balances.
-- No role can change or delete a posting: a correction is a new posting. Only a database trigger changes balances.

create type account as enum (
  'charges', 'payer_liability', 'patient_responsibility', 'adjustment', 'remitted', 'cash_observed', 'recoverable', 'provider'
);

create table claim_accounts (
  claim_id             text collate "C" primary key,
  project_id           text        not null,
  environment          text        not null check (environment in ('sandbox', 'production')),
  currency             text        not null check (currency ~ '^[A-Z]{3}$'),
  adjudication_id      text        not null,
  adjudication_version integer     not null check (adjudication_version >= 1),
  reversed_at          timestamptz(3),
  created_at           timestamptz(3) not null default platform.now(),

  charges                bigint not null default 0 check (charges <= 0),
  payer_liability        bigint not null default 0 check (payer_liability >= 0),
  patient_responsibility bigint not null default 0 check (patient_responsibility >= 0),
  adjustment             bigint not null default 0 check (adjustment >= 0),
  remitted               bigint not null default 0,
  cash_observed          bigint not null default 0,
  recoverable            bigint not null default 0 check (recoverable between 0 and greatest(cash_observed, 0)),
  provider               bigint not null default 0,
  -- The amount that the payer approved, whether it is not remitted yet, remitted or settled. Null after the claim was reversed.
  approved bigint generated always as
    (case when reversed_at is null then payer_liability + remitted + cash_observed end) stored,
  recovered     bigint not null default 0 check (recovered >= 0),
  settled       bigint not null default 0 check (settled >= 0),
  settled_cause text,

  unique (claim_id, currency),
  check (charges + payer_liability + patient_responsibility + adjustment + remitted + cash_observed = 0),
  -- A takeback and its settlement can come before the settlement of what they take back, so that each of the two can be below zero.
  check (remitted + cash_observed >= 0),
  check (remitted >= -recovered),
  check (cash_observed >= -recovered),
  check (recoverable + provider = 0),
  check (recoverable = 0 or reversed_at is not null),
  check (payer_liability = 0 or reversed_at is null)
);
comment on table claim_accounts is
  'One row per claim with an adjudication: the balances of the claim''s accounts. Every transaction that posts for the claim locks the row.';
comment on column claim_accounts.recovered is 'The sum of all takebacks of the claim, settled or not.';
comment on column claim_accounts.settled is
  'The settled amount in the claims service after all notifications: cash_observed, but at least 0 and at most the approved amount.';
comment on column claim_accounts.settled_cause is 'The cause of the last notification that changes settled; null before the first.';
create index claim_accounts_of_project on claim_accounts (project_id);

create table postings (
  id           bigint generated always as identity primary key,
  project_id   text    not null,
  claim_id     text    collate "C" not null,
  source       account not null,
  destination  account not null,
  amount       bigint  not null check (amount > 0),
  currency     text    not null,
  cause        text    not null,
  effective_at timestamptz(3) not null,
  recorded_at  timestamptz(3) not null default platform.now(),
  check (source <> destination),
  -- A posting has the currency of its claim, and a cause can post only once between two accounts of a claim.
  foreign key (claim_id, currency) references claim_accounts (claim_id, currency),
  unique (claim_id, cause, source, destination)
);
comment on column postings.cause is
  'The ID of the adjudication, remittance, recovery or settlement that made the posting. For a reversal: the ID of the settlement or claim with the suffix ":reversal".';

-- Adds new postings to the balances of their claims; nothing else changes balances. The function runs with the privileges of its owner.
-- All names in it are schema-qualified, so that neither the session's search path nor a temporary table can replace a table.
create function derive_balances() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  update payments.claim_accounts held set
    charges                = held.charges                + moved.charges,
    payer_liability        = held.payer_liability        + moved.payer_liability,
    patient_responsibility = held.patient_responsibility + moved.patient_responsibility,
    adjustment             = held.adjustment             + moved.adjustment,
    remitted               = held.remitted               + moved.remitted,
    cash_observed          = held.cash_observed          + moved.cash_observed,
    recoverable            = held.recoverable            + moved.recoverable,
    provider               = held.provider               + moved.provider,
    recovered              = held.recovered              + moved.recovered
  from (
    select claim_id,
      coalesce(sum(amount) filter (where account = 'charges'), 0)::bigint                as charges,
      coalesce(sum(amount) filter (where account = 'payer_liability'), 0)::bigint        as payer_liability,
      coalesce(sum(amount) filter (where account = 'patient_responsibility'), 0)::bigint as patient_responsibility,
      coalesce(sum(amount) filter (where account = 'adjustment'), 0)::bigint             as adjustment,
      coalesce(sum(amount) filter (where account = 'remitted'), 0)::bigint               as remitted,
      coalesce(sum(amount) filter (where account = 'cash_observed'), 0)::bigint          as cash_observed,
      coalesce(sum(amount) filter (where account = 'recoverable'), 0)::bigint            as recoverable,
      coalesce(sum(amount) filter (where account = 'provider'), 0)::bigint               as provider,
      coalesce(sum(-amount) filter (where is_recovery), 0)::bigint                       as recovered
    from (
      select claim_id, destination as account, amount, false as is_recovery from posted
      union all
      select claim_id, source, -amount, source = 'remitted' and destination in ('payer_liability', 'charges') from posted
    ) sides
    group by claim_id
  ) moved
  where held.claim_id = moved.claim_id;
  return null;
end $$;
create trigger postings_derive_balances after insert on postings
  referencing new table as posted for each statement execute function derive_balances();

create table ledger_verification (
  only_row         boolean primary key default true check (only_row),
  verified_through bigint,
  pass             jsonb
);
comment on table ledger_verification is 'The checkpoint of the operator''s command that verifies the ledger. The service does not use it.';
comment on column ledger_verification.verified_through is
  'Postings up to this ID were verified without a difference. Null: the next verification is one of the whole ledger.';
comment on column ledger_verification.pass is 'How far a verification is; null after its end.';

-- The service inserts account rows without balances; they start at the default 0.
grant select on claim_accounts to payments;
grant insert (claim_id, project_id, environment, currency, adjudication_id, adjudication_version) on claim_accounts
  to payments;
grant select, insert on postings to payments;
grant update (adjudication_id, adjudication_version, reversed_at, settled, settled_cause) on claim_accounts to payments;
