/** The repository's pages for people, and what of them the tests hold to account. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '../../..');

export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** Every Markdown file in these folders and below. */
export function pagesIn(...folders: string[]): Page[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'),
      )
      .map((entry) => page(relative(ROOT, join(entry.parentPath, entry.name)))),
  );
}

export function page(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** The bodies of fenced blocks in this language, in their order. */
export function blocks({ text }: Page, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, body]) =>
    found === language && body !== undefined ? [body] : [],
  );
}

/** What stands between single backticks outside of fenced blocks; it may go over a line's end. */
export function inlineCode({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? '').replaceAll(/\s+/g, ' '));
}

/** The anchor that a heading gets. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
