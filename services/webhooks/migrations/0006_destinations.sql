-- Up Migration
-- The host and port that an endpoint's attempts connect to: a dispatcher takes no more deliveries of a destination than it has slots for.

alter table endpoints add column destination text collate "C";
comment on column endpoints.destination is
  'host:port in canonical form. Null where a release without the column wrote the row; the endpoint then counts by itself.';
update endpoints set destination = regexp_replace(
  lower(substring(url from '^[^/]*//([^/?#]*)')) || case when url ilike 'https:%' then ':443' else ':80' end,
  '\.?(:\d+)(:\d+)?$', '\1');
create index endpoints_by_destination on endpoints (destination) where status = 'active';
create index endpoints_active on endpoints (project_id) where status = 'active';
