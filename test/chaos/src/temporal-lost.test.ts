/**
 * Drops Temporal's databases while claims and pre-authorizations are open. Within a minute every open claim and pre-authorization must have
 * a workflow again, commands must succeed, and timers must fire at their deadlines.
 */
import { eventually, testSize } from '@carecover/testing/servers';
import { loseTemporal, mapConcurrently, useWorld } from '@carecover/testing/stack';
import { listRunningWorkflows } from './running-workflows';

const OPEN = testSize({ ci: 8, soak: 100 });
const VALID_MS = testSize({ ci: 30_000, soak: 180_000 });

const running = useWorld();

test(
  'within a minute every open resource has a workflow again, and timers fire',
  async () => {
    const { world } = running;
    const claims = await mapConcurrently(Array.from({ length: OPEN }), 4, () => world.createSubmittedClaim());
    const validUntilMs = Date.now() + VALID_MS;
    const validUntil = new Date(validUntilMs).toISOString();
    const preauthorizations = await mapConcurrently(Array.from({ length: OPEN }), 4, async () => {
      const { preauthorization } = await world.createPendingPreauthorization();
      return world.client.preauthorizations.decide(
        preauthorization.id,
        world.approvalInput({ valid_until: validUntil }),
      );
    });
    const undecided = await mapConcurrently(Array.from({ length: OPEN }), 4, () =>
      world.createPendingPreauthorization(),
    );
    await loseTemporal(running);

    const openResources = [...claims, ...undecided.map(({ preauthorization }) => preauthorization)];
    await eventually('every claim and undecided pre-authorization has a workflow again', async () => {
      const workflows = await listRunningWorkflows(running);
      return openResources.every(({ id }) => workflows.has(id));
    });
    await eventually(
      'every pre-authorization expired at its deadline',
      async () => {
        const states = await mapConcurrently(preauthorizations, 4, ({ id }) =>
          world.client.preauthorizations.retrieve(id),
        );
        return states.every(({ status }) => status === 'expired');
      },
      validUntilMs - Date.now() + 60_000,
    );
    const [first] = claims;
    if (first === undefined) throw new Error('no claim was created');
    const decided = await world.client.claims.adjudicate(first.id, world.adjudicationInput());
    expect(decided.status).toBe('partially_approved');
  },
  VALID_MS + 300_000,
);
