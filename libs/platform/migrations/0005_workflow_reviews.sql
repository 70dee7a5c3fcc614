-- Up Migration
-- Resources that changed outside of their workflows, whose workflows are to be signalled in the background.

create table workflow_reviews (
  resource_id  text primary key,
  project_id   text not null,
  environment  text not null,
  generation   integer not null default 1,
  requested_at timestamptz(3) not null default platform.now(),
  leased_until timestamptz(3)
);
comment on table workflow_reviews is
  'Written in the transaction that changes the resource; deleted once its workflow was signalled. A workflow whose row is deleted by hand stays open until a command reaches its resource.';
comment on column workflow_reviews.generation is 'Grows with each change, so that a signal that was sent before the last change does not count for it.';
comment on column workflow_reviews.leased_until is 'Until when one process has it, by the machine''s clock; then another takes it.';
create index workflow_reviews_in_order on workflow_reviews (requested_at);

-- The service's role has the name of its schema.
do $$
begin
  execute format('grant select, insert, update, delete on workflow_reviews to %I', current_schema());
end $$;
