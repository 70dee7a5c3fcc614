/** Completes the built site: moves inline scripts to files, adds the page of the reference, and compresses every file. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BASE_PATH, DOCS_PATH, operationTags } from '@carecover/contract';
import { navigation } from './docs-pages';

/** Content below this size is not compressed, because it fits into one packet. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Writes an asset whose name contains a hash of its content. Returns its path in the site. */
export function writeAsset(folder: string, name: string, extension: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const path = `assets/${name}.${hash}.${extension}`;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  return path;
}

/** Moves the inline scripts of a page to files and removes style attributes, which the policy of the gateway does not allow. */
export function removeInlineCode(html: string, folder: string): string {
  return html
    .replaceAll(
      /<script id="([\w-]+)">([\s\S]*?)<\/script>/g,
      (_, name: string, code: string) =>
        `<script src="/docs/${writeAsset(folder, name, 'js', code)}"></script>`,
    )
    .replaceAll(/(<[a-z][^>]*?) style="[^"]*"/g, '$1');
}

/** Writes a file as an asset. Returns its address. */
function copyAsset(folder: string, file: string): string {
  const extension = extname(file).slice(1);
  return `${DOCS_PATH}/${writeAsset(folder, basename(file, `.${extension}`), extension, readFileSync(file, 'utf8'))}`;
}

/**
 * The shell command with which a reader creates a token for requests from the API reference. The page's script replaces the ellipsis by
 * the origin of the page.
 */
const TOKEN_COMMAND = `curl <span id="origin">https://…</span>${BASE_PATH}/tokens --user "$CARECOVER_KEY:" --json '{"scopes":["*"],"expires_in":3600}'`;

/** Adds the page of the API reference to the site: Swagger UI with the list of pages beside it (decision 0009). */
export function writeReference(folder: string): void {
  const description = `${BASE_PATH}/openapi.json`;
  const sources = join(__dirname, '../site/reference');
  const stylesheets = [
    require.resolve('swagger-ui-dist/swagger-ui.css'),
    join(sources, 'layout.css'),
    join(sources, 'reference.css'),
  ].map((file) => `<link rel="stylesheet" href="${copyAsset(folder, file)}">`);
  const scripts = [
    require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    join(sources, 'reference.js'),
  ].map((file) => `<script src="${copyAsset(folder, file)}" defer></script>`);
  const pages = (navigation()[0]?.items ?? []).map(
    ({ link, text }) => `<li><a href="${DOCS_PATH}${link}">${text}</a></li>`,
  );
  // Links to the sections of the reference, one per tag of the API. Swagger UI creates the sections with these anchors.
  const sections = operationTags.map(
    (tag) => `<li><a href="#operations-tag-${tag.replaceAll(' ', '_')}">${tag}</a></li>`,
  );
  writeFileSync(
    join(folder, 'reference.html'),
    `<!doctype html>
<html lang="en" class="reference">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reference | Carecover API</title>
<link rel="icon" type="image/svg+xml" href="${DOCS_PATH}/icon.svg">
${[...stylesheets, ...scripts].join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${DOCS_PATH}/">Carecover API</a>
<button type="button" popovertarget="pages">Pages</button>
</header>
<nav id="pages" class="pages" popover aria-label="Pages">
<ul>
${pages.join('\n')}
<li><a href="${DOCS_PATH}/reference" aria-current="page">Reference</a><ul>${sections.join('')}</ul></li>
</ul>
</nav>
<div id="content" tabindex="-1">
<h1>Reference</h1>
<p>Every operation, made from the API description at <a href="${description}"><code>${description}</code></a>.</p>
<noscript><p>This page needs JavaScript. The API description and the guides don't.</p></noscript>
<details class="try">
<summary>Try it against the sandbox</summary>
<p>Create a token with your secret key in a terminal: a secret key must never be typed into a browser. The token is valid for an hour.</p>
<pre>${TOKEN_COMMAND}</pre>
<p>For <code>npm start</code>, add <code>--cacert .carecover/tls/ca.pem</code>; the key is <code>secret_key</code> in <code>.carecover/stack.json</code>.</p>
<form id="token">
<label>Token <input name="token" type="password" placeholder="pt_test_…" autocomplete="off" spellcheck="false" required></label>
<button>Use this token</button>
<output></output>
</form>
</details>
<div id="reference" data-description="${description}"></div>
</div>
</body>
</html>
`,
  );
}

/** Writes a compressed copy of every large file. */
export function compressSite(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length >= MIN_COMPRESSED_BYTES) writeFileSync(`${path}.gz`, gzipSync(bytes));
  }
}
