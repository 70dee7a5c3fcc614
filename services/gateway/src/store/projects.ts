/** Projects as operators manage them. Every change has an entry in the audit log. */
import type { Environment } from '@carecover/contract';
import { type Db, newId, type Sql, storedTenant, type Tenant, type Tx } from '@carecover/platform';
import { OperatorError } from '../operator-error';
import { audited, type Operator } from './audit-log';
import { insertKey } from './keys';

interface Project {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly rate_limit_per_minute: number;
  readonly endpoint_limit: number;
  readonly consent_default: 'granted' | 'withdrawn';
  readonly allowed_origins: readonly string[];
  readonly created_at: Date;
}

interface ProjectSettings {
  readonly rateLimitPerMinute?: number;
  /** The maximum number of active webhook endpoints. Endpoints above a lowered limit stay active. */
  readonly endpointLimit?: number;
  /** The origins whose pages can use the project's tokens. Replaces the whole list. */
  readonly allowedOrigins?: readonly string[];
  readonly consentDefault?: 'granted' | 'withdrawn';
}

/**
 * Normalizes an origin to the form that browsers send: scheme, host, and the port if it is not the scheme's default.
 *
 * @throws OperatorError if the text is not an origin
 */
function normalizeOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.pathname !== '/' || url.search !== '' || url.username !== '') {
    throw new OperatorError(`${text} is not an origin. An origin is, for example, https://app.example.com.`);
  }
  return url.origin;
}

/** Creates a project with a first key that has every scope. The secret is returned only here. */
export function createProject(
  sql: Sql,
  actor: Operator,
  { name, environment }: { name: string; environment: Environment },
): Promise<{ project_id: string; key_id: string; secret_key: string }> {
  if (name.trim() === '' || name.length > 200)
    throw new OperatorError('The name must have 1 to 200 characters.');
  return audited(sql, actor, 'project.create', async (tx) => {
    const id = newId('prj_');
    // In production a member's consent must be recorded. In the sandbox, members without a recorded consent have granted it.
    const consentDefault = environment === 'sandbox' ? 'granted' : 'withdrawn';
    await tx`
      insert into gateway.projects (id, name, environment, consent_default)
      values (${id}, ${name}, ${environment}, ${consentDefault})`;
    const key = await insertKey(tx, id, environment, ['*'], null);
    return {
      subject: id,
      details: { name, environment, key_id: key.key_id },
      result: { project_id: id, ...key },
    };
  });
}

/** Returns the project as a tenant. @throws OperatorError if the project does not exist */
export async function requireProject(db: Db, projectId: string): Promise<Tenant> {
  const rows = await db`select 1 from gateway.projects where id = ${projectId}`;
  if (rows.length === 0) throw new OperatorError(`There is no project ${projectId}.`);
  return storedTenant(projectId);
}

/** Lists all projects, newest first. */
export async function listProjects(db: Db): Promise<Project[]> {
  return [
    ...(await db<Project[]>`
      select p.id, p.name, p.environment, p.rate_limit_per_minute, p.endpoint_limit, p.consent_default, p.created_at,
             coalesce(array_agg(o.origin order by o.origin) filter (where o.origin is not null), '{}') as allowed_origins
      from gateway.projects p left join gateway.allowed_origins o on o.project_id = p.id
      group by p.id order by p.id desc`),
  ];
}

async function replaceOrigins(tx: Tx, projectId: string, origins: readonly string[]): Promise<void> {
  await tx`delete from gateway.allowed_origins where project_id = ${projectId}`;
  for (const origin of new Set(origins.map(normalizeOrigin))) {
    await tx`insert into gateway.allowed_origins (origin, project_id) values (${origin}, ${projectId})`;
  }
}

/** Changes the given settings of a project, for all later requests. @throws OperatorError if the project does not exist */
export async function setProject(
  sql: Sql,
  actor: Operator,
  projectId: string,
  settings: ProjectSettings,
): Promise<Project> {
  await audited(sql, actor, 'project.set', async (tx) => {
    const changed = await tx`
      update gateway.projects set
        rate_limit_per_minute = coalesce(${settings.rateLimitPerMinute ?? null}, rate_limit_per_minute),
        endpoint_limit = coalesce(${settings.endpointLimit ?? null}, endpoint_limit),
        consent_default = coalesce(${settings.consentDefault ?? null}, consent_default)
      where id = ${projectId} returning id`;
    if (changed.length === 0) throw new OperatorError(`There is no project ${projectId}.`);
    if (settings.allowedOrigins !== undefined) await replaceOrigins(tx, projectId, settings.allowedOrigins);
    return { subject: projectId, details: { ...settings }, result: undefined };
  });
  const project = (await listProjects(sql)).find(({ id }) => id === projectId);
  if (project === undefined) throw new OperatorError(`There is no project ${projectId}.`);
  return project;
}
