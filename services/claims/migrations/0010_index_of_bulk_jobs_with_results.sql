-- Up Migration, without transaction
create index concurrently if not exists bulk_jobs_with_results on bulk_jobs (completed_at, id)
  where completed_at is not null and results_deleted_at is null;
