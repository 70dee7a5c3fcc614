/**
 * The processes of an adjudication, a remittance and a webhook call the functions that docs/walk.md names in the order in which it names
 * them. The services run with `record-calls.cjs` for this.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Claim } from '@carecover/client';
import { repositoryRoot } from '@carecover/setup/repository';
import { eventually } from '@carecover/testing/servers';
import { running } from './world';

/** Functions that a process calls once at its start, before the requests. */
const AT_START = new Set([
  ...['createGateway', 'admitRequest', 'createOperationRouter', 'remoteSteps'],
  ...['startRelay', 'startEventConsumer', 'guardedConnector'],
]);
/** Functions that the three requests do not call in a process of a service. */
const NOT_CALLED = new Set([
  // code of the workflows, which Temporal's worker executes in a sandbox
  ...['claim', 'remittance'],
  // called if a process has ended between two steps
  'finishCommand',
  // called if a claim has no account
  'knownClaims',
  // shows the row that a command writes together with its other rows
  'appendEvents',
]);

const SECTIONS = ['An adjudication', 'A remittance', 'A webhook'] as const;
type Section = (typeof SECTIONS)[number];

interface Link {
  readonly name: string;
  /** The path of the built file. */
  readonly file: string;
}

interface Call {
  readonly name: string;
  readonly atNs: bigint;
}

const page = readFileSync(join(repositoryRoot(), 'docs/walk.md'), 'utf8');

function linksOf(section: Section): Link[] {
  const text = page.split(/^## /m).find((each) => each.startsWith(section)) ?? '';
  return [...text.matchAll(/\[`(\w+)`\]\(\.\.\/([\w./-]+)\.ts\)/g)].map(([, name = '', path = '']) => ({
    name,
    file: `${path.replace('/src/', '/dist/')}.js`,
  }));
}

let folder: string;
let claim: Claim;
/** When the adjudication and the remittance were sent. */
let adjudicatedNs: bigint;
let remittedNs: bigint;

function readCalls(): Call[] {
  const lines = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
  const calls = lines.map((line) => {
    const [ns = '', name = ''] = line.split(' ');
    return { name, atNs: BigInt(ns) };
  });
  return calls.sort((a, b) => Number(a.atNs - b.atNs));
}

/** Returns those of the names whose functions were called after `fromNs`, each after the call of the previous one. */
function calledInOrder(names: readonly string[], fromNs: bigint): string[] {
  const calls = readCalls();
  let afterNs = fromNs;
  return names.filter((name) => {
    const call = calls.find((each) => each.name === name && each.atNs > afterNs);
    if (call !== undefined) afterNs = call.atNs;
    return call !== undefined;
  });
}

/** Returns the functions of a section that its request calls in a process of a service, in the order of the page. */
function wantedIn(section: Section): string[] {
  const names = linksOf(section).map(({ name }) => name);
  return names.filter((name) => !AT_START.has(name) && !NOT_CALLED.has(name));
}

async function untilCalled(name: string, fromNs: bigint): Promise<void> {
  await eventually(`${name} is called`, async () => calledInOrder([name], fromNs).length > 0);
}

beforeAll(async () => {
  const { world } = running;
  await world.client.webhookEndpoints.create({
    url: world.receivers.accepting,
    events: ['claim.approved', 'claim.partially_approved'],
  });
  claim = await world.createSubmittedClaim();
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-walk-'));
  const functions: Record<string, string[]> = {};
  for (const { name, file } of SECTIONS.flatMap(linksOf))
    functions[file] = [...new Set([...(functions[file] ?? []), name])];
  await writeFile(join(folder, 'functions.json'), JSON.stringify(functions));
  await writeFile(join(folder, 'calls'), '');
  const settings = {
    NODE_OPTIONS: `--require "${join(__dirname, '../record-calls.cjs')}"`,
    RECORDED_FUNCTIONS: join(folder, 'functions.json'),
    RECORDED_CALLS: join(folder, 'calls'),
  };
  const services = ['payments', 'claims', 'webhooks', 'gateway'] as const;
  await Promise.all(services.map((service) => running.stack.process(service).restart(settings)));
});
beforeAll(async () => {
  const { world } = running;
  adjudicatedNs = process.hrtime.bigint();
  await world.client.claims.adjudicate(claim.id, world.adjudicationInput());
  // An attempt for an earlier event can end before this event arrives.
  const delivery = wantedIn('A webhook');
  await eventually(
    'the event is delivered',
    async () => calledInOrder(delivery, adjudicatedNs).length === delivery.length,
  );
  remittedNs = process.hrtime.bigint();
  await world.client.remittances.create(
    world.remittanceInput([{ claim_id: claim.id, paid_amount: 300_000 }]),
  );
  await untilCalled('markRecorded', remittedNs);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(SECTIONS)('%s calls the functions of the walk in its order', (section) => {
  const wanted = wantedIn(section);
  expect(wanted.length).toBeGreaterThan(5);
  expect(calledInOrder(wanted, section === 'A remittance' ? remittedNs : adjudicatedNs)).toEqual(wanted);
});

test('what the walk names as a part of a process is called at its start', () => {
  const names = new Set(SECTIONS.flatMap(linksOf).map(({ name }) => name));
  expect([...AT_START, ...NOT_CALLED].filter((name) => !names.has(name))).toEqual([]);
  for (const name of AT_START) expect([name, calledInOrder([name], 0n)]).toEqual([name, [name]]);
});
