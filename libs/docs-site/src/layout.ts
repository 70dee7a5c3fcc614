/** The layout of every page: head, skip link, header, and the list of pages, which is a popover on narrow screens. */
import { escapeHtml, type Section } from './markdown';

export interface NavigationEntry {
  readonly address: string;
  readonly title: string;
}

export interface PageParts {
  readonly title: string;
  readonly address: string;
  /** The page's content, beginning with its title. */
  readonly html: string;
  /** The page's sections, which the list of pages shows below the page's entry. */
  readonly sections: readonly Section[];
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  /** The kind of page, which is also its CSS class. */
  readonly kind: 'guide' | 'reference';
}

export interface SiteLayout {
  readonly navigation: readonly NavigationEntry[];
  readonly icon: string;
}

const NAME = 'Carecover API';

function renderEntry(item: NavigationEntry, page: PageParts): string {
  if (item.address !== page.address)
    return `<li><a href="${item.address}">${escapeHtml(item.title)}</a></li>`;
  const sections = page.sections.map(({ anchor, title }) => `<li><a href="#${anchor}">${title}</a></li>`);
  const list = sections.length === 0 ? '' : `<ul>${sections.join('')}</ul>`;
  return `<li><a href="${item.address}" aria-current="page">${escapeHtml(item.title)}</a>${list}</li>`;
}

/** Returns links to the previous and next page in the order of the list. */
function renderNeighbours(page: PageParts, navigation: readonly NavigationEntry[]): string {
  const index = navigation.findIndex(({ address }) => address === page.address);
  const [previous, next] = [navigation[index - 1], navigation[index + 1]];
  const link = (item: NavigationEntry | undefined, rel: 'prev' | 'next', label: string) =>
    item === undefined
      ? ''
      : `<a class="neighbour" rel="${rel}" href="${item.address}"><span>${label}</span> ${escapeHtml(item.title)}</a>`;
  return `<nav class="neighbours" aria-label="Before and after">${link(previous, 'prev', 'Before')}${link(next, 'next', 'Next')}</nav>`;
}

/** Renders a complete HTML document of a documentation page. */
export function renderPage(page: PageParts, { navigation, icon }: SiteLayout): string {
  const title = page.title === NAME ? NAME : `${page.title} · ${NAME}`;
  const stylesheets = page.stylesheets.map((url) => `<link rel="stylesheet" href="${url}">`);
  const scripts = page.scripts.map((url) => `<script src="${url}" defer></script>`);
  // Swagger UI adds a main element to the reference page.
  const content = page.kind === 'reference' ? 'div' : 'main';
  return `<!doctype html>
<html lang="en" class="${page.kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
${[...stylesheets, ...scripts].join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${navigation[0]?.address ?? ''}">${NAME}</a>
<button type="button" popovertarget="pages">Pages</button>
</header>
<nav id="pages" class="pages" popover aria-label="Pages">
<ul>
${navigation.map((item) => renderEntry(item, page)).join('\n')}
</ul>
</nav>
<${content} id="content" tabindex="-1">
${page.html}${renderNeighbours(page, navigation)}
</${content}>
</body>
</html>
`;
}
