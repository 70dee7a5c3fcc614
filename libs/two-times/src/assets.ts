/** The files that a page with the picture needs: its stylesheet, and its script, which the build bundles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = { 'two-times.css': '../assets/two-times.css', 'two-times.js': '../dist/two-times.js' } as const;

/** The path of the stylesheet. */
export const STYLESHEET = join(__dirname, FILES['two-times.css']);

/** The path of the script that `npm run build` writes. */
export const SCRIPT = join(__dirname, FILES['two-times.js']);

/** Reads the files. @throws Error if the package was not built */
export function readAssets(): readonly { readonly name: string; readonly content: Buffer }[] {
  return Object.entries(FILES).map(([name, path]) => ({
    name,
    content: readFileSync(join(__dirname, path)),
  }));
}
