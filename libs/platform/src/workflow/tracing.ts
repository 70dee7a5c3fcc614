/**
 * A command's trace through its workflow: the Update brings it in a header, and what the Update's handler asks of activities
 * takes it along. Part of every bundle.
 *
 * Replay-safe: what is done depends on the header alone, which stands in the history, and adds no command and no step of its
 * own. An Update without the header, and everything that no Update asks for (a timer, a signal), is as if this were not there.
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
/** Where the id of the span begins in a traceparent, and where it ends. */
const [SPAN_ID_START, SPAN_ID_END] = [36, 52];

/** An Update as it was handled: the span that activities below it already name. */
interface HandledUpdate {
  readonly update: string;
  /** The traceparent of the sender. */
  readonly parent: string;
  readonly spanId: string;
  readonly startMs: number;
  /** The type of the failure; null where it succeeded. */
  readonly failure: string | null;
}

/** How a workflow, which has no tracer, tells the worker of a span. */
export interface TracingSinks extends Sinks {
  tracing: { updateHandled(update: HandledUpdate): void };
}

/** Deterministic: a replay gives an Update's span the same id. */
function newSpanId(): string {
  return uuid4()
    .replaceAll('-', '')
    .slice(0, SPAN_ID_END - SPAN_ID_START);
}

export const interceptors: WorkflowInterceptorsFactory = () => {
  const carried = new AsyncLocalStorage<Headers>();
  const { tracing } = proxySinks<TracingSinks>();

  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => {
    const headers = carried.getStore();
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
          const handled = carried.run({ [TRACEPARENT]: defaultPayloadConverter.toPayload(own) }, () =>
            next(input),
          );
          const tell = (failure: string | null) =>
            tracing.updateHandled({ update: input.name, parent, spanId, startMs, failure });
          void handled.then(
            () => tell(null),
            (error: unknown) =>
              tell(error instanceof ApplicationFailure ? (error.type ?? 'ApplicationFailure') : 'Error'),
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
          carried.disable();
          return next(input);
        },
      },
    ],
  };
};
