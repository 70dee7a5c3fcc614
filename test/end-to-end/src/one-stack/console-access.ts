/**
 * Tests every page and act of the console over HTTP as each role, and with IDs that the project does not have. The pages, the acts and their
 * permissions are read from the console's sources, so that a new page or act is tested without a change.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { type Role, type Visitor, visitAs } from '@carecover/testing/stack';
import { type Permission, permits } from '../../../../services/console/src/roles';
import { running } from './world';

/** A page, a download or an act. */
interface Place {
  readonly path: string;
  readonly permission: Permission;
}

const FOLDER = join(repositoryRoot(), 'services/console/src/pages');

/** Reads the paths and permissions of all pages, downloads or acts from the source files of the console. */
function placesOf(type: 'Page' | 'Download' | 'Act'): Place[] {
  const definition = new RegExp(
    `: ${type} = \\{\\s+path: '([^']+)',\\s+(?:menu: '[^']+',\\s+)?permission: '(\\w+)'`,
    'g',
  );
  return readdirSync(FOLDER).flatMap((file) =>
    [...readFileSync(join(FOLDER, file), 'utf8').matchAll(definition)].map(([, path = '', permission]) => ({
      path,
      permission: permission as Permission,
    })),
  );
}

const pages = placesOf('Page');
const downloads = placesOf('Download');
/** What a person reads. */
const readable = [...pages, ...downloads];
const acts = placesOf('Act');

/** An ID that no resource has, for each parameter of a path. */
const UNKNOWN: Readonly<Record<string, string>> = {
  claim: 'clm_00000000000070008000000000000000',
  preauthorization: 'preauth_00000000000070008000000000000000',
  remittance: 'rem_00000000000070008000000000000000',
  row: '999999999',
  endpoint: 'whe_00000000000070008000000000000000',
  event: 'evt_00000000000070008000000000000000',
  key: 'key_00000000000070008000000000000000',
  run: 'vrun_00000000000070008000000000000000',
  job: 'job_00000000000070008000000000000000',
};

/** Values for all fields that any form of the console has. A form ignores the values for fields of other forms. */
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
  amount: '1.00',
  allowed_1: '1.00',
  payer_1: '1.00',
  remittance: 'rem_00000000000070008000000000000000',
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

let project: string;
let foreign: string;
/** A project whose time is simulated. */
let simulated: string;
/** The ID of a resource of the project, for each parameter of a path. */
let known: Record<string, string>;

beforeAll(async () => {
  const { operator, stack, world } = running;
  project = `/projects/${stack.file.project_id}`;
  const { project_id } = await operator<{ project_id: string }>(
    ...['projects', 'create', 'Another', '--environment', 'sandbox'],
  );
  foreign = `/projects/${project_id}`;
  const created = await operator<{ project_id: string }>(
    ...['projects', 'create', 'Simulated', '--environment', 'sandbox'],
    ...['--clock', 'simulated', '--now', '2025-01-01T00:00:00Z'],
  );
  simulated = `/projects/${created.project_id}`;
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
    job: await createJob(),
    run: (
      await world.client.valuationRuns.create({
        valuation_at: new Date(Date.now() - 60_000).toISOString(),
        kind: 'totals',
      })
    ).id,
  };
});

/** Creates a bulk job with one line, which is rejected. */
async function createJob(): Promise<string> {
  const content = `${JSON.stringify({ claim_id: UNKNOWN.claim, ...running.world.adjudicationInput() })}\n`;
  const { id } = await running.world.client.bulkJobs.create(
    { kind: 'adjudications', dry_run: true },
    { content, mediaType: 'application/x-ndjson' },
  );
  return id;
}

function pathOf({ path }: Place, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`this test has no ID for the parameter ${name} of ${path}`);
    return id;
  });
}

/** The page and the act of a project whose time is simulated. A real project has neither. */
const OF_SIMULATED = ['/clock', '/clock/advances'];

/** The queries of pages that need one, by the pages' paths. */
const QUERIES: Readonly<Record<string, string>> = {
  '/receivables/claims': '?currency=KES',
  '/valuation-runs/:run/claims': '?currency=KES',
};

async function visit(role: Role): Promise<{ visitor: Visitor; csrf: string }> {
  const { visitor, shown } = await visitAs(running.stack.file.console_url, role);
  return { visitor, csrf: visitor.tokenOf(shown) };
}

/** Reads the state of all resources that an act of the console can change. */
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
    jobs: (await client.bulkJobs.list({ kind: 'adjudications' })).data.map(({ id }) => id),
    deliveries: (await client.webhookEndpoints.deliveries(known.endpoint as never)).data,
    keys: (await operator<{ key_id: string; revoked_at: string | null }[]>('keys', 'list')).map(
      ({ key_id, revoked_at }) => [key_id, revoked_at],
    ),
  };
}

/** Returns the actions of the person with the role in the audit log, each once. */
async function actionsOf(role: Role): Promise<string[]> {
  const entries = await running.operator<{ actor: string; action: string }[]>(
    ...['audit', 'list', '--limit', '1000'],
  );
  const actions = entries.flatMap(({ actor, action }) => (actor === `demo-${role}` ? [action] : []));
  return [...new Set(actions)];
}

test.each([
  ['page', 'PAGES: readonly Page', pages, 16],
  ['download', 'DOWNLOADS: readonly Download', downloads, 1],
  ['act', 'ACTS: readonly Act', acts, 16],
] as const)('every %s of the console is found', (_, name, found, atLeast) => {
  const index = readFileSync(join(FOLDER, 'index.ts'), 'utf8');
  const [, list = ''] = new RegExp(`${name}\\[\\] = \\[([^\\]]*)\\]`).exec(index) ?? [];
  expect(found).toHaveLength([...list.matchAll(/\w+/g)].length);
  expect(found.length).toBeGreaterThanOrEqual(atLeast);
});

test.each<Role>(['viewer', 'operator', 'finance', 'administrator'])(
  'a %s sees the pages that the role permits, and every other page as an unknown one',
  async (role) => {
    const { visitor } = await visit(role);
    for (const page of readable) {
      const isKnown = permits([role], page.permission) && !OF_SIMULATED.includes(page.path);
      const { status } = await visitor.get(project + pathOf(page, known) + (QUERIES[page.path] ?? ''));
      expect([page.path, status]).toEqual([page.path, isKnown ? 200 : 404]);
    }
  },
);

test.each<Role>(['viewer', 'operator', 'finance', 'administrator'])(
  'a %s sees the clock of a simulated project on its pages; an administrator alone can move it',
  async (role) => {
    const { visitor, csrf } = await visit(role);
    for (const path of ['/today', '/receivables', '/clock'])
      expect((await visitor.get(simulated + path)).html).toContain(`${simulated}/clock`);
    expect((await visitor.get(`${project}/today`)).html).not.toContain('/clock');
    const fields = { ...form(), to: '2025-01-02T00:00:00Z', csrf };
    const { status, html } = await visitor.post(`${simulated}/clock/advances`, fields);
    expect(status).toBe(role === 'administrator' ? 200 : 404);
    expect(html.includes('Nothing is due until then.')).toBe(role === 'administrator');
    expect((await visitor.post(`${project}/clock/advances`, fields)).status).toBe(404);
  },
);

test('a page of a resource of another project is the same as that of an unknown ID', async () => {
  const { visitor } = await visit('administrator');
  for (const page of readable) {
    expect((await visitor.get(`/projects/prj_unknown${pathOf(page, known)}`)).status).toBe(404);
    if (!page.path.includes(':')) continue;
    const [ofOther, unknown] = await Promise.all(
      [known, UNKNOWN].map((ids) => visitor.get(foreign + pathOf(page, ids))),
    );
    expect([page.path, ofOther?.status, unknown?.status]).toEqual([page.path, 404, 404]);
    // Each page has a different token against requests from other origins, so the token is removed before the pages are compared.
    const [first, second] = [ofOther, unknown].map((shown) => shown?.html.replace(/value="[^"]+"/, ''));
    expect(first).toBe(second);
  }
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
    expect(await actionsOf(role)).toEqual(['console.sign_in']);
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
