/** The operations of test clocks: the creation of a simulated project, the read of its clock, and the advance. */
import { createHash } from 'node:crypto';
import {
  CLOCK_YEARS,
  parseInstant,
  type SimulatedProject,
  type TestClock,
  type TestClockAdvanceInput,
  type TestClockInput,
} from '@carecover/contract';
import {
  ApiError,
  canonicalJson,
  digest128,
  isSimulated,
  notFound,
  requireSameRequest,
  type Tenant,
} from '@carecover/domain';
import { projectAuthority } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import type { Admission } from '../store/admissions';
import { audited } from '../store/audit-log';
import { insertProject } from '../store/projects';
import {
  type ClockRow,
  countClocksOf,
  findAdvance,
  findClock,
  lockClock,
  startAdvance,
} from '../store/test-clocks';
import { type Advances, earliestOf } from './advances';
import { SERVICES_WITH_DUE_ITEMS } from './due-items';

/** Maximum number of simulated projects that one project can create. Each has its own rate limit. */
const CLOCKS_PER_PROJECT = 500;
/** How often a waiting request reads the clock while another process executes the advance, in milliseconds. */
const POLL_MS = 50;

type Caller = Pick<Admission, 'tenant' | 'keyId' | 'tokenId'>;

const authorityOf = ({ tenant, keyId, tokenId }: Caller) => projectAuthority(tenant, keyId, tokenId);

/** Who reads or moves a clock: the project, and the authority of the calls to services. */
export interface ClockCaller {
  readonly tenant: Tenant;
  readonly authority: string;
}

/** Returns the caller of a request of the API. */
export const clockCallerOf = (caller: Caller): ClockCaller => ({
  tenant: caller.tenant,
  authority: authorityOf(caller),
});

/**
 * Creates a sandbox project whose time is simulated.
 *
 * @throws ApiError permission_denied for a token, because the answer has a secret key; invalid_state if the project has simulated time itself
 *   or has created too many, or if another project has the seed
 */
export async function createTestClock(
  sql: Sql,
  caller: Caller,
  { name, now, seed }: TestClockInput,
): Promise<SimulatedProject> {
  if (caller.tokenId !== null)
    throw new ApiError('permission_denied', 'A clock is created with a secret key, not with a token.');
  if (isSimulated(caller.tenant))
    throw new ApiError(
      'invalid_state',
      'A project whose time is simulated creates no clocks: use a key of another project.',
    );
  const at = new Date(parseInstant(now));
  return audited(sql, authorityOf(caller), 'project.create', async (tx) => {
    if ((await countClocksOf(tx, caller.tenant)) >= CLOCKS_PER_PROJECT)
      throw new ApiError(
        'invalid_state',
        `The project has created ${CLOCKS_PER_PROJECT} clocks: use one of them.`,
      );
    const created = await insertProject(tx, {
      name,
      environment: 'sandbox',
      now: at,
      ...(seed === undefined ? {} : { seed }),
      createdBy: caller.tenant,
    });
    const { project_id, key_id, secret_key } = created;
    return {
      subject: project_id,
      details: { name, environment: 'sandbox', clock: 'simulated', key_id },
      result: { object: 'simulated_project', project_id, key_id, secret_key, now: at.toISOString() },
    };
  });
}

/** Returns the clock as the API shows it. An advance that no process executes is continued. */
async function describe(advances: Advances, caller: ClockCaller, clock: ClockRow): Promise<TestClock> {
  const { now, status, target, completed, advanced_to, failure } = clock;
  const { authority } = caller;
  if (status === 'advancing' && !clock.is_executed) advances.start(clock.project_id);
  const [all, remaining] = await Promise.all([
    advances.earliest(caller.tenant, authority, SERVICES_WITH_DUE_ITEMS),
    target === null ? 0 : advances.count(caller.tenant, authority, target),
  ]);
  const item = earliestOf(all)?.item;
  return {
    object: 'test_clock',
    now: now.toISOString(),
    status,
    target: target?.toISOString() ?? null,
    next_due: item === undefined ? null : { ...item, at: item.at.toISOString() },
    advanced_to: advanced_to?.toISOString() ?? null,
    completed,
    remaining,
    failure,
  };
}

async function requireClock(sql: Sql, tenant: Tenant): Promise<ClockRow> {
  const clock = isSimulated(tenant) ? await findClock(sql, tenant) : undefined;
  if (clock === undefined) throw notFound();
  return clock;
}

/** Reads the project's clock. @throws ApiError resource_not_found for a project with real time */
export async function getTestClock(sql: Sql, advances: Advances, caller: ClockCaller): Promise<TestClock> {
  const clock = await requireClock(sql, caller.tenant);
  // An attempt of a webhook that fails now has a retry, which is due.
  if (clock.status !== 'advancing') await advances.waitForArrivals(caller.tenant, caller.authority);
  return describe(advances, caller, clock);
}

/** Counts the due items that an advance to an instant would execute. @throws ApiError resource_not_found for a project with real time */
export async function countDueItems(
  sql: Sql,
  advances: Advances,
  { tenant, authority }: ClockCaller,
  until: Date,
): Promise<number> {
  await requireClock(sql, tenant);
  return advances.count(tenant, authority, until);
}

/** Waits until the advance has ended, for at most some seconds. */
async function waitForEnd(sql: Sql, advances: Advances, tenant: Tenant, seconds: number): Promise<ClockRow> {
  const endMs = performance.now() + seconds * 1_000;
  for (;;) {
    const clock = await requireClock(sql, tenant);
    if (clock.status !== 'advancing' || performance.now() >= endMs) return clock;
    await advances.wait(tenant, POLL_MS);
  }
}

function requireStart(clock: ClockRow | undefined, to: string, target: Date | undefined): Date {
  if (clock === undefined) throw notFound();
  if (clock.status === 'advancing')
    throw new ApiError('invalid_state', 'The clock is advancing: wait until its status is ready or failed.');
  if (target === undefined)
    throw new ApiError('invalid_state', 'Nothing is due in the project: name an instant in /to.');
  if (target.getUTCFullYear() > CLOCK_YEARS.max)
    throw new ApiError(
      'invalid_state',
      `Nothing is due until the year ${CLOCK_YEARS.max}: name an instant in /to.`,
    );
  // The next item can be overdue, if its command was interrupted. It is executed at the time of the clock.
  if (to === 'next') return target < clock.now ? clock.now : target;
  if (target < clock.now)
    throw new ApiError(
      'invalid_state',
      `/to is before the time of the clock, which is ${clock.now.toISOString()}: a clock only moves forward.`,
    );
  return target;
}

/**
 * Starts an advance, and waits for its end if the request says so.
 *
 * @returns the clock, and whether the idempotency key was used before
 * @throws ApiError resource_not_found for a project with real time; idempotency_conflict; invalid_state
 */
export async function advanceTestClock(
  sql: Sql,
  advances: Advances,
  caller: ClockCaller,
  idempotencyKey: string,
  body: TestClockAdvanceInput,
): Promise<{ readonly clock: TestClock; readonly isReplayed: boolean }> {
  const { tenant, authority } = caller;
  await requireClock(sql, tenant);
  const keyDigest = digest128(`${tenant}\n${idempotencyKey}`);
  const requestHash = createHash('sha256').update(canonicalJson(body)).digest();
  const hasStarted = async (tx: Sql | Tx) => {
    const known = await findAdvance(tx, tenant, keyDigest);
    if (known !== undefined) requireSameRequest(known, requestHash);
    return known !== undefined;
  };
  let isReplayed = await hasStarted(sql);
  if (!isReplayed) {
    const { to } = body;
    if (to === 'next') await advances.waitForArrivals(tenant, authority);
    const target =
      to === 'next'
        ? earliestOf(await advances.earliest(tenant, authority, SERVICES_WITH_DUE_ITEMS))?.item.at
        : new Date(parseInstant(to));
    isReplayed = await sql.begin(async (tx) => {
      const clock = await lockClock(tx, tenant);
      if (await hasStarted(tx)) return true;
      await startAdvance(tx, tenant, {
        target: requireStart(clock, to, target),
        authority,
        keyDigest,
        requestHash,
      });
      return false;
    });
  }
  advances.start(tenant);
  const clock = await waitForEnd(sql, advances, tenant, body.wait_seconds ?? 0);
  return { clock: await describe(advances, caller, clock), isReplayed };
}
