-- Up Migration
-- The host and port that an endpoint's attempts connect to, to bound the deliveries that a dispatcher takes for one destination. The
-- bound on attempts in flight uses the exact destination of the URL; this column only decides which deliveries are taken.

alter table endpoints add column destination text not null generated always as (
  regexp_replace(lower(substring(url from '^[^/]*//([^/?#]*)')), '\.?(:443|:80)?$', '')) stored;
comment on column endpoints.destination is 'Host, and port where it is not the default of http or https.';
create index endpoints_by_destination on endpoints (destination) where status = 'active';
create index endpoints_active on endpoints (project_id) where status = 'active';
