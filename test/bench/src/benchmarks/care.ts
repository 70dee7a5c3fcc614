/**
 * Measures the creation of eligibility checks and bookings, which are one database transaction each: through all of Carecover, through a
 * bare Koa gateway and service with the same SQL, and with only the SQL.
 */
import { eligibilityCheckHandlers } from '@carecover/benefits';
import { CancellationNotification, careHandlers } from '@carecover/care';
import { createLog } from '@carecover/telemetry';
import { startBare } from '../harness/bare-process';
import type { BenchStack } from '../harness/bench-stack';
import { type Contestant, compareContestants } from '../harness/contest';
import { printReport } from '../harness/report';
import type { Size } from '../harness/size';
import { ourCall } from '../recording/our-call';
import { Recorder } from '../recording/recorder';
import type { ReplaySettings, Timeline } from '../recording/replay';
import type { Benchmark } from './benchmark';
import { Slots } from './slots';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The number of bookable slots that are prepared per second of measurement. A measurement ends early if no slot is left. */
const SLOTS_PER_SECOND = 400;

/** One of the measured operations: the requests to Carecover, and the SQL that the bare limits send. */
interface Creation {
  readonly name: string;
  readonly replay: Omit<ReplaySettings, 'timeline'>;
  /**
   * Returns the times of the bookings of one measurement, or undefined if the operation creates no booking. The times overlap no times that
   * an earlier call returned, so that no two bookings of the bare limits overlap.
   */
  readonly timeline: () => Timeline | undefined;
  readonly ours: Contestant;
}

async function eligibilityChecks(stack: BenchStack): Promise<Creation> {
  const member = stack.world.uniqueReference('member');
  await stack.world.recordCoverage(member);
  const body = {
    member_reference: member,
    service_code: 'psy-session-50',
    scheduled_at: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    amount: 400_000,
    currency: 'KES' as const,
  };
  const recorder = new Recorder(stack.databaseUrl);
  const handlers = eligibilityCheckHandlers(await recorder.sql('benefits'));
  const call = ourCall('createEligibilityCheck', stack.projectId, { body });
  recorder.enter('check');
  await handlers.createEligibilityCheck?.(call);
  return {
    name: 'eligibility_checks',
    replay: {
      url: stack.databaseUrl('benefits'),
      recording: await recorder.finish(),
    },
    timeline: () => undefined,
    ours: {
      name: 'ours',
      driver: 'http',
      options: () => ({
        ...stack.https,
        shots: [{ method: 'POST', path: '/v1/eligibility_checks', body }],
        again: true,
      }),
    },
  };
}

async function bookings(stack: BenchStack, size: Size): Promise<Creation> {
  const slots = new Slots(stack);
  const [slot] = await slots.take(1);
  if (slot === undefined) throw new Error('no practitioner has a free slot');
  const recorder = new Recorder(stack.databaseUrl);
  const sql = await recorder.sql('care');
  const benefits = { post: () => Promise.reject(new Error('the benchmark cancels no booking')) };
  const notice = new CancellationNotification(sql, benefits, 'sandbox', createLog('bench', 'error'));
  const call = ourCall('createBooking', stack.projectId, { body: { ...slot, payment_source: 'covered' } });
  recorder.enter('book');
  await careHandlers(sql, notice).createBooking?.(call);
  let year = new Date().getUTCFullYear();
  return {
    name: 'bookings',
    replay: {
      url: stack.databaseUrl('care'),
      recording: await recorder.finish(),
    },
    timeline() {
      year += 10;
      const starts = new Date(slot.starts_at).toISOString();
      const ends = new Date(slot.ends_at).toISOString();
      const first = Date.UTC(year, 0);
      return { first: { [starts]: first, [ends]: first + HOUR_MS }, everyMs: HOUR_MS };
    },
    ours: {
      name: 'ours',
      driver: 'http',
      async options() {
        const available = await slots.peek(Math.ceil((size.seconds + size.warmUpSeconds) * SLOTS_PER_SECOND));
        const shots = available.map((each) => ({
          method: 'POST',
          path: '/v1/bookings',
          body: { ...each, payment_source: 'covered' },
        }));
        return { ...stack.https, shots, again: false };
      },
      used: (count) => slots.drop(count),
    },
  };
}

async function compare(stack: BenchStack, size: Size, creation: Creation): Promise<void> {
  const { tls, https } = stack;
  const timeline = creation.timeline();
  const service = await startBare<{ port: number; plainPort: number }>('bare-service', {
    replay: { ...creation.replay, timeline },
    tls,
  });
  const gateway = await startBare<{ port: number }>('bare-gateway', {
    service: `http://127.0.0.1:${service.ready.plainPort}`,
    tls,
  });
  const shots = [{ method: 'POST', path: `/v1/${creation.name}`, body: {} }];
  const origin = `https://127.0.0.1:${gateway.ready.port}`;
  const cells = await compareContestants(
    [
      creation.ours,
      {
        name: 'bare gateway and service',
        driver: 'http',
        options: () => ({ ...https, origin, shots, again: true }),
      },
      {
        name: 'only the SQL',
        driver: 'sql',
        options: () => ({ ...creation.replay, timeline: creation.timeline() }),
        inGenerator: true,
      },
    ],
    size,
  );
  await gateway.stop();
  await service.stop();
  printReport({ benchmark: `care: ${creation.name}`, title: `POST /${creation.name}`, cells });
}

export const care: Benchmark = async (stack, size) => {
  await compare(stack, size, await eligibilityChecks(stack));
  await compare(stack, size, await bookings(stack, size));
};
