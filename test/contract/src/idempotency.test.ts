/**
 * One key, one effect, one answer: twenty connections race over two gateways and two of each service, for one write of each
 * kind (one transaction, a workflow's command, a creation across services).
 */
import { operations } from '@carecover/contract';
import { useWorld } from '@carecover/test-support';
import { Sender } from './http';
import { provocations } from './provocations';

const running = useWorld({ replicas: 2 });
let senders: Sender[];

beforeAll(async () => {
  const { file } = running.stack;
  senders = file.base_urls.map((url) => Sender.of(file.secret_key, [url], running.trust.agent));
});

const RACERS = 20;

test.each([
  'createBooking',
  'createCoverage',
  'createPreauthorization',
  'decidePreauthorization',
  'createClaim',
  'adjudicateClaim',
  'createRemittance',
  'createSettlement',
] as const)(
  `%s: ${RACERS} racing requests under one key over two gateways have one effect and one answer`,
  async (id) => {
    const operation = operations[id];
    const attempt = await provocations[id]?.success?.(running.world);
    if (attempt === undefined) throw new Error(`${id} has no provocation of success`);
    const key = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, index) =>
        senders[index % senders.length]?.send(operation, attempt, {}, key),
      ),
    );
    const replays = answers.filter((answer) => answer?.headers['idempotent-replayed'] === 'true');
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
    expect(replays).toHaveLength(RACERS - 1);
    expect(new Set(replays.map((answer) => answer?.status))).toEqual(new Set([operation.replayStatus]));
    const first = answers.find((answer) => answer?.headers['idempotent-replayed'] === undefined);
    expect(first?.status).toBe(operation.success[0].status);
  },
);

test('a booking whose owner is told no leaves the key free, for a corrected body and for another operation', async () => {
  const slot = await running.world.slot();
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
