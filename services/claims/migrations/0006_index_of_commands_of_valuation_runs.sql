-- Up Migration, without transaction
create index concurrently if not exists commands_of_valuation_runs on commands (resource_id) where operation = 'createValuationRun';
