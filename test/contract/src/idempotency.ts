/**
 * Sends twenty concurrent requests with one Idempotency-Key to two gateways and two replicas of each service. All requests must have one
 * effect together and the same response. The tests cover writes in one database transaction, workflow commands, and the creation of
 * resources by several services.
 */
import { operations } from '@carecover/contract';
import type { RunningWorld } from '@carecover/testing/stack';
import { Sender } from './http';
import { provocations } from './provocations';

export function registerIdempotencyTests(running: RunningWorld): void {
  let senders: Sender[];

  beforeAll(async () => {
    const { file } = running.stack;
    senders = file.base_urls.map((url) => Sender.withKey(file.secret_key, [url], running.clients.agent));
  });

  const REQUESTS = 20;

  test.each([
    'createBooking',
    'createSession',
    'createCoverage',
    'createPreauthorization',
    'decidePreauthorization',
    'createClaim',
    'adjudicateClaim',
    'createRemittance',
    'createPaymentAdvice',
    'replacePaymentAdvice',
    'withdrawPaymentAdvice',
    'createSettlement',
  ] as const)(
    `%s: ${REQUESTS} concurrent requests under one key to two gateways have one effect and one response`,
    async (id) => {
      const operation = operations[id];
      const attempt = await provocations[id]?.success?.(running.world);
      if (attempt === undefined) throw new Error(`${id} has no provocation of success`);
      const key = crypto.randomUUID();
      const responses = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          senders[index % senders.length]?.send(operation, attempt, {}, key),
        ),
      );
      const replays = responses.filter((response) => response?.headers['idempotent-replayed'] === 'true');
      expect(new Set(responses.map((response) => response?.text)).size).toBe(1);
      expect(replays).toHaveLength(REQUESTS - 1);
      expect(new Set(replays.map((replay) => replay?.status))).toEqual(new Set([operation.replayStatus]));
      const first = responses.find((response) => response?.headers['idempotent-replayed'] === undefined);
      expect(first?.status).toBe(operation.success[0].status);
    },
  );

  test('after a rejected booking the key can be used for a corrected body, and for another operation', async () => {
    const slot = await running.world.nextSlot();
    const [sender] = senders;
    const key = crypto.randomUUID();
    const wrong = { body: { ...slot, practitioner_id: 'prc_unknown', payment_source: 'covered' } };
    expect((await sender?.send(operations.createBooking, wrong, {}, key))?.status).toBe(404);
    const right = { body: { ...slot, payment_source: 'covered' } };
    const booked = await sender?.send(operations.createBooking, right, {}, key);
    expect(booked?.status).toBe(201);
    const id = (booked?.body as { id: string } | undefined)?.id ?? '';
    const cancelling = { params: { booking_id: id }, body: { reason_code: 'member_asked' } };
    expect((await sender?.send(operations.cancelBooking, cancelling, {}, key))?.status).toBe(200);
  });
}
