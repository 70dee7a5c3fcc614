/**
 * Traces through Temporal: the client hands its span to the Update in a header, the workflow to its activities (see
 * `workflow/tracing`), and the worker records what the workflow did and runs activities in spans. Of Temporal's own package for
 * this only the idea is used: docs/decisions/0010 says why.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { TracingSinks } from '../workflow/tracing';
import { activeTraceparent, recordEnded, resumeTrace, SpanKind, traced } from './spans';
import { TRACEPARENT } from './traceparent';

/** The span of a command, from its sending to its end, which goes along with it. */
export const commandTracing: WorkflowClientInterceptor = {
  startUpdateWithStart(input, next) {
    const send = () => {
      const traceparent = activeTraceparent();
      if (traceparent === null) return next(input);
      const header = { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparent) };
      return next({ ...input, updateHeaders: { ...input.updateHeaders, ...header } });
    };
    const { workflowType, updateName, workflowStartOptions } = input;
    return traced(`update ${workflowType} ${updateName}`, SpanKind.CLIENT, send, {
      'carecover.resource_id': workflowStartOptions.workflowId,
    });
  },
};

function traceparentIn(headers: Headers): string | null {
  const header = headers[TRACEPARENT];
  return header === undefined ? null : defaultPayloadConverter.fromPayload<string>(header);
}

/** Runs an activity that an Update asked for in a span. */
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

/** Takes what workflows tell of their spans; always there, since a workflow may be told of a trace by a process that records. */
export const tracingSinks: InjectedSinks<TracingSinks> = {
  tracing: {
    updateHandled: {
      fn: ({ workflowType, workflowId, runId }, { update, ...span }) =>
        recordEnded({
          ...span,
          name: `workflow ${workflowType} ${update}`,
          attributes: { 'carecover.resource_id': workflowId, 'temporal.run_id': runId },
        }),
      callDuringReplay: false,
    },
  },
};
