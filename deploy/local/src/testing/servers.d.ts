import { TestWorkflowEnvironment } from '@temporalio/testing';
export interface TestServer {
  readonly pid: number;
  /** Stops it and deletes its folder. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash does it. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after stopping it where it still runs. */
  restart(): Promise<void>;
}
/** A NATS server with JetStream. */
export declare function startTestNats(): Promise<
  TestServer & {
    readonly url: string;
  }
>;
/** A whole Temporal server on a database file, in real time. */
export declare function startDevTemporal(options?: { ui?: boolean }): Promise<
  TestServer & {
    readonly address: string;
    readonly uiUrl: string | undefined;
  }
>;
/**
 * Temporal's time-skipping server with its client, in a process of its own. Skipping is global to it: run its tests one
 * after the other, with unique workflow ids and queues, and call `teardown` at the end.
 */
export declare function startTimeSkippingTemporal(): Promise<TestWorkflowEnvironment>;
