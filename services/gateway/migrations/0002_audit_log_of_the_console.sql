-- Up Migration
-- The gateway writes the audit entries of the console, and reads audit entries for the console.
grant select, insert on audit_log to gateway;
comment on table audit_log is
  'Changes made with the command line or the console, and who made them. Append-only; contains no secret.';
