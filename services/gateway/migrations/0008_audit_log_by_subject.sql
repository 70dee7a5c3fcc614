-- Up Migration, without transaction
create index concurrently if not exists audit_log_by_subject on audit_log (subject, id);
