-- Up Migration
-- The service deletes ended valuation runs after VALUATION_RUN_RETENTION_DAYS, if that is set.

grant delete on valuation_runs to claims;
