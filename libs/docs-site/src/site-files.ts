/** Completes the built site: moves inline scripts to files, and compresses every file. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DOCS_PATH } from '@carecover/contract';

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
        `<script src="${DOCS_PATH}/${writeAsset(folder, name, 'js', code)}"></script>`,
    )
    .replaceAll(/(<[a-z][^>]*?) style="[^"]*"/g, '$1');
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
