/** W3C Trace Context: the text, always 55 characters, in which a trace context is sent to other processes and stored in rows. */

/** The name of the header in HTTP, on the stream and in Temporal. */
export const TRACEPARENT = 'traceparent';

const FORM = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns whether the text is a traceparent. Processes without tracing use it too, because they do not load OpenTelemetry's propagator. */
export function isTraceparent(text: string | null | undefined): text is string {
  return FORM.test(text ?? '');
}
