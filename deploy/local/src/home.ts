/** Where everything of one stack lies: a folder that can be deleted to begin again, and moved by CARECOVER_HOME. */
import { join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');

export interface Home {
  folder: string;
  lock: string;
  /** What scripts need to know of the running stack. */
  stack: string;
  secrets: string;
  /** The sandbox project and its key. */
  project: string;
  /** The ports of the last start, so that addresses stay the same. */
  ports: string;
  /** There once a journey has reached its end. */
  journeyDone: string;
  journeyLock: string;
  tls: string;
  postgresql: string;
  nats: string;
  /** Configuration files of Temporal's server; its data is in PostgreSQL. */
  temporal: string;
  logs: string;
}

export function homeAt(folder: string): Home {
  const at = (name: string) => join(folder, name);
  return {
    folder,
    lock: at('lock'),
    stack: at('stack.json'),
    secrets: at('secrets.json'),
    project: at('project.json'),
    ports: at('ports.json'),
    journeyDone: at('journey.done'),
    journeyLock: at('journey.lock'),
    tls: at('tls'),
    postgresql: at('postgresql'),
    nats: at('nats'),
    temporal: at('temporal'),
    logs: at('logs'),
  };
}
