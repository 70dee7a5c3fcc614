-- Up Migration
-- How the people of a project write numbers and dates, and where their days begin and end.
alter table projects
  add column locale text not null default 'en' check (locale ~ '^[A-Za-z0-9-]{2,35}$'),
  add column time_zone text not null default 'UTC' check (time_zone ~ '^[A-Za-z0-9_+/:-]{1,64}$');
comment on column projects.locale is 'The language tag (BCP 47) by which amounts and dates that a person types are read.';
comment on column projects.time_zone is 'The time zone (IANA) of the days that a person types.';
grant update (locale, time_zone) on projects to gateway;
