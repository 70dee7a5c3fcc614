/**
 * The files that a page with the picture needs: its stylesheet, and its script, which the build bundles. And the app, which is one file with
 * both inside.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = { 'two-times.css': '../assets/two-times.css', 'two-times.js': '../dist/two-times.js' } as const;

/** The path of the stylesheet. */
export const STYLESHEET = join(__dirname, FILES['two-times.css']);

/** The path of the script that `npm run build` writes. */
export const SCRIPT = join(__dirname, FILES['two-times.js']);

/** The path of the app's script that `npm run build` writes. */
export const APP_SCRIPT = join(__dirname, '../dist/claim-slider.js');

/** Reads the files. @throws Error if the package was not built */
export function readAssets(): readonly { readonly name: string; readonly content: Buffer }[] {
  return Object.entries(FILES).map(([name, path]) => ({
    name,
    content: readFileSync(join(__dirname, path)),
  }));
}

/** Reads the app as one HTML file without any address of another file. @throws Error if the package was not built */
export function readApp(): string {
  const styles = [join(__dirname, '../assets/claim-slider.css'), STYLESHEET];
  const css = styles.map((file) => readFileSync(file, 'utf8')).join('\n');
  // "</script" in a text of the script would end the element.
  const script = readFileSync(APP_SCRIPT, 'utf8').replaceAll('</script', '<\\/script');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Two times of a claim</title><style>${css}</style></head>`,
    `<body><script type="module">${script}</script></body></html>`,
  ].join('');
}
