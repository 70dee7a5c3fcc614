/**
 * `npm run screenshots`: takes pictures of the console's pages with the journey's data, at the sizes of a desktop, a tablet and a phone and in
 * the light and dark color scheme, into .carecover/screenshots/. Three of the pictures replace the pictures in docs/images/, which README.md and
 * docs/operators/console.md show.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJourney } from '@carecover/local/journey';
import { eventually } from '@carecover/testing/servers';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';
import { LOOKS } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';

const REPOSITORY = join(__dirname, '../../../..');
const FOLDER = join(REPOSITORY, '.carecover/screenshots');
const DOCUMENTED: Readonly<Record<string, string>> = {
  'late-claim-1440px-light.png': 'console-claim.png',
  'today-1440px-dark.png': 'console-today.png',
  'delivery-1440px-light.png': 'console-delivery.png',
};
/** The names of the pictures that were taken. */
const taken = new Set<string>();

let visitor: ConsoleVisitor;
let claimPath: string;
let runPath: string;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { file } = visitor.test.stack;
  const { claimId } = await runJourney(file, { print: () => undefined, verifyLedger: async () => undefined });
  claimPath = `/claims/${claimId}`;
  await createWork();
}, 240_000);
afterAll(async () => {
  receivers?.close();
  await visitor?.stop();
});

function createWorld(clients: ReturnType<typeof createStackClients>): World {
  const { stack, operator, moveClock } = visitor.test;
  const { project_id, secret_key } = stack.file;
  return new World(
    clients.create(secret_key),
    receivers,
    moveClock,
    createEndpointLimiter(operator, project_id),
  );
}

/** Creates resources that wait for a decision or action of a person, which the page Today lists. */
async function createWork(): Promise<void> {
  const clients = createStackClients(visitor.test.stack.file);
  const world = createWorld(clients);
  await world.createEndpoint();
  await world.createEndpoint(receivers.rejecting);
  for (let count = 0; count < 3; count++) await world.createSubmittedClaim();
  for (let count = 0; count < 2; count++) await world.createQueriedClaim();
  await world.createPendingPreauthorization();
  await world.createRemittance();
  await importUnmatchedRow();
  const { id } = await world.client.valuationRuns.create({
    valuation_at: new Date().toISOString(),
    kind: 'development',
    development: { origin: 'service_month', step: 'month', measures: ['billed', 'outstanding'] },
  });
  runPath = `/valuation-runs/${id}`;
  await eventually('the run is ready', async () => {
    return (await world.client.valuationRuns.retrieve(id)).status === 'ready';
  });
  await clients.close();
}

/** Imports a file of one credit that matches no remittance. */
async function importUnmatchedRow(): Promise<void> {
  const { stack, operator } = visitor.test;
  const file = join(stack.home.folder, 'bank.csv');
  const header = 'source_reference,payer_reference,currency,amount,observed_at';
  writeFileSync(file, `${header}\nBANK-2027-0042,unknown,KES,420000,2026-03-16T14:00:00Z\n`);
  await operator('settlements', 'import', file, '--project', stack.file.project_id);
}

/** The pages of which pictures are taken: each has a path in the project, or a selector of a link on the page of the previous picture. */
const VIEWS = (): readonly (readonly [string, { readonly path: string } | { readonly link: string }])[] => [
  ['today', { path: '/today' }],
  ['search', { path: '/search?q=nothing' }],
  ['claims', { path: '/claims' }],
  ['claim', { path: claimPath }],
  ['adjudicate', { path: `${claimPath}/adjudicate` }],
  ['preauthorizations', { path: '/preauthorizations' }],
  ['preauthorization', { link: 'tbody a' }],
  ['remittances', { path: '/remittances' }],
  ['remittance', { link: 'tbody a' }],
  ['bank-files', { path: '/bank-files' }],
  ['unmatched-rows', { path: '/unmatched-rows' }],
  ['unmatched-row', { link: 'tbody a' }],
  ['receivables', { path: '/receivables' }],
  ['outstanding-claims', { link: '.ages td a' }],
  ['valuation-runs', { path: '/valuation-runs' }],
  ['valuation-run', { path: runPath }],
  ['webhooks', { path: '/webhooks' }],
  ['endpoint', { link: 'tbody a' }],
  ['delivery', { link: 'tbody a' }],
  ['settings', { path: '/settings' }],
  ['keys', { path: '/keys' }],
  ['key', { link: 'tbody a' }],
  ['audit-log', { path: '/audit-log' }],
];

test.each(LOOKS)('%s', (name, look) =>
  during(visitor.visit('/', 'administrator', look), async ({ page }) => {
    for (const [view, target] of VIEWS()) {
      if ('path' in target) await page.goto(visitor.origin + visitor.inProject(target.path));
      else await page.locator(target.link).first().click();
      await page.waitForLoadState();
      const file = `${view}-${name.replace(' ', '').replace(', ', '-')}.png`;
      taken.add(file);
      const documented = DOCUMENTED[file];
      const path = join(FOLDER, file);
      await page.screenshot({ path, fullPage: documented === undefined });
      if (documented !== undefined) copyFileSync(path, join(REPOSITORY, 'docs/images', documented));
    }
  }),
);

const DAY_MS = 86_400_000;

/**
 * Creates a claim whose remittance and settlement are recorded weeks after they took effect, and moves the services' clock 117 days ahead.
 * Returns the path of its page with cutoffs before and after the remittance was recorded.
 */
async function createLateClaim(): Promise<string> {
  const clients = createStackClients(visitor.test.stack.file);
  const world = createWorld(clients);
  const { client } = world;
  const start = Date.now();
  const at = (days: number) => new Date(start + days * DAY_MS).toISOString();
  const to = (days: number) => visitor.test.moveClock(days * DAY_MS);
  const { id, lines } = await world.createSubmittedClaim();
  await to(6);
  await client.claims.adjudicate(id, {
    ...world.adjudicationInput(),
    lines: lines.map(({ line_number, amount: billed }) => {
      const [payer, patient] = [(billed * 8) / 10, billed / 10];
      const amount = {
        ...{ billed, allowed: payer + patient, payer },
        ...{ patient_responsibility: patient, adjustment: billed - payer - patient },
      };
      return { line_number, amount, reason_codes: ['fee_schedule'] };
    }),
  });
  const paid = 320_000;
  await to(95);
  const remittance = await client.remittances.create({
    ...world.remittanceInput([{ claim_id: id, paid_amount: paid }]),
    received_at: at(74),
  });
  await to(107);
  await client.settlements.create({
    ...world.settlementInput(remittance.id, paid),
    observed_at: at(81),
  });
  await to(117);
  await clients.close();
  return `/claims/${id}?${new URLSearchParams({ at: at(97), compare: at(90) })}`;
}

// The last pictures, because the clock of the services stays ahead.
describe('a claim with late facts', () => {
  let latePath: string;
  beforeAll(async () => {
    latePath = await createLateClaim();
  }, 120_000);

  test.each(LOOKS)('%s', (name, look) =>
    during(visitor.visit(visitor.inProject(latePath), 'administrator', look), async ({ page }) => {
      await page.waitForLoadState();
      const file = `late-claim-${name.replace(' ', '').replace(', ', '-')}.png`;
      taken.add(file);
      const documented = DOCUMENTED[file];
      const path = join(FOLDER, file);
      await page.screenshot({ path, fullPage: documented === undefined });
      if (documented !== undefined) copyFileSync(path, join(REPOSITORY, 'docs/images', documented));
    }),
  );
});

test('the pictures in docs/images/ were taken', () => {
  expect([...taken]).toEqual(expect.arrayContaining(Object.keys(DOCUMENTED)));
});
