/** The files of an installation that clients can read: pages of the documentation, and apps. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readApp as readTriangle } from '@carecover/charts/assets';
import { DOCS, readDocsPages } from '@carecover/docs-site/pages';
import { readApp as readClaimSlider } from '@carecover/two-times/assets';
import type { AppName } from './apps';
import type { DocumentationPage } from './resources';

const APPS: Readonly<Record<AppName, () => string>> = {
  'claim-slider': readClaimSlider,
  triangle: readTriangle,
};

/** Creates the function that returns the page of an app. It is read once, when the first client requests it. */
export function createAppReader(): (name: AppName) => string {
  const pages = new Map<AppName, string>();
  return (name) => {
    const html = pages.get(name) ?? APPS[name]();
    pages.set(name, html);
    return html;
  };
}

/** The site draws this page in the browser; its source says nothing. */
const DRAWN_PAGE = 'guides/reference.md';

/** Reads the guides and the glossary. An installation without the documentation's sources has none of these resources. */
export function readPages(): DocumentationPage[] {
  if (!existsSync(DOCS)) return [];
  return readDocsPages()
    .filter(({ file }) => (file.startsWith('guides/') && file !== DRAWN_PAGE) || file === 'glossary.md')
    .map(({ file, title }) => {
      const text = readFileSync(join(DOCS, file), 'utf8');
      return { path: file.replace(/\.md$/, ''), title, text };
    });
}
