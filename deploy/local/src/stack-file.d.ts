/** What a running stack tells scripts: the file `stack.json` in its folder. */
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
  /** The database, as its admin. */
  database_url: string;
  /** The process that a signal stops everything by. */
  pid: number;
}
/** @throws StartFailure when no stack runs in this folder */
export declare function runningStack(home: Home): Promise<StackFile>;
