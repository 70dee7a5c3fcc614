/** A headless Chromium that is on this machine; none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** It asks nobody outside for anything. */
const QUIET = [
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

/** @throws Error that says how to get one where there is none */
function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which can't be run.`);
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
      'The tests of the pages need a Chromium or Chrome, and there is none on PATH. Install one',
      '(Debian and Ubuntu: apt-get install chromium; macOS: brew install --cask chromium),',
      'or name one: CHROMIUM_PATH=/path/to/chromium npm run test:pages',
    ].join('\n'),
  );
}

export function launchBrowser(): Promise<Browser> {
  // As root, in a container, its own sandbox can't be had.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium(),
    args: isRoot ? [...QUIET, '--no-sandbox'] : QUIET,
  });
}
