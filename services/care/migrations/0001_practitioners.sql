-- Up Migration
-- The directory of each project: who gives care, and when in the week.

create table practitioners (
  id                 text collate "C" primary key,
  project_id         text not null,
  external_reference text not null,
  name               text not null,
  profession         text not null,
  city               text not null,
  country            text not null check (country ~ '^[A-Z]{2}$'),
  fee_amount         bigint not null check (fee_amount between 1 and 9007199254740991),
  fee_currency       text not null check (fee_currency in ('KES', 'USD', 'EUR', 'GBP')),
  timezone           text not null,
  weekly_hours       jsonb not null check (jsonb_typeof(weekly_hours) = 'array'),
  created_at         timestamptz(3) not null default platform.now(),
  unique (project_id, id),
  unique (project_id, external_reference)
);
comment on column practitioners.external_reference is
  'By which a repeated import, or a second seeding, finds the same practitioner again.';
comment on column practitioners.weekly_hours is
  'As the API shows them: [{weekday, start, end, formats}], local times of the time zone.';

grant select, insert, update on practitioners to care;
