import { currencies } from '@carecover/contract';
import { readRecord } from './directory-record';
import { syntheticDirectory } from './synthetic-directory';

const directory = syntheticDirectory();

test('the synthetic directory is the same on every call', () => {
  expect(syntheticDirectory()).toEqual(directory);
});

test('synthetic practitioners have distinct names and references', () => {
  expect(new Set(directory.map(({ name }) => name)).size).toBe(200);
  expect(new Set(directory.map(({ reference }) => reference)).size).toBe(200);
});

test('every synthetic practitioner is valid for an import', () => {
  for (const entry of directory) {
    const { feeAmount, feeCurrency, weeklyHours, ...same } = entry;
    const fields = {
      ...same,
      session_fee_amount: feeAmount,
      session_fee_currency: feeCurrency,
      weekly_hours: weeklyHours,
    };
    expect(readRecord({ line: 1, fields })).toEqual({ value: entry });
  }
});

test('the directory covers all currencies, many professions and countries, and time zones with half hours, quarter hours and daylight saving time', () => {
  const distinct = (field: 'feeCurrency' | 'profession' | 'country' | 'timezone') =>
    new Set(directory.map((entry) => entry[field]));
  expect([...distinct('feeCurrency')].sort()).toEqual([...currencies].sort());
  expect(distinct('profession').size).toBeGreaterThanOrEqual(10);
  expect(distinct('country').size).toBeGreaterThanOrEqual(15);
  for (const zone of [
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Adelaide',
    'America/New_York',
    'Pacific/Apia',
  ]) {
    expect(distinct('timezone')).toContain(zone);
  }
});

test('ten practitioners have hours that continue after midnight', () => {
  const nights = directory.filter(({ weeklyHours }) => weeklyHours.some(({ end }) => end === '23:59'));
  expect(nights).toHaveLength(10);
});
