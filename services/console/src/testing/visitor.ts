/** A signed-in person in a test: reads pages of the console, and sends and confirms their forms. */
import { type OperationId, operations } from '@carecover/contract';
import type { ConsoleFixture } from './console-fixture';

export const UNAVAILABLE = [
  503,
  { error: { code: 'service_unavailable', message: 'It is unavailable.' } },
] as const;

export const REJECTED = [
  409,
  { error: { code: 'invalid_state', message: 'The state does not allow this.' } },
] as const;

/** Returns the example of an operation's response in the contract. */
export const exampleOf = (id: OperationId): object =>
  Reflect.get(operations[id].success[0].schema, 'examples')[0];

interface Visited {
  readonly status: number;
  readonly html: string;
}

export class Visitor {
  private constructor(
    private readonly fixture: ConsoleFixture,
    /** The cookie of the session. */
    public session: string,
  ) {}

  /** Signs in an administrator. */
  static async signIn(fixture: ConsoleFixture, roles = ['administrator']): Promise<Visitor> {
    return new Visitor(fixture, await fixture.sessionOf({ sub: '17', roles }));
  }

  /** Reads a page. Fails if Enter in one of its forms does something else than the form's main act, or if two elements have the same ID. */
  async read(path: string, init: RequestInit = {}): Promise<Visited> {
    const response = await this.fixture.request(path, this.session, init);
    const html = await response.text();
    expect([path, formsWithOtherDefault(html), repeatedIds(html)]).toEqual([path, [], []]);
    return { status: response.status, html };
  }

  /** Sends a form of the page. A field with several values is an array. */
  async post(path: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Visited> {
    const { html } = await this.read('/');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf });
    for (const [name, values] of Object.entries({ key: 'k', ...fields }))
      for (const value of [values].flat()) body.append(name, value);
    return this.read(path, { method: 'POST', body });
  }

  /** Sends a form whose effect is shown first, and confirms the effect. */
  async confirm(path: string, fields: Readonly<Record<string, string>>) {
    const shown = await this.post(path, fields);
    expect([path, shown.status]).toEqual([path, 200]);
    const { csrf: _, ...confirmed } = hiddenFields(shown.html, path);
    return { shown, confirmed, ...(await this.post(path, confirmed)) };
  }
}

/** Returns the hidden fields of the form of an act on a page. */
export function hiddenFields(html: string, path: string): Record<string, string> {
  const form = html.slice(html.indexOf(`method="post" action="${path}"`)).split('</form>')[0] ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const unescaped = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  return Object.fromEntries(fields.map(([, name = '', value]) => [name, unescaped(value)]));
}

/** Returns the IDs that more than one element of a page has: a label would name only the first, and a link lead only there. */
export function repeatedIds(html: string): string[] {
  const ids = [...html.matchAll(/<[^>]*\sid="([^"]*)"/g)].map(([, id = '']) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/**
 * Finds the forms of a page in which Enter does something else than the main act. HTML lets Enter in a field press the first submit button of the
 * form, so that must have the name and the value of the button with the class `main`, or be the only one.
 *
 * @returns the actions of these forms
 */
export function formsWithOtherDefault(html: string): string[] {
  const outside = [...html.matchAll(/<button[^>]*\sform="[^>]*>/g)].map(([button]) => button);
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].flatMap(([, attributes = '', content = '']) => {
    const buttons = [...content.matchAll(/<(?:button|input[^>]*type="(?:submit|image)")[^>]*>/g)]
      .map(([button]) => button)
      .filter((button) => !/type="button"/.test(button) && !outside.includes(button));
    const actOf = (button = '') => /name="[^"]*" value="[^"]*"/.exec(button)?.[0];
    const mains = buttons.filter((button) => /class="main"/.test(button));
    const isMain = mains.length === 1 && actOf(buttons[0]) === actOf(mains[0]);
    return buttons.length < 2 || isMain ? [] : [/action="([^"]*)"/.exec(attributes)?.[1] ?? ''];
  });
}
