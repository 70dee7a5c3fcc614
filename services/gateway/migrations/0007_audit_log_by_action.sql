-- Up Migration, without transaction
create index concurrently if not exists audit_log_by_action on audit_log (action, id);
