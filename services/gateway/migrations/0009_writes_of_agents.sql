-- Up Migration
alter table projects add column agent_writes text not null default 'off' check (agent_writes in ('off', 'confirmed'));
comment on column projects.agent_writes is
  'Whether the tools of the MCP endpoint can write: off, or after a person has confirmed each call.';
grant update (agent_writes) on projects to gateway;
