import { eventTypes } from '@carecover/contract';
import { parseMessage } from './incoming-event';

const SUBJECT = 'carecover.events.claims.claim.settled';

const event = {
  id: 'evt_1',
  object: 'event',
  type: 'claim.settled',
  created_at: '2027-03-01T10:00:00.123Z',
  data: {},
};
const message = (changes: object = {}, eventChanges: object = {}) =>
  JSON.stringify({
    project_id: 'prj_1',
    resource_id: 'clm_1',
    payload: JSON.stringify({ ...event, ...eventChanges }),
    ...changes,
  });

test('a message is parsed to its event, with the payload byte for byte', () => {
  const payload = `{"object" : "event","type":"claim.settled", "id":"evt_1","created_at":"2027-03-01T10:00:00.123Z"}`;
  expect(parseMessage(SUBJECT, Buffer.from(message({ payload })))).toEqual({
    id: 'evt_1',
    projectId: 'prj_1',
    resourceId: 'clm_1',
    type: 'claim.settled',
    payload,
    createdAt: new Date('2027-03-01T10:00:00.123Z'),
    traceparent: null,
  });
});

test.each(eventTypes)('an event of the type %s is parsed on its subject', (type) => {
  const parsed = parseMessage(`carecover.events.service.${type}`, Buffer.from(message({}, { type })));
  expect(parsed.type).toBe(type);
});

test('a message contains the trace of its event if it has a valid one', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  expect(parseMessage(SUBJECT, Buffer.from(message()), traceparent).traceparent).toBe(traceparent);
  expect(
    parseMessage(SUBJECT, Buffer.from(message()), `${traceparent}, ${traceparent}`).traceparent,
  ).toBeNull();
});

test.each([
  ['no JSON', 'not json'],
  ['no object', '[]'],
  ['null', 'null'],
  ['nothing', ''],
  ['no project', message({ project_id: 7 })],
  ['no resource', message({ resource_id: '' })],
  ['no payload', message({ payload: { id: 'evt_1' } })],
  ['a payload that is no JSON', message({ payload: '{' })],
  ['another kind of id', message({}, { id: 'clm_1' })],
  ['an unknown type', message({}, { type: 'claim.exploded' })],
  ['no time', message({}, { created_at: 'yesterday' })],
  ['text that PostgreSQL can not hold', message({ project_id: 'prj_\0' })],
])('a message with %s is invalid', (_name, text) => {
  expect(() => parseMessage(SUBJECT, Buffer.from(text))).toThrow(
    expect.objectContaining({ name: 'InvalidMessage' }),
  );
});

test.each([
  'carecover.events.claims.claim.approved',
  'carecover.events.claims',
  'carecover.events.claims.x.claim.settled',
  'carecover.claim.settled',
])('an event with the subject %s of another type is invalid', (subject) => {
  expect(() => parseMessage(subject, Buffer.from(message()))).toThrow(
    'the event type differs from the subject',
  );
});
