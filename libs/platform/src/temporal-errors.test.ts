import { ServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { hasRunEnded, isTemporalAway, isTemporalRejection, unwrapFailure } from './temporal-errors';

function grpcError(code: number): Error {
  return Object.assign(new Error('grpc'), { code, details: '', metadata: {} });
}

test('a run that ended under a command is known, whatever message Temporal returns, and a new one is started', () => {
  const ended = ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' });
  expect(hasRunEnded(new WorkflowUpdateFailedError('Workflow Update failed', ended))).toBe(true);
  expect(hasRunEnded(new WorkflowNotFoundError('Completed workflow', 'clm_1', undefined))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(5) }))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(10) }))).toBe(true);
});

test('an unavailable Temporal and a rejection are not taken for a run that ended', () => {
  const away = new ServiceError('Update-With-Start failed', { cause: grpcError(14) });
  expect(isTemporalAway(away)).toBe(true);
  expect(hasRunEnded(away)).toBe(false);
  const rejection = ApplicationFailure.create({
    type: 'ApiError',
    message: 'no',
    details: ['invalid_state'],
  });
  const rejected = new WorkflowUpdateFailedError('Workflow Update failed', rejection);
  expect(hasRunEnded(rejected)).toBe(false);
  expect(unwrapFailure(rejected)).toMatchObject({ code: 'invalid_state', message: 'no' });
});

test('what Temporal rejects is told apart from an unavailable or overloaded server', () => {
  const failed = (code: number) =>
    new ServiceError('Failed to signalWithStart Workflow', { cause: grpcError(code) });
  const rejections = [3, 6, 7, 9, 11, 12, 16];
  const transient = [1, 2, 4, 5, 8, 10, 13, 14, 15];
  expect(rejections.filter((code) => isTemporalRejection(failed(code)))).toEqual(rejections);
  expect(rejections.filter((code) => isTemporalRejection(grpcError(code)))).toEqual(rejections);
  expect(transient.filter((code) => isTemporalRejection(failed(code)))).toEqual([]);
  expect(isTemporalRejection(new Error('another'))).toBe(false);
});
