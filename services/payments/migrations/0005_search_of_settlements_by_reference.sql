-- Up Migration, without transaction
create index concurrently if not exists settlements_by_searched_reference
  on settlements (project_id, translate(lower(source_reference collate "C"), ' -_/.:#', ''));
