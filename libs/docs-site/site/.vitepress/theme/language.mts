/** Shows the language that the reader chose in one group of tabs in all groups of all pages. */
import { onContentUpdated } from 'vitepress';
import { onMounted } from 'vue';

const KEY = 'carecover-language';

/** Returns the language that the reader chose last; null if there is none. */
export const chosenLanguage = () => localStorage.getItem(KEY);

export const chooseLanguage = (language: string) => localStorage.setItem(KEY, language);

/**
 * Returns the language of a tab by its label. JavaScript counts as TypeScript, so that a reader's choice of either applies to programs,
 * which are in JavaScript, and to requests, which are in TypeScript.
 */
const languageOf = (label: Element | null) => label?.textContent?.replace('JavaScript', 'TypeScript') ?? '';

/** Shows the tab of the stored language in every group of tabs with this language. VitePress changes only the group that was clicked. */
function showLanguage(): void {
  const language = chosenLanguage();
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const inputs = [...group.querySelectorAll('input')];
    const index = inputs.findIndex((input) => languageOf(input.nextElementSibling) === language);
    const input = inputs[index];
    if (input === undefined || input.checked) continue;
    input.checked = true;
    const blocks = group.querySelector('.blocks')?.children ?? [];
    for (const [at, block] of [...blocks].entries()) block.classList.toggle('active', at === index);
  }
}

/**
 * Stores the language that the reader chose in a group of tabs, and shows it in all groups. The window scrolls so that the clicked group
 * keeps its position, although the groups above it change their height.
 */
function storeLanguage({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return;
  const top = target.getBoundingClientRect().top;
  chooseLanguage(languageOf(target.nextElementSibling));
  showLanguage();
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Registers the listeners that store and show the reader's language. The theme's layout calls this function in its set-up. */
export function keepLanguage(): void {
  onContentUpdated(showLanguage);
  onMounted(() => document.addEventListener('change', storeLanguage));
}
