/**
 * Changes the Markdown of the pages for the site; the repository's host shows the same Markdown unchanged. Comments for editors are
 * removed. The build fails for a diagram in Mermaid, which the site would show as source: a page has a picture instead. A link to a file outside docs/ leads to the repository if the repository's address is set, and becomes text otherwise.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, ROOT } from './docs-pages';
import { renderExamples, renderPrograms } from './examples';

/** Returns the anchor of a heading, such as `error-codes`. It is the anchor that the repository's host generates for its Markdown pages. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Applies `replace` to the Markdown text outside fenced code blocks. */
function replaceProse(text: string, replace: (prose: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join('');
}

/**
 * Adds to VitePress's Markdown renderer the changes to the pages: examples as tabs, no comments for editors, and links to the repository.
 *
 * @param repositoryUrl the address of the repository's files; if it is undefined, links to files outside docs/ become text
 */
export function configureMarkdown(md: MarkdownRenderer, repositoryUrl: string | undefined): void {
  md.core.ruler.before('normalize', 'carecover', (state) => {
    const { path, realPath } = state.env as { path?: string; realPath?: string };
    const folder = dirname(realPath ?? path ?? ROOT);
    if (/^```mermaid$/m.test(state.src))
      throw new Error(`${realPath ?? path} has a diagram in Mermaid: draw a picture`);
    const prose = (text: string) => renderPrograms(text.replaceAll(/<!--[\s\S]*?-->\n?/g, ''), folder);
    state.src = renderExamples(replaceProse(state.src, prose));
  });

  // VitePress renders a page as a Vue template. Vue would evaluate text in double braces, so `v-pre` marks them as text.
  const renderText = md.renderer.rules.text;
  md.renderer.rules.text = (...args) => {
    const text = renderText?.(...args) ?? md.utils.escapeHtml(args[0][args[1]]?.content ?? '');
    return text.replaceAll('{{', '<span v-pre>{{</span>');
  };

  // A picture is scrolled on a narrow screen, so that its text stays readable.
  const renderImage = md.renderer.rules.image;
  md.renderer.rules.image = (...args) =>
    `<span class="picture" tabindex="0">${renderImage?.(...args) ?? ''}</span>`;

  // A link out of docs/ is replaced before VitePress resolves links between pages.
  md.core.ruler.push('carecover-links', (state) => {
    const { path, realPath } = state.env as { path?: string; realPath?: string };
    // `realPath` is the file in the repository. `path` is the page in the site, where a guide is in another folder.
    const page = realPath ?? path;
    if (page === undefined) return;
    for (const block of state.tokens) {
      const tokens = block.children ?? [];
      const removed: boolean[] = [];
      for (const token of tokens) {
        if (token.type === 'link_close' && removed.pop() === true) token.type = 'text';
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href') ?? '';
        const [file = '', section] = href.split('#');
        if (file === '' || /^([a-z]+:|\/)/.test(href)) {
          removed.push(false);
          continue;
        }
        const target = relative(ROOT, join(dirname(page), file));
        if (target.startsWith('docs/') && file.endsWith('.md')) {
          // Links between pages are absolute, because a page can have another folder in the site.
          const address = addressOf(target.slice('docs/'.length));
          token.attrSet('href', section === undefined ? address : `${address}#${section}`);
          removed.push(false);
          continue;
        }
        if (!existsSync(join(ROOT, target))) throw new Error(`the link ${href} of ${page} has no target`);
        removed.push(repositoryUrl === undefined);
        if (repositoryUrl === undefined) token.type = 'text';
        else token.attrSet('href', `${repositoryUrl}/${target}`);
      }
    }
  });
}
