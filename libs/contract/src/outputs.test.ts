// Tests that validateOutput finds every violation of the contract in a response: its status, its fields and its error code.
import {
  Booking,
  CreatedWebhookEndpoint,
  type ErrorCode,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './index';
import { type Operation, operationList } from './operations';
import { validateOutput } from './outputs';

function example(schema: object): Record<string, unknown> {
  return structuredClone(Reflect.get(schema, 'examples')[0]);
}

const error = (code: ErrorCode) => ({
  error: { code, message: 'A message.', docs: `https://api.example.com/docs/errors#${code}` },
});

test('the example of every response of every operation is valid', () => {
  for (const operation of operationList as Operation[]) {
    for (const { status, schema } of [...operation.success, ...(operation.failures ?? [])]) {
      const alternatives: object[] = Reflect.get(schema, 'oneOf') ?? [schema];
      for (const alternative of alternatives) {
        expect(validateOutput(operation.id, status, example(alternative))).toBeUndefined();
      }
    }
  }
});

test('a missing or an additional field is a violation with its pointer', () => {
  const { timezone: _zone, ...less } = example(Booking);
  expect(validateOutput('createBooking', 201, less)?.pointer).toBe('/timezone');
  expect(validateOutput('createBooking', 201, { ...example(Booking), note: '' })?.pointer).toBe('/note');
});

test('a timestamp is UTC with milliseconds', () => {
  for (const starts_at of [
    '2027-03-01T07:00:00Z',
    '2027-03-01T10:00:00.000+03:00',
    '2027-02-30T07:00:00.000Z',
  ]) {
    const booking = { ...example(Booking), starts_at };
    expect(validateOutput('getBooking', 200, booking)?.pointer).toBe('/starts_at');
  }
});

test('an undocumented status is a violation', () => {
  expect(validateOutput('getBooking', 201, example(Booking))).toBeDefined();
  expect(validateOutput('getBooking', 409, error('invalid_state'))).toBeDefined();
});

test('an error has the envelope and a code that belongs to its status and that the operation documents', () => {
  expect(validateOutput('createBooking', 409, error('slot_unavailable'))).toBeUndefined();
  expect(validateOutput('createBooking', 503, error('service_unavailable'))).toBeUndefined();
  expect(validateOutput('createBooking', 409, error('session_in_past'))?.pointer).toBe('/error/code');
  expect(validateOutput('createBooking', 409, error('endpoint_disabled'))?.pointer).toBe('/error/code');
  expect(validateOutput('createBooking', 409, { ...error('slot_unavailable'), more: 1 })?.pointer).toBe(
    '/more',
  );
});

test('a created endpoint can have its secret or, in a replay, none; a failed test event responds with its delivery', () => {
  expect(validateOutput('createWebhookEndpoint', 201, example(CreatedWebhookEndpoint))).toBeUndefined();
  expect(validateOutput('createWebhookEndpoint', 201, example(WebhookEndpoint))).toBeUndefined();
  expect(validateOutput('getWebhookEndpoint', 200, example(WebhookEndpointWithSecret))).toBeDefined();
  const failed = { ...example(WebhookDelivery), delivered: false, attempts: 3, response_status: null };
  expect(validateOutput('testWebhookEndpoint', 502, failed)).toBeUndefined();
});
