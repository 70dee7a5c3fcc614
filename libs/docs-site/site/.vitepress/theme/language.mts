/** Shows the language that the reader chose in one group of tabs in all groups of all pages. */
import { onContentUpdated } from 'vitepress';
import { onMounted } from 'vue';

const KEY = 'carecover-language';

/** Programs are in JavaScript, and single requests are valid in JavaScript and TypeScript. */
const languageOf = (label: Element | null) => label?.textContent?.replace('JavaScript', 'TypeScript') ?? '';

/** Shows the tab of the stored language in every group that has one. VitePress changes only the group that was clicked. */
function showLanguage(): void {
  const language = localStorage.getItem(KEY);
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

/** Stores a choice. The chosen group keeps its position in the window, although the groups above it change their height. */
function storeLanguage({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return;
  const top = target.getBoundingClientRect().top;
  localStorage.setItem(KEY, languageOf(target.nextElementSibling));
  showLanguage();
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
}

/** Registers both functions; the layout calls it in its set-up. */
export function keepLanguage(): void {
  onContentUpdated(showLanguage);
  onMounted(() => document.addEventListener('change', storeLanguage));
}
