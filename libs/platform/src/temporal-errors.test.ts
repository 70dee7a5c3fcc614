import { ServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  areTasksFailing,
  hasRunEnded,
  isTemporalRejection,
  isTemporalUnavailable,
  unwrapFailure,
} from './temporal-errors';

function grpcError(code: number): Error {
  return Object.assign(new Error('grpc'), { code, details: '', metadata: {} });
}

test('every error by which Temporal reports that the run ended is recognized, so that a new run is started', () => {
  const ended = ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' });
  expect(hasRunEnded(new WorkflowUpdateFailedError('Workflow Update failed', ended))).toBe(true);
  expect(hasRunEnded(new WorkflowNotFoundError('Completed workflow', 'clm_1', undefined))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(5) }))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(10) }))).toBe(true);
});

test('an unavailable server and a rejection are not treated as an ended run', () => {
  const unavailable = new ServiceError('Update-With-Start failed', { cause: grpcError(14) });
  expect(isTemporalUnavailable(unavailable)).toBe(true);
  expect(hasRunEnded(unavailable)).toBe(false);
  const rejection = ApplicationFailure.create({
    type: 'ApiError',
    message: 'no',
    details: ['invalid_state'],
  });
  const updateFailed = new WorkflowUpdateFailedError('Workflow Update failed', rejection);
  expect(hasRunEnded(updateFailed)).toBe(false);
  expect(unwrapFailure(updateFailed)).toMatchObject({ code: 'invalid_state', message: 'no' });
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

test('an Update that Temporal did not admit because workflow tasks fail is recognized', () => {
  const error = grpcError(9);
  expect(
    [error, new ServiceError('Update-With-Start failed', { cause: error })].map(areTasksFailing),
  ).toEqual([true, true]);
  const others = [1, 2, 3, 4, 5, 8, 10, 13, 14].map(grpcError);
  expect(others.filter(areTasksFailing)).toEqual([]);
});
