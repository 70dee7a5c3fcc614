import { type Caller, type Tenant, unavailable } from '@carecover/domain';
import { createServiceApp, ServiceClient, startHttpServer } from '@carecover/http';
import { createLog } from '@carecover/telemetry';
import { freePort } from '@carecover/testing/servers';
import { newTenant, signerOf, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { addPractitioner, book, slot } from '../testing/fixtures';
import { startTestCare, type TestCare } from '../testing/test-care';
import { CancellationNotification } from './notify-cancellation';

/** A stub of the benefits service: it records the notifications that it receives, or is unavailable. */
const benefits = {
  received: [] as { caller: Caller; bookingId: string }[],
  isUnavailable: false,
  /** The stub responds when this promise has resolved. */
  delay: Promise.resolve(),
  close: async () => {},
};

let care: TestCare;
let notification: CancellationNotification;
let client: ServiceClient;
let tenant: Tenant;
let practitioner: string;
let hour = 0;

beforeAll(async () => {
  const port = await freePort();
  care = await startTestCare(`http://127.0.0.1:${port}`);
  const log = createLog('care', 'silent');
  const app = createServiceApp({
    service: 'benefits',
    handlers: {},
    internal: [
      {
        method: 'POST',
        path: '/bookings/:booking_id/cancelled',
        caller: 'care',
        async handle(caller, params) {
          if (benefits.isUnavailable) throw unavailable('Temporal');
          await benefits.delay;
          benefits.received.push({ caller, bookingId: params.booking_id ?? '' });
        },
      },
    ],
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: care.config.HASH_SECRET,
    log,
    ready: async () => {},
  });
  benefits.close = (await startHttpServer(app, '127.0.0.1', port)).close;
  client = new ServiceClient('benefits', care.config.BENEFITS_URL, signerOf('care'));
  notification = new CancellationNotification(care.sql, client, 'sandbox', log);
  tenant = newTenant();
  practitioner = await addPractitioner(care.sql, tenant);
});
afterAll(async () => {
  await care.stop();
  await client.close();
  await benefits.close();
});
beforeEach(() => {
  benefits.received = [];
  benefits.isUnavailable = false;
  benefits.delay = Promise.resolve();
});

async function cancelNew(payment_source: 'covered' | 'self_pay' = 'covered'): Promise<string> {
  const input = { practitioner_id: practitioner, ...slot(hour++), payment_source };
  const { body } = await book(care, tenant, input);
  const response = await care.request('cancelBooking', {
    tenant,
    params: { booking_id: body.id },
    body: { reason_code: 'person_unavailable' },
  });
  expect(response.status).toBe(200);
  return body.id;
}

test('benefits receives the cancellation of a covered booking before the client receives the response', async () => {
  const id = await cancelNew();
  expect(benefits.received).toMatchObject([
    { bookingId: id, caller: { tenant, environment: 'sandbox', authority: 'service:care' } },
  ]);
  await notification.sweep();
  expect(benefits.received).toHaveLength(1);
});

test('the cancellation of a self-paid booking is not sent', async () => {
  await cancelNew('self_pay');
  await notification.sweep();
  expect(benefits.received).toEqual([]);
});

test('a cancellation while benefits is unavailable succeeds, and is sent until benefits confirms it', async () => {
  benefits.isUnavailable = true;
  const ids = [await cancelNew(), await cancelNew()];
  await notification.sweep();
  expect(benefits.received).toEqual([]);
  expect(await (await fetch(`${care.address}/metrics`)).text()).toMatch(
    /^carecover_cancellations_pending\{.*\} 2$/m,
  );
  benefits.isUnavailable = false;
  await notification.sweep();
  expect(benefits.received.map(({ bookingId }) => bookingId).sort()).toEqual(ids.sort());
  await notification.sweep();
  expect(benefits.received).toHaveLength(2);
});

test('the sweep sends a notification that a crash after the commit left pending', async () => {
  const id = await cancelNew();
  await care.sql`update bookings set benefits_notified_at = null where id = ${id}`;
  benefits.received = [];
  await Promise.all([notification.sweep(), notification.sweep()]);
  expect(new Set(benefits.received.map(({ bookingId }) => bookingId))).toEqual(new Set([id]));
});

test("a slow response of benefits does not delay the client's response, and the notification arrives later", async () => {
  let finish = () => {};
  benefits.delay = new Promise((resolve) => {
    finish = resolve;
  });
  const id = await cancelNew();
  expect(benefits.received).toEqual([]);
  finish();
  await notification.sweep();
  expect(new Set(benefits.received.map(({ bookingId }) => bookingId))).toEqual(new Set([id]));
});
