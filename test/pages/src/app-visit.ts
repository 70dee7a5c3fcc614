/** Opens MCP Apps in a browser, in a host that follows MCP Apps, and records what they request, call and report. */
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import type { Look } from './visit';

/** The policy of a host for an app that declares no domains. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** A host as a page: an iframe without an origin of its own, and the messages of MCP Apps. */
const HOST = `<!doctype html><html lang="en"><title>Host</title><style>body { margin: 0 } iframe { border: 0; width: 100% }</style>
<iframe id="app" title="App" sandbox="allow-scripts"></iframe><script>
window.received = [];
window.start = ({ html, context, given, result }) => {
  const frame = document.getElementById('app');
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.sendToApp = send;
  window.addEventListener('message', async ({ data, source }) => {
    if (source !== frame.contentWindow) return;
    window.received.push(data);
    const { id, method, params } = data;
    if (method === 'ui/initialize') {
      const hostInfo = { name: 'test', version: '1' };
      send({ id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities: { serverTools: {} }, hostContext: context } });
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: given } });
      send({ method: 'ui/notifications/tool-result', params: result });
    } else if (method === 'ui/notifications/size-changed') {
      frame.style.height = params.height + 'px';
    } else if (method === 'tools/call') {
      send({ id, result: await window.callTool(params) });
    } else if (method !== undefined && id !== undefined) {
      send({ id, error: { code: -32601, message: 'not offered' } });
    }
  });
  frame.srcdoc = html;
};
</script></html>`;

/** Bundles the script of an app from its sources, so that a test never shows that of an earlier build. @param source below the root */
export function bundleApp(source: string, outfile: string): void {
  buildSync({
    entryPoints: [join(__dirname, '../../..', source)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['types'],
    outfile,
  });
}

/** A call of a tool by the app. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, string>;
}

/** What a host shows: the app, and the call of a tool whose result the app receives. */
export interface Shown {
  readonly html: string;
  readonly given: object;
  readonly result: object;
  /** Returns the result of a call by the app. */
  readonly callTool: (call: ToolCall) => object;
}

export interface AppVisit {
  readonly page: Page;
  readonly frame: Frame;
  readonly troubles: string[];
  readonly calls: ToolCall[];
}

async function open(
  browser: Browser,
  look: Look,
  { html, given, result, callTool }: Shown,
): Promise<AppVisit> {
  const { colorScheme, viewport } = look;
  // The host's theme is not that of the system, so that the app must follow the host.
  const system = colorScheme === 'light' ? 'dark' : 'light';
  const context = await browser.newContext({ viewport, colorScheme: system, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const [troubles, calls]: [string[], ToolCall[]] = [[], []];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => troubles.push(`request to ${request.url()}`));
  await page.exposeFunction('callTool', (params: ToolCall) => {
    calls.push(params);
    return callTool(params);
  });
  await page.setContent(HOST);
  const limited = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  const sent = { html: limited, context: { theme: colorScheme, timeZone: 'Africa/Nairobi' }, given, result };
  await page.evaluate(`window.start(${JSON.stringify(sent).replaceAll('</', '<\\/')})`);
  const frame = await (await page.waitForSelector('#app')).contentFrame();
  if (frame === null) throw new Error('the host has no frame');
  return { page, frame, troubles, calls };
}

/** Opens the app in a host for a test, and closes it. */
export async function duringApp(
  browser: Browser,
  look: Look,
  shown: Shown,
  work: (visit: AppVisit) => Promise<void>,
): Promise<void> {
  const visit = await open(browser, look, shown);
  try {
    await work(visit);
  } finally {
    await visit.page.context().close();
  }
}
