import { afterObservation, type Snapshot } from './coverage-snapshot';

const none: Snapshot = { version: 0, observedAtMs: null };

test('the first observation becomes the first snapshot, whatever its time', () => {
  expect(afterObservation(none, -5)).toEqual({ version: 1, observedAtMs: -5 });
});

test('a later observation and one of the same instant change the snapshot, an earlier one does not', () => {
  const first = afterObservation(none, 100);
  expect(afterObservation(first, 101)).toEqual({ version: 2, observedAtMs: 101 });
  expect(afterObservation(first, 100)).toEqual({ version: 2, observedAtMs: 100 });
  expect(afterObservation(first, 99)).toBe(first);
});
