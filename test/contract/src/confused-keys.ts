/**
 * Sends the idempotency key of an accepted request again where it must not give that request's response: with a credential that could not
 * send the request, in another project, and with another operation. The cases are generated from the operations that store responses.
 */
import { alternativesOf, type Operation, operationList } from '@carecover/contract';
import { drawCases } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { createEndpointLimiter, type RunningWorld, World } from '@carecover/testing/stack';
import { type RawResponse, Sender } from './http';
import { storesResponses } from './outcomes';
import { provocations } from './provocations';
import { type Attempt, withRows } from './provocations/provocation';

export function registerConfusedKeyTests(running: RunningWorld): void {
  // A test clock belongs to a project of its own, whose key the provocation has.
  const storing = operationList.filter(
    (operation) => storesResponses(operation) && operation.id !== 'advanceTestClock',
  );
  let own: Sender;
  /** A second key of the same project with every scope, and one with a scope that no operation with stored responses has. */
  let second: Sender;
  let narrow: Sender;
  let foreign: Sender;
  let otherWorld: World;

  beforeAll(async () => {
    const { operator, clients, world, stack } = running;
    const { file } = stack;
    const withKey = (key: string) => Sender.withKey(key, file.base_urls, clients.agent);
    const keyWith = async (scopes: string) =>
      (
        await operator<{ secret_key: string }>(
          'keys',
          'create',
          '--project',
          file.project_id,
          '--scopes',
          scopes,
        )
      ).secret_key;
    const other = await operator<{ project_id: string; secret_key: string }>(
      ...['projects', 'create', 'Other', '--environment', 'sandbox'],
    );
    await operator('projects', 'set', other.project_id, '--rate-limit', '1000000');
    otherWorld = new World(
      clients.create(other.secret_key),
      world.receivers,
      world.moveClock,
      createEndpointLimiter(operator, other.project_id),
    );
    own = withKey(file.secret_key);
    second = withKey(await keyWith('*'));
    narrow = withKey(await keyWith('practitioners:read'));
    foreign = withKey(other.secret_key);
  });

  async function attemptOf({ id }: Operation, world: World): Promise<Attempt> {
    const success = provocations[id]?.success;
    if (success === undefined) throw new Error(`${id} has no provocation of success`);
    return withRows(await success(world), running.stack.file.database_url);
  }

  const replayed = ({ headers }: RawResponse) => headers['idempotent-replayed'] === 'true';

  /** Returns a sender with a token that has the operation's scope and reaches only a resource that does not exist. */
  async function restrictedTo({ scope }: Operation): Promise<Sender> {
    const { clients, world, stack } = running;
    const { token } = await world.client.tokens.create({
      scopes: [...alternativesOf(scope)],
      expires_in: 600,
      resource_ids: ['clm_00000000000070008000000000000000'],
    });
    return Sender.withKey(token, stack.file.base_urls, clients.agent);
  }

  test.each(
    drawCases(storing, testSize({ ci: 5, soak: storing.length })).map(
      (operation) => [operation.id, operation] as const,
    ),
  )(
    'the key of %s gives its response only to the same request of a credential that may send it',
    async (id, operation) => {
      const key = crypto.randomUUID();
      const attempt = await attemptOf(operation, running.world);
      const first = await own.send(operation, attempt, {}, key);
      expect([id, first.status, replayed(first)]).toEqual([id, operation.success[0].status, false]);

      const bySecond = await second.send(operation, attempt, {}, key);
      expect([bySecond.status, replayed(bySecond)]).toEqual([operation.replayStatus, true]);
      if (attempt.params !== undefined) {
        const params = Object.fromEntries(
          Object.entries(attempt.params).map(([name, value]) => [
            name,
            value.replace(/(?<=_).*$/, '00000000000070008000000000000000'),
          ]),
        );
        const elsewhere = await own.send(operation, { ...attempt, params }, {}, key);
        expect([id, elsewhere.status]).toEqual([id, 409]);
        expect(elsewhere.body).toMatchObject({ error: { code: 'idempotency_conflict' } });
      }
      const byNarrow = await narrow.send(operation, attempt, {}, key);
      expect([byNarrow.status, replayed(byNarrow)]).toEqual([403, false]);
      const byRestricted = await (await restrictedTo(operation)).send(operation, attempt, {}, key);
      expect([[403, 404].includes(byRestricted.status), replayed(byRestricted)]).toEqual([true, false]);

      const sameBody = await foreign.send(operation, attempt, {}, key);
      expect(replayed(sameBody)).toBe(false);
      const { id: resource = '' } = first.body as { id?: string };
      if (resource !== '') expect(sameBody.text).not.toContain(resource);
      const otherKey = crypto.randomUUID();
      expect(
        replayed(await own.send(operation, await attemptOf(operation, running.world), {}, otherKey)),
      ).toBe(false);
      const ofOther = await foreign.send(operation, await attemptOf(operation, otherWorld), {}, otherKey);
      expect([ofOther.status, replayed(ofOther)]).toEqual([operation.success[0].status, false]);

      const another = storing[(storing.indexOf(operation) + 1) % storing.length];
      if (another === undefined) throw new Error('there is no other operation');
      const byAnother = await own.send(another, await attemptOf(another, running.world), {}, key);
      expect([another.id, byAnother.status, replayed(byAnother)]).toEqual([
        another.id,
        another.success[0].status,
        false,
      ]);
    },
  );
}
