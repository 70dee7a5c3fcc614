/** The paths in a stack's folder, which CARECOVER_HOME sets. To start with an empty stack, delete the folder. */
import { join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');

export interface Home {
  folder: string;
  lock: string;
  /** Addresses and credentials of the running stack, for scripts. */
  stack: string;
  secrets: string;
  /** The sandbox project and its key. */
  project: string;
  /** The ports of the last start, so that addresses stay the same. */
  ports: string;
  /** Exists after the first complete journey. */
  journeyDone: string;
  journeyLock: string;
  tls: string;
  postgresql: string;
  nats: string;
  /** Configuration files of Temporal's server; its data is in PostgreSQL. */
  temporal: string;
  logs: string;
}

/** Returns the paths in a stack's folder. */
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
  };
}
