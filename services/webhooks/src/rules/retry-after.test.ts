import { type ResponseHeaders, requestedDelayMs } from './retry-after';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const requested = (headers: ResponseHeaders, status = 429) => requestedDelayMs(status, headers, NOW_MS);

test.each([429, 503])('a number of seconds in a %d is a request', (status) => {
  expect(requested({ 'retry-after': '60' }, status)).toBe(60_000);
});

test.each([200, 204, 301, 400, 404, 408, 410, 500, 502, 504])('%d requests no delay', (status) => {
  expect(requested({ 'retry-after': '60' }, status)).toBeNull();
});

test.each(['Fri, 27 Nov 2026 12:01:30 GMT', 'Friday, 27-Nov-26 12:01:30 GMT', 'Fri Nov 27 12:01:30 2026'])(
  'the HTTP date %s is a request',
  (date) => {
    expect(requested({ 'retry-after': date })).toBe(90_000);
  },
);

test("a date is compared with the response's Date, however wrong the clocks of the two machines are", () => {
  const headers = { 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT', date: 'Thu, 01 Jan 1970 00:00:30 GMT' };
  expect(requested(headers)).toBe(90_000);
  expect(requested({ ...headers, date: 'yesterday' })).toBeNull();
});

test.each([
  '',
  '0',
  '-1',
  '+1',
  '1.5',
  '1e9',
  '0x10',
  '１０',
  ' ',
  'NaN',
  'Infinity',
  '60, 120',
  '60 seconds',
  '2026-11-27T13:00:00Z',
  'Fri, 27 Nov 2026 11:59:59 GMT',
  'Fri, 27 Nov 2026 13:00:00',
  'Fri, 27 Nov 2026 13:00:00 +0000',
  'Fri, 99 Nov 2026 99:00:00 GMT',
  'Sun Nov  6 08:49:37 1994',
])('%j requests no delay', (value) => {
  expect(requested({ 'retry-after': value })).toBeNull();
});

test('a huge number is a request without an end', () => {
  expect(requested({ 'retry-after': '9'.repeat(400) })).toBe(Number.POSITIVE_INFINITY);
});

test('of many headers the longest valid delay counts', () => {
  expect(requested({ 'retry-after': ['5', '-9', 'soon', '60', '7'] })).toBe(60_000);
  expect(requested({ 'retry-after': Array.from({ length: 2_000 }, () => '0') })).toBeNull();
  expect(requested({})).toBeNull();
});
