import { deliveryReason } from './delivery-reason';

const AT = new Date('2027-03-01T10:00:00Z');
const BEFORE = new Date('2027-03-01T09:00:00Z');
const AFTER = new Date('2027-03-01T11:00:00Z');
const EVENT = { type: 'claim.settled', created_at: AT } as const;
const ENDPOINT = {
  events: ['claim.submitted', 'claim.settled'],
  events_since: null,
  status: 'active',
  disabled_at: null,
  disabled_reason: null,
  created_at: BEFORE,
} as const;
const DISABLED = { ...ENDPOINT, status: 'disabled', disabled_at: AFTER, disabled_reason: 'failing' } as const;
const delivery = (status: 'pending' | 'delivered' | 'failed', attempts: number) => ({
  status,
  attempts,
  next_attempt_at: status === 'pending' ? AFTER : null,
});
const REJECTED = { response_status: 500, error: null };
const UNREACHED = { response_status: null, error: 'connect ECONNREFUSED' };

type Case = Parameters<typeof deliveryReason>;
test.each<[string, Case[1], Case[2], Case[3], string, string]>([
  [
    'delivered',
    ENDPOINT,
    delivery('delivered', 2),
    { response_status: 204, error: null },
    'delivered after 2 attempts, the last with response 204',
    'none',
  ],
  [
    'not attempted',
    ENDPOINT,
    delivery('pending', 0),
    null,
    'waits for its first attempt at 2027-03-01T11:00:00.000Z',
    'wait',
  ],
  [
    'waiting for a retry',
    ENDPOINT,
    delivery('pending', 1),
    UNREACHED,
    '1 attempt, the last with connect ECONNREFUSED; the next attempt is at 2027-03-01T11:00:00.000Z',
    'wait',
  ],
  [
    'failed',
    ENDPOINT,
    delivery('failed', 8),
    REJECTED,
    'failed after 8 attempts, the last with response 500',
    'redeliver',
  ],
  [
    'failed with its endpoint',
    DISABLED,
    delivery('failed', 8),
    REJECTED,
    'failed after 8 attempts, the last with response 500; the endpoint was disabled because all attempts failed for days at 2027-03-01T11:00:00.000Z',
    'enable_and_recover',
  ],
  [
    'of another type',
    { ...ENDPOINT, events: ['claim.submitted'] },
    null,
    null,
    'the endpoint is not subscribed to claim.settled',
    'none',
  ],
  [
    'before the registration',
    { ...ENDPOINT, created_at: AFTER },
    null,
    null,
    'the endpoint was registered later, at 2027-03-01T11:00:00.000Z',
    'none',
  ],
  [
    'of a disabled endpoint',
    DISABLED,
    null,
    null,
    'the endpoint was disabled because all attempts failed for days at 2027-03-01T11:00:00.000Z',
    'enable_and_recover',
  ],
  [
    'of an endpoint that its owner had disabled before',
    { ...DISABLED, disabled_reason: 'requested' as const, disabled_at: EVENT.created_at },
    null,
    null,
    `the endpoint was disabled at its owner’s request at ${EVENT.created_at.toISOString()}`,
    'none',
  ],
  [
    'of an endpoint that its owner disabled afterwards',
    { ...DISABLED, disabled_reason: 'requested' as const },
    null,
    null,
    'the endpoint was disabled at its owner’s request at 2027-03-01T11:00:00.000Z',
    'enable_and_recover',
  ],
  [
    'of another type before the registration',
    { ...ENDPOINT, events: ['claim.submitted' as const], created_at: AFTER },
    null,
    null,
    'the endpoint was registered later, at 2027-03-01T11:00:00.000Z',
    'none',
  ],
  [
    'before the endpoint was enabled again',
    { ...ENDPOINT, events_since: [null, AFTER] },
    null,
    null,
    'the endpoint was disabled or not subscribed to claim.settled until 2027-03-01T11:00:00.000Z',
    'recover',
  ],
  ['that is being stored', ENDPOINT, null, null, 'the delivery is not created yet', 'wait'],
])('a delivery %s is explained', (_name, endpoint, state, last, reason, remedy) => {
  expect(deliveryReason(EVENT, endpoint, state, last)).toEqual({ reason, remedy });
});
