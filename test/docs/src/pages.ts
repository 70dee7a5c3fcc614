/** Reads the documentation pages in the repository and extracts code from them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '../../..');

export interface Page {
  /** The path of the page relative to the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** Reads every Markdown file in these folders and their subfolders. */
export function readPages(...folders: string[]): Page[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'),
      )
      .map((entry) => readPage(relative(ROOT, join(entry.parentPath, entry.name)))),
  );
}

/** Reads a file by its path relative to the repository's root. */
export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** Returns the contents of the fenced code blocks of a page whose info string is `language`, in order. */
export function extractBlocks({ text }: Page, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, body]) =>
    found === language && body !== undefined ? [body] : [],
  );
}

/** Returns the inline code of a page outside fenced blocks. Inline code can span two lines. */
export function extractInlineCode({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? '').replaceAll(/\s+/g, ' '));
}

/** Returns the anchor that a heading gets in a link. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
