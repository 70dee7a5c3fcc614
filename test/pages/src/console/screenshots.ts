/**
 * `npm run screenshots`: takes pictures of the console's pages with the journey's data, at desktop and phone size and in the light and
 * dark color scheme, into .carecover/screenshots/. Three of the pictures replace the pictures in docs/images/, which README.md and
 * docs/operators/console.md show.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runJourney } from '@carecover/local/journey';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/test-support';
import { LOOKS } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';

const REPOSITORY = join(__dirname, '../../../..');
const FOLDER = join(REPOSITORY, '.carecover/screenshots');
const DOCUMENTED: Readonly<Record<string, string>> = {
  'claim-desktop-light.png': 'console-claim.png',
  'today-desktop-dark.png': 'console-today.png',
  'delivery-desktop-light.png': 'console-delivery.png',
};

let visitor: ConsoleVisitor;
let claimPath: string;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { file } = visitor.test.stack;
  const { claimId } = await runJourney(file, { print: () => undefined, verifyLedger: async () => undefined });
  claimPath = `/claims/${claimId}`;
  await createWork();
});
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
  await clients.close();
}

/** The pages to take pictures of: each by its path in the project, or by a link on the previous page. */
const VIEWS = (): readonly (readonly [string, { readonly path: string } | { readonly link: string }])[] => [
  ['today', { path: '/today' }],
  ['search', { path: '/search?q=nothing' }],
  ['claims', { path: '/claims' }],
  ['claim', { path: claimPath }],
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
      const file = `${view}-${name.replace(', ', '-')}.png`;
      const documented = DOCUMENTED[file];
      const path = join(FOLDER, file);
      await page.screenshot({ path, fullPage: documented === undefined });
      if (documented !== undefined) copyFileSync(path, join(REPOSITORY, 'docs/images', documented));
    }
  }),
);
