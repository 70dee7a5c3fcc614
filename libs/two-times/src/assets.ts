/**
 * The files that a page with the picture needs: its stylesheet, and its script, which the build bundles. And the apps, each of which is
 * one file with both inside.
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

/** What the page of an app contains. */
export interface AppPage {
  readonly title: string;
  /** The stylesheet of what the app shows. */
  readonly css: string;
  /** The bundled script. */
  readonly script: string;
}

/** Makes an app as one HTML file without any address of another file. Every app has the colours and the texts of the console. */
export function makeAppPage({ title, css, script }: AppPage): string {
  const shared = readFileSync(join(__dirname, '../assets/app.css'), 'utf8');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${shared}\n${css}</style></head>`,
    // "</script" in a text of the script would end the element.
    `<body><script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
  ].join('');
}

/** Reads the app `ui://carecover/claim-slider`. @throws Error if the package was not built */
export function readApp(): string {
  const css = readFileSync(STYLESHEET, 'utf8');
  return makeAppPage({ title: 'Two times of a claim', css, script: readFileSync(APP_SCRIPT, 'utf8') });
}
