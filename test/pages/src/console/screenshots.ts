/**
 * `npm run screenshots`: takes pictures of the console's pages with the journey's data, at the sizes of a desktop, a tablet and a phone and in
 * the light and dark color scheme, into .carecover/screenshots/. Three of the pictures replace the pictures in docs/images/, which README.md and
 * docs/operators/console.md show.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runJourney } from '@carecover/local/journey';
import { eventually } from '@carecover/local/testing';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/test-support';
import { LOOKS } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';

const REPOSITORY = join(__dirname, '../../../..');
const FOLDER = join(REPOSITORY, '.carecover/screenshots');
const DOCUMENTED: Readonly<Record<string, string>> = {
  'claim-1440px-light.png': 'console-claim.png',
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

/** Creates resources that wait for a decision or action of a person, which the page Today lists. */
async function createWork(): Promise<void> {
  const { stack, operator, moveClock } = visitor.test;
  const { project_id, secret_key } = stack.file;
  const clients = createStackClients(stack.file);
  const limitEndpoints = createEndpointLimiter(operator, project_id);
  const world = new World(clients.create(secret_key), receivers, moveClock, limitEndpoints);
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
  ['unmatched-rows', { path: '/unmatched-rows' }],
  ['unmatched-row', { link: 'tbody a' }],
  ['receivables', { path: '/receivables' }],
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

test('the pictures in docs/images/ were taken', () => {
  expect([...taken]).toEqual(expect.arrayContaining(Object.keys(DOCUMENTED)));
});
