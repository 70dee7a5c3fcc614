/**
 * Passes a command's trace context from its Update to the activities that the Update's handler starts. The file is part of every workflow
 * bundle.
 *
 * Replay-safe: the code depends only on the Update's header, which is in the history, and adds no Temporal command. Updates without the
 * header, timers and signals are not changed.
 */
import { ApplicationFailure, defaultPayloadConverter, type Headers } from '@temporalio/common';
import {
  AsyncLocalStorage,
  proxySinks,
  type Sinks,
  uuid4,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';

const TRACEPARENT = 'traceparent';
/** Index of the first character of the span ID in a traceparent, and the index after its last character. */
const [SPAN_ID_START, SPAN_ID_END] = [36, 52];

/** The span of a handled Update. It is the parent of the spans of the Update's activities. */
interface HandledUpdate {
  readonly update: string;
  /** The traceparent that the sender of the Update passed in its header. */
  readonly parent: string;
  readonly spanId: string;
  readonly startMs: number;
  /** The type of the failure; null if the Update succeeded. */
  readonly failure: string | null;
}

/** The sink by which a workflow, which has no tracer, sends spans to the worker. */
export interface TracingSinks extends Sinks {
  tracing: { updateHandled(update: HandledUpdate): void };
}

/** Returns a new span ID. The ID is deterministic: a replay of the history generates the same one. */
function newSpanId(): string {
  return uuid4()
    .replaceAll('-', '')
    .slice(0, SPAN_ID_END - SPAN_ID_START);
}

export const interceptors: WorkflowInterceptorsFactory = () => {
  const storedHeaders = new AsyncLocalStorage<Headers>();
  const { tracing } = proxySinks<TracingSinks>();

  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => {
    const headers = storedHeaders.getStore();
    return headers === undefined ? input : { ...input, headers: { ...input.headers, ...headers } };
  };

  return {
    inbound: [
      {
        handleUpdate(input, next) {
          const header = input.headers[TRACEPARENT];
          if (header === undefined) return next(input);
          const parent: string = defaultPayloadConverter.fromPayload(header);
          const spanId = newSpanId();
          const startMs = Date.now();
          const own = parent.slice(0, SPAN_ID_START) + spanId + parent.slice(SPAN_ID_END);
          const handled = storedHeaders.run({ [TRACEPARENT]: defaultPayloadConverter.toPayload(own) }, () =>
            next(input),
          );
          const report = (failure: string | null) =>
            tracing.updateHandled({ update: input.name, parent, spanId, startMs, failure });
          void handled.then(
            () => report(null),
            (error: unknown) =>
              report(error instanceof ApplicationFailure ? (error.type ?? 'ApplicationFailure') : 'Error'),
          );
          return handled;
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
      },
    ],
    internals: [
      {
        dispose(input, next) {
          storedHeaders.disable();
          return next(input);
        },
      },
    ],
  };
};
