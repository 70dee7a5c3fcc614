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

/** Returns a parser of an option's value. The parser throws InvalidArgumentError if the text is no integer from `min` to `max`. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^(0|[1-9]\d{0,6})$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
  };
}

export function limitOption(): Option {
  return new Option('--limit <number>', 'the maximum number of rows')
    .argParser(integerFrom(1, MAX_LIMIT))
    .default(50);
}

/** Parses the instant in an option's value to epoch milliseconds. @throws InvalidArgumentError if it is no RFC 3339 date-time */
export function parseInstantOption(text: string): number {
  const parsed = tryParseInstant(text);
  if (parsed === undefined) throw new InvalidArgumentError('Expected an RFC 3339 date-time with an offset.');
  return parsed;
}
