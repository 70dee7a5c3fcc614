/** The delay that a receiver requests by the header `Retry-After` of its response (RFC 9110, section 10.2.3). */

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The statuses with which a receiver asks to be called later. */
const STATUSES: readonly number[] = [429, 503];

/** The three formats of an HTTP date (RFC 9110, section 5.6.7). The last one has no time zone; it means GMT. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Returns the delay that a response requests, in milliseconds: `Infinity` for a number that is too large, null if it requests none. Of several
 * headers the longest valid delay counts. A date is compared with the response's `Date`, because the clocks of the two machines can differ.
 *
 * @param headers the headers by name in lower case
 * @param nowMs the current time in epoch milliseconds, for a response without a valid `Date`
 */
export function requestedDelayMs(status: number, headers: ResponseHeaders, nowMs: number): number | null {
  if (!STATUSES.includes(status)) return null;
  const sentMs = parseHttpDate(valuesOf(headers.date)[0] ?? '') ?? nowMs;
  const delays = valuesOf(headers['retry-after']).map((value) => parseRetryAfter(value, sentMs) ?? 0);
  const longest = Math.max(0, ...delays);
  return longest === 0 ? null : longest;
}

function parseRetryAfter(value: string, sentMs: number): number | null {
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const untilMs = parseHttpDate(value);
  return untilMs === null ? null : untilMs - sentMs;
}

/** Returns the time of an HTTP date in epoch milliseconds; null if it is not valid. */
function parseHttpDate(value: string): number | null {
  if (!HTTP_DATES.some((format) => format.test(value))) return null;
  const ms = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(ms) ? null : ms;
}

function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  return typeof header === 'string' ? [header] : (header ?? []);
}
