-- Up Migration, without transaction
create index concurrently if not exists valuation_runs_ended on valuation_runs (completed_at) where completed_at is not null;
