/**
 * The paths in the folder of a stack. The setting CARECOVER_HOME names the folder. If the folder is deleted, the next start creates a
 * new, empty stack.
 */
import { join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');

export interface Home {
  folder: string;
  lock: string;
  /** File with the addresses and credentials of the running stack, for scripts. */
  stack: string;
  secrets: string;
  /** File with the sandbox project and its secret key. */
  project: string;
  /** File with the ports of the last start, so that the next start uses the same addresses. */
  ports: string;
  /** File that exists after the first complete journey. */
  journeyDone: string;
  journeyLock: string;
  tls: string;
  postgresql: string;
  nats: string;
  /** Folder with the configuration files of Temporal's server, whose data is in PostgreSQL. */
  temporal: string;
  logs: string;
  /** Folder with one file per service, into which a test writes the name of a failpoint. */
  failpoints: string;
}

/** Returns the paths in the folder of a stack. */
export function homePaths(folder: string): Home {
  const path = (name: string) => join(folder, name);
  return {
    folder,
    lock: path('lock'),
    stack: path('stack.json'),
    secrets: path('secrets.json'),
    project: path('project.json'),
    ports: path('ports.json'),
    journeyDone: path('journey.done'),
    journeyLock: path('journey.lock'),
    tls: path('tls'),
    postgresql: path('postgresql'),
    nats: path('nats'),
    temporal: path('temporal'),
    logs: path('logs'),
    failpoints: path('failpoints'),
  };
}
