-- Up Migration
-- Facts about recoveries. The constraint is not validated, because every older row has a type that the constraint before allowed.

alter table facts
  drop constraint facts_type_check,
  add constraint facts_type_check check (type in ('created', 'validated', 'submitted', 'queried', 'evidence_added',
    'resubmitted', 'approved', 'partially_approved', 'denied', 'remittance_recorded', 'remittance_recovered', 'settled',
    'reconciled', 'reversed', 'cancelled')) not valid;
comment on column facts.cause is
  'ID of the command, information request (lapse), remittance, recovery or settlement that caused the fact. A cause has at most one fact per type on a claim.';
comment on column facts.detail is
  'Amounts for the valuation: the billed amount, the adjudicated amounts with the policy, or the amount of a remittance, recovery or settlement.';
