/** The file `stack.json` in the folder of a running stack, from which scripts read addresses and credentials. */
import { isRunning } from '../process/identity.cjs';
import { StartFailure } from './failure';
import { readIfExists } from './files';
import type { Home } from './home';

export interface StackFile {
  /** Base URL of the API at the first gateway; ends in /v1. */
  base_url: string;
  /** Base URLs of the API, one per gateway. */
  base_urls: string[];
  /** Path of the certificate of the authority that signed the gateway's certificate. */
  ca_certificate: string;
  project_id: string;
  secret_key: string;
  /** Address of the console. */
  console_url: string;
  temporal_address: string;
  temporal_ui: string;
  nats_url: string;
  /** Password of the NATS user `operator`. */
  nats_password: string;
  /** Connection URL of the database as the administrator. */
  database_url: string;
  /** ID of the process that stops the stack when it receives SIGINT or SIGTERM. */
  pid: number;
  /** Start time of this process. Another process can have the same ID, for example after a restart of the machine. */
  started: string;
}

/** Reads the file stack.json of a running stack. @throws StartFailure if no stack runs in this folder */
export async function readRunningStack(home: Home): Promise<StackFile> {
  const text = await readIfExists(home.stack);
  const file = text === undefined ? undefined : (JSON.parse(text) as StackFile);
  if (file === undefined || !isRunning(file)) {
    throw new StartFailure(`No stack runs in ${home.folder}: start one with "npm start".`);
  }
  return file;
}
