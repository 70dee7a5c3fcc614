import { readMessage } from './message';

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

test('a message gives its event, and the payload byte for byte', () => {
  const payload = `{"object" : "event","type":"claim.settled", "id":"evt_1","created_at":"2027-03-01T10:00:00.123Z"}`;
  expect(readMessage(SUBJECT, Buffer.from(message({ payload })))).toEqual({
    id: 'evt_1',
    projectId: 'prj_1',
    resourceId: 'clm_1',
    type: 'claim.settled',
    payload,
    createdAt: new Date('2027-03-01T10:00:00.123Z'),
    traceparent: null,
  });
});

test('a message brings the trace of its event, where it names one', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  expect(readMessage(SUBJECT, Buffer.from(message()), traceparent).traceparent).toBe(traceparent);
  expect(
    readMessage(SUBJECT, Buffer.from(message()), `${traceparent}, ${traceparent}`).traceparent,
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
])('a message with %s is unreadable', (_name, text) => {
  expect(() => readMessage(SUBJECT, Buffer.from(text))).toThrow(
    expect.objectContaining({ name: 'UnreadableMessage' }),
  );
});

test.each([
  'carecover.events.claims.claim.approved',
  'carecover.events.claims',
  'carecover.events.claims.x.claim.settled',
  'carecover.claim.settled',
])('an event of another type than its subject, %s, names is unreadable', (subject) => {
  expect(() => readMessage(subject, Buffer.from(message()))).toThrow(
    'the event is not of the type that its subject names',
  );
});
