import type { Child, Children } from './children';
export declare const ADMIN_ROLE = 'postgres';
export interface ClusterAccess {
  /** `trust` is for tests alone: it asks nobody for a password. */
  auth: 'scram-sha-256' | 'trust';
  password: string;
}
export interface PostgresOptions {
  children: Children;
  dataFolder: string;
  logFile: string;
  port: number;
  password: string;
  /** Server settings beside those that every cluster of ours has. */
  settings: Readonly<Record<string, string>>;
}
/** Address of a database of the server on this port. */
export declare function databaseUrl(at: {
  port: number;
  role: string;
  password: string;
  database: string;
}): string;
/** Makes a new cluster. The folder appears whole or not at all, so that an interrupted start stops no later one. */
export declare function initCluster(dataFolder: string, access: ClusterAccess): Promise<void>;
/** Starts the server on an existing cluster and waits until it answers, also when it has to recover from a crash first. */
export declare function startPostgres(options: PostgresOptions): Promise<Child>;
/** Makes the database if the cluster doesn't have it yet. `adminUrl` is that of the cluster's own database. */
export declare function ensureDatabase(adminUrl: string, name: string): Promise<void>;
/** Version of the package that brings the binaries. */
export declare function postgresVersion(): string;
