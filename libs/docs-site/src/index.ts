/** The documentation site: the files that the build of this package created, ready to be served. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { DOCS_PATH } from '@carecover/contract';

/** A page or an asset, and the headers with which it is served. */
export interface StaticFile {
  /** The media type. */
  readonly type: string;
  readonly content: string | Buffer;
  /** The content compressed with gzip; absent if the build did not compress the file. */
  readonly gzipped?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The path of the page that is served if a path below {@link DOCS_PATH} has no page. */
export const UNKNOWN_PAGE = `${DOCS_PATH}/404`;
/** The folder of the built site. Its path relative to `src` and to `dist` is the same. */
const SITE_FOLDER = join(__dirname, '../dist/site');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The Content-Security-Policy of a page: no content from other hosts, no inline scripts or styles, and no frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const PAGE_POLICY = [...POLICY, "style-src 'self'"].join('; ');
function headersOf(file: string): Record<string, string> {
  // The names of assets contain a hash of their content.
  const isAsset = file.startsWith('assets/');
  const caching = {
    'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
  };
  if (extname(file) !== '.html') {
    // Pictures contain a style element with their dark colors.
    const styles = file.endsWith('.svg') ? "; style-src 'unsafe-inline'" : '';
    return { ...caching, 'Content-Security-Policy': `default-src 'none'${styles}` };
  }
  return { ...caching, 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'no-referrer' };
}

/** Returns the paths of a file: a page has no extension, and the index of a folder also has the folder's path. */
function pathsOf(file: string): string[] {
  const page = `${DOCS_PATH}/${file}`.replace(/\.html$/, '');
  if (!file.endsWith('index.html')) return [page];
  const folder = page.replace(/\/index$/, '');
  return [folder, `${folder}/`];
}

/** The page that the gateway serves for the overview if the site was not built, such as in tests of the gateway alone. */
const NOT_BUILT: StaticFile = {
  type: 'text/html; charset=utf-8',
  content: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Carecover API</title></head>
<body><main><h1>The documentation is not built</h1>
<p>Run <code>npx turbo run build --filter=@carecover/docs-site</code> in the repository, and start the gateway again.</p>
<p>The <a href="/v1/openapi.json">API description</a> is available without the site.</p></main></body>
</html>
`,
  headers: {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'no-referrer',
  },
};

/**
 * Reads the built site. Returns every page and asset by its path. If the site was not built, the only page says how to build it.
 *
 * @example createDocsSite().get('/docs/errors')?.type // 'text/html; charset=utf-8'
 */
export function createDocsSite(folder = SITE_FOLDER): ReadonlyMap<string, StaticFile> {
  // The last step of the build compresses the pages, so a missing compressed index means that the site was not built.
  if (!existsSync(join(folder, 'index.html.gz')))
    return new Map(pathsOf('index.html').map((path) => [path, NOT_BUILT]));
  const site = new Map<string, StaticFile>();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  for (const file of files) {
    const type = TYPES[extname(file)];
    // A compressed copy is not a file of its own: it is read together with the original.
    if (file.endsWith('.gz')) continue;
    if (type === undefined) throw new RangeError(`no media type for ${file}`);
    const compressed = join(folder, `${file}.gz`);
    const content = {
      type,
      content: readFileSync(join(folder, file)),
      ...(existsSync(compressed) ? { gzipped: readFileSync(compressed) } : {}),
      headers: headersOf(file),
    };
    for (const path of pathsOf(file)) site.set(path, content);
  }
  return site;
}
