/**
 * Kills (SIGKILL) and restarts, one after the other, the processes of a stack that has two replicas of the gateway and of each service.
 * Meanwhile, clients submit claims, adjudicate them, and create their remittances and settlements through both gateways and repeat every
 * write under its idempotency key. No write is lost or takes effect twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimId } from '@carecover/client';
import { serviceNames } from '@carecover/contract';
import { testSize } from '@carecover/testing/servers';
import { ClaimScenario, useWorld } from '@carecover/testing/stack';
import { Aftermath, useEventReceiver } from './aftermath';

const SCENARIOS = testSize({ ci: 2, soak: 8 });
/** Whether the test kills every server and every process of a service. Otherwise it kills only one process of each service. */
const KILLS_EVERY_PROCESS = testSize({ ci: false, soak: true });
const DOWN_MS = testSize({ ci: 200, soak: 2_000 });

const running = useWorld({ replicas: 2 });
const received = useEventReceiver(running);

function partsToKill() {
  const replicas = serviceNames.flatMap((service, index) =>
    (KILLS_EVERY_PROCESS ? [0, 1] : [index % 2]).map((replica) => running.stack.part(service, replica)),
  );
  const servers = (['postgresql', 'nats', 'temporal'] as const).map((name) => running.stack.part(name));
  return KILLS_EVERY_PROCESS ? [...replicas, ...servers] : replicas;
}

test(
  'no claim is lost, duplicated or pending while each process is killed in turn',
  async () => {
    const { world } = running;
    const settled: { scenario: ClaimScenario; claimId: ClaimId }[] = [];
    let isKilling = true;
    const clients = Array.from({ length: SCENARIOS }, async () => {
      while (isKilling) {
        const scenario = new ClaimScenario(world, await world.createClaimableSession());
        settled.push({ scenario, claimId: await scenario.runThrough('settle') });
      }
    });
    for (const part of partsToKill()) {
      await part.kill();
      await sleep(DOWN_MS);
      await part.start();
    }
    isKilling = false;
    await Promise.all(clients);
    process.stdout.write(
      `${settled.length} claims settled while ${partsToKill().length} parts were killed\n`,
    );

    const claims = settled.map(({ claimId }) => claimId);
    expect(claims.length).toBeGreaterThanOrEqual(SCENARIOS);
    const listed: string[] = [];
    for await (const { id } of world.client.claims.list({ limit: 100 })) listed.push(id);
    expect(listed.sort()).toEqual([...claims].sort());
    const after = new Aftermath(running, received);
    await after.expectRecordedOnce(
      settled.map(({ scenario }) => scenario),
      claims,
    );
    await after.expectAllEventsDelivered(claims);
    await after.expectWorkflowsOfOpenResources();
    await after.expectBalancedLedger();
  },
  testSize({ ci: 300_000, soak: 900_000 }),
);
