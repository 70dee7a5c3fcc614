/** The configuration of the documentation site. Decision 0036 explains the generator. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig, postcssIsolateStyles } from 'vitepress';

// The functions are in src/ of this package, where its tests use them too. The build of the site imports the compiled functions in dist/.
const require = createRequire(import.meta.url);
const { configureMarkdown, headingAnchor } =
  require('../../dist/markdown.js') as typeof import('../../src/markdown');
const { compressSite, removeInlineCode, writeAsset } =
  require('../../dist/site-files.js') as typeof import('../../src/site-files');
const { searchableOperations } =
  require('../../dist/reference-data.js') as typeof import('../../src/reference-data');
const { DOCS, navigation, ROOT, sitePath } =
  require('../../dist/docs-pages.js') as typeof import('../../src/docs-pages');

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/**
 * The address of the repository's files on its host, such as `https://git.example/carecover/blob/main`. It is a setting of the build,
 * because the repository's files do not name their host; undefined if the setting is missing.
 */
const repositoryUrl = process.env.CARECOVER_REPOSITORY_URL;

// The colors of code are classes of a stylesheet, because the Content-Security-Policy of the pages allows no style attributes.
const codeColors = transformerStyleToClass({ classPrefix: 'code-' });
const writeCodeStylesheet = (folder: string) => writeAsset(folder, 'code', 'css', codeColors.getCSS());

export default defineConfig({
  base: '/docs/',
  srcDir: DOCS,
  outDir: join(PACKAGE, 'dist/site'),
  cacheDir: join(ROOT, '.carecover/vitepress'),
  cleanUrls: true,
  lang: 'en',
  title: 'Carecover API',
  description: 'Care, insurance cover and payment as JSON over HTTPS',
  rewrites: sitePath,
  metaChunk: true,
  // By default, VitePress adds a style element when the color scheme changes, which the pages' Content-Security-Policy does not allow.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  markdown: {
    // VitePress's default themes for code have too little contrast between text and background.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: headingAnchor },
    toc: { slugify: headingAnchor },
    codeTransformers: [codeColors],
    config: (md) => configureMarkdown(md, repositoryUrl),
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // The browser adds the operations to the page of the reference, so the index gets them here.
        _render(source, env, md) {
          const page = md.render(source, env);
          return env.relativePath === 'reference.md' ? page + searchableOperations() : page;
        },
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
      },
    },
    sidebar: navigation(),
    nav: [
      { text: 'Guides', link: '/' },
      { text: 'Reference', link: '/reference' },
      { text: 'Operators', link: '/operators/' },
      { text: 'Decisions', link: '/decisions/' },
      { text: `Version ${version}`, link: '/versioning' },
    ],
    outline: [2, 3],
    notFound: {
      title: 'This page does not exist',
      quote: 'Search for it, or begin with the overview.',
      linkText: 'Overview',
      linkLabel: 'Overview',
    },
    externalLinkIcon: true,
    ...(repositoryUrl === undefined
      ? {}
      : {
          editLink: { pattern: ({ filePath }: { filePath: string }) => `${repositoryUrl}/docs/${filePath}` },
        }),
  },
  // The gateway serves the API description.
  ignoreDeadLinks: [/^\/v1\//],
  vite: {
    publicDir: join(PACKAGE, 'site/public'),
    // The class `vp-raw` excludes the reference from the styles of text.
    css: { postcss: { plugins: [postcssIsolateStyles({ includeFiles: [/vp-doc\.css/] })] } },
    build: { chunkSizeWarningLimit: 2_000, assetsInlineLimit: 0 },
  },
  transformHead: ({ siteConfig }) => [
    ['link', { rel: 'stylesheet', href: `/docs/${writeCodeStylesheet(siteConfig.outDir)}` }],
  ],
  transformHtml: (html, _id, { siteConfig }) => removeInlineCode(html, siteConfig.outDir),
  buildEnd({ outDir }) {
    compressSite(outDir);
  },
});
