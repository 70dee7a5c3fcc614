/** Every page for people that the gateway serves, made once at the start from the guides and the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { operationTags } from '@carecover/contract';
import { type Assets, readAssets } from './assets';
import { GUIDES_FOLDER } from './guides-folder';
import { type NavigationEntry, pageHtml, type Surroundings } from './layout';
import { type Guide, type LinkTargets, renderGuide, type Section } from './markdown';
import { type StaticAnswer, staticAnswer } from './static-answer';

const DOCS_PATH = '/docs';
const REFERENCE_PATH = `${DOCS_PATH}/reference`;
const OVERVIEW = 'README.md';

/** Nothing comes from elsewhere, nothing inline runs, and nobody frames it. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const GUIDE_POLICY = [...POLICY, "img-src 'self'"].join('; ');
/** The viewer runs, reads the API description, and has small pictures in its stylesheet. */
const REFERENCE_POLICY = [...POLICY, "img-src 'self' data:", "script-src 'self'", "connect-src 'self'"].join(
  '; ',
);

function html(text: string, policy: string): StaticAnswer {
  return staticAnswer('text/html; charset=utf-8', text, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
  });
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
      const drawn = readFileSync(join(GUIDES_FOLDER, path), 'utf8');
      const [, width, height] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(drawn) ?? [];
      return { url: assets.address(name), width: Number(width), height: Number(height) };
    },
  };
}

/** The guides in the order in which the overview's table names them. */
function readGuides(assets: Assets, descriptionPath: string): Map<string, Guide> {
  const files = readdirSync(GUIDES_FOLDER).filter((file) => file.endsWith('.md'));
  const overview = readFileSync(join(GUIDES_FOLDER, OVERVIEW), 'utf8');
  const named = [...overview.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = '']) => file);
  const order = [...new Set([OVERVIEW, ...named.filter((file) => files.includes(file)), ...files])];
  const targets = linkTargets(files, assets, descriptionPath);
  return new Map(
    order.map((file) => [
      addressOf(file),
      renderGuide(readFileSync(join(GUIDES_FOLDER, file), 'utf8'), targets),
    ]),
  );
}

function referencePage(assets: Assets, surroundings: Surroundings, descriptionPath: string): string {
  // The viewer's own anchors.
  const sections: Section[] = operationTags.map((tag) => ({
    anchor: `operations-tag-${tag.replaceAll(' ', '_')}`,
    title: tag,
  }));
  return pageHtml(
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
    surroundings,
  );
}

/** Every page and asset by its path. @throws Error where a guide or an asset is missing */
export function docsSite(descriptionPath: string): ReadonlyMap<string, StaticAnswer> {
  const assets = readAssets(`${DOCS_PATH}/assets`);
  const guides = readGuides(assets, descriptionPath);
  const navigation: NavigationEntry[] = [
    ...[...guides].map(([address, { title }]) => ({ address, title })),
    { address: REFERENCE_PATH, title: 'Reference' },
  ];
  const surroundings = { navigation, icon: assets.address('icon.svg') };
  const stylesheets = [assets.address('guides.css')];
  const site = new Map<string, StaticAnswer>(assets.answers);
  for (const [address, guide] of guides) {
    const text = pageHtml({ ...guide, address, stylesheets, scripts: [], kind: 'guide' }, surroundings);
    site.set(address, html(text, GUIDE_POLICY));
  }
  const overview = site.get(DOCS_PATH);
  if (overview !== undefined) site.set(`${DOCS_PATH}/`, overview);
  site.set(REFERENCE_PATH, html(referencePage(assets, surroundings, descriptionPath), REFERENCE_POLICY));
  return site;
}
