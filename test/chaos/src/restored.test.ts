/**
 * Restores Carecover's database, Temporal's databases or both to an earlier instant, and then follows
 * docs/operators/backup-and-restore.md. After that, exactly the open resources have running workflows, no command is pending, each
 * repeated write has one effect, the events of all facts are sent, and the ledger is balanced.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, PreauthorizationId } from '@carecover/client';
import { serviceNames } from '@carecover/contract';
import { drawCases } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import {
  type Backup,
  backUpCluster,
  backUpDatabase,
  backUpTemporal,
  ClaimScenario,
  type ClaimStep,
  mapConcurrently,
  REQUESTED,
  useWorld,
} from '@carecover/testing/stack';
import { Aftermath, useEventReceiver } from './aftermath';

/** For each step, how many claim scenarios have completed this step, and no later one, when the backup is made. */
const EACH = testSize({ ci: 1, soak: 20 });
/** The number of pre-authorizations whose approval expires during the test. */
const EXPIRING = testSize({ ci: 2, soak: 50 });
/**
 * The time in milliseconds from the start of the test to the deadlines of its claims and pre-authorizations. The backup, the writes after
 * the backup and the restore must end before the deadlines.
 */
const DUE_AFTER_MS = testSize({ ci: 25_000, soak: 150_000 });
/**
 * The time in milliseconds that the test waits after commands are stored as pending. Meanwhile, the service that executes them calls the
 * unavailable service.
 */
const PENDING_MS = 500;
const WIDTH = 8;
const PATIENCE_MS = 120_000;

const running = useWorld();
const after = new Aftermath(running, useEventReceiver(running));

const createMany = <T>(count: number, create: () => Promise<T>) =>
  mapConcurrently(Array.from({ length: count }), WIDTH, create);
const forEveryService = (work: (name: (typeof serviceNames)[number]) => Promise<void>) =>
  Promise.all(serviceNames.map(work));
const stopServices = () => forEveryService((name) => running.stack.process(name).stop());
const startServices = () => forEveryService((name) => running.stack.process(name).start());
const recoverAfterRestore = () =>
  running.operator<{ runs: number }>('recover-after-restore', '--reason', 'a rehearsal');

/** Creates approved pre-authorizations that no claim uses and that expire at `validUntilMs`. Returns their IDs. */
async function createExpiringApprovals(validUntilMs: number): Promise<PreauthorizationId[]> {
  const validUntil = new Date(validUntilMs).toISOString();
  return createMany(EXPIRING, async () => {
    const { preauthorization } = await running.world.createPendingPreauthorization();
    const approval = running.world.approvalInput({ valid_until: validUntil });
    return (await running.world.client.preauthorizations.decide(preauthorization.id, approval)).id;
  });
}

/** Expects that the given pre-authorizations expire, and that the information request of the claim `queried` lapses at the deadline. */
async function expectDeadlinesMet(
  approvals: readonly PreauthorizationId[],
  queried: Claim,
  dueMs: number,
): Promise<void> {
  await eventually(
    'the approvals expired and the information request lapsed',
    async () => {
      const states = await mapConcurrently(approvals, WIDTH, (id) =>
        running.world.client.preauthorizations.retrieve(id),
      );
      const { status } = await running.world.client.claims.retrieve(queried.id);
      return status === 'submitted' && states.every((state) => state.status === 'expired');
    },
    Math.max(0, dueMs - Date.now()) + PATIENCE_MS,
  );
}

/** Creates claim scenarios and runs them through the step `last`; null runs no step. */
async function createScenarios(last: ClaimStep | null): Promise<ClaimScenario[]> {
  const created = await createMany(
    EACH,
    async () => new ClaimScenario(running.world, await running.world.createClaimableSession()),
  );
  if (last !== null) await mapConcurrently(created, WIDTH, (scenario) => scenario.runThrough(last));
  return created;
}

/** Creates four groups of claim scenarios, by the last step that they have run: none, `submit`, `adjudicate` and `remit`. */
async function createScenariosAtEachStep(): Promise<ClaimScenario[][]> {
  return [
    await createScenarios(null),
    await createScenarios('submit'),
    await createScenarios('adjudicate'),
    await createScenarios('remit'),
  ];
}

const runAll = (scenarios: readonly ClaimScenario[]) =>
  mapConcurrently(scenarios, WIDTH, (scenario) => scenario.runThrough('settle'));

/** Creates a claim with an information request that lapses at `dueAtMs`. */
async function createLapsingRequest(dueAtMs: number): Promise<Claim> {
  const { id } = await running.world.createSubmittedClaim();
  return running.world.client.claims.requestInformation(id, {
    reason_code: 'notes_missing',
    requested_evidence_types: ['notes'],
    due_at: new Date(dueAtMs).toISOString(),
  });
}

/**
 * The backups whose restore loses the writes that were made after them, and whether Temporal then has runs that are newer than the restored
 * facts. Only the soak test restores both; otherwise the seed draws one.
 */
const BACKUPS: readonly [string, (world: typeof running) => Promise<Backup>, boolean][] = [
  ["Carecover's database older than Temporal and NATS", backUpDatabase, true],
  ['PostgreSQL with Temporal older than NATS', backUpCluster, false],
];

test.each(testSize({ ci: drawCases(BACKUPS, 1), soak: BACKUPS }))(
  '%s: repeated writes have one effect, and no state of the lost period remains',
  async (_, backUp, hasNewerRuns) => {
    const steps = await createScenariosAtEachStep();
    const [notSubmitted, onlySubmitted] = [await createScenarios(null), await createScenarios('submit')];
    const { preauthorization } = await running.world.createPendingPreauthorization();

    const [unsubmitted = [], unadjudicated = [], adjudicatedOnly = [], remittedOnly = []] = steps;
    const unpaid = await mapConcurrently(adjudicatedOnly, WIDTH, async (scenario) => ({
      scenario,
      claim: await scenario.submit(),
    }));
    const unsettled = await mapConcurrently(remittedOnly, WIDTH, async (scenario) => ({
      scenario,
      remittance: await scenario.remit(await scenario.submit()),
    }));

    const dueMs = Date.now() + DUE_AFTER_MS;
    const approvals = await createExpiringApprovals(dueMs);
    const queried = await createLapsingRequest(dueMs);

    // Prepares the state at the time of the backup: some events are on the stream, but not yet in the webhooks service, which is stopped;
    // signals are pending, because Temporal is unavailable; a command is pending per scenario, or for payments' commands a notification,
    // because the service that it needs is unavailable.
    await running.stack.process('webhooks').stop();
    const submitted = await createScenarios('submit');
    await eventually('the stream has all events', async () => (await after.countUnpublishedEvents()) === 0);
    await running.stack.servers.temporal.kill();
    await running.stack.process('benefits').stop();
    await running.stack.process('payments').stop();
    const concurrentWrites: Promise<unknown>[] = [...unsubmitted, ...unadjudicated].map((each) =>
      each.runThrough('settle'),
    );
    await eventually(
      'the commands are pending',
      async () => (await after.countPendingCommands()) === 2 * EACH,
    );
    await running.stack.process('claims').kill();
    await running.stack.process('payments').start();
    concurrentWrites.push(...unpaid.map(({ scenario, claim }) => scenario.remit(claim)));
    concurrentWrites.push(...unsettled.map(({ scenario, remittance }) => scenario.settle(remittance)));
    await eventually(
      'the notifications are pending',
      async () => (await after.countPendingNotifications()) === 2 * EACH,
    );
    expect(await after.countPendingSignals()).toBeGreaterThan(0);
    const backup = await backUp(running);

    // The restore undoes all writes between the backup and the restore. Many of these writes have a response when the restore starts, and
    // the others are pending.
    await running.stack.servers.temporal.start();
    for (const name of ['benefits', 'claims', 'webhooks'] as const) await running.stack.process(name).start();
    await Promise.all(concurrentWrites);
    const tooMuch = running.world.approvalInput({ approved_amount: REQUESTED + 1 });
    const decide = () =>
      running.world.client.preauthorizations.decide(preauthorization.id, tooMuch, {
        idempotencyKey: preauthorization.id,
      });
    await expect(decide()).rejects.toMatchObject({ code: 'amount_exceeds_request' });
    await createScenarios('settle');
    await createScenarios('remit');
    await running.world.createQueriedClaim();
    await running.world.createPendingPreauthorization();
    await runAll(submitted);
    const adjudicated = await mapConcurrently(onlySubmitted, WIDTH, async (scenario) => ({
      scenario,
      id: await scenario.runThrough('adjudicate'),
    }));
    await running.stack.process('benefits').kill();
    const interrupted: Promise<unknown>[] = notSubmitted.map((scenario) => scenario.submit());
    await eventually(
      'the submissions are pending',
      async () => (await after.countPendingCommands()) === EACH,
    );
    await sleep(PENDING_MS);
    await running.stack.process('claims').kill();
    interrupted.push(...adjudicated.map(({ scenario, id }) => scenario.remit({ id })));
    await eventually(
      'the remittances are pending',
      async () => (await after.countPendingNotifications()) === EACH,
    );
    await sleep(PENDING_MS);
    await stopServices();

    await backup.restore();
    const { runs } = await recoverAfterRestore();
    // Runs that are as old as the facts can be missing in the restored Temporal's list, and are right if they continue.
    if (hasNewerRuns) expect(runs).toBeGreaterThan(0);
    await startServices();

    // Clients repeat all writes, with or without a response. The interrupted writes can be rejected: the restore undid adjudications, and a
    // remittance of a claim that is not adjudicated is rejected.
    await Promise.allSettled(interrupted);
    const all = [...steps.flat(), ...notSubmitted, ...onlySubmitted, ...submitted];
    const claims = await runAll(all);
    await expect(decide()).rejects.toMatchObject({ code: 'amount_exceeds_request' });
    await after.expectRecordedOnce(all, claims);
    await expectDeadlinesMet(approvals, queried, dueMs);
    await after.expectWorkflowsOfOpenResources();
    await after.expectAllEventsDelivered(claims);
    await after.expectBalancedLedger();
    await backup.delete();
  },
  testSize({ ci: 300_000, soak: 1_200_000 }),
);

test(
  'Temporal older than PostgreSQL: its runs continue from the facts, and repeated writes get the same responses',
  async () => {
    const steps = await createScenariosAtEachStep();
    const dueMs = Date.now() + DUE_AFTER_MS;
    const approvals = await createExpiringApprovals(dueMs);
    const queried = await createLapsingRequest(dueMs);
    const backup = await backUpTemporal(running);

    const all = [...steps.flat(), ...(await createScenarios('settle'))];
    const before = await runAll(all);
    const { id: cancelled } = await running.world.createSubmittedClaim();
    await running.world.client.claims.cancel(cancelled, { reason_code: 'not_wanted' });
    await stopServices();

    await backup.restore();
    await recoverAfterRestore();
    await startServices();

    const claims = await runAll(all);
    expect(claims).toEqual(before);
    await after.expectRecordedOnce(all, claims);
    await expectDeadlinesMet(approvals, queried, dueMs);
    await after.expectWorkflowsOfOpenResources();
    await after.expectAllEventsDelivered(claims);
    await after.expectBalancedLedger();
    await backup.delete();
  },
  testSize({ ci: 300_000, soak: 1_200_000 }),
);
