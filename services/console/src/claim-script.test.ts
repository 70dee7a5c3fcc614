/** Runs the script of the page of a claim with a document that has only what the script uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { eventually } from '@carecover/local/testing';

const SCRIPT = readFileSync(join(__dirname, '../assets/claim.js'), 'utf8');
const PAGE = 'https://console.example/projects/prj_1/claims/clm_1';
const FIRST = Date.parse('2026-01-01T00:00:00Z');
const LAST = Date.parse('2026-04-11T00:00:00Z');
const DAY_MS = 86_400_000;

type Listener = (event: object) => void;

/** An element with the members that the script uses. Like a slider, it keeps its value within its range. */
class Element {
  hidden = true;
  textContent = '';
  dataset: Record<string, string> = {};
  readonly attributes: Record<string, string> = {};
  readonly listeners: Record<string, Listener> = {};
  private current = '';

  constructor(
    readonly min = '',
    readonly max = '',
    readonly action = '',
  ) {}

  get value(): string {
    return this.current;
  }
  set value(text: string) {
    const isRange = this.max !== '';
    this.current = isRange
      ? String(Math.min(Number(this.max), Math.max(Number(this.min), Number(text))))
      : text;
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  addEventListener(name: string, listener: Listener): void {
    this.listeners[name] = listener;
  }
  replaceWith(other: Element): void {
    this.dataset = other.dataset;
  }
}

/** Starts the script in a document at the address. @param response the picture that the server sends; null if it sends none */
function startScript(address: string, response: { readonly summary: string } | null) {
  const slider = new Element(String(FIRST), String(LAST));
  const elements: Record<string, Element> = {
    '#cutoffs': new Element('', '', PAGE),
    '#slider': slider,
    '#at': new Element(),
    '#shown-cutoff': new Element(),
    '#picture': new Element(),
  };
  const picture = new Element();
  picture.dataset = { ...response };
  const requests: string[] = [];
  const addresses: string[] = [];
  slider.value = String(FIRST + 50 * DAY_MS);
  runInNewContext(SCRIPT, {
    document: { querySelector: (name: string) => elements[name] ?? null },
    location: new URL(address),
    history: { replaceState: (_state: null, _title: string, url: URL) => addresses.push(url.href) },
    fetch: async (url: URL) => {
      requests.push(url.href);
      return { text: async () => '' };
    },
    DOMParser: class {
      parseFromString() {
        return {
          querySelector: (name: string) => (name === '#picture' && response !== null ? picture : null),
        };
      }
    },
    URL,
    setTimeout,
  });
  const press = (key: string) =>
    slider.listeners.keydown?.({ key, preventDefault: () => undefined }) ?? undefined;
  return { slider, elements, requests, addresses, press };
}

/** Waits until the script has changed the document. */
const until = (isDone: () => boolean) =>
  eventually('the script has changed the document', async () => isDone());

test('after a rejected form the picture is requested from the page and not from the act', async () => {
  const { slider, requests, addresses } = startScript(`${PAGE}/reversals`, { summary: 'Status settled.' });
  slider.value = String(FIRST);
  slider.listeners.input?.({});
  await until(() => addresses.length > 0);
  expect(requests).toEqual([`${PAGE}?at=2026-01-01T00%3A00%3A00.000Z&part=picture`]);
  expect(addresses).toEqual([`${PAGE}?at=2026-01-01T00%3A00%3A00.000Z`]);
});

test('an arrow key moves the slider by a hundredth of its range, and the other cutoff of the address is kept', async () => {
  const { slider, addresses, press } = startScript(`${PAGE}?compare=x`, { summary: '' });
  press('ArrowLeft');
  expect(Number(slider.value)).toBe(FIRST + 49 * DAY_MS);
  for (const key of ['ArrowRight', 'ArrowUp', 'Tab']) press(key);
  expect(Number(slider.value)).toBe(FIRST + 51 * DAY_MS);
  for (let presses = 0; presses < 100; presses++) press('ArrowUp');
  expect(Number(slider.value)).toBe(LAST);
  await until(() => addresses.includes(`${PAGE}?compare=x&at=2026-04-11T00%3A00%3A00.000Z`));
});

test('a screen reader gets the cutoff as an instant, and the summary of the new picture or the reason of a failure', async () => {
  const summary = 'Status submitted at 2026-02-21 00:00:00.000 UTC.';
  for (const [response, announced] of [
    [{ summary }, summary],
    [null, 'The amounts could not be loaded. '],
  ] as const) {
    const { slider, elements, press } = startScript(PAGE, response);
    press('ArrowRight');
    expect(slider.attributes['aria-valuetext']).toBe('2026-02-21 00:00:00.000 UTC');
    await until(() => elements['#shown-cutoff']?.textContent === announced);
  }
});
