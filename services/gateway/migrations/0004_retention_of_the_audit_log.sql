-- Up Migration
-- The gateway deletes entries of the audit log that are older than the limit in audit_retention. Only the migration job changes the limit.

create table audit_retention (
  one  boolean primary key default true check (one),
  days integer not null check (days between 365 and 36500)
);
comment on table audit_retention is 'One row: for how many days entries of the audit log are kept. The migration job sets it from AUDIT_RETENTION_DAYS.';
insert into audit_retention (days) values (3650);

-- It is the start of a day (UTC), so that all deletions of a day have few entries in the log.
create function audit_log_starts_at() returns timestamptz language sql stable
  return date_trunc('day', platform.real_now(), 'UTC') - (select days from audit_retention) * interval '1 day';
comment on function audit_log_starts_at is 'Entries from before this instant can be deleted.';

-- It runs after a deletion by any role, also a superuser's.
create function audit_log_deletion() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  starts_at constant timestamptz := gateway.audit_log_starts_at();
begin
  if exists (select from deleted where at >= starts_at) then
    raise exception 'the audit log is append-only: only entries from before % can be deleted', starts_at;
  end if;
  insert into gateway.audit_log (actor, action, subject, details)
  select session_user, 'audit.delete', 'audit_log',
         jsonb_build_object('entries', count(*), 'first_id', min(id), 'last_id', max(id), 'starts_at', starts_at)
  from deleted having count(*) > 0;
  return null;
end $$;
create trigger audit_log_deletion after delete on audit_log referencing old table as deleted
  for each statement execute function audit_log_deletion();

drop trigger audit_log_is_append_only on audit_log;
create trigger audit_log_is_append_only before update or truncate on audit_log
  for each statement execute function audit_log_is_append_only();
comment on table audit_log is
  'Changes made with the command line or the console, and who made them. Append-only until the limit of audit_retention; contains no secret.';

-- The gateway's role can't choose the time of an entry, which decides when the entry can be deleted.
revoke insert on audit_log from gateway;
grant insert (actor, action, subject, details), delete on audit_log to gateway;
grant select on audit_retention to gateway;
grant execute on function audit_log_starts_at() to gateway;
