/** Runs Temporal with its UI on a database file, set up as our workflows need it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Child, Children } from './children';
import { untilReady } from './ready';

/** What operators can search workflows by. Never a member reference: these are stored in the clear. */
export const searchAttributes = {
  ClaimStatus: 'Keyword',
  PreauthorizationStatus: 'Keyword',
  RemittanceStatus: 'Keyword',
  Environment: 'Keyword',
  ProjectId: 'Keyword',
  DueAt: 'Datetime',
} as const;

export interface TemporalOptions {
  children: Children;
  executable: string;
  databaseFile: string;
  logFile: string;
  port: number;
  /** Undefined for no UI. */
  uiPort: number | undefined;
}

/** Starts the server and waits until it takes workflows. */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  const { executable, port, uiPort } = options;
  const address = `127.0.0.1:${port}`;
  const child = options.children.start({
    name: 'temporal',
    command: executable,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)]),
      ...['--db-filename', options.databaseFile, '--log-level', 'warn'],
      ...Object.entries(searchAttributes).flatMap(([key, type]) => ['--search-attribute', `${key}=${type}`]),
      // The server's default of 10 makes a busy claim slower the more callers it has.
      ...['--dynamic-config-value', 'history.maxInFlightUpdates=200'],
    ],
    logFile: options.logFile,
  });
  await untilReady(child, options.logFile, () => knowsSearchAttributes(executable, address));
  return child;
}

/** They are registered last, so a server that knows them does everything else too. */
async function knowsSearchAttributes(executable: string, address: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(
      executable,
      ['operator', 'search-attribute', 'list', '--address', address, '--command-timeout', '2s'],
      { timeout: 5_000 },
    );
    return Object.keys(searchAttributes).every((key) => stdout.includes(key));
  } catch {
    // Not there yet; whether it ended is looked at elsewhere.
    return false;
  }
}
