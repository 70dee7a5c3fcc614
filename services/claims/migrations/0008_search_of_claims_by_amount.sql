-- Up Migration, without transaction
create index concurrently if not exists claims_by_billed on claims (project_id, billed);
