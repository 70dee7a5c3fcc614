import type { RunFolder } from './run-folder';
/** Where the run's cluster is told to the suites. */
export declare const CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';
/** Starts the cluster; returns the admin's address of its maintenance database. */
export declare function startTestCluster(run: RunFolder): Promise<string>;
