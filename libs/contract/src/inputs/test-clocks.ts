// Request bodies for test clocks, and the instants that a clock can show.

import { type Static, Type } from 'typebox';
import { boundedInteger, boundedString, closedObject, inputInstant } from '../schema';
import { tryParseInstant } from '../time';

/** The longest time in seconds for which the request of an advance waits for the end of the advance. */
export const MAX_CLOCK_WAIT_SECONDS = 10;

/** The years that a clock can show: identifiers begin with the time, and resources have deadlines after it. */
export const CLOCK_YEARS = { min: 2000, max: 2999 } as const;

/** Reads an instant that a clock can show, in epoch milliseconds; undefined if the text is no such instant. */
export function tryParseClockInstant(text: string): number | undefined {
  const at = tryParseInstant(text);
  if (at === undefined) return undefined;
  const year = new Date(at).getUTCFullYear();
  return year >= CLOCK_YEARS.min && year <= CLOCK_YEARS.max ? at : undefined;
}

export const TestClockInput = closedObject(
  'TestClockInput',
  'A sandbox project whose time is simulated.',
  {
    name: boundedString(1, 200, "The project's name."),
    now: inputInstant(
      "The project's time at its creation, in the years 2000 to 2999. It can be in the past.",
      '2022-01-01T00:00:00Z',
    ),
    seed: Type.Optional(
      boundedString(
        1,
        200,
        'Of which the identifiers follow that requests with an Idempotency-Key make: the same requests with the same keys, one after the other, have the same ones. Only one project of an installation can have it. Absent: the identifiers are random.',
      ),
    ),
  },
  { name: 'Three years of claims', now: '2022-01-01T00:00:00Z' },
);
export type TestClockInput = Static<typeof TestClockInput>;

export const TestClockAdvanceInput = closedObject(
  'TestClockAdvanceInput',
  'Where a clock is moved.',
  {
    to: boundedString(
      4,
      64,
      'The instant at which the advance ends, not before now: RFC 3339 with an offset, floored to milliseconds, until the year 2999. Or `next`: the instant of the next due item.',
    ),
    wait_seconds: Type.Optional(
      boundedInteger(
        0,
        MAX_CLOCK_WAIT_SECONDS,
        'For how many seconds the response waits for the end of the advance. Absent: 0.',
      ),
    ),
  },
  { to: '2099-02-01T00:00:00Z', wait_seconds: 10 },
);
export type TestClockAdvanceInput = Static<typeof TestClockAdvanceInput>;
