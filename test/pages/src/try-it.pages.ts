/** Sends requests to a running sandbox from the API reference, as a reader does. */
import { startTestStack, type TestStack } from '@carecover/testing/servers';
import { createStackClients } from '@carecover/testing/stack';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from './browser';
import { LOOKS, seriousFindings } from './visit';

let browser: Browser;
let running: TestStack;
let clients: ReturnType<typeof createStackClients>;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  running = await startTestStack();
  clients = createStackClients(running.stack.file);
}, 180_000);
afterAll(async () => {
  await clients?.close();
  await running?.stop();
  await browser?.close();
}, 180_000);
beforeEach(async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  page = await context.newPage();
  await page.goto(`${new URL(running.stack.file.base_url).origin}/docs/reference`);
  await page.locator('.opblock').first().waitFor();
  await page.getByText('Try it against the sandbox').click();
});
afterEach(() => page.context().close());

async function createToken(): Promise<string> {
  const client = clients.create(running.stack.file.secret_key);
  const { token } = await client.tokens.create({ scopes: ['*'], expires_in: 600 });
  return token;
}

async function enterToken(token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.keyboard.press('Enter');
}

/** Opens an operation in the API reference, and presses "Try it out", so that its form can be filled in and sent. */
async function openOperation(id: string): Promise<Locator> {
  const operation = page.locator(`[id$="-${id}"]`);
  await operation.locator('button').first().click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  return operation;
}

/** Presses "Execute", and returns the status and the body of the response that the page then shows. */
async function execute(operation: Locator): Promise<{ status: string; body: string }> {
  const answered = page.waitForResponse((response) => response.url().includes('/v1/'));
  await operation.getByRole('button', { name: 'Execute' }).click();
  await answered;
  const shown = operation.locator('.live-responses-table .response');
  return {
    status: (await shown.locator('.response-col_status').innerText()).trim(),
    body: await shown.locator('.response-col_description').innerText(),
  };
}

test('without a token nothing can be sent, and a secret key is not accepted as one', async () => {
  for (const typed of ['', running.stack.file.secret_key, 'pt_live_token']) {
    if (typed !== '') await enterToken(typed);
    await page.goto(`${page.url().split('#')[0]}#/Claims/listClaims`);
    expect(await page.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('');
  }
  expect(await page.locator('#token output').textContent()).toContain('begins with pt_test_');
});

test('a read and two writes succeed, and the token is stored nowhere', async () => {
  const token = await createToken();
  await enterToken(token);
  const read = await execute(await openOperation('listPractitioners'));
  expect([read.status, read.body.includes('"object": "practitioner"')]).toEqual(['200', true]);

  const write = await openOperation('createWebhookEndpoint');
  for (const path of ['first', 'second']) {
    const body = { url: `https://receiver.example.com/${path}`, events: ['claim.submitted'] };
    await write.locator('textarea.body-param__text').fill(JSON.stringify(body));
    const { status, body: shown } = await execute(write);
    expect([path, status, shown.includes(path)]).toEqual([path, '201', true]);
  }
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  );
  expect(stored).not.toContain(token);
});

test('an error response is shown as the API returned it', async () => {
  await enterToken(await createToken());
  const operation = await openOperation('getClaim');
  await operation.locator('.parameters input').first().fill('clm_00000000000070008000000000000000');
  const { status, body } = await execute(operation);
  expect([status, body.includes('"code"')]).toEqual(['404', true]);
});

test.each(LOOKS)(
  'on %s: an operation that is being sent has no horizontal scrolling and no serious axe findings',
  async (_name, { viewport, colorScheme }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await enterToken(await createToken());
    await execute(await openOperation('listPractitioners'));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await seriousFindings({ page, troubles: [] })).toEqual([]);
  },
);
