/**
 * What every MCP app does: the messages to and from its host, the host's theme and time zone, and a text where no picture can be shown. An app
 * has no network: it reads by the tools of its server, through its host.
 *
 * Failure policy: an error of a tool, of the host or of the picture is shown as the text of the app. The text of the tool's result is enough
 * without the app.
 */

/** The revision of MCP Apps. */
const PROTOCOL_VERSION = '2026-01-26';

/** What an app can do in its host. */
export interface App {
  /** The element with the content of the page. */
  readonly root: HTMLElement;
  /** Shows a text in place of the content. */
  readonly showText: (text: string) => void;
  /** Returns the time zone of the host, or UTC if the browser does not know it. */
  readonly timeZone: () => string;
  /** Calls a tool of the app's server. @throws Error with the text of the tool's error */
  readonly callTool: (name: string, given: object) => Promise<unknown>;
}

export interface AppDefinition {
  /** The name of the app for its host, in ASCII. */
  readonly name: string;
  readonly title: string;
  /** The text while the tool is executed. */
  readonly reading: string;
  /** The text after the call of the tool was cancelled. */
  readonly cancelled: string;
  /**
   * Shows the result of the tool.
   *
   * @param isCurrent returns false as soon as another result is shown, or the app ends
   */
  readonly show: (app: App, result: unknown, isCurrent: () => boolean) => Promise<void>;
}

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

  constructor(
    private readonly onNotification: (method: string, params: Message['params']) => void,
    private readonly onEnd: () => void,
  ) {
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
      const isEnd = method === 'ui/resource-teardown';
      if (isEnd) this.onEnd();
      const isKnown = method === 'ping' || isEnd;
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

/** Returns the content of a result. @throws Error with the text of the tool's error */
function contentOf({ isError, content = [], structuredContent }: ToolResult): unknown {
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  if (isError === true) throw new Error(text);
  return structuredContent ?? JSON.parse(text);
}

/**
 * Starts the app in its host.
 *
 * @example startApp({ name: 'carecover-triangle', title: 'Triangle', reading: 'Reading…', cancelled: 'Cancelled.', show })
 */
export function startApp({ name, title, reading, cancelled, show }: AppDefinition): void {
  const root = document.createElement('main');
  document.body.append(root);
  let context: HostContext = {};
  /** The number of the result that is shown. */
  let current = 0;

  function showText(text: string): void {
    const paragraph = document.createElement('p');
    paragraph.setAttribute('role', 'status');
    paragraph.textContent = text;
    root.replaceChildren(paragraph);
  }

  function showError(error: unknown): void {
    showText(error instanceof Error ? error.message : String(error));
  }

  function apply(changed: HostContext): void {
    context = { ...context, ...changed };
    const { theme } = context;
    if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
  }

  function timeZone(): string {
    const { timeZone: zone = 'UTC' } = context;
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
      return zone;
    } catch {
      // The browser does not know the host's time zone.
      return 'UTC';
    }
  }

  async function showResult(result: ToolResult): Promise<void> {
    current += 1;
    const own = current;
    const isCurrent = () => own === current;
    try {
      await show(app, contentOf(result), isCurrent);
    } catch (error) {
      if (isCurrent()) showError(error);
    }
  }

  const host = new Host(
    (method, params) => {
      if (method === 'ui/notifications/host-context-changed') apply((params ?? {}) as HostContext);
      if (method === 'ui/notifications/tool-input') showText(reading);
      if (method === 'ui/notifications/tool-cancelled') showText(cancelled);
      if (method === 'ui/notifications/tool-result') void showResult((params ?? {}) as ToolResult);
    },
    () => {
      current += 1;
    },
  );
  const app: App = {
    root,
    showText,
    timeZone,
    callTool: async (tool, given) =>
      contentOf((await host.request('tools/call', { name: tool, arguments: given })) as ToolResult),
  };

  async function connect(): Promise<void> {
    const answer = (await host.request('ui/initialize', {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name, title, version: '1.0.0' },
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
  connect().catch(showError);
}
