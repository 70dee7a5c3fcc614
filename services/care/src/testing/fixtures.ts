/** Fixtures of several tests: a practitioner with hours at any time, and slots of that practitioner. */

import type { SessionFormat, SessionInput, WeeklyHours } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { Answered } from '@carecover/testing/services';
import { type DirectoryEntry, upsertPractitioners } from '../store/practitioners';
import type { RequestOptions, TestCare } from './test-care';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const ALL_HOURS: readonly WeeklyHours[] = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  start: '00:00',
  end: '23:59',
  formats: ['online', 'phone'],
}));

/** Returns a directory entry with hours at any time in UTC, online and by phone. */
function directoryEntry(changes: Partial<DirectoryEntry> = {}): DirectoryEntry {
  return {
    reference: 'directory:1',
    name: 'Amina Otieno',
    profession: 'Counsellor',
    city: 'Nairobi',
    country: 'KE',
    feeAmount: 450_000,
    feeCurrency: 'KES',
    timezone: 'UTC',
    weeklyHours: ALL_HOURS,
    ...changes,
  };
}

/** Inserts a practitioner into the project. Returns the practitioner's ID. */
export async function addPractitioner(
  sql: Sql,
  tenant: Tenant,
  changes: Partial<DirectoryEntry> = {},
): Promise<string> {
  const entry = directoryEntry(changes);
  await upsertPractitioners(sql, tenant, [entry]);
  const [row] = await sql<{ id: string }[]>`
    select id from practitioners where project_id = ${tenant} and external_reference = ${entry.reference}`;
  if (row === undefined) throw new Error('the practitioner was not written');
  return row.id;
}

/** Midnight (UTC) three days after the process started. It stays the same if midnight passes during the test run. */
const MIDNIGHT_UTC_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS;

/** Returns a slot that starts this many hours after {@link MIDNIGHT_UTC_MS}. */
export function slot(startHour: number, hours = 1): { starts_at: string; ends_at: string } {
  const start = MIDNIGHT_UTC_MS + startHour * HOUR_MS;
  return {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + hours * HOUR_MS).toISOString(),
  };
}

export interface BookingInput {
  readonly practitioner_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly format?: SessionFormat;
  readonly payment_source?: 'covered' | 'self_pay';
}

/** Requests a booking, which is covered and online unless the input has other values. */
export function book(
  care: TestCare,
  tenant: Tenant,
  input: BookingInput,
  options: RequestOptions = {},
): Promise<Answered> {
  return care.request('createBooking', {
    tenant,
    body: { format: 'online', payment_source: 'covered', ...input },
    ...options,
  });
}

/** Requests the recording of a session outside the calendar, which is covered and online unless the input has other values. */
export function record(
  care: TestCare,
  tenant: Tenant,
  input: Partial<SessionInput>,
  options: RequestOptions = {},
): Promise<Answered> {
  return care.request('createSession', {
    tenant,
    body: { format: 'online', payment_source: 'covered', ...input },
    ...options,
  });
}

/** Returns the times of a session of one hour that ended `endedMsAgo` milliseconds ago, by default one day. */
export function pastHour(endedMsAgo = DAY_MS): { starts_at: string; ends_at: string } {
  const end = Date.now() - endedMsAgo;
  return { starts_at: new Date(end - HOUR_MS).toISOString(), ends_at: new Date(end).toISOString() };
}
