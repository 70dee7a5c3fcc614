-- Up Migration, without transaction
-- Operators search claims by the beginning of the provider's reference, and by the billed amount.
create index concurrently if not exists claims_by_searched_reference
  on claims (project_id, translate(lower(provider_claim_reference collate "C"), ' -_/.:#', ''));
