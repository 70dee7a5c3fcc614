import { ServiceError } from '@temporalio/client';
import { isTemporalRejection, isTemporalUnavailable } from './temporal-errors';

function grpcError(code: number): Error {
  return Object.assign(new Error('grpc'), { code, details: '', metadata: {} });
}

test('an unavailable server is recognized', () => {
  const unavailable = new ServiceError('Failed to signalWithStart Workflow', { cause: grpcError(14) });
  expect(isTemporalUnavailable(unavailable)).toBe(true);
  expect(isTemporalUnavailable(new Error('another'))).toBe(false);
});

test('a rejection by Temporal is distinguished from an unavailable or overloaded server', () => {
  const failed = (code: number) =>
    new ServiceError('Failed to signalWithStart Workflow', { cause: grpcError(code) });
  const rejections = [3, 6, 7, 9, 11, 12, 16];
  const transient = [1, 2, 4, 5, 8, 10, 13, 14, 15];
  expect(rejections.filter((code) => isTemporalRejection(failed(code)))).toEqual(rejections);
  expect(rejections.filter((code) => isTemporalRejection(grpcError(code)))).toEqual(rejections);
  expect(transient.filter((code) => isTemporalRejection(failed(code)))).toEqual([]);
  expect(isTemporalRejection(new Error('another'))).toBe(false);
});
