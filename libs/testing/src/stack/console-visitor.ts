/** Visits pages of the console over HTTP as a browser without scripts does. */

export type Role = 'viewer' | 'operator' | 'finance' | 'administrator';

export interface Shown {
  readonly status: number;
  readonly url: URL;
  readonly html: string;
  readonly headers: Headers;
}

/** Returns the idempotency key in the form on a page of the console. */
export function keyIn({ html }: Shown): string {
  return /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

/** An HTTP client that follows redirects and keeps cookies, as a browser does. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  get(path: string): Promise<Shown> {
    return this.request(new URL(path, this.origin), {});
  }

  post(
    url: string | URL,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    const body = new URLSearchParams(form);
    return this.request(new URL(url, this.origin), { method: 'POST', body, headers });
  }

  /** Opens a page, and signs in with a role. */
  async signIn(path: string, role: Role): Promise<Shown> {
    const choice = await this.get(path);
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(choice.html) ?? [];
    return this.post(new URL(action, choice.url), { role });
  }

  /** Opens a page and submits its form for `action`, with the hidden fields of the page's forms and the given fields. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Shown> {
    const shown = await this.get(page);
    const answer = await this.post(action, { csrf: this.tokenOf(shown), key: keyIn(shown), ...fields });
    const confirmed = confirmationIn(answer, action);
    return confirmed === null ? answer : this.post(action, confirmed);
  }

  /** Returns a visitor that has only one of this visitor's cookies. */
  withCookie(name: string): Visitor {
    const other = new Visitor(this.origin);
    other.cookies.set(name, this.cookies.get(name) ?? '');
    return other;
  }

  /** Returns the token that protects the forms on a page against requests from other origins. */
  tokenOf({ html }: Shown): string {
    return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  }

  private async request(url: URL, init: RequestInit): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), cookie },
      redirect: 'manual',
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (response.status >= 300 && location !== null) {
      await response.body?.cancel();
      return this.request(new URL(location, url), {});
    }
    return { status: response.status, url, html: await response.text(), headers: response.headers };
  }
}

/** Signs in with a role, and opens a page. */
export async function visitAs(
  origin: string,
  role: Role,
  path = '/',
): Promise<{ visitor: Visitor; shown: Shown }> {
  const visitor = new Visitor(origin);
  return { visitor, shown: await visitor.signIn(path, role) };
}

/** Returns the fields of the form by which a person confirms the effect of an act; null if the page shows no effect. */
export function confirmationIn({ html }: Shown, action: string): Record<string, string> | null {
  const start = html.indexOf(`<form class="confirm" method="post" action="${action}">`);
  if (start < 0) return null;
  const [form = ''] = html.slice(start).split('</form>');
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const unescaped = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  return Object.fromEntries(fields.map(([, name = '', value]) => [name, unescaped(value)]));
}
