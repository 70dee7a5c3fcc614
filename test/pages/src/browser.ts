/** Starts the headless Chromium that is installed on the machine; none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium options that prevent network requests which the browser sends on its own and which no page causes. */
const NO_BACKGROUND_REQUESTS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of an installed Chromium. @throws Error with installation instructions if there is none */
function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH must be an executable file, and ${named} is not.`);
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...APPLICATIONS,
  ];
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    [
      'The tests of the pages require Chromium or Chrome, and none is on PATH. Install one',
      '(Debian and Ubuntu: apt-get install chromium; macOS: brew install --cask chromium),',
      'or set its path: CHROMIUM_PATH=/path/to/chromium npm run test:pages',
    ].join('\n'),
  );
}

/** Starts a headless Chromium. @throws Error with installation instructions if none is installed */
export function launchBrowser(): Promise<Browser> {
  // The sandbox of Chromium does not work as root, for example in a container.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium(),
    args: isRoot ? [...NO_BACKGROUND_REQUESTS, '--no-sandbox'] : NO_BACKGROUND_REQUESTS,
  });
}
