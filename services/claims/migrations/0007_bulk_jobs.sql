-- Up Migration
-- Bulk jobs: the lines of a file, each executed as one operation, with the result of each line.

create table bulk_jobs (
  id           text collate "C" primary key,
  project_id   text not null,
  environment  text not null check (environment in ('sandbox', 'production')),
  kind         text not null,
  on_error     text not null check (on_error in ('continue', 'stop')),
  dry_run      boolean not null,
  status       text not null check (status in ('receiving', 'pending', 'running', 'paused', 'completed', 'stopped', 'cancelled')),
  caller       jsonb not null,
  total        integer not null,
  succeeded    integer not null default 0,
  replayed     integer not null default 0,
  rejected     integer not null default 0,
  created_at   timestamptz(3) not null,
  started_at   timestamptz(3) not null default platform.real_now(),
  completed_at timestamptz(3),
  check (succeeded + replayed + rejected <= total),
  check (completed_at is null or status in ('completed', 'stopped', 'cancelled'))
);
comment on column bulk_jobs.caller is 'The client that submitted the job, and that executes its lines.';
comment on column bulk_jobs.started_at is 'When the upload started, by the real time.';
comment on column bulk_jobs.completed_at is 'Set after the last line that was in progress at the end of the job.';
create index bulk_jobs_of_project on bulk_jobs (project_id, created_at, id);
-- The number of values, so that PostgreSQL does not take a status or kind for the only one while all rows have it (docs/decisions/0046).
alter table bulk_jobs alter column status set (n_distinct = 7), alter column kind set (n_distinct = 6);
create index bulk_jobs_by_status on bulk_jobs (project_id, status, created_at, id);
create index bulk_jobs_by_kind on bulk_jobs (project_id, kind, created_at, id);
create index bulk_jobs_open on bulk_jobs (id) where completed_at is null;

create table bulk_job_lines (
  job_id        text collate "C" not null references bulk_jobs on delete cascade,
  line          integer not null,
  key           uuid not null,
  is_repeated   boolean not null,
  content       text,
  is_started    boolean not null default false,
  status        text not null default 'waiting' check (status in ('waiting', 'succeeded', 'replayed', 'rejected')),
  reference     text,
  resource_id   text,
  error_code    text,
  error_message text,
  primary key (job_id, line),
  check ((status = 'rejected') = (error_code is not null and error_message is not null))
);
comment on column bulk_job_lines.key is 'Identifies the line: a digest of the idempotency key of the job and of the content of the line.';
comment on column bulk_job_lines.is_repeated is 'Whether an earlier line of the file has the same content.';
comment on column bulk_job_lines.content is
  'The JSON of the line, which can name a member. It is deleted when the line is executed, or when the job ends.';
comment on column bulk_job_lines.is_started is
  'Whether the execution of the line was started. A started line that waits can have an effect already, so a job does not end before its result.';
create index bulk_job_lines_waiting on bulk_job_lines (job_id, line) where status = 'waiting';
create index bulk_job_lines_started on bulk_job_lines (job_id, line) where status = 'waiting' and is_started;
create index bulk_job_lines_rejected on bulk_job_lines (job_id, line) where status = 'rejected';

grant select, insert, update, delete on bulk_jobs, bulk_job_lines to claims;
