import { runJourney } from '@carecover/local/journey';
import { createStackClients, type Receiver, startReceiver } from '@carecover/testing/stack';
import type { Page } from 'playwright-core';
import { LOOKS, ON_DESKTOP, violations } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';
import { confirmEffect, enter, SIZES, tabTo } from './keyboard';

let visitor: ConsoleVisitor;
let endpointId: string;
let activeId: string;
let eventId: string;
let receiver: Receiver;
let keyId: string;
/** The ID of a project whose time is simulated. */
let simulated: string;

beforeAll(async () => {
  visitor = await ConsoleVisitor.start();
  const { file } = visitor.test.stack;
  await runJourney(file, { print: () => undefined, verifyLedger: async () => undefined });
  await during(visitor.visit(visitor.inProject('/webhooks'), 'viewer'), async ({ page }) => {
    const idOfFirst = async () =>
      (await page.locator('tbody a').first().getAttribute('href'))?.split('/').at(-1) ?? '';
    endpointId = await idOfFirst();
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Webhook endpoint' }).waitFor();
    eventId = await idOfFirst();
  });
  receiver = await startReceiver(() => undefined);
  const clients = createStackClients(file);
  const { webhookEndpoints } = clients.create(file.secret_key);
  ({ id: activeId } = await webhookEndpoints.create({ url: receiver.url, events: ['claim.submitted'] }));
  await clients.close();
  const keys = await visitor.test.operator<{ id: string }[]>('keys', 'list', '--project', file.project_id);
  keyId = keys[0]?.id ?? '';
  const created = await visitor.test.operator<{ project_id: string }>(
    ...['projects', 'create', 'A year in a minute', '--environment', 'sandbox'],
    ...['--clock', 'simulated', '--now', '2025-01-01T00:00:00Z'],
  );
  simulated = created.project_id;
});
afterAll(async () => {
  receiver?.close();
  await visitor?.stop();
});

const paths = (): Readonly<Record<string, string>> => ({
  projects: '/',
  webhooks: visitor.inProject('/webhooks'),
  endpoint: visitor.inProject(`/webhooks/${endpointId}`),
  'active endpoint': visitor.inProject(`/webhooks/${activeId}`),
  delivery: visitor.inProject(`/webhooks/${endpointId}/deliveries/${eventId}`),
  settings: visitor.inProject('/settings'),
  keys: visitor.inProject('/keys'),
  key: visitor.inProject(`/keys/${keyId}`),
  'audit log': visitor.inProject('/audit-log'),
  clock: `/projects/${simulated}/clock`,
});

async function forEachPage(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  for (const [name, path] of Object.entries(paths())) {
    const response = await page.goto(visitor.origin + path);
    expect([name, response?.status()]).toEqual([name, 200]);
    await check(name);
  }
}

test.each(LOOKS)('axe finds no violation on any page, and no page scrolls sideways (%s)', (_name, look) =>
  during(visitor.visit('/', 'administrator', look), async (visit) => {
    await forEachPage(visit.page, async (name) => {
      expect([name, await violations(visit)]).toEqual([name, []]);
      const width = await visit.page.evaluate('document.documentElement.scrollWidth');
      expect([name, Number(width) <= look.viewport.width]).toEqual([name, true]);
    });
    expect(visit.troubles).toEqual([]);
  }),
);

test('each page has at most 60 kB compressed, with its stylesheet and scripts', () =>
  during(visitor.visit('/', 'administrator', ON_DESKTOP), ({ page }) =>
    forEachPage(page, async (name) => {
      const bytes = Number(
        await page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`),
      );
      expect([name, bytes > 1_000 && bytes <= 60_000, bytes]).toEqual([name, true, bytes]);
    }),
  ));

describe.each(SIZES)('with the keyboard alone (%s)', (_name, look) => {
  test('an operator sends a test event, and the event again', () =>
    during(visitor.visit(visitor.inProject(`/webhooks/${activeId}`), 'operator', look), async (visit) => {
      const { page, troubles } = visit;
      await tabTo(page, 'form[action$="/test"] button');
      await enter(page);
      await expect(page.locator('h1').innerText()).resolves.toBe('Delivery of sandbox.ping');
      const address = page.url();
      await tabTo(page, 'form[action$="/redeliver"] button');
      await enter(page);
      expect([page.url(), troubles]).toEqual([address, []]);
    }));

  test('an operator recovers a period; a rejected form says why and keeps its values', () =>
    during(visitor.visit(visitor.inProject(`/webhooks/${activeId}`), 'operator', look), async ({ page }) => {
      await tabTo(page, '#since');
      await page.keyboard.type('last week');
      await enter(page);
      await page.getByRole('alert').waitFor();
      await expect(page.locator('#since').inputValue()).resolves.toBe('last week');
      await tabTo(page, '#since');
      await page.keyboard.press('Control+a');
      await page.keyboard.type(new Date(Date.now() - 3_600_000).toISOString());
      await enter(page);
      expect(page.url()).toBe(visitor.origin + visitor.inProject(`/webhooks/${activeId}`));
      expect(await page.getByRole('alert').count()).toBe(0);
    }));

  test('an administrator creates a key, sees its secret once, rotates it and revokes it', () =>
    during(visitor.visit(visitor.inProject('/keys'), 'administrator', look), async ({ page, troubles }) => {
      await tabTo(page, '#name');
      await page.keyboard.type(`Reports (${_name})`);
      await tabTo(page, 'input[value="claims:read"]');
      await page.keyboard.press('Space');
      await tabTo(page, 'form[action$="/keys"] button');
      await enter(page);
      const secret = await page.locator('.secret code').innerText();
      expect(secret).toMatch(/^sk_/);
      await tabTo(page, 'main a');
      await enter(page);
      expect(await page.content()).not.toContain(secret);
      await tabTo(page, 'form[action$="/rotations"] button');
      await enter(page);
      await confirmEffect(page);
      await expect(page.locator('.secret code').innerText()).resolves.not.toBe(secret);
      await tabTo(page, 'main a');
      await enter(page);
      await tabTo(page, 'form[action$="/revocations"] button');
      await enter(page);
      await confirmEffect(page);
      await page.locator('.status.revoked').waitFor();
      expect([await page.locator('main form').count(), troubles]).toEqual([0, []]);
    }));

  test('an administrator changes a setting', () =>
    during(visitor.visit(visitor.inProject('/settings'), 'administrator', look), async ({ page }) => {
      await tabTo(page, '#rate_limit_per_minute');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('654321');
      await enter(page);
      await expect(page.locator('#rate_limit_per_minute').inputValue()).resolves.toBe('654321');
    }));
});

test('without JavaScript, an administrator moves the clock to a typed day after seeing what is due, and its pages have its time', () =>
  during(
    visitor.visit(`/projects/${simulated}/clock`, 'administrator', ON_DESKTOP, false),
    async ({ page, troubles }) => {
      await page.getByLabel('Move the clock to').fill('1 Mar 2025');
      await page.getByRole('button', { name: 'Move…', exact: true }).click();
      await page.getByText('Nothing is due until then.').waitFor();
      await page.getByRole('button', { name: 'Move the clock' }).click();
      await page.getByText('The clock was moved: 0 due items executed.').waitFor();
      await page.goto(`${visitor.origin}/projects/${simulated}/receivables`);
      expect(await page.locator('header .clock').innerText()).toMatch(/2025-03-01 00:00:00 UTC\s+ready/);
      expect(await page.locator('main').innerText()).toContain('2025-03-01 00:00:00');
      await page.goto(`${visitor.origin}/projects/${simulated}/audit-log`);
      expect(await page.locator('main').innerText()).toContain('clock.advance');
      expect(troubles).toEqual([]);
    },
  ));
