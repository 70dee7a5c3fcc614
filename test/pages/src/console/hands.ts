/**
 * Does a person's work by mouse or by keyboard, and counts clicks and keys. Time is that of the keystroke model (Card, Moran and Newell): it is
 * computed from the counts, and no test asserts a measured time.
 */
import type { Locator, Page } from 'playwright-core';

/** Seconds of the keystroke model: a click with its pointing, a key, and thinking before a page. */
const CLICK_S = 1.1 + 0.2;
const KEY_S = 0.28;
const THINKING_S = 1.35;

const MAX_STOPS = 300;

export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly pages: number;
  readonly seconds: number;
}

export abstract class Hands {
  protected clicks = 0;
  protected keys = 0;
  private pages = 1;

  constructor(readonly page: Page) {}

  /** Activates a control without leaving the page. */
  abstract press(control: Locator): Promise<void>;

  /** Goes to a field, ready to type. */
  protected abstract reach(field: Locator): Promise<void>;

  /** Activates a link or button, and waits for the next page. */
  async follow(control: Locator): Promise<void> {
    await this.nextPage(() => this.press(control));
  }

  /** Replaces what a field contains. */
  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    if ((await field.inputValue()) !== '') await this.key('Control+a');
    await this.typeHere(text);
  }

  /** Chooses in a list by the beginning of its text. */
  async choose(list: Locator, text: string): Promise<void> {
    await this.reach(list);
    await this.typeHere(text);
  }

  /** Sends the form of the field that has the focus, and waits for the next page. */
  async enter(): Promise<void> {
    await this.nextPage(() => this.key('Enter'));
  }

  async key(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async typeHere(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Chooses a file in the dialog of the browser; the dialog counts as one click. */
  async chooseFile(field: Locator, path: string): Promise<void> {
    const dialog = this.page.waitForEvent('filechooser');
    await this.press(field);
    await (await dialog).setFiles(path);
    this.clicks += 1;
  }

  private async nextPage(work: () => Promise<void>): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded');
    await work();
    await loaded;
    this.pages += 1;
  }

  get effort(): Effort {
    const { clicks, keys, pages } = this;
    return { clicks, keys, pages, seconds: clicks * CLICK_S + keys * KEY_S + pages * THINKING_S };
  }
}

export class Mouse extends Hands {
  async press(control: Locator): Promise<void> {
    this.clicks += 1;
    await control.click();
  }

  protected reach(field: Locator): Promise<void> {
    return this.press(field);
  }

  override async choose(list: Locator, text: string): Promise<void> {
    // A list is opened with one click, and its choice is clicked.
    this.clicks += 2;
    await list.selectOption({ label: await labelOf(list, text) });
  }
}

async function labelOf(list: Locator, text: string): Promise<string> {
  const labels = await list.locator('option').allInnerTexts();
  const found = labels.find((label) => label.startsWith(text));
  if (found === undefined) throw new Error(`the list has no choice ${text}`);
  return found;
}

export class Keyboard extends Hands {
  async press(control: Locator): Promise<void> {
    await this.reach(control);
    const isLink = await control.evaluate(({ tagName }: Element) => tagName === 'A');
    await this.key(isLink ? 'Enter' : 'Space');
  }

  /** Moves the focus with the key Tab. */
  protected async reach(control: Locator): Promise<void> {
    const element = await control.elementHandle();
    const isFocused = () =>
      element?.evaluate((each) => each === each.ownerDocument?.activeElement) ?? Promise.resolve(false);
    for (let stops = 0; !(await isFocused()); stops++) {
      if (stops === MAX_STOPS) throw new Error(`the key Tab does not reach ${control}`);
      await this.key('Tab');
    }
  }
}
