import { evaluateHealth, type Verdict } from './endpoint-health';

const DAY = 24 * 3_600_000;
const START = Date.parse('2027-03-01T00:00:00Z');
const at = (days: number) => new Date(START + days * DAY);
const failed = (days: number): Verdict => ({ endedAt: at(days), accepted: false, responseStatus: 500 });
const accepted = (days: number): Verdict => ({ endedAt: at(days), accepted: true, responseStatus: 200 });

test('the first failure is remembered and later ones do not move it', () => {
  expect(evaluateHealth({ firstFailureAt: null }, [failed(1), failed(0)])).toEqual({
    firstFailureAt: at(0),
    disable: null,
  });
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(3)])).toEqual({
    firstFailureAt: at(0),
    disable: null,
  });
});

test('five days of failures alone disable, a moment less does not', () => {
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(5)]).disable).toBe('failing');
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(4.999)]).disable).toBeNull();
});

test('any success forgets the failures', () => {
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(6), accepted(6)])).toEqual({
    firstFailureAt: null,
    disable: null,
  });
});

test('a 410 disables at once, whatever else was accepted', () => {
  const gone: Verdict = { endedAt: at(0), accepted: false, responseStatus: 410 };
  expect(evaluateHealth({ firstFailureAt: null }, [accepted(0), gone]).disable).toBe('gone');
});
