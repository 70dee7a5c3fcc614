/**
 * Another project's resource answers exactly as one that does not exist, byte for byte but for the request id: for every
 * operation that names a resource in its path, and for every resource that a body names.
 */
import { operationList } from '@carecover/contract';
import { useWorld } from '@carecover/test-support';
import { formOnly } from './common';
import { Sender } from './http';
import { keepsAnswers } from './outcomes';
import { provocations } from './provocations';

const running = useWorld();
/** Sends as the other project. */
let stranger: Sender;

beforeAll(async () => {
  const { file } = running.stack;
  const other = await running.operator<{ secret_key: string }>(
    'projects',
    'create',
    'Other',
    '--environment',
    'sandbox',
  );
  stranger = Sender.of(other.secret_key, file.base_urls, running.trust.agent);
});

const withId = operationList.filter(({ resourceIdParam }) => resourceIdParam !== undefined);

test.each(withId.map((operation) => [operation.id, operation] as const))(
  "%s of another project's resource answers as of an unknown one",
  async (id, operation) => {
    const provocation = provocations[id]?.success;
    if (provocation === undefined) throw new Error(`${id} has no provocation of success`);
    const own = await provocation(running.world);
    const unknown = { ...own, params: formOnly(operation).params ?? {} };
    const key = () => (keepsAnswers(operation) ? crypto.randomUUID() : undefined);
    const foreign = await stranger.send(operation, own, {}, key());
    const absent = await stranger.send(operation, unknown, {}, key());
    expect(foreign.status).toBe(404);
    expect(absent.status).toBe(404);
    expect(foreign.text).toBe(absent.text);
  },
);

const references = [
  ['createBooking', 'practitioner_id', 'prc_unknown'],
  ['createPreauthorization', 'eligibility_check_id', 'elig_unknown'],
  ['createPreauthorization', 'booking_id', 'bkg_unknown'],
  ['createClaim', 'session_id', 'ses_unknown'],
  ['createClaim', 'eligibility_check_id', 'elig_unknown'],
  ['createSettlement', 'remittance_id', 'rem_unknown'],
] as const;

test.each(references)(
  "%s that names another project's %s answers as for an unknown one",
  async (id, field, unknown) => {
    const operation = operationList.find((each) => each.id === id);
    const attempt = await provocations[id]?.success?.(running.world);
    if (operation === undefined || attempt === undefined)
      throw new Error(`${id} has no provocation of success`);
    const body = attempt.body as Record<string, unknown>;
    const foreign = await stranger.send(operation, { body }, {}, crypto.randomUUID());
    const absent = await stranger.send(
      operation,
      { body: { ...body, [field]: unknown } },
      {},
      crypto.randomUUID(),
    );
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(absent.text);
  },
);

test("a list shows nothing of another project's, and its cursors are no cursors here", async () => {
  const { id } = await running.world.submitted();
  const lists = operationList.filter(
    ({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/',
  );
  for (const operation of lists) {
    const { status, body } = await stranger.send(operation, {});
    expect(status).toBe(200);
    if (operation.id !== 'listPractitioners') expect((body as { data: unknown[] }).data).toEqual([]);
  }
  const claims = lists.find((operation) => operation.id === 'listClaims');
  if (claims === undefined) throw new Error('no listClaims');
  const foreign = await stranger.send(claims, { query: { starting_after: id } });
  const absent = await stranger.send(claims, { query: { starting_after: 'clm_unknown' } });
  expect(foreign.status).toBe(400);
  expect(foreign.text).toBe(absent.text);
});
