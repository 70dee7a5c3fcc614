/**
 * Temporal's databases are lost and started empty under open claims and pre-authorizations: within a minute every one has its
 * workflow again, commands go on, and timers fire at their deadlines.
 */
import { eventually, testSize } from '@carecover/local/testing';
import { eachOf, loseTemporal, useWorld } from '@carecover/test-support';
import { runningWorkflows } from './running-workflows';

const OPEN = testSize({ ci: 8, soak: 100 });
const VALID_MS = testSize({ ci: 30_000, soak: 180_000 });

const running = useWorld();

test(
  'every open resource has its workflow again within a minute, and its timers fire',
  async () => {
    const { world } = running;
    const claims = await eachOf(Array.from({ length: OPEN }), 4, () => world.submitted());
    const validUntilMs = Date.now() + VALID_MS;
    const validUntil = new Date(validUntilMs).toISOString();
    const preauthorizations = await eachOf(Array.from({ length: OPEN }), 4, async () => {
      const { preauthorization } = await world.pending();
      return world.client.preauthorizations.decide(
        preauthorization.id,
        world.approval({ valid_until: validUntil }),
      );
    });
    const undecided = await eachOf(Array.from({ length: OPEN }), 4, () => world.pending());
    await loseTemporal(running);

    const waiting = [...claims, ...undecided.map(({ preauthorization }) => preauthorization)];
    await eventually('every claim and undecided pre-authorization has its workflow again', async () => {
      const workflows = await runningWorkflows(running);
      return waiting.every(({ id }) => workflows.has(id));
    });
    await eventually(
      'every pre-authorization expired at its deadline',
      async () => {
        const states = await eachOf(preauthorizations, 4, ({ id }) =>
          world.client.preauthorizations.retrieve(id),
        );
        return states.every(({ status }) => status === 'expired');
      },
      validUntilMs - Date.now() + 60_000,
    );
    const [first] = claims;
    const decided = await world.client.claims.adjudicate(first?.id ?? '', world.adjudication());
    expect(decided.status).toBe('partially_approved');
  },
  VALID_MS + 300_000,
);
