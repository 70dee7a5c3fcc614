-- Up Migration, without transaction
create index concurrently if not exists settlements_by_amount on settlements (project_id, amount);
