-- Up Migration
-- Withdrawn payment advices. A withdrawal posts the inverse of what the advice posted; its row and lines stay.

alter table remittances
  drop constraint remittances_status_check,
  add constraint remittances_status_check check (status in ('received', 'reconciled', 'exception', 'withdrawn')) not valid;
alter table remittances alter column status set (n_distinct = 4);
comment on column remittances.payer_reference_key is
  'The normal form of payer_reference in which uniqueness compares it: referenceKey of the contract. Of a withdrawn advice a text that no reference has, so that the reference can be used again. payer_reference_search also ignores case.';

create table remittance_withdrawals (
  remittance_id text        collate "C" primary key references remittances,
  command_id    text        not null unique,
  reason_code   text        not null,
  authority     text        not null,
  withdrawn_at  timestamptz(3) not null default platform.now(),
  replaced_by   text        collate "C" unique references remittances deferrable initially deferred,
  check (replaced_by <> remittance_id)
);
comment on column remittance_withdrawals.replaced_by is
  'The remittance of the advice that was recorded in its place, in the same transaction; null without one. The withdrawal comes first, so that the new advice can have its payer_reference.';
comment on table remittance_withdrawals is 'Why, when and by whom payment advices were withdrawn.';

alter table claims_notifications
  drop constraint claims_notifications_kind_check,
  add constraint claims_notifications_kind_check
    check (kind in ('remittance', 'settlement', 'remittance_recovered', 'withdrawal')) not valid;
comment on column postings.cause is
  'The ID of the adjudication, remittance, recovery or settlement that made the posting. For a reversal: the ID of the settlement or claim with the suffix ":reversal". For a withdrawn advice: the ID of the remittance with the suffix ":withdrawal".';
comment on column claim_accounts.recovered is 'The sum of all takebacks of the claim that are not withdrawn, settled or not.';

alter table claim_accounts add column remitted_cause text;
comment on column claim_accounts.remitted_cause is
  'The cause of the last notification that changes what is remitted, by a remittance, a recovery or a withdrawal; null before the first.';

-- The same function as before, but a withdrawn allocation is no recovery, a withdrawn recovery is deducted, and the cause is kept of the last
-- posting that changes what is remitted.
create or replace function derive_balances() returns trigger language plpgsql security definer
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
    recovered              = held.recovered              + moved.recovered,
    remitted_cause         = coalesce(moved.remitted_cause, held.remitted_cause)
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
      coalesce(sum(-amount) filter (where is_recovery), 0)::bigint                       as recovered,
      (array_agg(cause order by id desc) filter (where is_advised))[1]                   as remitted_cause
    from (
      select claim_id, destination as account, amount, id, cause,
        destination = 'remitted' and source in ('payer_liability', 'charges') as is_advised,
        destination = 'remitted' and cause like '%:withdrawal' as is_recovery
      from posted
      union all
      select claim_id, source, -amount, id, cause,
        source = 'remitted' and destination in ('payer_liability', 'charges'),
        source = 'remitted' and destination in ('payer_liability', 'charges') and cause not like '%:withdrawal'
      from posted
    ) sides
    group by claim_id
  ) moved
  where held.claim_id = moved.claim_id;
  return null;
end $$;

create or replace view payment_advice_resources as
  select remittance.*,
    (select coalesce(jsonb_agg(jsonb_build_object('claim_id', claim_id, 'reason_codes', reason_codes) order by position), '[]')
     from remittance_denials where remittance_id = remittance.id) as denials,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'claim_id', claim_id, 'amount', amount, 'reason_codes', reason_codes)
                               order by position), '[]')
     from remittance_recoveries where remittance_id = remittance.id) as recoveries,
    withdrawal.withdrawn_at, withdrawal.reason_code as withdrawal_reason_code, withdrawal.replaced_by,
    (select replaced.remittance_id from remittance_withdrawals replaced where replaced.replaced_by = remittance.id) as replaces
  from remittance_resources remittance left join remittance_withdrawals withdrawal on withdrawal.remittance_id = remittance.id;

grant select, insert on remittance_withdrawals to payments;
grant update (payer_reference_key) on remittances to payments;
