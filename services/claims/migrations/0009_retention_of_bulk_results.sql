-- Up Migration
-- The service deletes the lines of ended bulk jobs, with their results, after BULK_RESULT_RETENTION_DAYS.

alter table bulk_jobs add column results_deleted_at timestamptz(3);
comment on column bulk_jobs.results_deleted_at is 'When the lines of the job were deleted; null while they are there.';
