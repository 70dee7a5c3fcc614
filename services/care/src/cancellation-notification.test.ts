import { freePort, newTenant } from '@carecover/local/testing';
import {
  type Caller,
  createLog,
  createServiceApp,
  listen,
  ServiceClient,
  type Tenant,
  unavailable,
} from '@carecover/platform';
import { CancellationNotification } from './cancellation-notification';
import { book, givePractitioner, slot } from './testing/fixtures';
import { startTestCare, type TestCare } from './testing/test-care';

/** Where benefits listens: it hears, or is away. */
const ear = {
  heard: [] as { caller: Caller; bookingId: string }[],
  deaf: false,
  /** Settles when it is done thinking. */
  thinking: Promise.resolve(),
  close: async () => {},
};

let care: TestCare;
let notice: CancellationNotification;
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
          if (ear.deaf) throw unavailable('The workflow engine');
          await ear.thinking;
          ear.heard.push({ caller, bookingId: params.booking_id ?? '' });
        },
      },
    ],
    contextSecret: care.config.CONTEXT_SECRET,
    hashSecret: care.config.HASH_SECRET,
    log,
    ready: async () => {},
  });
  ear.close = (await listen(app, '127.0.0.1', port)).close;
  client = new ServiceClient('benefits', care.config.BENEFITS_URL, care.config.CONTEXT_SECRET);
  notice = new CancellationNotification(care.sql, client, 'sandbox', log);
  tenant = newTenant();
  practitioner = await givePractitioner(care.sql, tenant);
});
afterAll(async () => {
  await care.stop();
  await client.close();
  await ear.close();
});
beforeEach(() => {
  ear.heard = [];
  ear.deaf = false;
  ear.thinking = Promise.resolve();
});

async function cancelNew(payment_source: 'covered' | 'self_pay' = 'covered'): Promise<string> {
  const wish = { practitioner_id: practitioner, ...slot(hour++), payment_source };
  const { body } = await book(care, tenant, wish);
  const answer = await care.ask('cancelBooking', {
    tenant,
    params: { booking_id: body.id },
    body: { reason_code: 'person_unavailable' },
  });
  expect(answer.status).toBe(200);
  return body.id;
}

test("benefits has heard of a covered booking's cancellation before its caller does, in the project's name", async () => {
  const id = await cancelNew();
  expect(ear.heard).toMatchObject([
    { bookingId: id, caller: { tenant, environment: 'sandbox', authority: 'service:care' } },
  ]);
  await notice.sweep();
  expect(ear.heard).toHaveLength(1);
});

test('a self-paid booking concerns nobody else', async () => {
  await cancelNew('self_pay');
  await notice.sweep();
  expect(ear.heard).toEqual([]);
});

test('where benefits is away, the cancellation stands, and is told until it was heard', async () => {
  ear.deaf = true;
  const ids = [await cancelNew(), await cancelNew()];
  await notice.sweep();
  expect(ear.heard).toEqual([]);
  expect(await (await fetch(`${care.address}/metrics`)).text()).toMatch(
    /^carecover_cancellations_pending\{.*\} 2$/m,
  );
  ear.deaf = false;
  await notice.sweep();
  expect(ear.heard.map(({ bookingId }) => bookingId).sort()).toEqual(ids.sort());
  await notice.sweep();
  expect(ear.heard).toHaveLength(2);
});

test('the sweep tells what a crash right after the commit left pending', async () => {
  const id = await cancelNew();
  await care.sql`update bookings set benefits_told_at = null where id = ${id}`;
  ear.heard = [];
  await Promise.all([notice.sweep(), notice.sweep()]);
  expect(new Set(ear.heard.map(({ bookingId }) => bookingId))).toEqual(new Set([id]));
});

test('where benefits is slow, the caller is answered before it has heard, and it hears once it can', async () => {
  let finish = () => {};
  ear.thinking = new Promise((resolve) => {
    finish = resolve;
  });
  const id = await cancelNew();
  expect(ear.heard).toEqual([]);
  finish();
  await notice.sweep();
  expect(new Set(ear.heard.map(({ bookingId }) => bookingId))).toEqual(new Set([id]));
});
