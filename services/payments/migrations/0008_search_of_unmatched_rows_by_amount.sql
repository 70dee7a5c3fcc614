-- Up Migration, without transaction
create index concurrently if not exists unmatched_rows_by_amount on unmatched_rows (project_id, amount);
