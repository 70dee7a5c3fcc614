/**
 * Our database is restored to an earlier instant, alone or with Temporal's, under a NATS that lived on; or Temporal's are. When the
 * operator has followed docs/operators/backup-and-restore.md, what is open has its workflow and nothing else has, every command
 * is answered, every write that its caller repeats has one effect, every fact has been told, and the books balance.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from '@carecover/client';
import { serviceNames } from '@carecover/contract';
import { eventually, testSize } from '@carecover/local/testing';
import {
  type Backup,
  backUpCluster,
  backUpDatabase,
  backUpTemporal,
  eachOf,
  REQUESTED,
  type Step,
  Story,
  useWorld,
} from '@carecover/test-support';
import { Aftermath, useListener } from './aftermath';

/** Stories at each of their steps when the backup is made. */
const EACH = testSize({ ci: 1, soak: 20 });
/** Pre-authorizations that are left to expire. */
const EXPIRING = testSize({ ci: 2, soak: 50 });
/** Long enough for the backup, the lost hour and the restoration to come before it. */
const DUE_AFTER_MS = testSize({ ci: 25_000, soak: 150_000 });
/** Until a command is in the middle of what it waits for. */
const UNDER_WAY_MS = 500;
const WIDTH = 8;
const PATIENCE_MS = 120_000;

const running = useWorld();
const after = new Aftermath(running, useListener(running));

const many = <T>(count: number, make: () => Promise<T>) => eachOf(Array.from({ length: count }), WIDTH, make);
const every = (work: (name: (typeof serviceNames)[number]) => Promise<void>) =>
  Promise.all(serviceNames.map(work));
const stopServices = () => every((name) => running.stack.process(name).stop());
const startServices = () => every((name) => running.stack.process(name).start());
const restored = () => running.operator<{ runs: number }>('recover-after-restore', '--reason', 'a rehearsal');

/** Approvals that nobody uses. */
async function expiring(validUntilMs: number): Promise<string[]> {
  const validUntil = new Date(validUntilMs).toISOString();
  return many(EXPIRING, async () => {
    const { preauthorization } = await running.world.pending();
    const approval = running.world.approval({ valid_until: validUntil });
    return (await running.world.client.preauthorizations.decide(preauthorization.id, approval)).id;
  });
}

/** The approvals expired at their end, and the payer's question to the claim lapsed. */
async function theyExpired(approvals: readonly string[], asked: Claim, dueMs: number): Promise<void> {
  await eventually(
    'what was due has happened',
    async () => {
      const states = await eachOf(approvals, WIDTH, (id) =>
        running.world.client.preauthorizations.retrieve(id),
      );
      const { status } = await running.world.client.claims.retrieve(asked.id);
      return status === 'submitted' && states.every((state) => state.status === 'expired');
    },
    Math.max(0, dueMs - Date.now()) + PATIENCE_MS,
  );
}

/** As many stories as asked for, told to this step; null: not begun. */
async function stories(last: Step | null): Promise<Story[]> {
  const made = await many(EACH, async () => new Story(running.world, await running.world.claimable()));
  if (last !== null) await eachOf(made, WIDTH, (story) => story.tell(last));
  return made;
}

/** Stories that stand at each step before the last, a group for each. */
async function storiesAtEachStep(): Promise<Story[][]> {
  return [await stories(null), await stories('submit'), await stories('adjudicate'), await stories('remit')];
}

const tellAll = (of: readonly Story[]) => eachOf(of, WIDTH, (story) => story.tell('settle'));

/** A claim whose request for information lapses. */
async function lapsing(dueAtMs: number): Promise<Claim> {
  const { id } = await running.world.submitted();
  return running.world.client.claims.requestInformation(id, {
    reason_code: 'notes_missing',
    requested_evidence_types: ['notes'],
    due_at: new Date(dueAtMs).toISOString(),
  });
}

test.each<[string, (of: typeof running) => Promise<Backup>]>([
  ['our database older than Temporal and NATS', backUpDatabase],
  ['PostgreSQL with Temporal older than NATS', backUpCluster],
])(
  '%s: what callers repeat has one effect, and nothing remembers the lost future',
  async (_, backUp) => {
    const steps = await storiesAtEachStep();
    const [unborn, unpaid] = [await stories(null), await stories('submit')];
    const { preauthorization } = await running.world.pending();

    const dueMs = Date.now() + DUE_AFTER_MS;
    const approvals = await expiring(dueMs);
    const asked = await lapsing(dueMs);

    // At the backup some events are on the stream alone, and some commands wait for an engine that is away.
    await running.stack.process('webhooks').stop();
    const pending = await stories('submit');
    await eventually('the stream has all events', async () => (await after.unpublished()) === 0);
    await running.stack.servers.temporal.kill();
    const going = steps.flat().map((story) => story.tell('settle'));
    const tooMuch = running.world.approval({ approved_amount: REQUESTED + 1 });
    const decide = () =>
      running.world.client.preauthorizations.decide(preauthorization.id, tooMuch, {
        idempotencyKey: preauthorization.id,
      });
    const rejection = expect(decide()).rejects.toMatchObject({ code: 'amount_exceeds_request' });
    await eventually(
      'commands wait',
      async () => (await after.pendingCommands()) === steps.length * EACH + 1,
    );
    const backup = await backUp(running);

    // The hour that is lost: much is done in it, and some is half done at its end.
    await running.stack.servers.temporal.start();
    await running.stack.process('webhooks').start();
    await Promise.all([...going, rejection]);
    await stories('settle');
    await stories('remit');
    await running.world.queried();
    await running.world.pending();
    await tellAll(pending);
    const judged = await eachOf(unpaid, WIDTH, (story) => story.tell('adjudicate'));
    await running.stack.process('benefits').kill();
    const hanging: Promise<unknown>[] = unborn.map((story) => story.submit());
    await eventually('claims are half born', async () => (await after.pendingCommands()) === EACH);
    await sleep(UNDER_WAY_MS);
    await running.stack.process('claims').kill();
    hanging.push(...unpaid.map((story, index) => story.remit({ id: judged[index] ?? '' })));
    await eventually(
      'remittances are half recorded',
      async () => (await after.pendingCommands()) === 2 * EACH,
    );
    await sleep(UNDER_WAY_MS);
    await stopServices();

    await backup.restore();
    expect((await restored()).runs).toBeGreaterThan(0);
    await startServices();

    // Their callers repeat what they were told, or not yet told. What is to be paid may not be judged again yet.
    await Promise.allSettled(hanging);
    const all = [...steps.flat(), ...unborn, ...unpaid, ...pending];
    const claims = await tellAll(all);
    await expect(decide()).rejects.toMatchObject({ code: 'amount_exceeds_request' });
    await after.toldOnce(all, claims);
    await theyExpired(approvals, asked, dueMs);
    await after.workflowsFitTheFacts();
    await after.everythingIsTold(claims);
    await after.booksBalance();
    await backup.delete();
  },
  testSize({ ci: 300_000, soak: 1_200_000 }),
);

test(
  'Temporal older than PostgreSQL: its runs take up the facts, and what callers repeat is answered as before',
  async () => {
    const steps = await storiesAtEachStep();
    const dueMs = Date.now() + DUE_AFTER_MS;
    const approvals = await expiring(dueMs);
    const asked = await lapsing(dueMs);
    const backup = await backUpTemporal(running);

    const all = [...steps.flat(), ...(await stories('settle'))];
    const before = await tellAll(all);
    const { id: cancelled } = await running.world.submitted();
    await running.world.client.claims.cancel(cancelled, { reason_code: 'not_wanted' });
    await stopServices();

    await backup.restore();
    await restored();
    await startServices();

    const claims = await tellAll(all);
    expect(claims).toEqual(before);
    await after.toldOnce(all, claims);
    await theyExpired(approvals, asked, dueMs);
    await after.workflowsFitTheFacts();
    await after.everythingIsTold(claims);
    await after.booksBalance();
    await backup.delete();
  },
  testSize({ ci: 300_000, soak: 1_200_000 }),
);
