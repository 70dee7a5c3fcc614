import { ApiError } from '@carecover/domain';
import { type RecordedSpans, recordSpans } from '@carecover/testing/services';
import { context, createContextKey, SpanStatusCode, trace } from '@opentelemetry/api';
import { activeTraceparent, resumeTrace, SpanKind, startTrace, withoutTrace, withSpan } from './spans';

const CALLERS = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const { INTERNAL, SERVER } = SpanKind;

let spans: RecordedSpans;
beforeEach(() => {
  spans = recordSpans();
});
afterEach(() => spans.stop());

test("a trace continues below the client's span, with one child span per step", async () => {
  await startTrace(CALLERS, 'request', SERVER, () => withSpan('step', INTERNAL, async () => undefined));
  const [step, request] = spans.ended();
  expect(request).toMatchObject({ name: 'request', parentSpanContext: { spanId: 'b'.repeat(16) } });
  expect(step?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(step?.spanContext().traceId).toBe('a'.repeat(32));
});

test.each(['', 'nonsense', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `${CALLERS}, ${CALLERS}`])(
  'a request without a valid traceparent (%s) starts a trace',
  async (header) => {
    await startTrace(header, 'request', SERVER, async () => undefined);
    expect(spans.ended()).toMatchObject([{ parentSpanContext: undefined }]);
  },
);

test('in services work runs without a trace if no span is active', async () => {
  const unsampled = CALLERS.replace(/01$/, '00');
  expect(await withSpan('step', INTERNAL, async () => 1)).toBe(1);
  expect(await resumeTrace(null, 'step', INTERNAL, async () => 2)).toBe(2);
  expect(await resumeTrace(unsampled, 'step', INTERNAL, async () => activeTraceparent())).toBeNull();
  expect(spans.ended()).toEqual([]);
});

test('a request that its client does not sample is not recorded, and no trace context is sent on', async () => {
  const unsampled = CALLERS.replace(/01$/, '00');
  expect(await startTrace(unsampled, 'request', SERVER, async () => activeTraceparent())).toBeNull();
  expect(spans.ended()).toEqual([]);
});

test('work for several requests belongs to no trace', async () => {
  await startTrace(CALLERS, 'request', SERVER, async () => {
    await withoutTrace(() => withSpan('shared', INTERNAL, async () => undefined));
    expect(activeTraceparent()).not.toBeNull();
  });
  expect(spans.ended().map(({ name }) => name)).toEqual(['request']);
});

test('other instrumentations find the active span, and their context reaches the work in it', async () => {
  const key = createContextKey('of another instrumentation');
  await startTrace(CALLERS, 'request', SERVER, async () => {
    const seen = await context.with(context.active().setValue(key, 'value'), () =>
      withSpan('step', INTERNAL, async () => {
        return [context.active().getValue(key), trace.getActiveSpan()?.spanContext().spanId];
      }),
    );
    expect(seen).toEqual(['value', spans.ended()[0]?.spanContext().spanId]);
  });
});

test('concurrent requests have separate traces', async () => {
  const ids = await Promise.all(
    ['c', 'd', 'e'].map((digit) =>
      startTrace(CALLERS.replaceAll('a', digit), 'request', SERVER, async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return withSpan('step', INTERNAL, async () => activeTraceparent()?.split('-')[1]);
      }),
    ),
  );
  expect(ids).toEqual(['c', 'd', 'e'].map((digit) => digit.repeat(32)));
});

test('a span has the type of a failure, not its message', async () => {
  const failing = (error: Error) =>
    expect(startTrace(CALLERS, 'request', SERVER, () => Promise.reject(error))).rejects.toBe(error);
  await failing(Object.assign(new Error('Key (reference)=(member-17) exists'), { code: '23505' }));
  await failing(new TypeError('member-17'));
  await failing(new ApiError('invalid_state', 'member-17'));
  expect(spans.ended().map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
    ['23505', SpanStatusCode.ERROR],
    ['TypeError', SpanStatusCode.ERROR],
    ['invalid_state', SpanStatusCode.UNSET],
  ]);
  expect(
    JSON.stringify(spans.ended().map(({ attributes, status, events }) => [attributes, status, events])),
  ).not.toContain('member-17');
});

test('while tracing is off nothing is recorded and no trace context is sent on', async () => {
  spans.stop();
  const handedOn = await startTrace(CALLERS, 'request', SERVER, () =>
    withSpan('step', INTERNAL, async () => activeTraceparent()),
  );
  expect(handedOn).toBeNull();
  expect(spans.ended()).toEqual([]);
});
