/** Finds the pages under docs/, their addresses and the order in which the navigation lists them. No page is listed by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { operationTags } from '@carecover/contract';

/** The root of the repository. Its path relative to `src` and to `dist` is the same. */
export const ROOT = join(__dirname, '../../..');
export const DOCS = join(ROOT, 'docs');

/** The title of each folder in the list of pages. Pages of any other folder are listed under the folder's name. */
const TITLES: Readonly<Record<string, string>> = {
  guides: 'Guides',
  operators: 'For operators',
  '.': 'The project',
  decisions: 'Decisions',
  measurements: 'Measurements',
};

/** The lists of pages beside a page: the folders that each contains, by the beginning of the page's address. */
const LISTS: readonly (readonly [address: string, folders: readonly string[]])[] = [
  ['/operators/', ['operators']],
  ['/decisions/', ['decisions', 'measurements', '.']],
  ['/measurements/', ['measurements', 'decisions', '.']],
  ['/', ['guides', '.']],
];

export interface DocsPage {
  /** The path below docs/, such as `guides/errors.md`. */
  readonly file: string;
  readonly title: string;
}

/** Returns the path in the site of a file below docs/: guides are at the site's root, and a README is the index of its folder. */
export function sitePath(file: string): string {
  return file.replace(/^guides\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns the address of a page below the site's root. */
export function addressOf(file: string): string {
  return `/${sitePath(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`;
}

/** Reads every page. @throws Error for a page without a heading of the first level */
export function readDocsPages(): DocsPage[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const [, title] = /^# (.+)$/m.exec(readFileSync(join(DOCS, file), 'utf8')) ?? [];
      if (title === undefined) throw new Error(`docs/${file} must begin with a heading of the first level`);
      return { file, title: title.replaceAll('`', '') };
    });
}

/** Orders the pages of a folder: its README, the pages in the order of the README's last links to them, and then all others. */
function orderPages(folder: string, pages: readonly DocsPage[]): DocsPage[] {
  const index = pages.find(({ file }) => basename(file) === 'README.md');
  if (index === undefined) return [...pages];
  const text = readFileSync(join(DOCS, index.file), 'utf8');
  const linked = [...text.matchAll(/\]\(([^)#]+\.md)/g)].map(([, target = '']) => join(folder, target));
  const rank = ({ file }: DocsPage) => {
    const position = linked.lastIndexOf(file);
    return file === index.file ? -1 : position === -1 ? linked.length : position;
  };
  return [...pages].sort((a, b) => rank(a) - rank(b));
}

const REFERENCE = '/reference';

/** Returns links to the sections of the reference, one per tag of the API. Swagger UI creates the sections with these anchors. */
function referenceSections() {
  return operationTags.map((tag) => ({
    text: tag,
    link: `${REFERENCE}#operations-tag-${tag.replaceAll(' ', '_')}`,
  }));
}

/** Returns the lists of pages by the beginning of the addresses beside which they are shown. Each has one section per folder. */
export function navigation() {
  const pages = readDocsPages();
  const known = new Set(LISTS.flatMap(([, folders]) => folders));
  const others = [...new Set(pages.map(({ file }) => dirname(file)))].filter((folder) => !known.has(folder));
  const lists = [...LISTS, ...others.map((folder) => [`/${folder}/`, [folder]] as const)];
  const sections = (folders: readonly string[]) =>
    folders.map((folder) => {
      const inFolder = pages.filter(({ file }) => dirname(file) === folder);
      const items = orderPages(folder, inFolder).map(({ file, title }) => {
        const link = addressOf(file);
        const more = link === REFERENCE ? { collapsed: true, items: referenceSections() } : {};
        return { text: title, link, ...more };
      });
      return { text: TITLES[folder] ?? folder, items };
    });
  return Object.fromEntries(lists.map(([address, folders]) => [address, sections(folders)]));
}
