/** The file `stack.json` in the folder of a running stack, for scripts. */

import { StartFailure } from './failure';
import { readIfExists } from './files';
import type { Home } from './home';

export interface StackFile {
  /** Ends in /v1. */
  base_url: string;
  /** One per gateway. */
  base_urls: string[];
  /** Path of the certificate to trust. */
  ca_certificate: string;
  project_id: string;
  secret_key: string;
  temporal_address: string;
  temporal_ui: string;
  nats_url: string;
  /** Password of the NATS user `operator`. */
  nats_password: string;
  /** Address of the database with the administrator's role. */
  database_url: string;
  /** The process that stops the stack when it receives SIGINT or SIGTERM. */
  pid: number;
}

/** Reads the file of the running stack. @throws StartFailure if no stack runs in this folder */
export async function readRunningStack(home: Home): Promise<StackFile> {
  const text = await readIfExists(home.stack);
  const file = text === undefined ? undefined : (JSON.parse(text) as StackFile);
  if (file === undefined || !isRunning(file.pid)) {
    throw new StartFailure(`No stack runs in ${home.folder}: start one with "npm start".`);
  }
  return file;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
