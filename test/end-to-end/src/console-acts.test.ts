/**
 * Tests every act of the console over HTTP as each role, and with IDs that the project does not have. The acts and their permissions are
 * read from the console's sources, so that a new act is tested without a change.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { type Role, useWorld, type Visitor, visitAs } from '@carecover/test-support';
import { type Permission, permits } from '../../../services/console/src/roles';

interface Act {
  readonly path: string;
  readonly permission: Permission;
}

const PAGES = join(repositoryRoot(), 'services/console/src/pages');
const acts: Act[] = readdirSync(PAGES).flatMap((file) =>
  [
    ...readFileSync(join(PAGES, file), 'utf8').matchAll(
      /: Act = \{\s+path: '([^']+)',\s+permission: '(\w+)'/g,
    ),
  ].map(([, path = '', permission]) => ({ path, permission: permission as Permission })),
);

/** An ID that no resource has, for each parameter of a path. */
const UNKNOWN: Readonly<Record<string, string>> = {
  claim: 'clm_00000000000070008000000000000000',
  preauthorization: 'preauth_00000000000070008000000000000000',
  remittance: 'rem_00000000000070008000000000000000',
  row: '999999999',
  endpoint: 'whe_00000000000070008000000000000000',
  event: 'evt_00000000000070008000000000000000',
  key: 'key_00000000000070008000000000000000',
};

/** Values for the fields of all forms. */
const form = () => ({
  key: randomUUID(),
  reason_code: 'notes_missing',
  types: 'notes',
  reversal_reason: 'recorded_in_error',
  policy_reference: 'policy:one',
  policy_version: '1',
  reason_codes: 'covered',
  outcome: 'denied',
  evidence_references: 'letter:1',
  source_reference: 'BANK-OF-A-TEST',
  amount: '100',
  observed_at: new Date(Date.now() - 60_000).toISOString(),
  settlement: 'stl_00000000000070008000000000000000',
  reason: 'a test',
  reveal_reason: 'a test',
  since: new Date(Date.now() - 3_600_000).toISOString(),
  kind: 'totals',
  valuation_at: new Date(Date.now() - 60_000).toISOString(),
  name: 'a key of a test',
  scopes: 'claims:read',
});

const running = useWorld();
let project: string;
let foreign: string;
/** The ID of a resource of the project, for each parameter of a path. */
let known: Record<string, string>;

beforeAll(async () => {
  const { operator, stack, world } = running;
  project = `/projects/${stack.file.project_id}`;
  const { project_id } = await operator<{ project_id: string }>(
    ...['projects', 'create', 'Another', '--environment', 'sandbox'],
  );
  foreign = `/projects/${project_id}`;
  const file = join(stack.home.folder, 'rows.csv');
  await writeFile(
    file,
    'source_reference,payer_reference,currency,amount,observed_at\nBANK-1,unknown,KES,100,2026-03-16T14:00:00Z\n',
  );
  await operator('settlements', 'import', file, '--project', stack.file.project_id);
  const [row] = await operator<{ row: number }[]>('settlements', 'unmatched');
  const { endpointId, eventId } = await world.createDeliveredEvent();
  const { key_id } = await operator<{ key_id: string }>(
    ...['keys', 'create', '--project', stack.file.project_id, '--scopes', 'claims:read'],
  );
  known = {
    claim: (await world.createSubmittedClaim()).id,
    preauthorization: (await world.createPendingPreauthorization()).preauthorization.id,
    remittance: (await world.createRemittance()).id,
    row: String(row?.row),
    endpoint: endpointId,
    event: eventId,
    key: key_id,
  };
});

function pathOf({ path }: Act, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`this test has no ID for the parameter ${name} of ${path}`);
    return id;
  });
}

async function visit(role: Role): Promise<{ visitor: Visitor; csrf: string }> {
  const { visitor, shown } = await visitAs(running.stack.file.console_url, role);
  return { visitor, csrf: visitor.tokenOf(shown) };
}

/** Reads what the acts would change. */
async function readState() {
  const { operator, world } = running;
  const { client } = world;
  return {
    claim: await client.claims.retrieve(known.claim as never),
    preauthorization: await client.preauthorizations.retrieve(known.preauthorization as never),
    remittance: await client.remittances.retrieve(known.remittance as never),
    settlements: (await client.settlements.list({ remittance_id: known.remittance as never })).data,
    rows: await operator<object[]>('settlements', 'unmatched'),
    runs: (await client.valuationRuns.list()).data,
    deliveries: (await client.webhookEndpoints.deliveries(known.endpoint as never)).data,
    keys: (await operator<{ key_id: string; revoked_at: string | null }[]>('keys', 'list')).map(
      ({ key_id, revoked_at }) => [key_id, revoked_at],
    ),
  };
}

const actorsOfLog = async () =>
  (await running.operator<{ actor: string }[]>('audit', 'list', '--limit', '1000')).map(({ actor }) => actor);

test('every act of the console is found', () => {
  const [, list = ''] =
    /ACTS: readonly Act\[\] = \[([^\]]*)\]/.exec(readFileSync(join(PAGES, 'index.ts'), 'utf8')) ?? [];
  expect(acts).toHaveLength([...list.matchAll(/\w+/g)].length);
  expect(acts.length).toBeGreaterThan(15);
});

test.each<Role>(['viewer', 'operator', 'finance'])(
  'the acts that a %s is not permitted are unknown pages, change nothing and are not logged',
  async (role) => {
    const forbidden = acts.filter(({ permission }) => !permits([role], permission));
    expect(forbidden.length).toBeGreaterThan(3);
    const before = await readState();
    const { visitor, csrf } = await visit(role);
    for (const act of forbidden) {
      const { status } = await visitor.post(project + pathOf(act, known), { ...form(), csrf });
      expect([act.path, status]).toEqual([act.path, 404]);
    }
    expect(await readState()).toEqual(before);
    expect(await actorsOfLog()).not.toContain(`${role}@carecover.example`);
  },
);

test('acts on unknown IDs, and on resources of another project, are unknown pages and change nothing', async () => {
  const before = await readState();
  const { visitor, csrf } = await visit('administrator');
  for (const act of acts) {
    const onResource = act.path.includes(':');
    const paths = [
      `/projects/prj_unknown${pathOf(act, known)}`,
      ...(onResource ? [project + pathOf(act, UNKNOWN), foreign + pathOf(act, known)] : []),
    ];
    for (const path of paths) {
      const { status } = await visitor.post(path, { ...form(), csrf });
      expect([path, status]).toEqual([path, 404]);
    }
  }
  expect(await readState()).toEqual(before);
});
