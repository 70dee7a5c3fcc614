-- Up Migration, without transaction
create index concurrently if not exists bank_entries_by_day on bank_entries (project_id, booked_on, account);
