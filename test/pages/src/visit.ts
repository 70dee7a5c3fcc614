/** Opens pages of a running gateway over TLS in a browser, and records their errors. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayFixture } from '@carecover/gateway/testing';
import { certificateIn } from '@carecover/testing/servers';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser';

const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 768, height: 1024 };
export const PHONE = { width: 360, height: 740 };

export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

export const ON_DESKTOP: Look = { viewport: DESKTOP, colorScheme: 'light' };
export const ON_PHONE: Look = { viewport: PHONE, colorScheme: 'light' };

export const LOOKS: readonly (readonly [string, Look])[] = [DESKTOP, TABLET, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map(
    (colorScheme) => [`${viewport.width} px, ${colorScheme}`, { viewport, colorScheme }] as const,
  ),
);

export interface Visit {
  readonly page: Page;
  /** The recorded errors: console messages, script errors, requests to other hosts, and error responses. */
  readonly troubles: readonly string[];
}

export class Visitor {
  private constructor(
    readonly origin: string,
    private readonly browser: Browser,
    private readonly fixture: GatewayFixture,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Visitor> {
    const browser = await launchBrowser();
    const folder = await mkdtemp(join(tmpdir(), 'carecover-pages-'));
    const { leaf, key } = await certificateIn(folder);
    const fixture = await GatewayFixture.start();
    const { port } = await fixture.gateway({ TLS_CERTIFICATE: leaf, TLS_KEY: key });
    return new Visitor(`https://localhost:${port}`, browser, fixture, folder);
  }

  /** Opens a page in a new browser context, and waits until the page is complete. */
  async visit(path: string, look: Look): Promise<Visit> {
    const context = await this.browser.newContext({
      ...look,
      ignoreHTTPSErrors: true,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== this.origin) troubles.push(`request to ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) troubles.push(`${response.status()} of ${response.url()}`);
    });
    await page.goto(this.origin + path, { waitUntil: 'load' });
    if (path.startsWith('/docs/reference')) await page.locator('.opblock').first().waitFor();
    return { page, troubles };
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.fixture.stop();
    await rm(this.folder, { recursive: true });
  }
}

/** Closes the browser context of a visit. */
export function closeVisit({ page }: Visit): Promise<void> {
  return page.context().close();
}

/** Checks a page with axe, and returns the accessibility violations of the given impacts. */
async function findings({ page }: Visit, impacts: readonly string[] | null): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => ${JSON.stringify(impacts)}?.includes(impact) ?? true)
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`);
}

/** Checks a page with axe, and returns all violations. */
export const violations = (visit: Visit) => findings(visit, null);

/** Checks a page with axe, and returns the serious and critical violations. */
export const seriousFindings = (visit: Visit) => findings(visit, ['serious', 'critical']);
