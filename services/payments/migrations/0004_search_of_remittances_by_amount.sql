-- Up Migration, without transaction
create index concurrently if not exists remittances_by_total on remittances (project_id, total);
