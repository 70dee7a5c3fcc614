/** The app `ui://carecover/triangle` as one HTML file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAppPage } from '@carecover/two-times/assets';

/** The path of the stylesheet of the app. */
export const APP_STYLESHEET = join(__dirname, '../assets/triangle-app.css');

/** The path of the app's script that `npm run build` writes. */
export const APP_SCRIPT = join(__dirname, '../dist/triangle-app.js');

/** Reads the app. @throws Error if the package was not built */
export function readApp(): string {
  const [css, script] = [APP_STYLESHEET, APP_SCRIPT].map((file) => readFileSync(file, 'utf8'));
  return makeAppPage({ title: 'Development triangle', css: css ?? '', script: script ?? '' });
}
