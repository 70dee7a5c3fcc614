/** Opens pages of the console of a test stack in a browser, as people with different roles. */
import { startTestStack, type TestStack } from '@carecover/testing/servers';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser';
import { closeVisit, type Look, ON_DESKTOP, type Visit } from '../visit';

export type Role = 'viewer' | 'operator' | 'finance' | 'administrator';

export class ConsoleVisitor {
  private constructor(
    readonly test: TestStack,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<ConsoleVisitor> {
    const [test, browser] = await Promise.all([startTestStack({ console: true }), launchBrowser()]);
    return new ConsoleVisitor(test, browser);
  }

  get origin(): string {
    return this.test.stack.file.console_url;
  }

  /** Returns the path of a page in the project of the stack. */
  inProject(path: string): string {
    return `/projects/${this.test.stack.file.project_id}${path}`;
  }

  /** Opens a page without a session, in a new browser context. */
  async open(path: string, look: Look = ON_DESKTOP, javaScriptEnabled = true): Promise<Visit> {
    const context = await this.browser.newContext({ ...look, reducedMotion: 'reduce', javaScriptEnabled });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => {
      const isTrouble = message.type() === 'error' || message.type() === 'warning';
      // Only errors of the console's pages are recorded, not errors of the identity provider's pages.
      if (isTrouble && message.location().url.startsWith(this.origin)) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(String(error)));
    await page.goto(this.origin + path);
    return { page, troubles };
  }

  /** Signs in at the identity provider with a role, and opens a page of the console. */
  async visit(path: string, role: Role, look: Look = ON_DESKTOP, javaScriptEnabled = true): Promise<Visit> {
    const visit = await this.open(path, look, javaScriptEnabled);
    await visit.page.locator(`button[value="${role}"]`).click();
    await visit.page.locator('form.person').waitFor();
    return visit;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.test.stop();
  }
}

/** Runs `work` with a page that is open in the browser, and closes the page afterwards. */
export async function during<T>(opening: Promise<Visit>, work: (visit: Visit) => Promise<T>): Promise<T> {
  const visit = await opening;
  try {
    return await work(visit);
  } finally {
    await closeVisit(visit);
  }
}
