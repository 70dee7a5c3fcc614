/** Projects as operators manage them. Every change has an entry in the audit log. */
import { currencies, type Environment, parseUrl } from '@carecover/contract';
import {
  ApiError,
  newId,
  runAtProjectTime,
  simulatedProjectId,
  storedTenant,
  type Tenant,
  workIds,
} from '@carecover/domain';
import type { Db, Fragment, Sql, Tx } from '@carecover/postgres';
import { OperatorError } from '../operator-error';
import { audited, type Operator, type OperatorPage } from './audit-log';
import { insertKey, type NewKey } from './keys';
import { insertClock, insertTime } from './test-clocks';

/** Whether agents can write in a project: not at all, or after a person has confirmed each call. */
export const agentWrites = ['off', 'confirmed'] as const;
export type AgentWrites = (typeof agentWrites)[number];

interface Project {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly rate_limit_per_minute: number;
  readonly endpoint_limit: number;
  readonly consent_default: 'granted' | 'withdrawn';
  readonly agent_writes: AgentWrites;
  /** The currencies that requests can use; null for all of the API. */
  readonly currencies: readonly string[] | null;
  readonly allowed_origins: readonly string[];
  /** The language tag (BCP 47) by which amounts and dates that a person types are read. */
  readonly locale: string;
  /** The time zone (IANA) of the days that a person types. */
  readonly time_zone: string;
  readonly created_at: Date;
}

/** The largest values to which a project's settings can be set. */
export const PROJECT_LIMITS = { rateLimitPerMinute: 1_000_000, endpointLimit: 10_000 } as const;

export interface ProjectSettings {
  readonly rateLimitPerMinute?: number;
  /** The maximum number of active webhook endpoints. Endpoints above a lowered limit stay active. */
  readonly endpointLimit?: number;
  /** The origins whose pages can use the project's tokens. A new list replaces the whole old list. */
  readonly allowedOrigins?: readonly string[];
  readonly consentDefault?: 'granted' | 'withdrawn';
  readonly agentWrites?: AgentWrites;
  /** The currencies that requests can use; an empty list for all of the API. */
  readonly currencies?: readonly string[];
  /** A language tag (BCP 47) that Intl supports, such as `en-KE`. */
  readonly locale?: string;
  /** A time zone (IANA), such as `Africa/Nairobi`. */
  readonly timeZone?: string;
}

/**
 * Normalizes an origin to the form that browsers send: scheme, host, and the port if it is not the scheme's default.
 *
 * @throws OperatorError if the text is not an origin
 */
function normalizeOrigin(text: string): string {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isWeb || url.pathname !== '/' || url.search !== '' || url.username !== '') {
    throw new OperatorError(`${text} is not an origin. An origin is, for example, https://app.example.com.`);
  }
  return url.origin;
}

export interface NewProject {
  readonly name: string;
  readonly environment: Environment;
  /** The time of a sandbox project whose time is simulated; absent: the project has real time. It can't be changed later. */
  readonly now?: Date;
  /** Of which the IDs of a project with simulated time follow, 1 to 200 characters; absent: they are random. */
  readonly seed?: string;
}

/** Returns the IDs of a new project and of its first key. */
function newIds(now: Date | undefined, seed: string | undefined) {
  const create = () => ({ project: newId('prj_'), key: newId('key_') });
  if (now === undefined || seed === undefined) return create();
  return runAtProjectTime(
    { project: '', at: null, nowMs: now.getTime(), ids: workIds(seed, 'project') },
    create,
  );
}

/** Inserts a project with a first key that has every scope. @param createdBy the project whose key creates it; null for an operator */
export async function insertProject(
  tx: Tx,
  { name, environment, now, seed, createdBy }: NewProject & { readonly createdBy: string | null },
): Promise<{ project_id: string } & NewKey> {
  // The first key is in the references of authorities, so with a seed its ID follows from it too.
  const ids = newIds(now, seed);
  const id = now === undefined ? ids.project : simulatedProjectId(ids.project);
  if (now !== undefined) await insertTime(tx, id, { now, seed: seed ?? null });
  // A member without a recorded consent has granted it in the sandbox, but not in production.
  const consentDefault = environment === 'sandbox' ? 'granted' : 'withdrawn';
  await tx`
    insert into gateway.projects (id, name, environment, consent_default)
    values (${id}, ${name}, ${environment}, ${consentDefault})`;
  if (now !== undefined) await insertClock(tx, id, createdBy);
  return { project_id: id, ...(await insertKey(tx, id, environment, ['*'], null, ids.key)) };
}

/** Creates a project with a first key that has every scope. The secret is returned only here. */
export function createProject(
  sql: Sql,
  actor: Operator,
  project: NewProject,
): Promise<{ project_id: string } & NewKey> {
  const { name, environment, now, seed } = project;
  if (name.trim() === '' || name.length > 200)
    throw new OperatorError('The name must have 1 to 200 characters.');
  if (now !== undefined && environment !== 'sandbox')
    throw new OperatorError('Only a sandbox project can have simulated time.');
  if (seed !== undefined && (now === undefined || seed === '' || seed.length > 200))
    throw new OperatorError('The seed must have 1 to 200 characters, in a project with simulated time.');
  return audited(sql, actor, 'project.create', async (tx) => {
    const created = await insertProject(tx, { ...project, createdBy: null }).catch((error: unknown) => {
      throw error instanceof ApiError ? new OperatorError(error.message) : error;
    });
    return {
      subject: created.project_id,
      details: {
        name,
        environment,
        ...(now === undefined ? {} : { clock: 'simulated' }),
        key_id: created.key_id,
      },
      result: created,
    };
  });
}

/** Returns the project as a tenant. @throws OperatorError if the project does not exist */
export async function requireProject(db: Db, projectId: string): Promise<Tenant> {
  const rows = await db`select 1 from gateway.projects where id = ${projectId}`;
  if (rows.length === 0) throw new OperatorError(`There is no project ${projectId}.`);
  return storedTenant(projectId);
}

/** Reads the projects that meet the condition, newest first. */
async function selectProjects(db: Db, condition: Fragment): Promise<Project[]> {
  return [
    ...(await db<Project[]>`
      select p.id, p.name, p.environment, p.rate_limit_per_minute, p.endpoint_limit, p.consent_default, p.agent_writes, p.currencies, p.locale, p.time_zone, p.created_at,
             array(select origin from gateway.allowed_origins o where o.project_id = p.id order by origin) as allowed_origins
      from gateway.projects p ${condition}`),
  ];
}

/** Lists all projects, newest first. */
export function listProjects(db: Db): Promise<Project[]> {
  return selectProjects(db, db`order by p.id desc`);
}

/** Lists one page of the projects of an environment, newest first. */
export function listProjectsOf(db: Db, environment: Environment, page: OperatorPage): Promise<Project[]> {
  return selectProjects(
    db,
    db`where p.environment = ${environment} and (${page.after}::text is null or p.id < ${page.after})
       order by p.id desc limit ${page.limit}`,
  );
}

/** Reads a project; undefined if it does not exist. */
export async function findProject(db: Db, projectId: string): Promise<Project | undefined> {
  const [project] = await selectProjects(db, db`where p.id = ${projectId}`);
  return project;
}

/** Reads the time by which the services decide in a project: that of its clock if its time is simulated, otherwise that of the database. */
export async function readNow(db: Db, projectId: string): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`
    select coalesce((select now from platform.project_clocks where project_id = ${projectId}), platform.real_now()) as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}

async function replaceOrigins(tx: Tx, projectId: string, origins: readonly string[]): Promise<void> {
  await tx`delete from gateway.allowed_origins where project_id = ${projectId}`;
  for (const origin of new Set(origins.map(normalizeOrigin))) {
    await tx`insert into gateway.allowed_origins (origin, project_id) values (${origin}, ${projectId})`;
  }
}

function requireWithin(name: string, value: number | undefined, limit: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= limit)) return;
  throw new OperatorError(`The ${name} must be an integer from 1 to ${limit}.`);
}

/** @throws OperatorError if the programs of this installation do not know the language */
function requireLocale(locale: string): void {
  try {
    if (Intl.NumberFormat.supportedLocalesOf(locale).length > 0) return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new OperatorError(`The locale ${locale.slice(0, 40)} is not a known language tag, such as en-KE.`);
}

/** @throws OperatorError if the programs of this installation do not know the time zone */
function requireTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OperatorError(
      `The time zone ${timeZone.slice(0, 70)} is not a known IANA name, such as Africa/Nairobi.`,
    );
  }
}

/** @throws OperatorError if the API has no such currency */
function requireCurrencies(given: readonly string[]): void {
  const unknown = given.filter((code) => !currencies.some((each) => each === code));
  if (unknown.length > 0)
    throw new OperatorError(
      `The currencies must be among ${currencies.join(', ')}: ${unknown.join(', ').slice(0, 40)} is not.`,
    );
}

/** Changes the given settings of a project, for all later requests. @throws OperatorError if the project does not exist */
export async function setProject(
  sql: Sql,
  actor: Operator,
  projectId: string,
  settings: ProjectSettings,
): Promise<Project> {
  requireWithin('rate limit', settings.rateLimitPerMinute, PROJECT_LIMITS.rateLimitPerMinute);
  requireWithin('endpoint limit', settings.endpointLimit, PROJECT_LIMITS.endpointLimit);
  if (settings.currencies !== undefined) requireCurrencies(settings.currencies);
  if (settings.locale !== undefined) requireLocale(settings.locale);
  if (settings.timeZone !== undefined) requireTimeZone(settings.timeZone);
  const accepted = settings.currencies === undefined ? null : [...new Set(settings.currencies)];
  await audited(sql, actor, 'project.set', async (tx) => {
    const changed = await tx`
      update gateway.projects set
        rate_limit_per_minute = coalesce(${settings.rateLimitPerMinute ?? null}, rate_limit_per_minute),
        endpoint_limit = coalesce(${settings.endpointLimit ?? null}, endpoint_limit),
        consent_default = coalesce(${settings.consentDefault ?? null}, consent_default),
        agent_writes = coalesce(${settings.agentWrites ?? null}, agent_writes),
        currencies = case when ${accepted === null} then currencies else nullif(${accepted ?? []}::text[], '{}') end,
        locale = coalesce(${settings.locale ?? null}, locale),
        time_zone = coalesce(${settings.timeZone ?? null}, time_zone)
      where id = ${projectId} returning id`;
    if (changed.length === 0) throw new OperatorError(`There is no project ${projectId}.`);
    if (settings.allowedOrigins !== undefined) await replaceOrigins(tx, projectId, settings.allowedOrigins);
    return { subject: projectId, details: { ...settings }, result: undefined };
  });
  const project = await findProject(sql, projectId);
  if (project === undefined) throw new OperatorError(`There is no project ${projectId}.`);
  return project;
}
