/** What a running stack tells scripts: the file `stack.json` in its folder. */

import { StartFailure } from './failure';
import { readIfThere } from './files';
import type { Home } from './home';

export interface StackFile {
  /** Ends in /v1. */
  base_url: string;
  /** One for each gateway. */
  base_urls: string[];
  /** Path of the certificate to trust. */
  ca_certificate: string;
  project_id: string;
  secret_key: string;
  temporal_address: string;
  temporal_ui: string;
  nats_url: string;
  /** Of NATS' user `operator`. */
  nats_password: string;
  /** The database, as its admin. */
  database_url: string;
  /** The process that a signal stops everything by. */
  pid: number;
}

/** @throws StartFailure when no stack runs in this folder */
export async function runningStack(home: Home): Promise<StackFile> {
  const text = await readIfThere(home.stack);
  const file = text === undefined ? undefined : (JSON.parse(text) as StackFile);
  if (file === undefined || !isAlive(file.pid)) {
    throw new StartFailure(`No stack runs in ${home.folder}: start one with "npm start".`);
  }
  return file;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
