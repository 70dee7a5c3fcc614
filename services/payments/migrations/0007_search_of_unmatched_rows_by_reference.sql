-- Up Migration, without transaction
create index concurrently if not exists unmatched_rows_by_searched_reference
  on unmatched_rows (project_id, translate(lower(source_reference collate "C"), ' -_/.:#', ''));
