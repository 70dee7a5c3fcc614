/**
 * A request that names a resource of another project must get the same response body as one for a resource that doesn't exist: for every
 * operation with a resource in its path, and for every resource that a body names.
 */
import { operationList } from '@carecover/contract';
import type { RunningWorld } from '@carecover/testing/stack';
import { requestUnknownResource } from './common';
import { Sender } from './http';
import { storesResponses } from './outcomes';
import { provocations } from './provocations';

export function registerTenancyTests(running: RunningWorld): void {
  /** Sends requests with the key of a second project, which does not own the resources that the requests name. */
  let otherProject: Sender;

  beforeAll(async () => {
    const { file } = running.stack;
    const other = await running.operator<{ secret_key: string }>(
      'projects',
      'create',
      'Other',
      '--environment',
      'sandbox',
    );
    // One gateway, because the responses contain its address.
    otherProject = Sender.withKey(other.secret_key, [file.base_url], running.clients.agent);
  });

  const withId = operationList.filter(({ resourceIdParam }) => resourceIdParam !== undefined);

  test.each(withId.map((operation) => [operation.id, operation] as const))(
    "%s responds the same for another project's resource as for an unknown one",
    async (id, operation) => {
      const provocation = provocations[id]?.success;
      if (provocation === undefined) throw new Error(`${id} has no provocation of success`);
      const own = await provocation(running.world);
      const unknown = { ...own, params: requestUnknownResource(operation).params ?? {} };
      const key = () => (storesResponses(operation) ? crypto.randomUUID() : undefined);
      const foreign = await otherProject.send(operation, own, {}, key());
      const absent = await otherProject.send(operation, unknown, {}, key());
      expect(foreign.status).toBe(404);
      expect(absent.status).toBe(404);
      expect(foreign.text).toBe(absent.text);
    },
  );

  const references = [
    ['createBooking', 'practitioner_id', 'prc_unknown'],
    ['createSession', 'practitioner_id', 'prc_unknown'],
    ['createPreauthorization', 'eligibility_check_id', 'elig_unknown'],
    ['createPreauthorization', 'booking_id', 'bkg_unknown'],
    ['createClaim', 'session_id', 'ses_unknown'],
    ['createClaim', 'eligibility_check_id', 'elig_unknown'],
    ['createSettlement', 'remittance_id', 'rem_unknown'],
  ] as const;

  test.each(references)(
    "%s responds the same for another project's %s as for an unknown one",
    async (id, field, unknown) => {
      const operation = operationList.find((each) => each.id === id);
      const attempt = await provocations[id]?.success?.(running.world);
      if (operation === undefined || attempt === undefined)
        throw new Error(`${id} has no provocation of success`);
      const body = attempt.body as Record<string, unknown>;
      const foreign = await otherProject.send(operation, { body }, {}, crypto.randomUUID());
      const absent = await otherProject.send(
        operation,
        { body: { ...body, [field]: unknown } },
        {},
        crypto.randomUUID(),
      );
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(absent.text);
    },
  );

  test('a list contains no resources of another project and rejects their IDs as cursors', async () => {
    const { id } = await running.world.createSubmittedClaim();
    const lists = operationList.filter(
      ({ method, path, success }) =>
        method === 'GET' && !path.includes('{') && 'data' in Reflect.get(success[0].schema, 'properties'),
    );
    for (const operation of lists) {
      const { status, body } = await otherProject.send(operation, {});
      expect(status).toBe(200);
      if (operation.id !== 'listPractitioners') expect((body as { data: unknown[] }).data).toEqual([]);
    }
    const receivables = operationList.find(({ id }) => id === 'getReceivables');
    if (receivables === undefined) throw new Error('no getReceivables');
    const { updated_at: at } = await running.world.createAdjudicatedClaim();
    const { body } = await otherProject.send(receivables, { query: { at } });
    expect((body as { currencies: unknown[] }).currencies).toEqual([]);

    const claims = lists.find((operation) => operation.id === 'listClaims');
    if (claims === undefined) throw new Error('no listClaims');
    const foreign = await otherProject.send(claims, { query: { starting_after: id } });
    const absent = await otherProject.send(claims, { query: { starting_after: 'clm_unknown' } });
    expect(foreign.status).toBe(400);
    expect(foreign.text).toBe(absent.text);
  });
}
