/**
 * The script of the MCP app `ui://carecover/claim-slider`: the picture of a claim's two times in a conversation. It reads valuations by the tool
 * `value_claim`, through the host. It has no network, and calculates no valuation.
 *
 * Failure policy: an error of a tool is shown as the text of the app. The text of the tool's result is enough without the app.
 */
import { type Axis, renderTwoTimes, type Step, type Story } from '.';
import { type Cutoffs, cutoffsOf, instantsOf, storyOf, type Valuation } from './app-story';
import { startTwoTimes } from './interaction';

/** The revision of MCP Apps. */
const PROTOCOL_VERSION = '2026-01-26';
/** How many valuations are read at a time. */
const CONCURRENCY = 4;
/** The most valuations that are read: each counts as a request for the project's limit. */
const MAX_VALUATIONS = 120;

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message?: string };
}

/** What a host sends of a call of a tool. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
}

interface HostContext {
  readonly theme?: string;
  readonly timeZone?: string;
}

/** The host of the app, by messages of JSON-RPC. */
class Host {
  private lastId = 0;
  private readonly pending = new Map<number | string, (message: Message) => void>();

  constructor(private readonly onNotification: (method: string, params: Message['params']) => void) {
    window.addEventListener('message', (event) => {
      if (event.source === window.parent) this.receive(event.data as Message);
    });
  }

  request(method: string, params: object): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(error.message ?? 'The host rejected the request.'));
      });
      this.post({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.post({ method, params });
  }

  private post(message: object): void {
    // The app does not know the origin of its host, and sends nothing that the host does not have.
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  private receive(message: Message): void {
    const { id, method, params } = message ?? {};
    if (method !== undefined && id !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      this.post({
        id,
        ...(isKnown ? { result: {} } : { error: { code: -32_601, message: 'Unknown method' } }),
      });
    } else if (method !== undefined) {
      this.onNotification(method, params);
    } else if (id !== undefined) {
      this.pending.get(id)?.(message);
      this.pending.delete(id);
    }
  }
}

const root = document.createElement('main');
document.body.append(root);

function showText(text: string): void {
  const paragraph = document.createElement('p');
  paragraph.setAttribute('role', 'status');
  paragraph.textContent = text;
  root.replaceChildren(paragraph);
}

let context: HostContext = {};

function apply(changed: HostContext): void {
  context = { ...context, ...changed };
  const { theme } = context;
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
}

/** Returns the time zone of the host, or UTC if the browser does not know it. */
function timeZone(): string {
  const { timeZone: zone = 'UTC' } = context;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    // The browser and the host differ in their zones. Dates in UTC are marked as such.
    return 'UTC';
  }
}

const host = new Host((method, params) => {
  if (method === 'ui/notifications/host-context-changed') apply((params ?? {}) as HostContext);
  if (method === 'ui/notifications/tool-input') showText('Reading the claim…');
  if (method === 'ui/notifications/tool-cancelled') showText('The valuation was cancelled.');
  if (method === 'ui/notifications/tool-result') {
    show((params ?? {}) as ToolResult).catch((error: unknown) =>
      showText(error instanceof Error ? error.message : String(error)),
    );
  }
});

/** @throws Error with the text of the tool's error */
function valuationOf({ isError, content = [], structuredContent }: ToolResult): Valuation {
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  if (isError === true) throw new Error(text);
  return (structuredContent ?? JSON.parse(text)) as Valuation;
}

async function value(claim: string, cutoffs: Cutoffs): Promise<Valuation> {
  const given = { claim_id: claim, ...cutoffs };
  return valuationOf(
    (await host.request('tools/call', { name: 'value_claim', arguments: given })) as ToolResult,
  );
}

/** Reads the valuation of now. If the clock of this device is wrong, it is that of the tool's result. */
async function valueNow(shown: Valuation): Promise<Valuation> {
  const now = Date.now();
  if (now <= Date.parse(shown.valuation_at)) return shown;
  return value(shown.claim_id, { valuation_at: new Date(now).toISOString() }).catch(() => shown);
}

/** Returns null for the error of a cutoff at which the claim did not exist. @throws other errors */
function ifUnknown(error: unknown): null {
  if (error instanceof Error && error.message.startsWith('resource_not_found')) return null;
  throw error;
}

/** Reads the steps of an axis. @param count is called after each valuation */
async function readSteps(latest: Valuation, axis: Axis, count: () => void): Promise<Step[]> {
  const instants = instantsOf(latest, axis);
  const steps: Step[] = [];
  for (let index = 0; index < instants.length; index += CONCURRENCY) {
    const read = instants.slice(index, index + CONCURRENCY).map(async (at) => {
      const cutoffs = cutoffsOf(axis, at, latest.valuation_at);
      const valued = await value(latest.claim_id, cutoffs).catch(ifUnknown);
      count();
      return valued === null ? [] : [{ at, status: valued.status, amount: valued.amount }];
    });
    steps.push(...(await Promise.all(read)).flat());
  }
  return steps;
}

async function readStory(shown: Valuation): Promise<Story> {
  const latest = await valueNow(shown);
  const total = instantsOf(latest, 'known_then').length + instantsOf(latest, 'known_now').length;
  if (total > MAX_VALUATIONS)
    throw new Error(
      `The claim has ${latest.events.length} facts, too many for this picture. The console shows it.`,
    );
  let read = 0;
  const count = () => {
    read += 1;
    showText(`Reading the valuations of the claim: ${read} of ${total}.`);
  };
  const knownThen = await readSteps(latest, 'known_then', count);
  const knownNow = await readSteps(latest, 'known_now', count);
  return storyOf(latest, knownThen, knownNow, timeZone());
}

/** Shows the picture with cutoff A at that of the tool's result. */
async function show(result: ToolResult): Promise<void> {
  const shown = valuationOf(result);
  const story = await readStory(shown);
  const view = { at: Date.parse(shown.valuation_at), other: null, axis: 'known_then' as const };
  root.innerHTML = `<h1></h1>${renderTwoTimes(story, view, { address: '#' })}`;
  const heading = root.querySelector('h1');
  if (heading !== null) heading.textContent = `Claim ${shown.claim_id}`;
  const component = root.querySelector<HTMLElement>('#two-times');
  if (component !== null) startTwoTimes(component, 'app');
}

async function connect(): Promise<void> {
  const answer = (await host.request('ui/initialize', {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'carecover-claim-slider', title: 'Two times of a claim', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  })) as { readonly hostContext?: HostContext };
  apply(answer.hostContext ?? {});
  host.notify('ui/notifications/initialized', {});
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    host.notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(document.documentElement);
}

showText('Connecting…');
connect().catch((error: unknown) => showText(error instanceof Error ? error.message : String(error)));
