/** The documentation pages, rendered once at the start from the guides and the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { operationTags } from '@carecover/contract';
import { type Assets, readAssets, type StaticFile } from './assets';
import { GUIDES_FOLDER } from './guides-folder';
import { type NavigationEntry, renderPage, type SiteLayout } from './layout';
import { type Guide, type LinkTargets, renderGuide, type Section } from './markdown';

export type { StaticFile };

const DOCS_PATH = '/docs';
const REFERENCE_PATH = `${DOCS_PATH}/reference`;
const OVERVIEW = 'README.md';

/** The Content-Security-Policy of a guide: no content from other hosts, no inline scripts or styles, and no frames. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const GUIDE_POLICY = [...POLICY, "img-src 'self'"].join('; ');
/** The Content-Security-Policy of the reference page: Swagger UI is a script that loads the API description, and its styles have pictures. */
const REFERENCE_POLICY = [...POLICY, "img-src 'self' data:", "script-src 'self'", "connect-src 'self'"].join(
  '; ',
);

function createHtmlFile(content: string, policy: string): StaticFile {
  return {
    type: 'text/html; charset=utf-8',
    content,
    headers: {
      'Cache-Control': 'public, max-age=300',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    },
  };
}

function addressOf(file: string): string {
  return file === OVERVIEW ? DOCS_PATH : `${DOCS_PATH}/${basename(file, '.md')}`;
}

function linkTargets(files: readonly string[], assets: Assets, descriptionPath: string): LinkTargets {
  return {
    isServed: (address) => [REFERENCE_PATH, descriptionPath].includes(address),
    page: (file) => (files.includes(file) ? addressOf(file) : undefined),
    picture(path) {
      const [, name] = /^pictures\/([\w-]+\.svg)$/.exec(path) ?? [];
      if (name === undefined) return undefined;
      const svg = readFileSync(join(GUIDES_FOLDER, path), 'utf8');
      const [, width, height] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
      return { url: assets.address(name), width: Number(width), height: Number(height) };
    },
  };
}

/** Reads the guides in the order of the overview's table. */
function readGuides(assets: Assets, descriptionPath: string): Map<string, Guide> {
  const files = readdirSync(GUIDES_FOLDER).filter((file) => file.endsWith('.md'));
  const overview = readFileSync(join(GUIDES_FOLDER, OVERVIEW), 'utf8');
  const linked = [...overview.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = '']) => file);
  const order = [...new Set([OVERVIEW, ...linked.filter((file) => files.includes(file)), ...files])];
  const targets = linkTargets(files, assets, descriptionPath);
  return new Map(
    order.map((file) => [
      addressOf(file),
      renderGuide(readFileSync(join(GUIDES_FOLDER, file), 'utf8'), targets),
    ]),
  );
}

function renderReferencePage(assets: Assets, layout: SiteLayout, descriptionPath: string): string {
  // The anchors of these sections are those that Swagger UI creates on the reference page.
  const sections: Section[] = operationTags.map((tag) => ({
    anchor: `operations-tag-${tag.replaceAll(' ', '_')}`,
    title: tag,
  }));
  return renderPage(
    {
      title: 'Reference',
      address: REFERENCE_PATH,
      html: `<h1>Reference</h1>
<p>Every operation, made from the API description at <a href="${descriptionPath}"><code>${descriptionPath}</code></a>.</p>
<noscript><p>This page needs JavaScript. The API description and the guides don't.</p></noscript>
<div id="reference" data-description="${descriptionPath}"></div>
`,
      sections,
      stylesheets: ['swagger-ui.css', 'guides.css', 'reference.css'].map(assets.address),
      scripts: ['swagger-ui-bundle.js', 'reference.js'].map(assets.address),
      kind: 'reference',
    },
    layout,
  );
}

export interface DocsSiteOptions {
  /** The path under which the gateway serves the API description. */
  readonly descriptionPath: string;
}

/**
 * Renders the documentation. Returns every page and asset by its path, ready to be served.
 *
 * @throws Error if a guide or an asset is missing
 * @example const files = createDocsSite({ descriptionPath: '/v1/openapi.json' });
 */
export function createDocsSite({ descriptionPath }: DocsSiteOptions): ReadonlyMap<string, StaticFile> {
  const assets = readAssets(`${DOCS_PATH}/assets`);
  const guides = readGuides(assets, descriptionPath);
  const navigation: NavigationEntry[] = [
    ...[...guides].map(([address, { title }]) => ({ address, title })),
    { address: REFERENCE_PATH, title: 'Reference' },
  ];
  const layout = { navigation, icon: assets.address('icon.svg') };
  const stylesheets = [assets.address('guides.css')];
  const site = new Map<string, StaticFile>(assets.files);
  for (const [address, guide] of guides) {
    const text = renderPage({ ...guide, address, stylesheets, scripts: [], kind: 'guide' }, layout);
    site.set(address, createHtmlFile(text, GUIDE_POLICY));
  }
  const overview = site.get(DOCS_PATH);
  if (overview !== undefined) site.set(`${DOCS_PATH}/`, overview);
  site.set(
    REFERENCE_PATH,
    createHtmlFile(renderReferencePage(assets, layout, descriptionPath), REFERENCE_POLICY),
  );
  return site;
}
