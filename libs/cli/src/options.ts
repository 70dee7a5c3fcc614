/** Command-line options that several CLI commands share. */
import { tryParseInstant } from '@carecover/contract';
import { InvalidArgumentError, Option } from 'commander';

export interface ListOptions {
  readonly project?: string;
  readonly limit: number;
  readonly json?: true;
}

export const PROJECT = ['--project <project>', 'only those of this project, prj_…'] as const;

const MAX_LIMIT = 10_000;

function parseLimit(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MAX_LIMIT)
    throw new InvalidArgumentError(`Expected an integer from 1 to ${MAX_LIMIT}.`);
  return value;
}

export function limitOption(): Option {
  return new Option('--limit <number>', 'the maximum number of rows').argParser(parseLimit).default(50);
}

/** Parses the instant in an option's value to epoch milliseconds. @throws InvalidArgumentError if it is no RFC 3339 date-time */
export function parseInstantOption(text: string): number {
  const parsed = tryParseInstant(text);
  if (parsed === undefined) throw new InvalidArgumentError('Expected an RFC 3339 date-time with an offset.');
  return parsed;
}
