/**
 * Renders a guide as HTML. The same Markdown also renders on repository pages: links between guides become links between served pages,
 * pictures become served assets, and content that can be wider than a phone has a scrollable region.
 */
import { Marked, type Tokens } from 'marked';

export interface Section {
  readonly anchor: string;
  /** The text of the heading as HTML. */
  readonly title: string;
}

export interface Guide {
  /** The text of the guide's first heading, without markup. */
  readonly title: string;
  readonly html: string;
  /** One section per heading of the second level, in order. */
  readonly sections: readonly Section[];
}

export interface LinkTargets {
  /** Returns the address of another guide's page by its file name. */
  page(file: string): string | undefined;
  /** Returns whether the gateway serves this address. A code span with such an address becomes a link. */
  isServed(address: string): boolean;
  /** Returns the picture with this path relative to the guides; undefined if there is none. */
  picture(
    path: string,
  ): { readonly url: string; readonly width: number; readonly height: number } | undefined;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns the anchor of a heading: the same anchor as on the pages of the code repository. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Wraps HTML in a region that scrolls, also by keyboard, if it is wider than the page. */
function wrapScrollable(label: string, html: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${html}</div>\n`;
}

/** Renders a guide. @throws TypeError if the text has no heading of the first level */
export function renderGuide(markdown: string, targets: LinkTargets): Guide {
  const sections: Section[] = [];
  const anchorCounts = new Map<string, number>();
  let title: string | undefined;

  function anchorFor(text: string): string {
    const base = anchorOf(text);
    const count = anchorCounts.get(base) ?? 0;
    anchorCounts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  }

  function address(href: string): string {
    const [file = '', fragment] = href.split('#');
    const page = targets.page(file);
    if (page === undefined) return href;
    return fragment === undefined ? page : `${page}#${fragment}`;
  }

  function picture({ href, text }: Tokens.Image): string {
    const found = targets.picture(href);
    const source = found === undefined ? href : found.url;
    const size = found === undefined ? '' : ` width="${found.width}" height="${found.height}"`;
    return `<img src="${escapeHtml(source)}" alt="${escapeHtml(text)}"${size}>`;
  }

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens);
        if (depth === 1) {
          title ??= text.replaceAll('`', '');
          return `<h1>${html}</h1>\n`;
        }
        const anchor = anchorFor(text);
        if (depth === 2) sections.push({ anchor, title: html });
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${html}</a></h${depth}>\n`;
      },
      paragraph({ tokens }) {
        const [only, ...others] = tokens;
        if (only?.type === 'image' && others.length === 0) {
          const image = only as Tokens.Image;
          return `<figure>${wrapScrollable(`Picture: ${image.text}`, picture(image))}</figure>\n`;
        }
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(address(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        return targets.isServed(text) ? `<a href="${text}">${code}</a>` : code;
      },
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ');
        const label = language === '' ? 'Example' : `Example, ${language}`;
        return wrapScrollable(label, `<pre><code>${escapeHtml(text)}</code></pre>`);
      },
      table(token) {
        const row = (cells: Tokens.TableCell[], name: 'td' | 'th') =>
          `<tr>${cells.map((cell) => `<${name}${name === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        const head = `<thead>${row(token.header, 'th')}</thead>`;
        const body = `<tbody>${token.rows.map((cells) => row(cells, 'td')).join('\n')}</tbody>`;
        return wrapScrollable(
          `Table: ${token.header.map(({ text }) => text).join(', ')}`,
          `<table>${head}${body}</table>`,
        );
      },
      image: picture,
      // The guides contain no HTML except comments, which are not rendered. Other HTML is shown as text.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  });
  const html = marked.parse(markdown, { async: false });
  if (title === undefined) throw new TypeError('a guide must begin with a heading of the first level');
  return { title, html, sections };
}
