import { ServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { hasRunEnded, isTemporalAway, unwrapFailure } from './temporal-errors';

function grpcError(code: number): Error {
  return Object.assign(new Error('grpc'), { code, details: '', metadata: {} });
}

test('a run that ended under a command is known, whatever words the engine has for it, and a new one is begun', () => {
  const ended = ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' });
  expect(hasRunEnded(new WorkflowUpdateFailedError('Workflow Update failed', ended))).toBe(true);
  expect(hasRunEnded(new WorkflowNotFoundError('Completed workflow', 'clm_1', undefined))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(5) }))).toBe(true);
  expect(hasRunEnded(new ServiceError('Update-With-Start failed', { cause: grpcError(10) }))).toBe(true);
});

test('an engine that is away and a rejection are not taken for a run that ended', () => {
  const away = new ServiceError('Update-With-Start failed', { cause: grpcError(14) });
  expect(isTemporalAway(away)).toBe(true);
  expect(hasRunEnded(away)).toBe(false);
  const rejection = ApplicationFailure.create({
    type: 'ApiError',
    message: 'no',
    details: ['invalid_state'],
  });
  const refused = new WorkflowUpdateFailedError('Workflow Update failed', rejection);
  expect(hasRunEnded(refused)).toBe(false);
  expect(unwrapFailure(refused)).toMatchObject({ code: 'invalid_state', message: 'no' });
});
