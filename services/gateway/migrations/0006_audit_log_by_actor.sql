-- Up Migration, without transaction
-- Administrators filter the audit log by person, action and resource.
create index concurrently if not exists audit_log_by_actor on audit_log (actor, id);
