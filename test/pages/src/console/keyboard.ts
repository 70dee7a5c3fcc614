/** Uses a page with the keyboard alone. */
import type { Page } from 'playwright-core';
import { type Look, ON_DESKTOP, ON_PHONE } from '../visit';

/** Moves the focus with the key Tab to the element that matches the selector. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isFocused = `document.activeElement?.matches(${JSON.stringify(selector)}) === true`;
  for (let step = 0; step < 200; step++) {
    if (await page.evaluate<boolean>(isFocused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the key Tab does not reach ${selector}`);
}

/** Presses Enter, and waits for the next document. */
export async function enter(page: Page): Promise<void> {
  const loaded = page.waitForEvent('domcontentloaded');
  await page.keyboard.press('Enter');
  await loaded;
}

export const SIZES: readonly (readonly [string, Look])[] = [
  ['desktop', ON_DESKTOP],
  ['phone', ON_PHONE],
];

/**
 * Enters values in the fields of a form, and presses Enter in its button. The value of a list of choices is the text of a choice; the value
 * of a checkbox is `checked`.
 *
 * @param fields the values by the ID of the field
 * @param button selector of the button
 */
export async function submitForm(
  page: Page,
  fields: Readonly<Record<string, string>>,
  button: string,
): Promise<void> {
  for (const [id, value] of Object.entries(fields)) {
    await tabTo(page, `#${id}`);
    const kind = await page
      .locator(`#${id}`)
      .evaluate(({ tagName, type }: HTMLInputElement) => (tagName === 'SELECT' ? 'choices' : type));
    if (kind === 'checkbox') await page.keyboard.press('Space');
    else {
      if (kind !== 'choices') await page.keyboard.press('Control+a');
      await page.keyboard.type(value);
    }
  }
  await tabTo(page, button);
  await enter(page);
}

/** Confirms the effect of an act, which has the focus: the button that executes the act is the next one. */
export async function confirmEffect(page: Page): Promise<void> {
  await page.locator('.effect:focus').waitFor();
  await tabTo(page, '.confirm button.main');
  await enter(page);
}
