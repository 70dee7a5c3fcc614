/**
 * Trace context through Temporal: the client sends it in a header of the Update, and the workflow passes it to its activities (see
 * `workflow/tracing`). The worker records the workflow's span and runs activities in spans. docs/decisions/0010 explains why
 * Temporal's own package is not used.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { TracingSinks } from '../workflow/tracing';
import { activeTraceparent, recordEndedSpan, resumeTrace, SpanKind, withSpan } from './spans';
import { TRACEPARENT } from './traceparent';

/** Records a span from the sending of a command to its response, and sends the trace context with the command. */
export const commandTracing: WorkflowClientInterceptor = {
  startUpdateWithStart(input, next) {
    const send = () => {
      const traceparent = activeTraceparent();
      if (traceparent === null) return next(input);
      const header = { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparent) };
      return next({ ...input, updateHeaders: { ...input.updateHeaders, ...header } });
    };
    const { workflowType, updateName, workflowStartOptions } = input;
    return withSpan(`update ${workflowType} ${updateName}`, SpanKind.CLIENT, send, {
      'carecover.resource_id': workflowStartOptions.workflowId,
    });
  },
};

function traceparentIn(headers: Headers): string | null {
  const header = headers[TRACEPARENT];
  return header === undefined ? null : defaultPayloadConverter.fromPayload<string>(header);
}

/** Runs the activities of a traced Update in spans. */
export const activityTracing: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: (input, next) =>
      resumeTrace(
        traceparentIn(input.headers),
        `activity ${info.activityType}`,
        SpanKind.INTERNAL,
        () => next(input),
        {
          'carecover.resource_id': info.workflowExecution?.workflowId,
          'temporal.task_queue': info.taskQueue,
          'temporal.attempt': info.attempt,
        },
      ),
  },
});

/**
 * Records the spans of workflows. The sinks are always installed, because other processes can send a trace context while this process has
 * no tracing.
 */
export const tracingSinks: InjectedSinks<TracingSinks> = {
  tracing: {
    updateHandled: {
      fn: ({ workflowType, workflowId, runId }, { update, ...span }) =>
        recordEndedSpan({
          ...span,
          name: `workflow ${workflowType} ${update}`,
          attributes: { 'carecover.resource_id': workflowId, 'temporal.run_id': runId },
        }),
      callDuringReplay: false,
    },
  },
};
