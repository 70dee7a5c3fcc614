import { type AttemptResult, evaluateHealth } from './endpoint-health';

const DAY = 24 * 3_600_000;
const START = Date.parse('2027-03-01T00:00:00Z');
const at = (days: number) => new Date(START + days * DAY);
const failed = (days: number): AttemptResult => ({ endedAt: at(days), accepted: false, responseStatus: 500 });
const accepted = (days: number): AttemptResult => ({
  endedAt: at(days),
  accepted: true,
  responseStatus: 200,
});

test('later failures do not change the first failure', () => {
  expect(evaluateHealth({ firstFailureAt: null }, [failed(1), failed(0)])).toEqual({
    firstFailureAt: at(0),
    disable: null,
  });
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(3)])).toEqual({
    firstFailureAt: at(0),
    disable: null,
  });
});

test('five days of failures only disable the endpoint, a shorter time does not', () => {
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(5)]).disable).toBe('failing');
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(4.999)]).disable).toBeNull();
});

test('one success clears the failures', () => {
  expect(evaluateHealth({ firstFailureAt: at(0) }, [failed(6), accepted(6)])).toEqual({
    firstFailureAt: null,
    disable: null,
  });
});

test('a 410 disables the endpoint immediately, also with other successes', () => {
  const gone: AttemptResult = { endedAt: at(0), accepted: false, responseStatus: 410 };
  expect(evaluateHealth({ firstFailureAt: null }, [accepted(0), gone]).disable).toBe('gone');
});
