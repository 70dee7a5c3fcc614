/**
 * The validation of one row of a directory file, in any format. It reports every invalid field at once, so that an operator can correct
 * the file in one pass.
 */
import {
  type Currency,
  currencies,
  isAmount,
  isPlainText,
  type SessionFormat,
  sessionFormats,
  TIME_OF_DAY_PATTERN,
  type WeeklyHours,
} from '@carecover/contract';
import { IANAZone } from 'luxon';
import type { DirectoryEntry } from '../store/practitioners';

/** A row of a directory file before its validation: its fields, or why it can't be parsed. */
export interface DirectoryRecord {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The reason for which the whole row is invalid; `fields` is then empty. Absent if the row was parsed. */
  readonly malformed?: string;
}

export const FIELDS = [
  'reference',
  'name',
  'profession',
  'city',
  'country',
  'session_fee_amount',
  'session_fee_currency',
  'timezone',
  'weekly_hours',
] as const;

type Checked<T> = { readonly value: T } | { readonly reasons: readonly string[] };

const MAX_TEXT = 200;
const MAX_PERIODS = 100;
const TIME_OF_DAY = new RegExp(TIME_OF_DAY_PATTERN);
const COUNTRY = /^[A-Z]{2}$/;
/** Matches names of time zones (IANA). An offset such as +03:00 is rejected, because it has no daylight saving time. */
const ZONE_NAME = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

function isText(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() !== value) return false;
  return value.length >= 1 && value.length <= MAX_TEXT && isPlainText(value);
}

function isCurrency(value: unknown): value is Currency {
  return currencies.some((currency) => currency === value);
}

function isZone(value: unknown): value is string {
  return typeof value === 'string' && ZONE_NAME.test(value) && IANAZone.isValidZone(value);
}

function isPeriod(value: unknown): value is WeeklyHours {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 4) return false;
  const { weekday, start, end, formats } = value as Record<string, unknown>;
  if (typeof weekday !== 'number' || !Number.isInteger(weekday) || weekday < 0 || weekday > 6) return false;
  if (typeof start !== 'string' || typeof end !== 'string' || start >= end) return false;
  if (!TIME_OF_DAY.test(start) || !TIME_OF_DAY.test(end)) return false;
  if (!Array.isArray(formats) || formats.length === 0 || new Set(formats).size !== formats.length)
    return false;
  return formats.every((format): format is SessionFormat => sessionFormats.includes(format));
}

function isWeeklyHours(value: unknown): value is WeeklyHours[] {
  return Array.isArray(value) && value.length <= MAX_PERIODS && value.every(isPeriod);
}

/** Returns the values of all fields, or the reasons for which fields are invalid. */
function combineFields<T extends object>(fields: { readonly [K in keyof T]: Checked<T[K]> }): Checked<T> {
  const entries = Object.entries<Checked<unknown>>(fields);
  const reasons = entries.flatMap(([, field]) => ('reasons' in field ? field.reasons : []));
  if (reasons.length > 0) return { reasons };
  return {
    value: Object.fromEntries(entries.map(([name, field]) => [name, 'value' in field && field.value])) as T,
  };
}

function readFields(fields: Readonly<Record<string, unknown>>): Checked<DirectoryEntry> {
  function field<T>(
    name: (typeof FIELDS)[number],
    rule: string,
    isValid: (value: unknown) => value is T,
  ): Checked<T> {
    const value = fields[name];
    if (value === undefined) return { reasons: [`${name} is missing`] };
    return isValid(value) ? { value } : { reasons: [`${name} must be ${rule}`] };
  }
  const textRule = `a text of 1 to ${MAX_TEXT} characters, without leading or trailing spaces`;
  return combineFields<DirectoryEntry>({
    reference: field('reference', textRule, isText),
    name: field('name', textRule, isText),
    profession: field('profession', textRule, isText),
    city: field('city', textRule, isText),
    country: field(
      'country',
      'two capital letters (ISO 3166-1)',
      (value): value is string => isText(value) && COUNTRY.test(value),
    ),
    feeAmount: field(
      'session_fee_amount',
      "a whole number of the currency's minor unit, from 1 to 9007199254740991",
      (value): value is number => isAmount(value) && value >= 1,
    ),
    feeCurrency: field('session_fee_currency', `one of ${currencies.join(', ')}`, isCurrency),
    timezone: field('timezone', 'the IANA name of a time zone, such as Africa/Nairobi', isZone),
    weeklyHours: field(
      'weekly_hours',
      `a list of at most ${MAX_PERIODS} periods, each with a weekday, a start, a later end (HH:MM) and formats (${sessionFormats.join(', ')})`,
      isWeeklyHours,
    ),
  });
}

/** Validates a row. Returns its entry, or a reason for each invalid field; each reason begins with the name of the field. */
export function readRecord(record: DirectoryRecord): Checked<DirectoryEntry> {
  const { fields, malformed } = record;
  if (malformed !== undefined) return { reasons: [malformed] };
  const unknown = Object.keys(fields).filter((name) => !FIELDS.some((field) => field === name));
  const read = readFields(fields);
  if (unknown.length === 0) return read;
  const reasons = unknown.map((name) => `${name} is not a field of a directory; remove it`);
  return { reasons: [...reasons, ...('reasons' in read ? read.reasons : [])] };
}
