-- Up Migration, without transaction
-- Operators search remittances, settlements and rows of settlement files by the beginning of a reference, and by the amount.
create index concurrently if not exists remittances_by_searched_reference
  on remittances (project_id, translate(lower(payer_reference collate "C"), ' -_/.:#', ''));
