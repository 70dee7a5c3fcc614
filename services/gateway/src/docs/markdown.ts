/**
 * A guide as HTML. Its Markdown stays what a repository's page shows too: links between guides become links between the pages
 * served, pictures become the served assets, and what can be wider than a phone scrolls inside itself.
 */
import { Marked, type Tokens } from 'marked';

export interface Section {
  readonly anchor: string;
  /** HTML. */
  readonly title: string;
}

export interface Guide {
  /** Plain text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** Headings of the second level, in their order. */
  readonly sections: readonly Section[];
}

export interface LinkTargets {
  /** The address of another guide's page by its file name. */
  page(file: string): string | undefined;
  /** Whether an address that a guide names is one of ours, and so becomes a link. */
  isServed(address: string): boolean;
  /** A picture by its path beside the guides. */
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

/** The anchor that a heading of this text gets, as on repository pages. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** A part that scrolls by itself where it is wider than the page, also by keyboard. */
function scrollable(label: string, html: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">${html}</div>\n`;
}

/** @throws TypeError where the text has no heading of the first level */
export function renderGuide(markdown: string, targets: LinkTargets): Guide {
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  let title: string | undefined;

  function anchorFor(text: string): string {
    const base = anchorOf(text);
    const times = taken.get(base) ?? 0;
    taken.set(base, times + 1);
    return times === 0 ? base : `${base}-${times}`;
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
          return `<figure>${scrollable(`Picture: ${image.text}`, picture(image))}</figure>\n`;
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
        return scrollable(label, `<pre><code>${escapeHtml(text)}</code></pre>`);
      },
      table(token) {
        const row = (cells: Tokens.TableCell[], name: 'td' | 'th') =>
          `<tr>${cells.map((cell) => `<${name}${name === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        const head = `<thead>${row(token.header, 'th')}</thead>`;
        const body = `<tbody>${token.rows.map((cells) => row(cells, 'td')).join('\n')}</tbody>`;
        return scrollable(
          `Table: ${token.header.map(({ text }) => text).join(', ')}`,
          `<table>${head}${body}</table>`,
        );
      },
      image: picture,
      // The guides hold no HTML but comments, which are for whoever edits them.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  });
  const html = marked.parse(markdown, { async: false });
  if (title === undefined) throw new TypeError('a guide begins with its title as a heading');
  return { title, html, sections };
}
